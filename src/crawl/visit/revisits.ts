/**
 * Revisits: when a URL is fetched again, with which conditions, and what the new response changes.
 *
 *   response -> equal summary?  yes: the interval grows    -> due again -> ready -> conditional request
 *                               no:  the interval shrinks
 *
 * `response-handler.ts` handles every response as if it were the first; `settleVisit` then compares it with
 * the data kept from the last one:
 *
 *   304, or the same body     a revisit record for the archive, nothing for the journal: the document stays
 *   404 or 410, once          nothing for the journal either, and another visit soon
 *   404 or 410, twice         a gone record for the journal
 *   no response, 5xx          the document stays in any case; another visit after the same interval
 *   anything else             the decision of response-handler.ts; another URL may claim the old content
 *
 * URLs with a document of their own are fetched conditionally, and so are feeds and sitemaps. An alias is
 * fetched without conditions each time, because the page that it is an alias of may have changed.
 */
import { isRemoved } from '../../archive/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { header, type Response } from '../fetch/mod.ts';
import type { Reading } from '../parsing/mod.ts';
import type { Visited } from '../recorder.ts';
import { isSameSummary, type LastCapture, type ResponseSummary, type UrlResult } from '../state/mod.ts';

export interface RevisitOptions {
  /** The first revisit interval (`firstMs`), and the limits between which it grows and shrinks (`minMs`, `maxMs`). */
  firstMs: number;
  minMs: number;
  maxMs: number;
}

/**
 * Factor by which the revisit interval of an unchanged page grows. The factor 1.2 with a minimum interval of 12
 * hours keeps pages as fresh as the factor 1.5 with a minimum of one hour, and needs little more than a third
 * of the visits (docs/decisions/0017).
 */
const GROWTH = 1.2;
const SHRINKAGE = 2;

/** The summary of an imported page. */
const IMPORTED: ResponseSummary = { code: 'imported' };

/** A response, and the data about the previous response of the same URL. */
interface RevisitComparison {
  url: CanonicalUrl;
  previous: LastCapture | null;
  response: Response;
  reading: Exclude<Reading, { kind: 'failed' }>;
}

/** Returns the headers of a conditional request (RFC 9110 § 13.1), from the data about the previous response. */
export function revisitConditionsOf(previous: LastCapture | null): Record<string, string> {
  if (!previous) return {};
  const headers: Record<string, string> = {};
  if (previous.etag !== '') headers['if-none-match'] = previous.etag;
  if (previous.lastModified !== '') headers['if-modified-since'] = previous.lastModified;
  return headers;
}

/** Returns true if a URL that is a document has not changed: status 304, or the same bytes and robots directives. */
export function isSame({ previous, response, reading }: RevisitComparison): boolean {
  if (reading.kind === 'unchanged') return previous !== null && previous.archivedAt > 0;
  if (!previous?.isDocument || previous.summary.code === 'imported') return false;
  if (reading.kind !== 'page' || !reading.page.robots.index) return false;
  return previous.digest === reading.digest && previous.robotsTag === robotsTagOf(response);
}

/** Returns the interval until the next visit. It grows if the last visit found no change, and shrinks otherwise. */
export function nextIntervalMs(
  intervalMs: number,
  changed: boolean,
  { minMs, maxMs }: RevisitOptions,
): number {
  const wanted = changed ? intervalMs / SHRINKAGE : intervalMs * GROWTH;
  return Math.min(Math.max(wanted, minMs), maxMs);
}

/**
 * Compares a response with the previous response of the URL. Changes the decision if nothing has changed or if the
 * page is gone, and schedules the next visit.
 */
export function settleVisit(
  visited: Visited,
  comparison: RevisitComparison,
  options: RevisitOptions,
): Visited {
  const { previous, reading } = comparison;
  const { fetchedAt } = visited.result;
  if (reading.kind === 'gone') return settleGone(visited, comparison, options);
  if (previous && isSame(comparison)) return settleSame(visited, comparison, options);
  const summary = summaryOf(visited, reading);
  const intervalMs =
    previous && previous.summary.code !== 'imported'
      ? nextIntervalMs(previous.intervalMs, !isSameSummary(summary, previous.summary), options)
      : options.firstMs;
  const dueAt = dueAfter(fetchedAt, intervalMs, reading);
  const last = { ...describe(visited, comparison), summary, intervalMs, dueAt };
  return { ...withLast(visited, last), ...givenUp(previous, last) };
}

/** An imported response: its journal record, and the data to keep about its URL. */
export interface ImportedAnswer {
  previous: LastCapture | null;
  /**
   * Data about the archived document; null if the page is not searchable, or if the import is not a server response.
   */
  document: Pick<LastCapture, 'digest' | 'payloadDigest' | 'archivedAt' | 'sketch'> | null;
  /** True if this is the first 404 or 410 of a page, which does not remove the document yet. */
  isDoubtful: boolean;
}

/**
 * Returns the data to keep about an imported page, so that a single 404 does not remove it. The URL has no revisit
 * time: a crawl visits it only if it is a seed or is linked. The first visit fetches the page without conditions,
 * because its links have not been followed yet.
 */
export function captureOfImport(
  { previous, document, isDoubtful }: ImportedAnswer,
  { firstMs }: Pick<RevisitOptions, 'firstMs'>,
): LastCapture | null {
  const { intervalMs, dueAt } = previous ?? { intervalMs: firstMs, dueAt: 0 };
  if (document) return { ...NOTHING, ...document, summary: IMPORTED, isDocument: true, intervalMs, dueAt };
  if (!previous) return null;
  if (isDoubtful) return { ...previous, goneCount: previous.goneCount + 1 };
  return { ...NOTHING, summary: IMPORTED, intervalMs, dueAt };
}

/**
 * Handles a failed request, or a response that does not show whether the page has changed: keeps the data of
 * the previous response and schedules another visit.
 */
export function settleFailure(result: UrlResult, previous: LastCapture | null): UrlResult {
  if (!previous || result.state === 'ready') return result;
  return { ...result, last: { ...previous, dueAt: result.fetchedAt + previous.intervalMs } };
}

function settleSame(
  visited: Visited,
  { url, previous, reading }: RevisitComparison,
  options: RevisitOptions,
): Visited {
  const known = previous!;
  const { fetchedAt } = visited.result;
  const intervalMs = nextIntervalMs(known.intervalMs, false, options);
  const last = { ...known, goneCount: 0, intervalMs, dueAt: dueAfter(fetchedAt, intervalMs, reading) };
  const { payloadDigest, archivedAt } = known;
  if (reading.kind !== 'unchanged' && reading.payloadDigest !== payloadDigest) {
    // The body is the same but has another content coding, so its bytes differ and the archive stores it.
    return withLast(visited, { ...last, payloadDigest: reading.payloadDigest, archivedAt: fetchedAt });
  }
  const duplicateOf = { url, fetchedAt: archivedAt, payloadDigest };
  return { ...withLast(visited, last), disposition: { ...visited.disposition!, duplicateOf } };
}

function settleGone(visited: Visited, { previous }: RevisitComparison, options: RevisitOptions): Visited {
  const { fetchedAt } = visited.result;
  const goneCount = (previous?.goneCount ?? 0) + 1;
  if (previous && !isRemoved(previous.isDocument, goneCount)) {
    const kept = { ...visited.disposition!, record: null };
    return withLast(
      { ...visited, disposition: kept },
      { ...previous, goneCount, dueAt: fetchedAt + options.minMs },
    );
  }
  const intervalMs = options.maxMs;
  const last = { ...NOTHING, summary: GONE, goneCount, intervalMs, dueAt: fetchedAt + intervalMs };
  return { ...withLast(visited, last), ...givenUp(previous, last) };
}

const GONE: ResponseSummary = { code: 'other', reason: { code: 'gone' } };

const NOTHING = {
  etag: '',
  lastModified: '',
  robotsTag: '',
  digest: '',
  payloadDigest: '',
  archivedAt: 0,
  isDocument: false,
  sketch: null,
  goneCount: 0,
};

function describe(
  visited: Visited,
  { reading, response }: RevisitComparison,
): Omit<LastCapture, 'summary' | 'intervalMs' | 'dueAt'> {
  const { kind, payloadDigest } = reading;
  const archivedAt = visited.result.fetchedAt;
  const validators = {
    etag: header(response, 'etag'),
    lastModified: header(response, 'last-modified'),
  };
  if (kind === 'sitemap') return { ...NOTHING, ...validators, payloadDigest, archivedAt };
  if (kind !== 'page') return NOTHING;
  const { digest, page } = reading;
  if (page.kind === 'feed') return { ...NOTHING, ...validators, digest, payloadDigest, archivedAt };
  if (visited.disposition?.record !== 'page' || !page.robots.index) return { ...NOTHING, digest };
  return {
    ...NOTHING,
    // A page with an end date (`unavailable_after`) is fetched without conditions: a 304 would keep it in the index
    // after that date.
    ...(page.robots.unavailableAfter === undefined && validators),
    robotsTag: robotsTagOf(response),
    digest,
    payloadDigest,
    archivedAt,
    isDocument: true,
    sketch: visited.sketch ?? null,
  };
}

/** Returns the time of the next visit. A page with an end date is visited at that date, so that it can be removed. */
function dueAfter(fetchedAt: number, intervalMs: number, reading: RevisitComparison['reading']): number {
  const endsAt =
    (reading.kind === 'page' && reading.page.robots.unavailableAfter) || Number.POSITIVE_INFINITY;
  return Math.min(fetchedAt + intervalMs, endsAt > fetchedAt ? endsAt : Number.POSITIVE_INFINITY);
}

/**
 * Returns the data of the previous response that the new response replaces: `released`, its content digest if
 * the content has changed, and `retired`, its sketch entry.
 */
function givenUp(previous: LastCapture | null, last: LastCapture): Pick<Visited, 'released' | 'retired'> {
  if (!previous) return {};
  const { digest, sketch } = previous;
  return {
    ...(digest !== '' && digest !== last.digest && { released: digest }),
    ...(sketch !== null && { retired: sketch }),
  };
}

/**
 * Summarizes a response. A page counts as changed if its words change. Other bytes, such as a comment with the time
 * of day, do not count.
 */
function summaryOf(
  { disposition: kept, result }: Visited,
  reading: RevisitComparison['reading'],
): ResponseSummary {
  const record = kept?.record;
  if (typeof record === 'object' && record?.kind === 'alias') return { code: 'alias', of: record.of };
  if (reading.kind === 'page') return { code: 'page', textKey: reading.page.textKey };
  if (reading.kind === 'sitemap') return { code: 'sitemap', digest: reading.digest };
  return { code: 'other', reason: result.reason };
}

function withLast(visited: Visited, last: LastCapture): Visited {
  return { ...visited, result: { ...visited.result, last } };
}

function robotsTagOf(response: Response): string {
  return (response.headers.get('x-robots-tag') ?? []).join(', ');
}
