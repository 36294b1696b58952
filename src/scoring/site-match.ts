/**
 * Compares a query with the name of a site. Words of the query that are in the host name choose the site and
 * say little about the page. A query that consists of such words asks for the home page or a start page.
 */
import { Field } from '../index/mod.ts';
import {
  type DocumentEvidence,
  type Evidence,
  type QueryStatistics,
  urlCount,
  type WordEvidence,
} from './evidence.ts';

/**
 * The factor for the weight of query words that are in the host name, if the query has other words too. On
 * tomcat.example, "tomcat" in "tomcat logging" chooses the site and says nothing about the page.
 */
export const SITE_WORD_WEIGHT = 0.3;

/**
 * Returns the statistics for documents of a host. Words in the host name have a lower weight if the query
 * also has other words.
 */
export function withinSite(statistics: QueryStatistics, words: Evidence['words']): QueryStatistics {
  const { idfs, isFunction, weight } = statistics;
  const isNamed = words.some((word) => word?.inHost);
  if (!isNamed || words.every((word, at) => word?.inHost || isFunction[at])) return statistics;
  let lost = 0;
  const reduced = idfs.map((idf, at) => {
    if (!words[at]?.inHost) return idf;
    lost += (1 - SITE_WORD_WEIGHT) * idf;
    return SITE_WORD_WEIGHT * idf;
  });
  return { ...statistics, idfs: reduced, weight: weight - lost };
}

export function hostShareOf({ idfs, weight }: QueryStatistics, words: Evidence['words']): number {
  let sum = 0;
  for (let at = 0; at < words.length; at++) if (words[at]?.inHost) sum += idfs[at]!;
  return weight > 0 ? sum / weight : 0;
}

/**
 * Returns the share of the query's weight that generic words ("docs", "manual") have, if they are not in the
 * host name.
 */
export function genericShareOf(
  { idfs, isGeneric, weight }: QueryStatistics,
  words: Evidence['words'],
): number {
  let sum = 0;
  for (let at = 0; at < words.length; at++) if (isGeneric[at] && !words[at]?.inHost) sum += idfs[at]!;
  return weight > 0 ? sum / weight : 0;
}

/**
 * Returns the feature `host`. It is near 1 only for the home page of a host that the query names, perhaps with
 * generic words such as "docs". If the query has other words too, it asks for another page of the site; the
 * eighth power then makes the value small. One level below the home page the value is a quarter, two levels
 * below a ninth.
 */
export function hostMatch(
  share: number,
  { hostFill, urlDepth }: Pick<DocumentEvidence, 'hostFill' | 'urlDepth'>,
): number {
  return (share ** 8 * Math.sqrt(hostFill)) / (1 + urlDepth) ** 2;
}

/**
 * Returns the feature `entry`: the squared share of the query that occurs in the host name, URL, title and
 * headings. A query that names a site, a product or a section asks for its start page. Generic words such as
 * "docs" count as present on every start page.
 */
export function entryMatch({ idfs, isGeneric, weight }: QueryStatistics, words: Evidence['words']): number {
  let sum = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (isGeneric[at] || word?.inHost) sum += idfs[at]!;
    else if (word && isInName(word)) sum += word.share * idfs[at]!;
  }
  return weight > 0 ? Math.min(1, sum / weight) ** 2 : 0;
}

function isInName(word: WordEvidence): boolean {
  return word.counts[Field.title]! + word.counts[Field.heading]! + urlCount(word) > 0;
}
