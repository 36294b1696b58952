/**
 * Rates how well a URL suits a page, by what the page and the URL state. Of several URLs with equal or nearly equal
 * pages, the one that fits best is shown. The order in which the URLs were fetched does not matter.
 *
 *   canonical link   names this URL, names none, or names another URL
 *   hreflang         lists this URL for the language of the text, does not list it, or lists it for another language
 *   language         the URL declares the language of the text, declares none, or declares another language
 *
 * A statement outweighs all statements after it. Example: an untranslated English page below `/da/` fits worse than
 * its copy below `/en/`.
 */
import { type CanonicalUrl, languagesIn } from '../url/mod.ts';
import type { Page } from './page.ts';

type Statements = Pick<Page, 'canonical' | 'alternates' | 'language'>;

/** 0 is a statement against the URL, 1 is no statement, 2 is a statement in favour of the URL. */
type Rating = 0 | 1 | 2;

const RATINGS = 3;

/** Returns a number from 0, the worst, to 26. */
export function urlFitOf(url: CanonicalUrl, { canonical, alternates = [], language }: Statements): number {
  const spoken = primaryOf(language);
  const byCanonical = canonical === null ? 1 : canonical === url ? 2 : 0;
  const listed = alternates.filter((alternate) => alternate.url === url && isLanguage(alternate.language));
  const byHreflang = ratingOf(
    listed.map((alternate) => primaryOf(alternate.language!)),
    spoken,
  );
  return (byCanonical * RATINGS + byHreflang) * RATINGS + ratingOf(languagesIn(url), spoken);
}

/** Rates declared languages by the language of the text. */
function ratingOf(declared: readonly string[], spoken: string): Rating {
  if (declared.length === 0 || spoken === '') return 1;
  return declared.includes(spoken) ? 2 : 0;
}

function isLanguage(tag: string | undefined): boolean {
  return tag !== undefined && tag !== 'x-default';
}

function primaryOf(tag: string): string {
  return tag.split('-', 1)[0]!;
}
