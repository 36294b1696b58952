/**
 * What an answer leaves behind: a record for the archive, one for the journal, and links to follow.
 *
 *   page       what `page-identity.ts` says: a page, an alias of another, or none at all; and its links
 *   redirect   an alias of its target, and the target as a link: every hop passes the same rules
 *   sitemap    the pages that it lists, as links
 *   gone       a page that is no more
 *   other      only the archive
 *
 * What this changes about an earlier answer of the same URL is told by `revisits.ts`.
 *
 * Links of a duplicate are followed too: the same words at another place lead to other places.
 */
import type { AliasRecord, GoneRecord } from '../archive/mod.ts';
import type { Clock } from '../base/mod.ts';
import { type CanonicalUrl, canonicalize, originOf, type UrlRules } from '../url/mod.ts';
import type { LastCapture, ReadyUrl } from './crawl-state.ts';
import type { Response } from './fetcher.ts';
import type { HostQueue } from './host-queue.ts';
import type { MissingPages } from './missing-pages.ts';
import type { PageIdentity } from './page-identity.ts';
import type { Readers, Ticket } from './readers.ts';
import { type Answer, type Reading, urlsOf, wanted } from './reading.ts';
import type { Kept, Recorder, Visited } from './recorder.ts';
import { isSame, type RevisitOptions, settleVisit } from './revisits.ts';
import { iconAfterPage } from './site-icon.ts';
import type { TrapDetectors } from './traps/mod.ts';

export interface IntakeOptions {
  recorder: Recorder;
  readers: Readers;
  identity: PageIdentity;
  missing: MissingPages;
  traps: TrapDetectors;
  urlRules: UrlRules;
  clock: Clock;
  revisits: RevisitOptions;
  /** Whether the icons of sites are wanted. */
  icons: boolean;
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
interface Outcome extends Omit<Visited, 'host' | 'result'> {
  /** Where the kind of the answer does not say it all. */
  reason?: string;
}

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
    const { status } = response;
    const fetchedAt = this.#options.clock.now();
    const { ticket, reading } = await this.#options.readers.read(answerOf(url, depth, fetchedAt, response));
    if (reading.kind === 'failed') return { unreadable: reading.reason };
    const arrived = { host, ready, ticket, fetchedAt };
    const comparison = { previous, reading, response, url };
    const { reason = reasonOf(reading), ...outcome } = isSame(comparison)
      ? {
          reason: previous!.isDocument ? 'page' : 'unchanged',
          kept: { ticket, duplicateOf: null, record: null },
        }
      : await this.#decide(arrived, status, reading);
    const result = { fingerprint, state: 'done' as const, attempts, status, reason, fetchedAt };
    if (reason === 'page' && this.#options.icons) this.#learnIcon(host, url, reading);
    return settleVisit({ host, result, ...outcome }, comparison, this.#options.revisits);
  }

  /** The answer to a request for a page that cannot exist. It is neither archived nor journalled. */
  async takeAbsent(origin: string, url: CanonicalUrl, response: Response): Promise<string> {
    const { recorder, readers, missing, clock } = this.#options;
    const { ticket, reading } = await readers.read(answerOf(url, 0, clock.now(), response));
    if (reading.kind === 'failed') return reading.reason;
    recorder.released(ticket);
    const found = await missing.learned(origin, reading);
    if (found) recorder.follows([found]);
    return reasonOf(reading);
  }

  /** The icon of a site, for the archive alone; null if it cannot be read. */
  async takeIcon(url: CanonicalUrl, response: Response): Promise<Ticket | null> {
    const { readers, clock } = this.#options;
    const { ticket, reading } = await readers.read(answerOf(url, 0, clock.now(), response));
    return reading.kind === 'failed' ? null : ticket;
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
    if (reading.kind === 'redirect' && reading.to) {
      const reason = this.#options.missing.judgeRedirect(url, reading.to);
      if (reason) return { ...kept({ kind: 'gone', url, fetchedAt, status, reason }), reason };
      return kept(alias(url, fetchedAt, reading.to, 'redirect'));
    }
    if (reading.kind === 'gone') return kept({ kind: 'gone', url, fetchedAt, status });
    return kept(null);
  }

  async #decidePage({ ready, ticket, fetchedAt }: Arrived, reading: ReadPage): Promise<Outcome> {
    const { url } = ready;
    const { page, digest, payloadDigest, links } = reading;
    this.#learn(url, page);
    const candidate = { url, fetchedAt, digest, payloadDigest, page };
    const identity = await this.#options.identity.of(candidate);
    if (identity.kind === 'missing') {
      const { reason } = identity;
      const record: GoneRecord = { kind: 'gone', url, fetchedAt, status: 200, reason };
      return { links, reason, kept: { ticket, duplicateOf: null, record } };
    }
    if (identity.kind === 'unlisted') {
      return { links, reason: page.kind ?? 'noindex', kept: { ticket, duplicateOf: null, record: 'page' } };
    }
    // The archive refers to the body that is known under another URL, if it has the same bytes.
    const duplicateOf = identity.owner?.payloadDigest === payloadDigest ? identity.owner : null;
    if (identity.kind === 'alias') {
      const { of, reason } = identity;
      return { links, reason, kept: { ticket, duplicateOf, record: alias(url, fetchedAt, of, reason) } };
    }
    const also = identity.renamed ? [identity.renamed] : [];
    return { links, also, sketch: identity.sketch, kept: { ticket, duplicateOf, record: 'page' } };
  }

  /** A site with a page to be found is one whose icon is shown. */
  #learnIcon(host: HostQueue, url: CanonicalUrl, reading: ReadAnswer): void {
    const declared = reading.kind === 'page' ? reading.page.icon : undefined;
    host.keepIcon(iconAfterPage(host.row.icon, { url, declared }, this.#options.clock.now()));
  }

  /** The host's traps are told by what its pages have in common. */
  #learn(url: CanonicalUrl, { sketch, ownLinks }: ReadPage['page']): void {
    this.#options.traps.of(originOf(url)).fetched(url, sketch, urlsOf(ownLinks));
  }
}

function answerOf(url: CanonicalUrl, depth: number, fetchedAt: number, response: Response): Answer {
  const { status, statusText, rawHeaders, payload, requestHead, ipAddress } = response;
  return { url, depth, fetchedAt, status, statusText, rawHeaders, payload, requestHead, ipAddress };
}

function reasonOf(reading: ReadAnswer): string {
  return reading.kind === 'other' ? reading.reason : reading.kind;
}

function alias(
  url: CanonicalUrl,
  fetchedAt: number,
  of: CanonicalUrl,
  reason: AliasRecord['reason'],
): AliasRecord {
  return { kind: 'alias', url, fetchedAt, of, reason };
}
