/**
 * Detects hosts whose links have no end: generated articles, paths of random words, a session id in every
 * link. Neither a single URL nor a single text distinguishes them from a large site, but their links do:
 *
 *   a large site      pages are linked from several pages, or are leaves: most of their links are already known
 *   a generated one   a page is linked only from the page that generated its URL, and generates several more
 *
 * A page counts as runaway if a single page of the host, and no other host, linked to it before it was
 * fetched, and it links to at least two new URLs of the host. Few pages of a flat list, a tree, a wiki or a
 * paginated archive are runaway; in a chain of pages, each with a link to the next one, each page has only
 * one new URL. A host is open-ended when nearly all pages of a sample are runaway. Its pages are kept, but
 * its budget (host-budget.ts) starts lower; links from other domains raise it.
 *
 * One URL in `SAMPLE_EVERY` is sampled, chosen by its last characters, which costs a few additions per link.
 */

import { BoundedCache } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { textKey } from '../duplicates/mod.ts';

const SAMPLE_EVERY = 32;
const MAX_ADDRESSES = 2048;
const MAX_OPEN_PAGES = 64;
/** Minimum number of new URLs on a page that counts as runaway. */
const NEW_ADDRESSES = 2;
const MIN_PAGES = 32;
const MIN_SHARE = 0.75;
/** Maximum number of counted pages. When it is exceeded, both counts are halved, so that recent pages weigh more. */
const MAX_PAGES = 256;

export interface OpenEndsMemory {
  pages: number;
  runaway: number;
}

export class OpenEnds {
  /** Sampled URLs that are not fetched yet. A URL is confirmed if more than one page links to it. */
  readonly #addresses = BoundedCache.ofEntries<number, { isConfirmed: boolean }>(MAX_ADDRESSES);
  /** Sampled pages that were fetched recently and that only one known page links to. Each has its number of new URLs. */
  readonly #openPages = BoundedCache.ofEntries<CanonicalUrl, { found: number }>(MAX_OPEN_PAGES);
  #pages: number;
  #runaway: number;

  constructor(memory: OpenEndsMemory = { pages: 0, runaway: 0 }) {
    this.#pages = memory.pages;
    this.#runaway = memory.runaway;
  }

  /** Memory used by the sampled URLs and pages, in units of about a hundred bytes. */
  get size(): number {
    return this.#addresses.size + this.#openPages.size;
  }

  get memory(): OpenEndsMemory {
    return { pages: this.#pages, runaway: this.#runaway };
  }

  get isOpenEnded(): boolean {
    return this.#pages >= MIN_PAGES && this.#runaway >= MIN_SHARE * this.#pages;
  }

  /**
   * Reports a new URL that was found on the page `source`. `isOwn` is false if the page is on another host. Returns
   * true if this URL makes the page runaway.
   */
  discovered(url: CanonicalUrl, source: CanonicalUrl | null, isOwn: boolean): boolean {
    if (isFollowed(url)) this.#addresses.set(textKey(url), { isConfirmed: !isOwn });
    const page = source === null ? undefined : this.#openPages.peek(source);
    if (!page || ++page.found !== NEW_ADDRESSES) return false;
    this.#runaway++;
    return true;
  }

  /**
   * Reports a fetched page with its links to URLs of the same host. Afterwards `discovered` must be called for
   * each link that is new.
   */
  fetched(url: CanonicalUrl, links: readonly CanonicalUrl[]): void {
    for (const link of links) {
      if (!isFollowed(link) || link === url) continue;
      const known = this.#addresses.peek(textKey(link));
      if (known) known.isConfirmed = true;
    }
    if (!isFollowed(url)) return;
    const key = textKey(url);
    const known = this.#addresses.peek(key);
    if (!known) return;
    this.#addresses.delete(key);
    if (++this.#pages > MAX_PAGES) {
      this.#pages >>= 1;
      this.#runaway >>= 1;
    }
    if (!known.isConfirmed) this.#openPages.set(url, { found: 0 });
  }
}

function isFollowed(url: CanonicalUrl): boolean {
  const { length } = url;
  let sum = length;
  for (let at = Math.max(0, length - 16); at < length; at++)
    sum = (Math.imul(sum, 31) + url.charCodeAt(at)) | 0;
  return ((sum ^ (sum >>> 11)) & (SAMPLE_EVERY - 1)) === 0;
}
