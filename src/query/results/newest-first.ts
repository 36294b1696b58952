/**
 * News: recognizes news pages, and orders results by date, newest first.
 *
 * A page is news if its own metadata says so (`kind:news`), or if a crawled feed announces it. An announced page
 * gets the date of the announcement. Only the candidates of the second stage are ordered by date; matches with lower
 * scores follow them. On the same day, the result with the higher score comes first.
 */
import { DAY_MS } from '../../base/mod.ts';
import { DocumentKind } from '../../index/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { anyOf, type Condition } from '../language/mod.ts';
import type { SearchResult } from '../searcher.ts';

/** A page that a feed lists, with the publication date from the feed. */
export interface Announced {
  url: CanonicalUrl;
  /** The publication day, in days since 1970. */
  day: number;
}

export type AnnouncedDays = ReadonlyMap<bigint, number>;

export function announcedDays(announced: readonly Announced[]): AnnouncedDays {
  return new Map(announced.map(({ url, day }) => [fingerprint(url), day]));
}

/** Changes each `kind:news` in a condition so that it also matches the announced pages. */
export function withAnnounced(condition: Condition, announced: AnnouncedDays): Condition {
  if (announced.size === 0) return condition;
  if (condition.kind === 'and' || condition.kind === 'or') {
    return { ...condition, parts: condition.parts.map((part) => withAnnounced(part, announced)) };
  }
  if (condition.kind === 'not') return { ...condition, part: withAnnounced(condition.part, announced) };
  const isNews = condition.kind === 'kind' && condition.name === DocumentKind.news;
  return isNews
    ? anyOf([condition, { kind: 'documents', fingerprints: new Set(announced.keys()) }])
    : condition;
}

/**
 * Orders ranked matches by date, newest first. Matches for which `isFirst` returns true, such as pinned
 * results, come before all other matches. Matches dated after `lastDay` come last, because a date in the future
 * is wrong.
 */
export function newestFirst<Ranked>(
  matches: readonly Ranked[],
  dayOf: (match: Ranked) => number,
  lastDay: number,
  isFirst: (match: Ranked) => boolean,
): Ranked[] {
  const placeOf = (match: Ranked) => {
    if (isFirst(match)) return Number.POSITIVE_INFINITY;
    const day = dayOf(match);
    return day > lastDay ? 0 : day;
  };
  const dated = matches.map((match) => ({ match, day: placeOf(match) }));
  return dated.sort((a, b) => (a.day === b.day ? 0 : b.day - a.day)).map(({ match }) => match);
}

/** Replaces the date of results that a feed announced by the date of the announcement. */
export function datedAs(announced: AnnouncedDays, results: SearchResult[]): SearchResult[] {
  if (announced.size === 0) return results;
  return results.map((result) => {
    const day = announced.get(fingerprint(result.url as CanonicalUrl));
    return day === undefined
      ? result
      : { ...result, date: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  });
}
