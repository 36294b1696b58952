/**
 * Decides what an HTTP response says about its URL. The crawl uses it for responses as they arrive; imports and
 * rebuilds use it for archived responses. Therefore a journal that is rebuilt from the archive equals the journal
 * of the crawl.
 *
 *   page        content to index, with the directives that hold at the time of the response
 *   redirect    `to` is null if the target is the same URL, or not a URL that the crawl could fetch
 *   sitemap     a list of the site's pages
 *   unchanged   304: the page has not changed since the last visit
 *   gone        404 and 410: the page no longer exists; `archive/gone-policy.ts` decides when it is removed
 *   unreadable  200 with the content type of a page, but a body that is not a page, with the reason
 *   no page     200 with any other content, such as a picture
 *   error       any other status, which says nothing about the page
 *
 * Soft 404s and parked domains count as pages here, because they are recognized only by comparing them with
 * other pages of the same host.
 */
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';
import type { DocumentFault } from './document-fault.ts';
import { isSitemap } from './formats/mod.ts';
import { mayBeFound, pictureType } from './metadata/mod.ts';
import type { Page } from './page.ts';
import { mayBePage, type ParseOptions, parsePageOrFault } from './parse-page.ts';

/** A response without transfer coding and content coding. */
interface PlainResponse {
  status: number;
  /** For each header name in lower case, the values. A repeated header has all its values, in order. */
  headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

export type ResponseMeaning =
  | { kind: 'page'; page: Page }
  | { kind: 'redirect'; to: CanonicalUrl | null }
  | { kind: 'unreadable'; fault: DocumentFault }
  | { kind: 'sitemap' | 'unchanged' | 'gone' | 'no page' | 'error' };

export function interpretResponse(
  response: PlainResponse,
  url: CanonicalUrl,
  fetchedAt: number,
  options: ParseOptions = {},
): ResponseMeaning {
  const { status } = response;
  if (isGoneStatus(status)) return { kind: 'gone' };
  if (status === 304) return { kind: 'unchanged' };
  const location = headerIn(response, 'location');
  if (status >= 300 && status < 400 && location !== '') {
    const to = canonicalize(location, url);
    return { kind: 'redirect', to: to === url ? null : to };
  }
  return status === 200 ? interpretContent(response, url, fetchedAt, options) : { kind: 'error' };
}

export function isGoneStatus(status: number): boolean {
  return status === 404 || status === 410;
}

function interpretContent(
  response: PlainResponse,
  url: CanonicalUrl,
  fetchedAt: number,
  options: ParseOptions,
): ResponseMeaning {
  const { body, headers } = response;
  const contentType = headerIn(response, 'content-type');
  if (isSitemap(url, contentType, body)) return { kind: 'sitemap' };
  if (!mayBePage(url, contentType, options.extractors)) return { kind: 'no page' };
  const input = {
    ...{ url, contentType, body },
    xRobotsTag: headers.get('x-robots-tag') ?? [],
    linkHeader: headers.get('link') ?? [],
    lastModified: headerIn(response, 'last-modified'),
    rating: headerIn(response, 'rating'),
    contentLanguage: headerIn(response, 'content-language'),
  };
  const read = parsePageOrFault(input, options);
  if (typeof read !== 'string') return { kind: 'page', page: withoutExpired(read, fetchedAt) };
  // A server that sends no content type may send the icon of its site in the same way. A picture is not an
  // unreadable page.
  return pictureType(body) ? { kind: 'no page' } : { kind: 'unreadable', fault: read };
}

/** Marks a page as not to be indexed if its `unavailable_after` date had passed when it was fetched. */
function withoutExpired(page: Page, fetchedAt: number): Page {
  if (!page.robots.index || mayBeFound(page.robots, fetchedAt)) return page;
  return { ...page, robots: { ...page.robots, index: false } };
}

function headerIn({ headers }: PlainResponse, name: string): string {
  return headers.get(name)?.[0] ?? '';
}
