/**
 * The features of the linear model, each from 0 to about 1, so that their weights can be compared.
 *
 * Shares of the query are by weight: a rare word counts more than a common one. A feature whose data is
 * missing is 0 for every document.
 */
import { Field, FREQUENCY_UNIT } from '../index/mod.ts';
import { lengthNorm } from './bm25.ts';
import type { DocumentEvidence, Evidence, QueryStatistics, WordEvidence } from './evidence.ts';
import type { FieldWeights, Profile } from './profile.ts';
import { longestRun, pairCount, smallestWindow } from './proximity.ts';

/** The features with their meanings, in the order of the values. */
export const FEATURES = {
  text: 'BM25 over the fields, as a share of the weight of the query',
  complete: 'the document has all words: its share of the query, to the power of the number of words',
  pairs: 'adjacent words of the query have the same distance in the document',
  run: 'the document has a long run of words in query order',
  window: 'the words with the highest weights are close together',
  title: 'the title has the words and few others',
  url: 'the URL has the words',
  host: 'the host name equals the query, and the document is its home page',
  anchor: 'anchor texts of links to the page have the words',
  depth: 'the URL is short: few parts, few characters',
  pageRank: 'important pages link to the page',
  hostRank: 'important hosts link to the host',
  trust: 'trusted hosts link to the host, directly or through others',
  noFarm: 'the host is not part of a link farm',
  independent: 'the linking hosts are of several domains',
  freshness: 'the content is new',
  language: 'the document is in the language of the query',
  quality: 'much original text, little boilerplate, no repeated words',
  exact: 'the document has the words in the typed form',
  feedback: 'the document has the expansion terms',
} as const;
export type Feature = keyof typeof FEATURES;
export const FEATURE_NAMES = Object.keys(FEATURES) as readonly Feature[];

const FEEDBACK_AT = FEATURE_NAMES.indexOf('feedback');

/** The maximum number of words in the window: more than these are never close together. */
const WINDOW_WORDS = 4;
/** The saturation of further occurrences of a pair, like k1 for words. */
const PAIR_SATURATION = 1.2;
/** A page with 255 times the mean rank has the maximum value: log2(1 + 255) = 8. */
const RANK_DOUBLINGS = 8;
const FRESH_DAYS = 30;

/** Shares of the query, by weight, that occur in a part of the document. */
interface Shares {
  anywhere: number;
  title: number;
  url: number;
  host: number;
  anchors: number;
  exact: number;
}

/** Returns the values of all features, in the order of `FEATURE_NAMES`. Runs a thousand times per query. */
export function featuresOf(profile: Profile, statistics: QueryStatistics, evidence: Evidence): number[] {
  const { words } = evidence;
  const { weight } = statistics;
  const shares = sharesOf(statistics, words);
  return [
    weight > 0 ? textSum(profile, statistics, evidence) / weight : 0,
    shares.anywhere ** words.length,
    pairs(statistics, words),
    run(words),
    window(statistics, words),
    shares.title === 0 ? 0 : shares.title * titleFill(evidence),
    shares.url,
    shares.host === 0 ? 0 : hostMatch(shares.host, evidence),
    shares.anchors,
    1 / (1 + evidence.urlDepth),
    rankShare(evidence.rank),
    rankShare(evidence.hostRank ?? 0),
    trustShare(evidence),
    lack(evidence.farm),
    lack(evidence.concentration),
    freshness(evidence),
    evidence.isReadable ? 1 : 0,
    evidence.quality ?? 0,
    shares.exact,
    evidence.expansion ?? 0,
  ];
}

/** Returns the query-independent part of a score, before it is multiplied by the weight of the query. */
export function standingOf({ weights }: Profile, document: DocumentEvidence): number {
  const worth = (feature: Feature, value: number) => (weights[feature] ?? 0) * value;
  return (
    worth('depth', 1 / (1 + document.urlDepth)) +
    worth('pageRank', rankShare(document.rank)) +
    worth('hostRank', rankShare(document.hostRank ?? 0)) +
    worth('trust', trustShare(document)) +
    worth('noFarm', lack(document.farm)) +
    worth('independent', lack(document.concentration)) +
    worth('freshness', freshness(document)) +
    worth('quality', document.quality ?? 0)
  );
}

/** The evidence for the rough score of a document. */
export interface RoughDocument
  extends Pick<DocumentEvidence, 'length' | 'urlDepth' | 'hostFill' | 'isReadable'> {
  standing: number;
  /** Per word, true if the host name contains it. */
  inHost: readonly boolean[];
}

/**
 * Returns the rough score of a document. `frequencies` are per word, in the units of the index; 0 if the
 * document does not have the word.
 */
type RoughScorer = (document: RoughDocument, frequencies: ArrayLike<number>) => number;

/**
 * Returns a scorer without the features that need positions, for choosing the close candidates. Frequencies
 * are weighted with the field weights of the index, not with those of the profile.
 */
export function roughScorer(profile: Profile, statistics: QueryStatistics): RoughScorer {
  const { idfs, weight, meanLength } = statistics;
  const { text = 0, complete = 0, host = 0, language = 0 } = profile.weights;
  return (document, frequencies) => {
    if (weight === 0) return 0;
    const norm = lengthNorm(profile, document.length / meanLength);
    let sum = 0;
    let found = 0;
    let named = 0;
    for (let at = 0; at < idfs.length; at++) {
      const frequency = frequencies[at]! / FREQUENCY_UNIT;
      if (frequency === 0) continue;
      sum += (idfs[at]! * frequency) / (frequency + norm);
      found += idfs[at]!;
      if (document.inHost[at]) named += idfs[at]!;
    }
    const share = found / weight;
    return (
      text * (profile.k1 + 1) * sum +
      weight *
        (complete * share ** idfs.length +
          (named === 0 ? 0 : host * hostMatch(named / weight, document)) +
          (document.isReadable ? language : 0) +
          document.standing)
    );
  };
}

/** Returns the values with the query expansion score filled in. */
export function withExpansion(values: readonly number[], expansionScore: number): number[] {
  return values.with(FEEDBACK_AT, expansionScore);
}

/** Returns the BM25 score that one word adds, with the field weights of the profile. */
export function wordScore(
  profile: Profile,
  statistics: QueryStatistics,
  evidence: Evidence,
  at: number,
): number {
  const word = evidence.words[at];
  if (!word) return 0;
  const frequency = weightedCount(profile.fields, word);
  const norm = lengthNorm(profile, evidence.length / statistics.meanLength);
  return (statistics.idfs[at]! * frequency * (profile.k1 + 1)) / (frequency + norm);
}

function textSum(profile: Profile, statistics: QueryStatistics, evidence: Evidence): number {
  let sum = 0;
  for (let at = 0; at < evidence.words.length; at++) sum += wordScore(profile, statistics, evidence, at);
  return sum;
}

function weightedCount(fields: FieldWeights, { counts, votes }: WordEvidence): number {
  return (
    counts[Field.body]! * fields.body +
    counts[Field.title]! * fields.title +
    counts[Field.heading]! * fields.heading +
    counts[Field.emphasis]! * fields.emphasis +
    counts[Field.link]! * fields.link +
    counts[Field.url]! * fields.url +
    votes * fields.anchor
  );
}

/** Considers pairs of neighbouring content words; the weight of a pair is that of its lighter word. */
function pairs({ idfs, isFunction, weight }: QueryStatistics, words: Evidence['words']): number {
  let sum = 0;
  let before = -1;
  for (let at = 0; at < words.length; at++) {
    if (isFunction[at]) continue;
    const [first, second] = [words[before], words[at]];
    if (first && second) {
      const count = pairCount(first.positions, second.positions, at - before);
      const value = Math.min(idfs[before]!, idfs[at]!);
      sum += (value * count * (PAIR_SATURATION + 1)) / (count + PAIR_SATURATION);
    }
    before = at;
  }
  return weight > 0 ? sum / weight : 0;
}

/** Squared, so that a run twice as long counts four times as much. */
function run(words: Evidence['words']): number {
  if (!hasNeighbours(words)) return 0;
  const length = longestRun(words.map((word) => word?.positions ?? []));
  return Math.max(0, (length - 1) / (words.length - 1)) ** 2;
}

/** Without two adjacent words of the query in the document there is no run. */
function hasNeighbours(words: Evidence['words']): boolean {
  for (let at = 1; at < words.length; at++) if (words[at - 1] && words[at]) return true;
  return false;
}

/** Adjacent words have their full weight; in a window of twice the size they have half of it. */
function window({ idfs, weight }: QueryStatistics, words: Evidence['words']): number {
  const found: number[] = [];
  for (let at = 0; at < words.length; at++) if ((words[at]?.positions.length ?? 0) > 0) found.push(at);
  if (found.length < 2) return 0;
  const heaviest =
    found.length <= WINDOW_WORDS
      ? found
      : found.sort((a, b) => idfs[b]! - idfs[a]! || a - b).slice(0, WINDOW_WORDS);
  const size = smallestWindow(heaviest.map((at) => words[at]!.positions));
  let mass = 0;
  for (const at of heaviest) mass += idfs[at]!;
  return (heaviest.length / size) * (mass / weight);
}

/**
 * The share of the title that is in the query. The square root softens it, because titles have other words
 * too.
 */
function titleFill({ words, titleLength }: Evidence): number {
  if (titleLength === 0) return 0;
  const occurrences = words.reduce((sum, word) => sum + (word?.counts[Field.title] ?? 0), 0);
  return Math.sqrt(Math.min(1, occurrences / titleLength));
}

/**
 * Uses the fourth power of the share: a query that is only a name asks for its home page; a query with other
 * words asks for another page of the site. The value is a quarter one level down and a ninth two levels down.
 */
function hostMatch(
  share: number,
  { hostFill, urlDepth }: Pick<DocumentEvidence, 'hostFill' | 'urlDepth'>,
): number {
  return (share ** 4 * Math.sqrt(hostFill)) / (1 + urlDepth) ** 2;
}

function freshness({ ageDays }: DocumentEvidence): number {
  return ageDays === null ? 0 : FRESH_DAYS / (FRESH_DAYS + Math.max(0, ageDays));
}

function rankShare(rank: number): number {
  return Math.min(1, Math.log2(1 + rank) / RANK_DOUBLINGS);
}

/** Average trust (1) gives half of the maximum. */
function trustShare({ trust }: DocumentEvidence): number {
  return trust === null ? 0 : trust / (1 + trust);
}

/** Turns a mark against a page into a feature in its favour, so that no score falls below 0. */
function lack(mark: number | null): number {
  return mark === null ? 0 : 1 - mark;
}

function sharesOf({ idfs, weight }: QueryStatistics, words: Evidence['words']): Shares {
  const shares = { anywhere: 0, title: 0, url: 0, host: 0, anchors: 0, exact: 0 };
  if (weight === 0) return shares;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!word) continue;
    const share = (word.share * idfs[at]!) / weight;
    shares.anywhere += share;
    if (word.counts[Field.title]! > 0) shares.title += share;
    if (word.counts[Field.url]! > 0) shares.url += share;
    if (word.inHost) shares.host += share;
    if (word.inAnchors !== null) shares.anchors += share * word.inAnchors;
    if (word.exact !== null) shares.exact += share * word.exact;
  }
  return shares;
}
