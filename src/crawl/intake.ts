/**
 * What an answer leaves behind: a record for the archive, one for the journal, and links to follow.
 *
 *   page       the same bytes as another page   -> an alias of it
 *              nearly the same words            -> an alias of it
 *              otherwise                        -> a page, and its links
 *   redirect   an alias of its target, and the target as a link: every hop passes the same rules
 *   sitemap    the pages that it lists, as links
 *   gone       a page that is no more
 *   other      only the archive
 *
 * Links of a duplicate are followed too: the same words at another place lead to other places.
 */
import type { Capture } from '../archive/mod.ts';
import { type Clock, sha1Base32 } from '../base/mod.ts';
import type { Page } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize, originOf, type UrlRules } from '../url/mod.ts';
import type { ContentOwner, CrawlState, ReadyUrl } from './crawl-state.ts';
import { contentRanges, type NearDuplicates, type Sketch, sketchOf } from './dedup/mod.ts';
import type { Response } from './fetcher.ts';
import type { HostQueue } from './frontier.ts';
import type { FoundLink, Recorder, Visited } from './recorder.ts';
import type { TrapDetectors } from './traps/mod.ts';
import type { Visit } from './visit.ts';

export type Answer = Extract<Visit, { response: Response }>;

export interface IntakeOptions {
  state: CrawlState;
  recorder: Recorder;
  near: NearDuplicates;
  traps: TrapDetectors;
  urlRules: UrlRules;
  clock: Clock;
}

export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  async take(host: HostQueue, ready: ReadyUrl, visit: Answer): Promise<Visited> {
    const { response } = visit;
    const { fingerprint, attempts, url } = ready;
    const fetchedAt = this.#options.clock.now();
    const reason = visit.kind === 'other' ? visit.reason : visit.kind;
    const result = {
      fingerprint,
      state: 'done' as const,
      attempts,
      status: response.status,
      reason,
      fetchedAt,
    };
    const digest = sha1Base32(response.body);
    const payloadDigest = response.body === response.payload ? digest : sha1Base32(response.payload);
    const base = { host, result, capture: captureOf(url, fetchedAt, response, payloadDigest) };
    if (visit.kind === 'page') return this.#takePage(base, ready, visit.page, digest);
    if (visit.kind === 'redirect' && visit.to) {
      const links = this.#wanted([{ url: visit.to, depth: ready.depth + 1 }]);
      return { ...base, record: { kind: 'alias', url, fetchedAt, of: visit.to, reason: 'redirect' }, links };
    }
    if (visit.kind === 'sitemap') {
      return {
        ...base,
        links: this.#wanted(visit.urls.map((each) => ({ url: each, depth: ready.depth + 1 }))),
      };
    }
    if (visit.kind === 'gone')
      return { ...base, record: { kind: 'gone', url, fetchedAt, status: response.status } };
    return base;
  }

  /** What a robots.txt names as its sitemaps. */
  takeSitemaps(addresses: readonly string[], origin: string): void {
    const urls = addresses.flatMap((address) => canonicalize(address, origin) ?? []);
    this.#options.recorder.discovered(this.#wanted(urls.map((url) => ({ url, depth: 0 }))), null);
  }

  async #takePage(
    base: Visited & { capture: Capture },
    ready: ReadyUrl,
    page: Page,
    digest: string,
  ): Promise<Visited> {
    const { url } = ready;
    const { fetchedAt, payloadDigest } = base.capture;
    const decided = this.#asDecided(ready, page);
    const links = this.#linksOf(page, ready.depth + 1);
    const sketch = sketchOf(page.text, contentRanges(page));
    this.#learn(url, page, sketch);
    const asPage = {
      ...base,
      links,
      record: { kind: 'page' as const, url, fetchedAt, digest, page: decided },
    };
    // A page that is not to be indexed is nobody's twin: its twins would vanish with it.
    if (!decided.robots.index) return asPage;
    const owner = await this.#options.recorder.claimContent(digest, { url, fetchedAt, payloadDigest });
    if (owner && owner.url !== url) return { ...base, links, ...duplicate(url, base.capture, owner) };
    const twin = this.#nearDuplicate(ready, sketch);
    if (!twin) return asPage;
    return { ...base, links, record: { kind: 'alias', url, fetchedAt, of: twin, reason: 'near-duplicate' } };
  }

  /** The page that this one is nearly the same as; if there is none it is remembered itself. */
  #nearDuplicate({ fingerprint }: ReadyUrl, sketch: Sketch): CanonicalUrl | null {
    const { near, state } = this.#options;
    const found = near.find(sketch, fingerprint);
    const twin = found ? state.urlOf(found.owner) : null;
    if (!twin) near.add(fingerprint, sketch);
    return twin;
  }

  /** The host's traps are told by what its pages have in common. */
  #learn(url: CanonicalUrl, page: Page, sketch: Sketch): void {
    const origin = originOf(url);
    const own = page.links.filter((link) => originOf(link.url) === origin).map((link) => link.url);
    this.#options.traps.of(origin).fetched(url, sketch, own);
  }

  #linksOf(page: Page, depth: number): FoundLink[] {
    if (!page.robots.follow) return [];
    const urls = new Set<CanonicalUrl>();
    for (const link of page.links) if (!link.nofollow) urls.add(link.url);
    return this.#wanted([...urls].map((url) => ({ url, depth })));
  }

  #wanted(links: FoundLink[]): FoundLink[] {
    return links.flatMap((link) => {
      const { verb, url } = this.#options.urlRules.decide(link.url, link.depth);
      return verb === 'ignore' ? [] : [{ ...link, url }];
    });
  }

  /** A page that is only to be followed is journalled as one that asks not to be indexed. */
  #asDecided({ url, depth }: ReadyUrl, page: Page): Page {
    if (this.#options.urlRules.decide(url, depth).verb === 'index') return page;
    return { ...page, robots: { ...page.robots, index: false } };
  }
}

function captureOf(url: CanonicalUrl, fetchedAt: number, response: Response, payloadDigest: string): Capture {
  const { requestHead, status, statusText, rawHeaders, payload, ipAddress } = response;
  return {
    url,
    fetchedAt,
    requestHead,
    status,
    statusText,
    rawHeaders,
    payload,
    payloadDigest,
    ipAddress,
    duplicateOf: null,
  };
}

/** The body is known under another URL: the archive refers to it, and the journal makes this one an alias. */
function duplicate(
  url: CanonicalUrl,
  capture: Capture,
  owner: ContentOwner,
): Pick<Visited, 'capture' | 'record'> {
  const archived = owner.payloadDigest === capture.payloadDigest;
  return {
    capture: { ...capture, duplicateOf: archived ? owner : null },
    record: { kind: 'alias', url, fetchedAt: capture.fetchedAt, of: owner.url, reason: 'duplicate' },
  };
}
