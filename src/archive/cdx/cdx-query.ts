/**
 * A query for captures, with the parameters of a CDX server that replay tools use:
 *
 *   matchType  exact    the URL; http and https, with and without www. count as the same (surt.ts)
 *              prefix   all URLs that begin with it
 *              host     all URLs of its host
 *              domain   all URLs of its host and of the hosts below it
 *   from, to   the first and the last time, each 1 to 14 digits: `to` 2026 includes the whole year
 *   filter     `mimetype:text/html` keeps captures whose field contains the value; `!` before it keeps the others
 */
import type { CdxEntry } from './cdx-format.ts';
import { surtOf } from './surt.ts';

export const CDX_MATCHES = ['exact', 'prefix', 'host', 'domain'] as const;
export type CdxMatch = (typeof CDX_MATCHES)[number];

export interface CdxQuery {
  url: string;
  matchType: CdxMatch;
  from: string;
  to: string;
  filters: readonly string[];
  /** Returns the captures that are closest to this time first; empty for the order of URL and time. */
  closest: string;
  limit: number;
}

const FIELDS: Readonly<Record<string, (entry: CdxEntry) => string>> = {
  mimetype: ({ mime }) => mime,
  mime: ({ mime }) => mime,
  statuscode: ({ status }) => String(status),
  status: ({ status }) => String(status),
  url: ({ url }) => url,
  digest: ({ digest }) => digest,
};

/** Returns the texts with which the CDXJ lines of the captures begin. */
export function lineStartsOf({ url, matchType }: Pick<CdxQuery, 'url' | 'matchType'>): string[] {
  const key = surtOf(url);
  if (matchType === 'exact') return [`${key} `];
  if (matchType === 'prefix') return [key];
  const host = key.split(')', 1)[0]!;
  return matchType === 'host' ? [`${host})`] : [`${host})`, `${host},`];
}

export function matchesQuery(entry: CdxEntry, { from, to, filters }: CdxQuery): boolean {
  if (entry.timestamp < from || entry.timestamp > to.padEnd(14, '9')) return false;
  return filters.every((filter) => passes(entry, filter));
}

function passes(entry: CdxEntry, filter: string): boolean {
  const [, not = '', field = '', value = ''] = /^(!?)[=~]?(\w+):(.*)$/s.exec(filter) ?? [];
  const read = FIELDS[field];
  return read ? read(entry).includes(value) === (not === '') : true;
}

/** Orders captures by their distance from a time of up to 14 digits. */
export function byDistance(closest: string): (a: CdxEntry, b: CdxEntry) => number {
  const time = Number(closest.padEnd(14, '0'));
  const distance = ({ timestamp }: CdxEntry) => Math.abs(Number(timestamp) - time);
  return (a, b) => distance(a) - distance(b);
}
