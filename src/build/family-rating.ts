/**
 * Decides whether a page is for adults, for the family filter of searches.
 *
 *   adult    the page or its server says so (page/metadata/rating.ts, schema.org, Open Graph), or its words leave no
 *            doubt (text/adult-words.ts)
 *   mature   the page says so, or its words make it probable; only the strict filter hides such pages
 *
 * Lists of adult sites are applied at search time and not here, so that a changed list needs no new index.
 */
import type { Rating } from '../index/mod.ts';
import { judgeByWords } from '../text/mod.ts';
import type { Page } from '../page/mod.ts';

/** Returns `adult`, `mature`, or the empty string for a page that the family filter never hides. */
export function familyRatingOf(page: Page): Rating | '' {
  if (page.rating) return page.rating;
  if (saysSo(page)) return 'adult';
  const { title, description } = page;
  return judgeByWords(title, description, page.text) ?? '';
}

function saysSo({ structured = [], openGraph = {} }: Page): boolean {
  const isNotForFamilies = structured.some(({ properties }) =>
    /^(?:false|no)$/i.test(properties.isFamilyFriendly?.[0] ?? ''),
  );
  return isNotForFamilies || /^18/.test(openGraph['restrictions:age'] ?? '');
}
