/**
 * Decides what a response leads to: a record for the archive, one for the journal, and links to follow.
 *
 *   page       the decision of `page-identity.ts`: a page, an alias of another, or none at all; and its links
 *   redirect   an alias of its target, and the target as a link: every hop passes the same rules
 *   sitemap    the listed pages, as links
 *   gone       the page no longer exists
 *   other      only the archive
 *
 * `revisits.ts` compares the response with the previous one of the same URL.
 *
 * The links of a duplicate are followed too, because relative links lead elsewhere from another URL.
 */

import type { Clock, Lane } from '../../base/mod.ts';
import type { AliasRecord, GoneRecord } from '../../journal/mod.ts';
import { keyWithoutDigits } from '../../sketch/mod.ts';
import { type CanonicalUrl, originOf } from '../../url/mod.ts';
import { header, type Response } from '../fetch/mod.ts';
import type { HostQueue } from '../frontier/mod.ts';
import type { MissingPages, PageIdentity } from '../identity/mod.ts';
import {
  type DecodedReading,
  type FetchedResponse,
  type HeldResponse,
  type ParsedResponse,
  type Reading,
  type ResponseParser,
  urlsOf,
} from '../parsing/mod.ts';
import type { Disposition, Visited } from '../recorder.ts';
import {
  iconAfterPage,
  type LastCapture,
  type ReadyUrl,
  reasonOfFault,
  type UrlReason,
} from '../state/mod.ts';
import type { TrapDetectors } from '../traps/mod.ts';
import type { ParsingCosts } from './parsing-costs.ts';
import { isSame, type SettledVisit, settleVisit } from './revisits.ts';

interface ResponseHandlerOptions {
  parser: ResponseParser;
  costs: ParsingCosts;
  identity: PageIdentity;
  missing: MissingPages;
  traps: TrapDetectors;
  clock: Clock;
  /** True if the icons of sites are fetched. */
  icons: boolean;
}

/** A response that could not be parsed, with the reason. */
export type Unreadable = Exclude<ParsedResponse, { kind: 'parsed' }>;

type ReadPage = Extract<Reading, { kind: 'page' }>;

/**
 * Result of a probe, a request for a URL that cannot exist. It has the response, which is not recorded, and a
 * gone record if a known page turns out to be a soft 404.
 */
interface Absent {
  held: HeldResponse | null;
  found: GoneRecord | null;
  reason: UrlReason;
}

/** A URL that robots.txt, URL rules and trap detectors allow to be requested. */
export interface AllowedUrl {
  ready: ReadyUrl;
  /** False if a URL rule excludes the page from the index. */
  isIndexed: boolean;
}

type RequestedUrl = Pick<FetchedResponse, 'url' | 'depth' | 'isIndexed' | 'relevance' | 'isNew'>;

/** A parsed response, before the crawl decides what to record. */
interface Arrived {
  host: HostQueue;
  ready: ReadyUrl;
  held: HeldResponse;
  fetchedAt: number;
  /** Marks the journal record of a URL that had no page before. */
  mark: { isNew?: true };
}

/** The records, links and reason that follow from a response. */
interface Outcome extends Omit<Visited, 'host' | 'result'> {
  /** The reason to store, if it differs from the usual reason for this type of response (`reasonOf`). */
  reason?: UrlReason;
}

export class ResponseHandler {
  readonly #options: ResponseHandlerOptions;

  constructor(options: ResponseHandlerOptions) {
    this.#options = options;
  }

  /** Returns true if the response must be parsed in the slow lane. Its host then stays leased until it is parsed. */
  isSlow(url: CanonicalUrl, response: Response): boolean {
    return this.#laneOf(url, response) === 'slow';
  }

  /** Parses a response and returns the records to write, or the reason why it could not be parsed. */
  async take(
    host: HostQueue,
    { ready, isIndexed }: AllowedUrl,
    response: Response,
    previous: LastCapture | null,
  ): Promise<SettledVisit | { unreadable: Unreadable }> {
    const { url, depth, fingerprint, attempts, relevance } = ready;
    const { status } = response;
    const fetchedAt = this.#options.clock.now();
    const mark = previous?.isDocument ? {} : { isNew: true as const };
    const parsed = await this.#parse(response, {
      ...{ url, depth, isIndexed, ...mark },
      ...(relevance !== undefined && { relevance }),
    });
    if (parsed.kind !== 'parsed') return { unreadable: parsed };
    const { held, reading } = parsed;
    const arrived = { host, ready, held, fetchedAt, mark };
    const comparison = { previous, reading, response, url };
    const { reason = reasonOf(reading, status), ...outcome } = isSame(comparison)
      ? {
          reason: { code: previous!.isDocument ? ('page' as const) : ('unchanged' as const) },
          disposition: { held, duplicateOf: null, record: null },
        }
      : await this.#decide(arrived, status, reading);
    const result = { fingerprint, state: 'done' as const, attempts, status, reason, fetchedAt };
    if (reason.code === 'page' && this.#options.icons) this.#learnIcon(host, url, reading);
    return settleVisit({ host, result, ...outcome }, comparison);
  }

  /** Handles the response to a probe with a URL that cannot exist. */
  async takeAbsent(origin: string, url: CanonicalUrl, response: Response): Promise<Absent> {
    const parsed = await this.#parse(response, { url, depth: 0, isIndexed: true });
    if (parsed.kind !== 'parsed')
      return { held: null, found: null, reason: { code: 'unreadable', cause: parsed.reason } };
    const { held, reading } = parsed;
    const reason = reasonOf(reading, response.status);
    return { held, found: await this.#options.missing.learned(origin, reading), reason };
  }

  /** Parses the response with an icon, which is only archived; returns null if it cannot be parsed. */
  async takeIcon(url: CanonicalUrl, response: Response): Promise<HeldResponse | null> {
    const parsed = await this.#parse(response, { url, depth: 0, isIndexed: true });
    return parsed.kind === 'parsed' ? parsed.held : null;
  }

  /** Parses a response. The parsing time is charged to its host. */
  async #parse(response: Response, requested: RequestedUrl): Promise<ParsedResponse> {
    const { parser, costs, clock } = this.#options;
    const { url } = requested;
    const answer = answerOf(requested, clock.now(), response);
    const origin = originOf(url);
    const parsed = await parser.parse(answer, this.#laneOf(url, response), () => costs.slowed(origin));
    if (parsed.kind === 'died') {
      costs.died(origin, parsed.parseMs);
      if (costs.waitOf(origin).kind === 'parked') parser.abandonHost(origin);
    } else if (parsed.kind !== 'refused') costs.parsed(origin, parsed.parseMs);
    return parsed;
  }

  #laneOf(url: CanonicalUrl, response: Response): Lane {
    const type = header(response, 'content-type');
    return this.#options.costs.laneOf(originOf(url), type, response.payload.length);
  }

  #decide(arrived: Arrived, status: number, reading: DecodedReading): Outcome | Promise<Outcome> {
    const { ready, held, fetchedAt, mark } = arrived;
    const { url } = ready;
    const kept = (record: Disposition['record']) => ({
      disposition: { held, duplicateOf: null, record },
      links: reading.links,
    });
    if (reading.kind === 'page') return this.#decidePage(arrived, reading);
    if (reading.kind === 'redirect' && reading.to) {
      const reason = this.#options.missing.judgeRedirect(url, reading.to);
      if (reason)
        return {
          ...kept({ kind: 'gone', url, fetchedAt, status, reason, ...mark }),
          reason: { code: reason },
        };
      return kept({ ...alias(url, fetchedAt, reading.to, 'redirect'), ...mark });
    }
    if (reading.kind === 'gone') return kept({ kind: 'gone', url, fetchedAt, status, ...mark });
    return kept(null);
  }

  async #decidePage({ ready, held, fetchedAt, mark }: Arrived, reading: ReadPage): Promise<Outcome> {
    const { url } = ready;
    const { page, digest, payloadDigest, links } = reading;
    this.#learn(url, page);
    const candidate = { url, fetchedAt, digest, payloadDigest, page };
    const identity = await this.#options.identity.of(candidate);
    if (identity.kind === 'missing') {
      const { reason } = identity;
      const record: GoneRecord = { kind: 'gone', url, fetchedAt, status: 200, reason, ...mark };
      return { links, reason: { code: reason }, disposition: { held, duplicateOf: null, record } };
    }
    if (identity.kind === 'unlisted') {
      return {
        links,
        reason: { code: page.kind ?? 'noindex' },
        disposition: { held, duplicateOf: null, record: 'page' },
      };
    }
    if (identity.kind === 'alias') {
      const { of, reason, owner } = identity;
      // If the body has the same bytes as the body of another URL, the archive stores a reference to that body.
      const duplicateOf = owner.payloadDigest === payloadDigest ? owner : null;
      const record = { ...alias(url, fetchedAt, of, reason), ...mark };
      return { links, reason: { code: reason }, disposition: { held, duplicateOf, record } };
    }
    const also = identity.renamed ? [identity.renamed] : [];
    return {
      links,
      derivedRecords: also,
      sketch: identity.sketch,
      isCopy: identity.isCopy,
      // A page that takes over the content of another URL is archived completely, because captures of later copies
      // refer to it.
      disposition: { held, duplicateOf: null, record: 'page' },
    };
  }

  /** Requests the icon of a site when one of its pages is searchable. */
  #learnIcon(host: HostQueue, url: CanonicalUrl, reading: DecodedReading): void {
    const declared = reading.kind === 'page' ? reading.page.icon : undefined;
    host.keepIcon(iconAfterPage(host.icon, { url, declared }, this.#options.clock.now()));
  }

  /** Reports a page and its links to the trap detector of its host. */
  #learn(url: CanonicalUrl, { sketch, contentKey, title, ownLinks }: ReadPage['page']): void {
    const content = { ...sketch, contentKey, titleKey: keyWithoutDigits(title) };
    this.#options.traps.of(originOf(url)).fetched(url, content, urlsOf(ownLinks));
  }
}

function answerOf(requested: RequestedUrl, fetchedAt: number, response: Response): FetchedResponse {
  const { status, statusText, rawHeaders, payload, requestHead, ipAddress } = response;
  const head = { status, statusText, rawHeaders, requestHead, ipAddress };
  return { ...requested, fetchedAt, payload, ...head };
}

function reasonOf(reading: DecodedReading, status: number): UrlReason {
  if (reading.kind === 'sitemap' && reading.isTruncated) return { code: 'truncated-sitemap' };
  if (reading.kind !== 'other') return { code: reading.kind };
  if (reading.fault !== undefined) return reasonOfFault(reading.fault);
  return reading.isError ? { code: 'http-status', status } : { code: 'no-page' };
}

function alias(
  url: CanonicalUrl,
  fetchedAt: number,
  of: CanonicalUrl,
  reason: AliasRecord['reason'],
): AliasRecord {
  return { kind: 'alias', url, fetchedAt, of, reason };
}
