/**
 * The features of the linear model, each from 0 to about 1, so that their weights can be compared.
 *
 * A feature such as "the title has the words" is the share of the query's weight that these words have, so a
 * rare word counts more than a common one. A feature whose data is missing is 0 for every document.
 */
import { Field } from '../index/mod.ts';
import { lengthNorm } from './bm25.ts';
import {
  type DocumentEvidence,
  type Evidence,
  firstFrom,
  type QueryStatistics,
  textEnd,
  urlCount,
  type WordEvidence,
} from './evidence.ts';
import type { FieldWeights, Profile } from './profile.ts';
import { heaviestPassage, longestRun, pairCount } from './proximity.ts';
import { entryMatch, genericShareOf, hostMatch, hostShareOf, withinSite } from './site-match.ts';

/** The features and their descriptions. The values of features have the same order. */
export const FEATURES = {
  text: 'BM25 over the fields, as a share of the weight of the query',
  complete: 'the document has all words: its share of the query, to the power of the number of words',
  pairs: 'adjacent words of the query have the same distance in the document',
  run: 'the document has a long run of words in query order',
  passage: 'a short passage of the text has the words',
  early: 'the words occur near the start of the text',
  title: 'the title, without the name of the site, has the words and few others',
  wholeTitle: 'the title, without the name of the site, has exactly the words',
  heading: 'headings have the words',
  url: 'the URL has the words',
  name: 'the last part of the URL, with the host, has the words and few others',
  host: 'the host name equals the query, and the document is its home page',
  site: 'the host name has words of the query',
  entry: 'a start page of a site or directory whose name, title or headings have all words',
  anchor: 'anchor texts of links to the page have the words',
  depth: 'the URL is short: few parts, few characters',
  pageRank: 'important pages link to the page',
  hostRank: 'important hosts link to the host',
  trust: 'trusted hosts link to the host, directly or through others',
  noFarm: 'the host is not part of a link farm',
  independent: 'the linking hosts are of several domains',
  freshness: 'the content is new',
  language: 'the document is in the language of the query',
  urlLanguage: 'the URL declares the language of the text',
  quality: 'much original text, little boilerplate, no repeated words',
  length: 'the document is long',
  ordinary: 'the page neither lists other pages nor shows source code',
  exact: 'the document has the words in the typed form',
  feedback: 'the document has the expansion terms',
  meaning: 'title and first paragraphs mean the same as the query, in whatever words',
} as const;
export type Feature = keyof typeof FEATURES;
export const FEATURE_NAMES = Object.keys(FEATURES) as readonly Feature[];

const FEEDBACK_AT = FEATURE_NAMES.indexOf('feedback');

/** The length of a passage in word positions, about two sentences. */
const PASSAGE_LENGTH = 40;
/**
 * The number of positions after the start of the text at which the first occurrence of a word counts half.
 */
const EARLY_POSITIONS = 50;
/**
 * The feature for the length of a document reaches its maximum after LENGTH_DOUBLINGS doublings of LENGTH_UNIT
 * words, which is at about 20,000 words.
 */
const LENGTH_UNIT = 20;
const LENGTH_DOUBLINGS = 10;
/**
 * The saturation of pairs of words, like k1 of BM25 for single words: with a low value, further occurrences of
 * a pair soon add nothing.
 */
const PAIR_SATURATION = 1.2;
/**
 * The logarithm at which the feature `rank` reaches 1: log2(1 + 255) = 8, for a page with 255 times the mean
 * rank.
 */
const RANK_DOUBLINGS = 8;
const FRESH_DAYS = 30;
/** The share of the query from which on a share counts as 1. It is a little below 1 because of rounding. */
const WHOLE = 0.999;
/**
 * The share of the query above which a title counts as having the whole query, except possibly function words.
 */
const MOST = 0.9;
/**
 * The maximum number of letters that a term may lack at the end of its word: `sort`, the term of "sorting",
 * lacks three.
 */
const ENDING = 3;
/** A typed array like the positions that the index returns, so that compiled code has one type of array to read. */
const NO_POSITIONS = new Uint32Array();
/**
 * If words of the query have more than this share of the letters of an identifier, they count as the whole
 * identifier.
 */
const MOST_LETTERS = 0.8;
/** The similarity of texts about unrelated topics. The feature for meaning is 0 at this similarity. */
const UNRELATED = 0.2;
/** The mean similarity between a query and a page that has words of the query. */
const TYPICAL = 0.45;

/** The share of the query, by the weight of its words, that each field of the document has. */
interface Shares {
  anywhere: number;
  title: number;
  heading: number;
  url: number;
  name: number;
  /** The share of words that are in the host name, but not in the last part of the URL. */
  hostOnly: number;
  anchors: number;
  exact: number;
}

/**
 * Returns the values of all features of a document, in the order of `FEATURE_NAMES`. It is called about a
 * thousand times per query.
 */
export function featuresOf(profile: Profile, statistics: QueryStatistics, evidence: Evidence): number[] {
  const { words } = evidence;
  const onSite = withinSite(statistics, words);
  const { weight } = onSite;
  const shares = sharesOf(onSite, words);
  const hostShare = hostShareOf(statistics, words);
  const fill = shares.title === 0 ? 0 : subjectFill(evidence);
  return [
    weight > 0 ? textSum(profile, onSite, evidence) / weight : 0,
    shares.anywhere ** words.length,
    pairs(onSite, words),
    run(words),
    passage(onSite, evidence),
    early(onSite, evidence),
    shares.title * Math.sqrt(fill),
    shares.title > MOST && fill > WHOLE ? 1 : 0,
    shares.heading,
    shares.url,
    shares.name === 0 ? 0 : (shares.name + shares.hostOnly) * nameFill(evidence),
    hostShare === 0 || evidence.isAuxiliary
      ? 0
      : hostMatch(Math.min(1, hostShare + genericShareOf(statistics, words)), evidence),
    hostShare,
    evidence.isEntry ? entryMatch(statistics, words) : 0,
    shares.anchors,
    1 / (1 + evidence.urlDepth),
    rankShare(evidence.rank),
    rankShare(evidence.hostRank ?? 0),
    trustShare(evidence),
    lack(evidence.farm),
    lack(evidence.concentration),
    freshness(evidence),
    evidence.isReadable ? 1 : 0,
    evidence.urlLanguage,
    evidence.quality ?? 0,
    lengthShare(evidence),
    evidence.isAuxiliary ? 0 : 1,
    shares.exact,
    evidence.expansion ?? 0,
    closeness(evidence),
  ];
}

/**
 * Returns the part of a score that does not depend on the query, before it is multiplied by the weight of the
 * query.
 */
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
    worth('urlLanguage', document.urlLanguage) +
    worth('quality', document.quality ?? 0) +
    worth('length', lengthShare(document)) +
    worth('ordinary', document.isAuxiliary ? 0 : 1)
  );
}

/** Returns the feature values with the score of the query expansion terms added. */
export function withExpansion(values: readonly number[], expansionScore: number): number[] {
  return values.with(FEEDBACK_AT, expansionScore);
}

/** Returns the BM25 score that one word adds to a document, with the field weights of the profile. */
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
    urlCount({ counts }) * fields.url +
    counts[Field.menu]! * fields.menu +
    votes * fields.anchor
  );
}

/**
 * Returns the feature `pairs`, over all pairs of neighbouring content words. The weight of a pair is the
 * smaller weight of its words.
 */
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

/**
 * Returns the feature `run`: the number of adjacent pairs in the longest run of query words in the document,
 * divided by the number of adjacent pairs in the query, and squared. So twice as many pairs count four times as
 * much.
 */
function run(words: Evidence['words']): number {
  if (!hasNeighbours(words)) return 0;
  const length = longestRun(words.map((word) => word?.positions ?? NO_POSITIONS));
  return Math.max(0, (length - 1) / (words.length - 1)) ** 2;
}

/**
 * Returns true if the document has two words that are adjacent in the query. Otherwise it has no run, and the
 * expensive computation is skipped.
 */
function hasNeighbours(words: Evidence['words']): boolean {
  for (let at = 1; at < words.length; at++) if (words[at - 1] && words[at]) return true;
  return false;
}

/** Returns the feature `passage`: the greatest share of the query that occurs in one passage of the text. */
function passage({ idfs, weight }: QueryStatistics, { words, titleLength }: Evidence): number {
  if (weight === 0) return 0;
  const places: ArrayLike<number>[] = [];
  const weights: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!word) continue;
    places.push(word.positions);
    weights.push(word.share * idfs[at]!);
    starts.push(firstFrom(word, titleLength));
    ends.push(textEnd(word));
  }
  return heaviestPassage(places, weights, PASSAGE_LENGTH, starts, ends) / weight;
}

/**
 * Returns the feature `early`. Each word counts by its first occurrence in the content. A word that occurs
 * only outside the content does not count.
 */
function early({ idfs, weight }: QueryStatistics, { words, contentStart }: Evidence): number {
  let sum = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const first = word ? firstFrom(word, contentStart) : 0;
    if (!word || first >= textEnd(word)) continue;
    const distance = word.positions[first]! - contentStart;
    sum += (word.share * idfs[at]! * EARLY_POSITIONS) / (EARLY_POSITIONS + distance);
  }
  return weight > 0 ? sum / weight : 0;
}

/**
 * Returns the share of the title that is in the query. The name of the site is not counted as part of the
 * title.
 *
 * The share is not computed from positions alone, because all parts of an identifier such as
 * `OnConnectionClosed` share one position. Therefore letters are counted, too. If the words have most letters
 * of the title, and each word lacks at most an ending, the share is 1; an example is `unwrap_or_else`, whose
 * parts have three positions. The letters of a word are counted once, because a joined word (`walmode` for "wal
 * mode") is at the position of its parts.
 */
function subjectFill({ words, subjectStart, subjectLength, subjectSize }: Evidence): number {
  if (subjectLength === 0) return 0;
  const end = subjectStart + subjectLength;
  const covered = new Set<number>();
  let letters = 0;
  let endings = 0;
  for (const word of words) {
    let isInTitle = false;
    for (let at = 0; word && at < word.positions.length && word.positions[at]! < end; at++) {
      if (word.positions[at]! < subjectStart) continue;
      covered.add(word.positions[at]!);
      isInTitle = true;
    }
    if (!word || !isInTitle) continue;
    letters += lettersOf(word);
    endings += ENDING;
  }
  if (letters >= MOST_LETTERS * subjectSize && letters + endings >= subjectSize) return 1;
  const lettersFill = (letters + covered.size * ENDING) / (MOST_LETTERS * subjectSize);
  return (covered.size / subjectLength) * Math.min(1, lettersFill);
}

/** Returns the length of the term by which a document has a word: the word itself, or else its longest substitute. */
function lettersOf({ term, share, through = [] }: WordEvidence): number {
  if (share === 1 || through.length === 0) return term.length;
  return Math.max(...through.map((substitute) => substitute.term.length));
}

/**
 * Returns the square root of the share of words in the last segment of the URL's path that are in the query. The
 * square root makes other words in the segment count less.
 */
function nameFill({ words, nameLength }: Evidence): number {
  if (nameLength === 0) return 0;
  const occurrences = words.reduce((sum, word) => sum + (word?.counts[Field.name] ?? 0), 0);
  return Math.sqrt(Math.min(1, occurrences / nameLength));
}

function lengthShare({ length }: DocumentEvidence): number {
  return Math.min(1, Math.log2(1 + length / LENGTH_UNIT) / LENGTH_DOUBLINGS);
}

function freshness({ ageDays }: DocumentEvidence): number {
  return ageDays === null ? 0 : FRESH_DAYS / (FRESH_DAYS + Math.max(0, ageDays));
}

function rankShare(rank: number): number {
  return Math.min(1, Math.log2(1 + rank) / RANK_DOUBLINGS);
}

/** Returns the feature `trust`. Average trust (1) gives half of the maximum. */
function trustShare({ trust }: DocumentEvidence): number {
  return trust === null ? 0 : trust / (1 + trust);
}

/**
 * Returns the feature for meaning. While few documents have a vector, the feature has little effect: otherwise
 * each of these documents would come before better documents that have no vector yet. A document in the
 * language of the query that has no vector yet counts like a typical match.
 */
function closeness({ similarity, knownMeanings = 0, isReadable }: Evidence): number {
  if (similarity === undefined) return 0;
  const near = similarity ?? (isReadable ? TYPICAL : UNRELATED);
  return (knownMeanings * Math.max(0, near - UNRELATED)) / (1 - UNRELATED);
}

/**
 * Converts a sign of a bad page, from 0 to 1, to a feature that is 1 for a page without this sign. Features
 * are never negative, so no score is below 0.
 */
function lack(mark: number | null): number {
  return mark === null ? 0 : 1 - mark;
}

function sharesOf({ idfs, weight }: QueryStatistics, words: Evidence['words']): Shares {
  const shares = { anywhere: 0, title: 0, heading: 0, url: 0, name: 0, hostOnly: 0, anchors: 0, exact: 0 };
  if (weight === 0) return shares;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!word) continue;
    const share = (word.share * idfs[at]!) / weight;
    shares.anywhere += share;
    if (word.counts[Field.title]! > 0 || word.inHost) shares.title += share;
    if (word.counts[Field.heading]! > 0) shares.heading += share;
    if (urlCount(word) > 0) shares.url += share;
    if (word.counts[Field.name]! > 0) shares.name += share;
    else if (word.inHost) shares.hostOnly += share;
    if (word.inAnchors !== null) shares.anchors += share * word.inAnchors;
    if (word.exact !== null) shares.exact += share * word.exact;
  }
  return shares;
}
