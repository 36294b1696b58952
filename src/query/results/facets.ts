/**
 * Facets: how many of the best matches are on each site, in each language, of each format and from each period. The
 * results page shows these numbers beside its filters. They are counted over the candidates of the first stage;
 * `counted` is the number of these candidates.
 */
import { collectionsOf, formatOf } from '../../index/mod.ts';
import type { CandidateList } from './candidate-list.ts';

/** The lengths of the periods that the date filter offers, in days before today. */
export const PERIOD_DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;

export interface FacetCount {
  value: string;
  count: number;
}

export interface ResultFacets {
  /** The number of best matches over which the facets were counted. There may be more matches. */
  counted: number;
  /** The hosts with the most matches, largest count first. `languages` and `formats` are ordered in the same way. */
  sites: FacetCount[];
  /** Languages as primary subtags, such as `de`. */
  languages: FacetCount[];
  formats: FacetCount[];
  /** The operator's collections. A document may be in several of them. */
  collections: FacetCount[];
  /** One count for each period of PERIOD_DAYS. A longer period includes the documents of the shorter ones. */
  periods: FacetCount[];
}

const MAX_VALUES = 8;
const MAX_COUNTED = 1000;

/** Counts the facets of the first matches of the list, at most `available` matches. `today` is in days since 1970. */
export function facetsAmong(list: CandidateList, available: number, today: number): ResultFacets {
  const counted = Math.min(available, MAX_COUNTED);
  const sites = new Map<string, number>();
  const languages = new Map<string, number>();
  const types = new Map<string, number>();
  const periods = Object.entries(PERIOD_DAYS).map(([value, days]) => ({
    value,
    count: 0,
    since: today - days,
  }));
  for (let at = 0; at < counted; at++) {
    increase(sites, list.hostOf(at));
    increase(languages, list.languageOf(at));
    increase(types, list.typeOf(at));
    const day = list.dayOf(at);
    for (const period of periods) if (day > 0 && day >= period.since) period.count++;
  }
  return {
    counted,
    sites: largest(sites),
    languages: largest(joined(languages, (tag) => [primaryLanguageOf(tag)])),
    formats: largest(joined(types, (type) => [formatOf(type)])),
    collections: largest(joined(types, collectionsOf)),
    periods: periods.map(({ value, count }) => ({ value, count })),
  };
}

/**
 * Returns the primary language of a tag: `en` for `en-gb`. Returns an empty string for a tag that names no language,
 * such as `x-default`, which the language filter would not accept.
 */
function primaryLanguageOf(tag: string): string {
  const primary = tag.split('-', 1)[0]!.toLowerCase();
  return /^[a-z]{2,3}$/.test(primary) ? primary : '';
}

function increase(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function joined(
  counts: ReadonlyMap<string, number>,
  namesOf: (name: string) => readonly string[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) for (const each of namesOf(name)) increase(sums, each, count);
  return sums;
}

/**
 * Returns the values with the largest counts. Leaves out the empty value, which stands for documents without the
 * property.
 */
function largest(counts: ReadonlyMap<string, number>): FacetCount[] {
  return [...counts]
    .filter(([value]) => value !== '')
    .sort(([a, aCount], [b, bCount]) => bCount - aCount || (a < b ? -1 : 1))
    .slice(0, MAX_VALUES)
    .map(([value, count]) => ({ value, count }));
}
