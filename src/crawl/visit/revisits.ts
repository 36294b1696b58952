/**
 * Revisits: with which conditions a URL is fetched again, and what the new response changes. `schedule/` decides when.
 *
 *   response -> equal summary? -> findings -> schedule -> due again -> ready -> conditional request
 *
 * `response-handler.ts` handles every response as if it were the first; `settleVisit` then compares it with
 * the data kept from the last one:
 *
 *   304, or the same body     a revisit record for the archive, nothing for the journal: the document stays
 *   404, 410, soft 404, once  nothing for the journal either, and another visit after half a day at most
 *   the same twice in a row   a gone record for the journal
 *   a redirect                an alias; its target, if it is new, continues the history of the page
 *   no response, 5xx          the document stays in any case; another visit after the same interval
 *   anything else             the decision of response-handler.ts; another URL may claim the old content
 *
 * URLs with a document of their own are fetched conditionally, and so are feeds and sitemaps. An alias is
 * fetched without conditions each time, because the page that it is an alias of may have changed.
 */
import { isRemoved } from '../../archive/mod.ts';
import { DAY_MS, HOUR_MS } from '../../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { header, type Response } from '../fetch/mod.ts';
import type { ListedPages, Reading } from '../parsing/mod.ts';
import type { Visited } from '../recorder.ts';
import type { RevisitedKind, RevisitOptions, RevisitSchedule, VisitFindings } from '../schedule/mod.ts';
import { isSameSummary, type LastCapture, type ResponseSummary, type UrlResult } from '../state/mod.ts';

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

/** A visit whose next visit is not scheduled yet: `scheduleVisit` does that when the new links are counted. */
export interface SettledVisit extends Visited {
  /** The data about the response. The history and the time of the next visit are those of the previous response. */
  last: LastCapture;
  findings: ScheduledFindings;
  /** The pages that a sitemap or feed lists; absent if it has not changed. */
  listed?: ListedPages;
}

/** The findings of a visit that are known before its links are counted. */
type ScheduledFindings = Pick<
  VisitFindings,
  'url' | 'kind' | 'isDocument' | 'hasChanged' | 'modifiedAt' | 'datedLinksPerDay'
> & {
  /** `confirm` if another response must confirm that the page is gone, `gone` if it is gone. */
  presence: 'there' | 'confirm' | 'gone';
  /** Time at which a page with an end date must be visited; infinity for other pages. */
  endsAt: number;
};

/**
 * Compares a response with the previous response of the URL. Changes the decision if nothing has changed or if the
 * page is gone.
 */
export function settleVisit(visited: Visited, comparison: RevisitComparison): SettledVisit {
  const { previous, reading } = comparison;
  if (isMissing(visited, reading)) return settleGone(visited, comparison);
  if (previous && isSame(comparison)) return settleSame(visited, comparison);
  const summary = summaryOf(visited, reading);
  const hasChanged = isComparable(previous) ? !isSameSummary(summary, previous.summary) : null;
  const last = { ...NOTHING, ...describe(visited, comparison), summary };
  const findings = findingsOf(comparison, last, hasChanged);
  const { moved } = movedTo(visited, comparison);
  const listed = listedIn(reading);
  return {
    ...visited,
    ...givenUp(previous, last),
    ...(moved && { moved }),
    ...(listed && { listed }),
    last,
    findings,
  };
}

function listedIn(reading: RevisitComparison['reading']): ListedPages | undefined {
  return reading.kind === 'page' || reading.kind === 'sitemap' ? reading.listed : undefined;
}

/** Returns the number of items per day that the dates of a feed show; 0 if too few have a date. */
function itemsPerDay(listed: ListedPages | undefined): number {
  if (!listed?.isFeed) return 0;
  const dates = listed.pages.flatMap(({ modifiedAt }) => modifiedAt ?? []).sort((a, b) => a - b);
  const days = (dates.at(-1)! - dates[0]!) / DAY_MS;
  return dates.length > 2 && days > 0 ? (dates.length - 1) / days : 0;
}

/** The parts of a crawl that decide when a URL is visited again. */
interface SchedulingOptions {
  schedule: RevisitSchedule;
  revisits: RevisitOptions;
  /** Number of links to new URLs of the same domain. */
  newLinks: number;
  importance: number;
  previous: LastCapture | null;
}

/** Completes the result of a visit with the time of the next visit. */
export function scheduleVisit(visit: SettledVisit, options: SchedulingOptions): Visited {
  const { last, findings, listed: _, ...visited } = visit;
  const { schedule, revisits, newLinks, importance, previous } = options;
  const { fetchedAt: visitedAt } = visited.result;
  const history = previous?.history ?? null;
  const { presence, endsAt, ...found } = findings;
  if (presence !== 'there') {
    // A page that is gone is looked for from time to time, because it may come back.
    const intervalMs =
      presence === 'gone'
        ? revisits.maxMs
        : confirmAfterMs(schedule.policyOf(found.kind, found.url), previous);
    if (presence === 'gone') schedule.dropped(history);
    const kept = presence === 'gone' ? null : history;
    return withLast(visited, { ...last, history: kept, intervalMs, dueAt: visitedAt + intervalMs });
  }
  const isHinted = (previous?.hintedAt ?? 0) > 0;
  const settled = schedule.settle({ ...found, visitedAt, history, newLinks, importance, isHinted });
  const dueAt = Math.min(visitedAt + settled.intervalMs, endsAt > visitedAt ? endsAt : Infinity);
  return withLast(visited, { ...last, ...settled, dueAt });
}

/**
 * Returns the time until a response that said that a page is gone is to be confirmed by another: half a day, or the
 * interval of the page if it is shorter, within the bounds of its policy.
 */
function confirmAfterMs(
  { minMs, maxMs }: Pick<RevisitOptions, 'minMs' | 'maxMs'>,
  previous: LastCapture | null,
): number {
  const wantedMs = Math.min(CONFIRM_MS, previous?.intervalMs ?? CONFIRM_MS);
  return Math.min(Math.max(minMs, wantedMs), maxMs);
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
  const { intervalMs, dueAt, history } = previous ?? { intervalMs: firstMs, dueAt: 0, history: null };
  if (document)
    return { ...NOTHING, ...document, summary: IMPORTED, isDocument: true, history, intervalMs, dueAt };
  if (!previous) return null;
  if (isDoubtful) return { ...previous, goneCount: previous.goneCount + 1 };
  return { ...NOTHING, summary: IMPORTED, history, intervalMs, dueAt };
}

/**
 * Handles a failed request, or a response that does not show whether the page has changed: keeps the data of
 * the previous response and schedules another visit.
 */
export function settleFailure(result: UrlResult, previous: LastCapture | null): UrlResult {
  if (!previous || result.state === 'ready') return result;
  return { ...result, last: { ...previous, dueAt: result.fetchedAt + previous.intervalMs } };
}

function settleSame(visited: Visited, comparison: RevisitComparison): SettledVisit {
  const { url, previous, reading } = comparison;
  const known = { ...previous!, goneCount: 0, hintedAt: 0 };
  const { payloadDigest, archivedAt } = known;
  const settled = (last: LastCapture, rest: Visited): SettledVisit => {
    return { ...rest, last, findings: findingsOf(comparison, last, false) };
  };
  if (reading.kind !== 'unchanged' && reading.payloadDigest !== payloadDigest) {
    // The body is the same but has another content coding, so its bytes differ and the archive stores it.
    const last = { ...known, payloadDigest: reading.payloadDigest, archivedAt: visited.result.fetchedAt };
    return settled(last, visited);
  }
  const duplicateOf = { url, fetchedAt: archivedAt, payloadDigest };
  return settled(known, { ...visited, disposition: { ...visited.disposition!, duplicateOf } });
}

/** Returns true for a 404, a 410 and a soft 404, whether it is a page or a redirect. */
function isMissing({ result }: Visited, reading: RevisitComparison['reading']): boolean {
  return reading.kind === 'gone' || result.reason.code === 'soft 404';
}

function settleGone(visited: Visited, comparison: RevisitComparison): SettledVisit {
  const { previous, reading } = comparison;
  const goneCount = (previous?.goneCount ?? 0) + 1;
  if (previous && !isRemoved(previous.isDocument, goneCount)) {
    // The archive keeps the first 404, which says what it is. The first soft 404 is dropped, because without its
    // verdict it would be a page when the journal is rebuilt from the archive.
    const record = reading.kind === 'gone' ? null : ('drop' as const);
    const { links: _, ...kept } = visited;
    const last = { ...previous, goneCount, hintedAt: 0 };
    const findings = { ...findingsOf(comparison, last, null), presence: 'confirm' as const };
    return { ...kept, disposition: { ...visited.disposition!, record }, last, findings };
  }
  const last = { ...NOTHING, summary: GONE, goneCount };
  const findings = { ...findingsOf(comparison, last, null), presence: 'gone' as const };
  return { ...visited, ...givenUp(previous, last), last, findings };
}

/** Returns the target of a redirect with the history of the page that was here before. */
function movedTo(
  { result }: Visited,
  { previous, reading }: RevisitComparison,
): { moved?: Visited['moved'] } {
  if (reading.kind !== 'redirect' || !reading.to || !previous?.isDocument || !previous.history) return {};
  if (result.reason.code !== 'redirect') return {};
  const { history, intervalMs } = previous;
  const moved = { ...history, counted: null, class: '' };
  const last = { ...NOTHING, summary: MOVED, history: moved, intervalMs };
  return { moved: { to: fingerprint(reading.to), last } };
}

function isComparable(previous: LastCapture | null): previous is LastCapture {
  if (!previous || 'textKey' in previous.summary) return false;
  const { code } = previous.summary;
  return code !== 'imported' && code !== 'unknown' && code !== 'moved';
}

function findingsOf(
  { url, previous, response, reading }: RevisitComparison,
  { isDocument }: LastCapture,
  hasChanged: boolean | null,
): ScheduledFindings {
  const endsAt = (reading.kind === 'page' && reading.page.robots.unavailableAfter) || Infinity;
  const modifiedAt = Date.parse(header(response, 'last-modified'));
  return {
    url,
    kind: kindOf(reading, previous),
    isDocument,
    hasChanged,
    modifiedAt: Number.isFinite(modifiedAt) ? modifiedAt : 0,
    datedLinksPerDay: itemsPerDay(listedIn(reading)),
    presence: 'there',
    endsAt,
  };
}

function kindOf(reading: RevisitComparison['reading'], previous: LastCapture | null): RevisitedKind {
  if (reading.kind === 'unchanged') return previous?.history?.kind ?? 'page';
  if (reading.kind === 'sitemap') return 'sitemap';
  return reading.kind === 'page' && reading.page.kind === 'feed' ? 'feed' : 'page';
}

const GONE: ResponseSummary = { code: 'other', reason: { code: 'gone' } };
const MOVED: ResponseSummary = { code: 'moved' };
/** The longest time until a page that seems to be gone is requested again. Not at once, because servers fail for hours. */
const CONFIRM_MS = 12 * HOUR_MS;

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
  history: null,
  hintedAt: 0,
  intervalMs: 0,
  dueAt: 0,
};

function describe(visited: Visited, { reading, response }: RevisitComparison): Omit<LastCapture, 'summary'> {
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
 * Summarizes a response. A page counts as changed if its content changes (sketch/change-key.ts). Other bytes, dates and
 * advertisements do not count.
 */
function summaryOf(
  { disposition: kept, result }: Visited,
  reading: RevisitComparison['reading'],
): ResponseSummary {
  const record = kept?.record;
  if (typeof record === 'object' && record?.kind === 'alias') return { code: 'alias', of: record.of };
  if (reading.kind === 'page') return { code: 'page', changeKey: reading.page.changeKey };
  if (reading.kind === 'sitemap') return { code: 'sitemap', digest: reading.digest };
  return { code: 'other', reason: result.reason };
}

function withLast(visited: Visited, last: LastCapture): Visited {
  return { ...visited, result: { ...visited.result, last } };
}

function robotsTagOf(response: Response): string {
  return (response.headers.get('x-robots-tag') ?? []).join(', ');
}
