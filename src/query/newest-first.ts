/**
 * News: which pages are some, and the newest first.
 *
 * A page is news if it says so (`kind:news`), or if somebody announces it as such (`announced`, from crawled feeds): then it
 * is of the day that was announced. Only the best matches are put in order of their days, as many as are looked at
 * closely; what answers the query worse follows behind them. Within a day the better answer comes first.
 */
import { DocumentKind } from '../index/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { anyOf, type Condition } from './condition.ts';
import { fingerprintOf, type Match } from './evaluate.ts';
import type { SearchResult } from './searcher.ts';

const DAY_MS = 86_400_000;

/** A page that a feed names, and when it says it was published. */
export interface Announced {
  url: CanonicalUrl;
  /** Days since 1970. */
  day: number;
}

export type AnnouncedDays = ReadonlyMap<bigint, number>;

export function announcedDays(announced: readonly Announced[]): AnnouncedDays {
  return new Map(announced.map(({ url, day }) => [fingerprint(url), day]));
}

/** Where news are asked for, pages that are announced will do. */
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
 * Ranked matches by their days; `isFirst` are in front whatever theirs. What claims to be of a day behind `lastDay` says
 * nothing about when it was published, and comes last.
 */
export function newestFirst<Ranked extends Match>(
  matches: readonly Ranked[],
  announced: AnnouncedDays,
  lastDay: number,
  isFirst: (match: Ranked) => boolean,
): Ranked[] {
  const dayOf = (match: Ranked) => {
    if (isFirst(match)) return Number.POSITIVE_INFINITY;
    const day = announced.get(fingerprintOf(match)) ?? match.segment.reader.table.days[match.doc]!;
    return day > lastDay ? 0 : day;
  };
  const dated = matches.map((match) => ({ match, day: dayOf(match) }));
  return dated.sort((a, b) => (a.day === b.day ? 0 : b.day - a.day)).map(({ match }) => match);
}

/** Results that are announced say the day that was announced. */
export function datedAs(announced: AnnouncedDays, results: SearchResult[]): SearchResult[] {
  if (announced.size === 0) return results;
  return results.map((result) => {
    const day = announced.get(fingerprint(result.url as CanonicalUrl));
    return day === undefined
      ? result
      : { ...result, date: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  });
}
