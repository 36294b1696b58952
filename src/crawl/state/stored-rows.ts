/**
 * Converts between the values of the crawl state and the rows that its implementations store. A reason is stored as
 * text (reasons.ts), a time as whole milliseconds.
 */
import { GyreError } from '../../base/mod.ts';
import { type CanonicalUrl, fingerprint, originOf } from '../../url/mod.ts';
import type { HostRow, LastCapture, Problem, ReasonCount, RobotsRow } from './crawl-state.ts';
import {
  decodeReason,
  decodeUrlReason,
  encodeReason,
  type ParkedReason,
  type WaitReason,
} from './reasons.ts';
import type { SiteIcon } from './site-icon.ts';

/** Returns the stored values of a host, without robots.txt and icon, which change rarely. */
export function storedHost({ nextFetchAt, delayMs, parkedReason, waitReason, ...host }: HostRow) {
  const { origin, failures, address, fetched, useful } = host;
  return {
    ...{ origin, failures, address, fetched, useful },
    nextFetchAt: Math.round(nextFetchAt),
    delayMs: Math.round(delayMs),
    parkedReason: encodeReason(parkedReason),
    waitReason: encodeReason(waitReason),
  };
}

/** Converts a row to a host. The row has the fields of `HostRow`; the reasons and the icon are text. */
export function hostOfRow(row: Record<string, unknown>): HostRow {
  const { robotsKind, robotsBody, robotsExpiresAt, parkedReason, waitReason, icon, heldBack, ...host } = row;
  const robots =
    robotsKind === null
      ? null
      : ({ kind: robotsKind, body: robotsBody, expiresAt: robotsExpiresAt } as RobotsRow);
  return {
    ...host,
    robots,
    parkedReason: decodeReason<ParkedReason>(parkedReason as string),
    waitReason: decodeReason<WaitReason>(waitReason as string),
    ...(icon !== '' && { icon: JSON.parse(icon as string) as SiteIcon }),
    ...(Boolean(heldBack) && { isHeldBack: true }),
  } as HostRow;
}

/** Converts a row to a capture. The row has the fields of `LastCapture`; the summary and the history are JSON. */
export function captureOfRow(row: Record<string, unknown>): LastCapture {
  const { summary, isDocument, history, ...capture } = row;
  return {
    ...capture,
    summary: JSON.parse(summary as string),
    isDocument: Boolean(isDocument),
    history: history === '' ? null : JSON.parse(history as string),
  } as LastCapture;
}

/** Encodes the history of a URL for the state; the empty string if there is none. */
export function storedHistory({ history }: Pick<LastCapture, 'history'>): string {
  return history === null ? '' : JSON.stringify(history);
}

/** A stored reason, or a type of verdict, and the number of URLs that have it. */
export interface StoredCount {
  reason: string;
  count: number;
}

/**
 * Returns the number of fetched URLs by reason, the most frequent first. `aliases` has the pages that a later
 * verdict made aliases; they count by the type of their verdict.
 */
export function answersOf(outcomes: Iterable<StoredCount>, aliases: Iterable<StoredCount>): ReasonCount[] {
  const counts = new Map(Array.from(outcomes, ({ reason, count }) => [reason, count]));
  for (const { reason, count } of aliases) {
    counts.set('page', (counts.get('page') ?? 0) - count);
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([reason, count]) => ({ reason: decodeUrlReason(reason), count }));
}

/** Converts a row with the reason of URLs, or with the reason of parked hosts, to a problem. */
export function problemOfRow({ reason, parked, count }: StoredCount & { parked: string }): Problem {
  const parkedReason = decodeReason<ParkedReason>(parked);
  return parkedReason ? { parked: parkedReason, count } : { reason: decodeUrlReason(reason), count };
}

/** Names a database in an error message, and says what helps if it is damaged. */
export interface DatabasePlace {
  name: string;
  advice: string;
}

/** Rejects a URL whose fingerprint differs from the one under which it is stored: it must not be fetched. */
export function checkStoredUrl(url: CanonicalUrl, stored: bigint, place: DatabasePlace): bigint {
  const actual = fingerprint(url);
  if (actual === stored) return actual;
  const expected = `a URL with the fingerprint ${hex(stored)}`;
  throw damagedRow(place, ', table url', expected, `${url} with ${hex(actual)}`);
}

/** Rejects a URL that is stored under the wrong fingerprint or the wrong host. */
export function checkUrlOfHost(
  url: CanonicalUrl,
  stored: bigint,
  origin: string,
  place: DatabasePlace,
): bigint {
  const key = checkStoredUrl(url, stored, place);
  if (originOf(url) === origin) return key;
  throw damagedRow(place, ', table host', `the origin of ${url}`, origin);
}

/** Returns an error like a `CorruptError`, but for a place that is not a byte offset. */
export function damagedRow(place: DatabasePlace, where: string, expected: string, got: string): GyreError {
  const { name, advice } = place;
  const message = `${name}${where}: expected ${expected}, got ${got}; ${advice}`;
  return new GyreError('corrupt-file', message, { advice });
}

function hex(key: bigint): string {
  return BigInt.asUintN(64, key).toString(16).padStart(16, '0');
}
