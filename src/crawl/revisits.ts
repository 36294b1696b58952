/**
 * Coming back: when a URL is asked again, how, and what the second answer changes.
 *
 *   answer -> said the same?  yes: the interval grows    -> due again -> ready -> conditional request
 *                             no:  the interval shrinks
 *
 * `intake.ts` reads every answer as if it were the first; `settleVisit` then compares it with what is
 * remembered of the last one:
 *
 *   304, or the same body     a revisit record for the archive, nothing for the journal: the document stays
 *   404 or 410, once          nothing either, and another look soon
 *   404 or 410, twice         the journal hears that the page is gone
 *   no answer, 5xx            the document stays, whatever happens; another look after the same interval
 *   anything else             what intake made of it; content that the URL had is free for others
 *
 * What has a document of its own is asked conditionally, and so are feeds and sitemaps. An alias is fetched
 * whole each time, because the page that it is an alias of may be another by now.
 */
import type { CanonicalUrl } from '../url/mod.ts';
import { header } from './answer.ts';
import type { LastCapture, UrlResult } from './crawl-state.ts';
import type { Response } from './fetcher.ts';
import type { Reading } from './reading.ts';
import type { Visited } from './recorder.ts';

export interface RevisitOptions {
  /** The first interval, and the bounds between which it moves. */
  firstMs: number;
  minMs: number;
  maxMs: number;
}

/** As fresh as with 1.5 and a lower bound of an hour, for a third of the visits: docs/decisions/0100. */
const GROWTH = 1.2;
const SHRINKAGE = 2;

/** In place of what a page said that was not asked for here. */
const IMPORTED = 'imported';

/** An answer beside the one before it. */
export interface Comparison {
  url: CanonicalUrl;
  previous: LastCapture | null;
  response: Response;
  reading: Exclude<Reading, { kind: 'failed' }>;
}

/** The request headers that let a server answer "not modified" (RFC 9110 § 13.1). */
export function conditionsOf(previous: LastCapture | null): Record<string, string> {
  if (!previous) return {};
  const headers: Record<string, string> = {};
  if (previous.etag !== '') headers['if-none-match'] = previous.etag;
  if (previous.lastModified !== '') headers['if-modified-since'] = previous.lastModified;
  return headers;
}

/** Not modified, or the same bytes under the same directives, of a page that is a document already. */
export function isSame({ previous, response, reading }: Comparison): boolean {
  if (reading.kind === 'unchanged') return previous !== null && previous.archivedAt > 0;
  if (!previous?.isDocument || previous.said === IMPORTED) return false;
  if (reading.kind !== 'page' || !reading.page.robots.index) return false;
  return previous.digest === reading.digest && previous.robotsTag === robotsTagOf(response);
}

/** How long until the next visit, after one that brought something new or did not. */
export function nextIntervalMs(
  intervalMs: number,
  changed: boolean,
  { minMs, maxMs }: RevisitOptions,
): number {
  const wanted = changed ? intervalMs / SHRINKAGE : intervalMs * GROWTH;
  return Math.min(Math.max(wanted, minMs), maxMs);
}

/** What intake made of an answer, as it stands beside the one before it. */
export function settleVisit(visited: Visited, comparison: Comparison, options: RevisitOptions): Visited {
  const { previous, reading } = comparison;
  const { fetchedAt } = visited.result;
  if (reading.kind === 'gone') return settleGone(visited, comparison, options);
  if (previous && isSame(comparison)) return settleSame(visited, comparison, options);
  const said = saidBy(visited, reading);
  const intervalMs =
    previous && previous.said !== IMPORTED
      ? nextIntervalMs(previous.intervalMs, said !== previous.said, options)
      : options.firstMs;
  const dueAt = dueAfter(fetchedAt, intervalMs, reading);
  const last = { ...describe(visited, comparison), said, intervalMs, dueAt };
  return { ...withLast(visited, last), ...givenUp(previous, last) };
}

/** An answer that was imported: what the journal has of it, beside what was known of its URL. */
export interface ImportedAnswer {
  previous: LastCapture | null;
  /** Null if the page may not be found, and for what no server had answered. */
  document: Pick<LastCapture, 'digest' | 'payloadDigest' | 'archivedAt' | 'sketch'> | null;
  /** The first word that the page is gone, which changes nothing yet. */
  isDoubtful: boolean;
}

/**
 * What is remembered of an import, so that one 404 does not drop the page. It makes nothing due: only a seed or a link leads a
 * crawl there. The first visit is to the whole page, changed or not, since nobody has followed its links.
 */
export function captureOfImport(
  { previous, document, isDoubtful }: ImportedAnswer,
  { firstMs }: Pick<RevisitOptions, 'firstMs'>,
): LastCapture | null {
  const { intervalMs, dueAt } = previous ?? { intervalMs: firstMs, dueAt: 0 };
  if (document) return { ...NOTHING, ...document, said: IMPORTED, isDocument: true, intervalMs, dueAt };
  if (!previous) return null;
  if (isDoubtful) return { ...previous, goneCount: previous.goneCount + 1 };
  return { ...NOTHING, said: IMPORTED, intervalMs, dueAt };
}

/** No answer, or none that says anything of the page: what is known stays, and is looked at again. */
export function settleFailure(result: UrlResult, previous: LastCapture | null): UrlResult {
  if (!previous || result.state === 'ready') return result;
  return { ...result, last: { ...previous, dueAt: result.fetchedAt + previous.intervalMs } };
}

function settleSame(
  visited: Visited,
  { url, previous, reading }: Comparison,
  options: RevisitOptions,
): Visited {
  const known = previous!;
  const { fetchedAt } = visited.result;
  const intervalMs = nextIntervalMs(known.intervalMs, false, options);
  const last = { ...known, goneCount: 0, intervalMs, dueAt: dueAfter(fetchedAt, intervalMs, reading) };
  const { payloadDigest, archivedAt } = known;
  if (reading.kind !== 'unchanged' && reading.payloadDigest !== payloadDigest) {
    // The same body in another coding: the archive takes it, for it is not what it has.
    return withLast(visited, { ...last, payloadDigest: reading.payloadDigest, archivedAt: fetchedAt });
  }
  const duplicateOf = { url, fetchedAt: archivedAt, payloadDigest };
  return { ...withLast(visited, last), kept: { ...visited.kept!, duplicateOf } };
}

function settleGone(visited: Visited, { previous }: Comparison, options: RevisitOptions): Visited {
  const { fetchedAt } = visited.result;
  const goneCount = (previous?.goneCount ?? 0) + 1;
  if (previous?.isDocument && goneCount < 2) {
    const kept = { ...visited.kept!, record: null };
    return withLast({ ...visited, kept }, { ...previous, goneCount, dueAt: fetchedAt + options.minMs });
  }
  const intervalMs = options.maxMs;
  const last = { ...NOTHING, said: 'gone', goneCount, intervalMs, dueAt: fetchedAt + intervalMs };
  return { ...withLast(visited, last), ...givenUp(previous, last) };
}

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
  { reading, response }: Comparison,
): Omit<LastCapture, 'said' | 'intervalMs' | 'dueAt'> {
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
  if (visited.kept?.record !== 'page' || !page.robots.index) return { ...NOTHING, digest };
  return {
    ...NOTHING,
    // "Not modified" would keep a page whose time is over by then: one with an end is fetched whole.
    ...(page.robots.unavailableAfter === undefined && validators),
    robotsTag: robotsTagOf(response),
    digest,
    payloadDigest,
    archivedAt,
    isDocument: true,
    sketch: visited.sketch ?? null,
  };
}

/** A page that is not to be found after a moment is looked at then, to be taken out. */
function dueAfter(fetchedAt: number, intervalMs: number, reading: Comparison['reading']): number {
  const endsAt =
    (reading.kind === 'page' && reading.page.robots.unavailableAfter) || Number.POSITIVE_INFINITY;
  return Math.min(fetchedAt + intervalMs, endsAt > fetchedAt ? endsAt : Number.POSITIVE_INFINITY);
}

/** What the URL had and has no longer: its content, and its entry among the sketches. */
function givenUp(previous: LastCapture | null, last: LastCapture): Pick<Visited, 'released' | 'retired'> {
  if (!previous) return {};
  const { digest, sketch } = previous;
  return {
    ...(digest !== '' && digest !== last.digest && { released: digest }),
    ...(sketch !== null && { retired: sketch }),
  };
}

/** Of a page its words count, not its bytes: a comment with the time of day is no change. */
function saidBy({ kept, result }: Visited, reading: Comparison['reading']): string {
  const record = kept?.record;
  if (typeof record === 'object' && record?.kind === 'alias') return `alias ${record.of}`;
  if (reading.kind === 'page') return `page ${reading.page.textKey}`;
  return reading.kind === 'sitemap' ? `sitemap ${reading.digest}` : result.reason;
}

function withLast(visited: Visited, last: LastCapture): Visited {
  return { ...visited, result: { ...visited.result, last } };
}

function robotsTagOf(response: Response): string {
  return (response.headers.get('x-robots-tag') ?? []).join(', ');
}
