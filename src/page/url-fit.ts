/**
 * Rates how well a URL fits a page, by statements of the page and of the URL. If several URLs have equal or
 * nearly equal pages, results show the URL that fits best. Three statements count:
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

/**
 * The rating of a URL by one statement: 0 if the statement is against the URL, 1 if there is none, 2 if it is
 * in favour.
 */
type Rating = 0 | 1 | 2;

const RATINGS = 3;

/** Returns how well a URL fits the page: 0 is worst, 26 is best. */
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

/** Compares the languages that a URL declares with the language of the text. */
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
