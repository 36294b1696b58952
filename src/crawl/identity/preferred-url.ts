/**
 * Chooses the URL of a document that has several: the URLs with equal content. The first evidence that differs decides:
 *
 *     statements   canonical link, hreflang, and the language of the text in the URL (page/url-fit.ts)
 *   form         https; no query; the home page of the host, although inner pages often link to another name of it,
 *                such as `contents.html`; the directory, not its `index.html`
 *   links        the importance that fetched pages pass on to a URL (frontier/importance.ts), if it is more than
 *                twice that of the other URL
 *   simplicity   fewer path segments, then a shorter URL, then the first in alphabetical order
 *
 * The choice is made again whenever one of the URLs is fetched, so it does not depend on the order of fetching, and may
 * change with the evidence.
 */
import { type Page, urlFitOf } from '../../page/mod.ts';
import { type CanonicalUrl, pathOf } from '../../url/mod.ts';

type Statements = Pick<Page, 'canonical' | 'alternates' | 'language'>;

/** Links decide only if one URL has more than this many times the importance of the other. */
const CLEAR_LEAD = 2;
const INDEX_FILE = /\/(?:index|default)\.\w+$/;

/**
 * Returns true if `url`, which was just fetched, is a better URL for the page than `other`, which has the same
 * content. `linkedness` returns the importance of a URL by its links.
 */
export function isPreferredUrl(
  url: CanonicalUrl,
  other: CanonicalUrl,
  page: Statements,
  linkedness: (url: CanonicalUrl) => number = () => 0,
): boolean {
  // A canonical link to `url` itself does not count as a statement. If the link is relative, the other copy names
  // itself in the same way. If it is absolute, the other copy names `url`, and canonical-claims.ts has that claim.
  const statements = { ...page, canonical: page.canonical === url ? null : page.canonical };
  const preferences = [
    urlFitOf(url, statements) - urlFitOf(other, statements),
    formOf(url) - formOf(other),
    compareLinks(linkedness(url), linkedness(other)),
    segmentsOf(other) - segmentsOf(url),
    other.length - url.length,
  ];
  const decisive = preferences.find((difference) => difference !== 0) ?? 0;
  return decisive === 0 ? url < other : decisive > 0;
}

function formOf(url: CanonicalUrl): number {
  const marks = [url.startsWith('https:'), !url.includes('?'), pathOf(url) === '/', !INDEX_FILE.test(url)];
  return marks.reduce((form, mark) => 2 * form + Number(mark), 0);
}

function compareLinks(one: number, other: number): number {
  if (one > CLEAR_LEAD * other) return 1;
  return other > CLEAR_LEAD * one ? -1 : 0;
}

function segmentsOf(url: CanonicalUrl): number {
  const [path = ''] = pathOf(url).split('?', 1);
  return path.split('/').filter((segment) => segment !== '').length;
}
