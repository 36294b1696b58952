/**
 * Policies: the bounds of the revisit intervals of some URLs, each written as a sentence.
 *
 *   feeds between 5m and 1d
 *   pages of news.example between 10m and 6h with importance 4
 *   *.example.org/archive/ between 7d and 90d
 *
 * The subject is `pages`, `feeds` or `sitemaps`, a host or domain with the beginning of a path, or both joined by `of`.
 * The first policy that fits a URL decides. A page counts more often with a higher importance (interval.ts).
 */
import { parseDuration, UsageError } from '../../base/mod.ts';
import { type CanonicalUrl, originOf, parseHostPattern, pathOf } from '../../url/mod.ts';

export type RevisitedKind = 'page' | 'feed' | 'sitemap';

export interface RevisitPolicy {
  /** The sentence as written. */
  sentence: string;
  minMs: number;
  maxMs: number;
  importance: number;
  covers(kind: RevisitedKind, url: CanonicalUrl): boolean;
}

const SENTENCE =
  /^(?:(pages|feeds|sitemaps)(?: of (\S+))?|(\S+)) between (\S+) and (\S+)(?: with importance (\d+(?:\.\d+)?))?$/;
const EXPECTED =
  'a sentence such as "feeds between 5m and 1d" or "news.example/live between 10m and 6h with importance 4"';

/** Parses a policy. Throws a UsageError if it is not such a sentence. */
export function parseRevisitPolicy(sentence: string): RevisitPolicy {
  const parts = SENTENCE.exec(sentence.trim().replace(/\s+/g, ' '));
  if (!parts) throw new UsageError('bad-setting', `expected ${EXPECTED}, got "${sentence}"`);
  const [, plural, ofHosts, hosts = ofHosts, least = '', most = '', importance = '1'] = parts;
  const [minMs, maxMs] = [parseDuration(least), parseDuration(most)];
  if (minMs <= 0 || minMs > maxMs)
    throw new UsageError('bad-setting', `"${sentence}": the first time must be shorter, and more than 0`);
  const kind = plural ? (plural.slice(0, -1) as RevisitedKind) : null;
  const isPlace = hosts === undefined ? () => true : placeOf(hosts);
  return {
    ...{ sentence, minMs, maxMs, importance: Number(importance) },
    covers: (of, url) => (kind === null || kind === of) && isPlace(url),
  };
}

function placeOf(written: string): (url: CanonicalUrl) => boolean {
  const slash = written.indexOf('/');
  const hosts = parseHostPattern(slash < 0 ? written : written.slice(0, slash), 'bad-setting');
  const path = slash < 0 ? '/' : written.slice(slash);
  return (url) => hosts.matches(originOf(url)) && pathOf(url).startsWith(path);
}
