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
 * What this changes about an earlier answer of the same URL is told by `revisits.ts`.
 *
 * Links of a duplicate are followed too: the same words at another place lead to other places.
 */
import type { AliasRecord } from '../archive/mod.ts';
import type { Clock } from '../base/mod.ts';
import { type CanonicalUrl, canonicalize, originOf, type UrlRules } from '../url/mod.ts';
import type { CrawlState, LastCapture, ReadyUrl } from './crawl-state.ts';
import type { NearDuplicates, Sketch } from './dedup/mod.ts';
import type { Response } from './fetcher.ts';
import type { HostQueue } from './frontier.ts';
import type { Readers, Ticket } from './readers.ts';
import { type Reading, urlsOf, wanted } from './reading.ts';
import type { Kept, Recorder, Visited } from './recorder.ts';
import { isSame, type RevisitOptions, settleVisit } from './revisits.ts';
import type { TrapDetectors } from './traps/mod.ts';

export interface IntakeOptions {
  state: CrawlState;
  recorder: Recorder;
  readers: Readers;
  near: NearDuplicates;
  traps: TrapDetectors;
  urlRules: UrlRules;
  clock: Clock;
  revisits: RevisitOptions;
}

type ReadAnswer = Exclude<Reading, { kind: 'failed' }>;
type ReadPage = Extract<Reading, { kind: 'page' }>;

/** What is known of an answer before it is decided what becomes of it. */
interface Arrived {
  host: HostQueue;
  ready: ReadyUrl;
  ticket: Ticket;
  fetchedAt: number;
}

/** What becomes of it. */
type Outcome = Omit<Visited, 'host' | 'result'>;

export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** What the answer leaves behind, or why it could not be read. */
  async take(
    host: HostQueue,
    ready: ReadyUrl,
    response: Response,
    previous: LastCapture | null,
  ): Promise<Visited | { unreadable: string }> {
    const { url, depth, fingerprint, attempts } = ready;
    const { status, statusText, rawHeaders, payload, requestHead, ipAddress } = response;
    const fetchedAt = this.#options.clock.now();
    const answer = { url, depth, fetchedAt, status, statusText, rawHeaders, payload, requestHead, ipAddress };
    const { ticket, reading } = await this.#options.readers.read(answer);
    if (reading.kind === 'failed') return { unreadable: reading.reason };
    const reason = reading.kind === 'other' ? reading.reason : reading.kind;
    const result = { fingerprint, state: 'done' as const, attempts, status, reason, fetchedAt };
    const arrived = { host, ready, ticket, fetchedAt };
    const comparison = { previous, reading, response, url };
    const outcome = isSame(comparison)
      ? { kept: { ticket, duplicateOf: null, record: null } }
      : await this.#decide(arrived, status, reading);
    return settleVisit({ host, result, ...outcome }, comparison, this.#options.revisits);
  }

  /** What a robots.txt names as its sitemaps. */
  takeSitemaps(addresses: readonly string[], origin: string): void {
    const urls = addresses.flatMap((address) => canonicalize(address, origin) ?? []);
    this.#options.recorder.discovered(wanted(urls, 0, this.#options.urlRules), null);
  }

  #decide(arrived: Arrived, status: number, reading: ReadAnswer): Outcome | Promise<Outcome> {
    const { ready, ticket, fetchedAt } = arrived;
    const { url } = ready;
    const kept = (record: Kept['record']) => ({
      kept: { ticket, duplicateOf: null, record },
      links: reading.links,
    });
    if (reading.kind === 'page') return this.#decidePage(arrived, reading);
    if (reading.kind === 'redirect' && reading.to) return kept(alias(url, fetchedAt, reading.to, 'redirect'));
    if (reading.kind === 'gone') return kept({ kind: 'gone', url, fetchedAt, status });
    return kept(null);
  }

  async #decidePage({ ready, ticket, fetchedAt }: Arrived, reading: ReadPage): Promise<Outcome> {
    const { url } = ready;
    const { page, digest, payloadDigest, links } = reading;
    this.#learn(url, page);
    const asPage: Outcome = { links, kept: { ticket, duplicateOf: null, record: 'page' } };
    // A page that is not to be indexed is nobody's twin: its twins would vanish with it.
    if (!page.robots.index) return asPage;
    const owner = await this.#options.recorder.claimContent(digest, { url, fetchedAt, payloadDigest });
    if (owner && owner.url !== url) {
      // The archive refers to the body that is known under another URL, if it has the same bytes.
      const duplicateOf = owner.payloadDigest === payloadDigest ? owner : null;
      return { links, kept: { ticket, duplicateOf, record: alias(url, fetchedAt, owner.url, 'duplicate') } };
    }
    const twin = this.#nearDuplicate(ready, page.sketch);
    if (!twin) return { ...asPage, sketch: this.#options.near.add(ready.fingerprint, page.sketch) };
    return {
      links,
      kept: { ticket, duplicateOf: null, record: alias(url, fetchedAt, twin, 'near-duplicate') },
    };
  }

  /** The page that this one is nearly the same as. */
  #nearDuplicate({ fingerprint }: ReadyUrl, sketch: Sketch): CanonicalUrl | null {
    const { near, state } = this.#options;
    const found = near.find(sketch, fingerprint);
    return found ? state.urlOf(found.owner) : null;
  }

  /** The host's traps are told by what its pages have in common. */
  #learn(url: CanonicalUrl, { sketch, ownLinks }: ReadPage['page']): void {
    this.#options.traps.of(originOf(url)).fetched(url, sketch, urlsOf(ownLinks));
  }
}

function alias(
  url: CanonicalUrl,
  fetchedAt: number,
  of: CanonicalUrl,
  reason: AliasRecord['reason'],
): AliasRecord {
  return { kind: 'alias', url, fetchedAt, of, reason };
}
