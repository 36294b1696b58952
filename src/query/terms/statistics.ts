/**
 * Computes the document frequencies and weights of a query's words over the whole index.
 *
 * Only live documents are counted, over all segments together. Therefore the score of a document does not depend on
 * how the index is divided into segments, nor on how many deleted documents wait for a merge. In a segment with
 * deleted documents, counting scans the postings of a word. The count is cached, because an open segment never
 * changes.
 */

import {
  type DocId,
  NO_MORE_DOCS,
  type OpenSegment,
  type TermEntry,
  type TermLists,
} from '../../index/mod.ts';
import { inverseDocumentFrequency, type QueryStatistics } from '../../scoring/mod.ts';
import { ALL_STEMMINGS, isAmong, STEMMINGS, type StemmingSet } from '../../text/mod.ts';
import { type Deadline, NO_DEADLINE } from '../deadline.ts';
import { reading } from '../errors.ts';
import { isEvery } from './segment-stemmings.ts';
import { isSiteName, siteDocsOf } from './site-names.ts';
import { findInSegments, type TermInSegments } from './term-directory.ts';
import type { WordTerm } from './word-terms.ts';
import type { WordUse } from './word-use.ts';

/** A segment, and its dictionary entries for the terms of the query. Entries without live documents are left out. */
export interface SearchedSegment {
  segment: OpenSegment;
  /** For each word of the query: the segment's entries for the terms of the word, in the order of the terms. */
  lists: readonly (readonly ListEntry[])[];
  /** For each word of the query: the entries for its terms in the anchor texts of links to the documents. */
  anchors: readonly (readonly ListEntry[])[];
}

export interface ListEntry extends WordTerm {
  entry: TermEntry;
}

/** The number of postings in a block, which is the unit of decoding. */
const DOCS_PER_BLOCK = 128;
/** The number of postings that are counted between two checks of the deadline. */
const COUNTED_PER_LOOK = 1 << 16;

/** Looks up the terms of a query in the dictionaries of all segments. `words[i]` has the terms of word i. */
export function lookUp(
  segments: readonly OpenSegment[],
  words: readonly (readonly WordTerm[])[],
  deadline: Deadline = NO_DEADLINE,
): SearchedSegment[] {
  const found = words.map((terms) =>
    terms.map((term) => ({ term, entries: findInSegments(segments, term.term, deadline) })),
  );
  return segments.map((segment, number) =>
    reading(segment, () => ({
      segment,
      lists: found.map((terms) => ownEntries(segment, number, terms, deadline)),
      anchors: found.map((terms) => saidEntries(segment, number, terms, deadline)),
    })),
  );
}

/** Makes a query of words that are already terms of the index. They match in documents of all languages. */
export function asTerms(words: readonly string[]): WordTerm[][] {
  return words.map((term) => [{ term, stemmings: ALL_STEMMINGS, weight: 1, role: 'own' }]);
}

interface LookedUpTerm {
  term: WordTerm;
  entries: TermInSegments;
}

function ownEntries(
  segment: OpenSegment,
  number: number,
  terms: readonly LookedUpTerm[],
  deadline: Deadline,
): ListEntry[] {
  const live: ListEntry[] = [];
  for (const { term, entries } of terms) {
    const entry = entries.own[number]!;
    if (entry && liveFrequency(segment, entry, term.stemmings, segment.reader, deadline) > 0)
      live.push({ ...term, entry });
  }
  return live;
}

/**
 * Returns a segment's dictionary entries for terms in anchor texts. The completions of a prefix are left out,
 * because a prefix must match in the document itself.
 */
function saidEntries(
  segment: OpenSegment,
  number: number,
  terms: readonly LookedUpTerm[],
  deadline: Deadline,
): ListEntry[] {
  const { anchors } = segment;
  const live: ListEntry[] = [];
  if (!anchors) return live;
  for (const { term, entries } of terms) {
    const entry = entries.said[number]!;
    if (!entry || term.role === 'completion') continue;
    if (liveFrequency(segment, entry, term.stemmings, anchors, deadline) > 0) live.push({ ...term, entry });
  }
  return live;
}

/**
 * For each term of a word: the number of live documents that contain it (`own`), and the number of live
 * documents whose anchor texts contain it (`said`).
 */
interface WordCounts {
  own: readonly number[];
  said: readonly number[];
  /** The number of live documents on hosts whose names contain the word. */
  siteDocs: number;
}

/**
 * The statistics of one part of the index (a shard) for a query. `joinStatistics` adds up the statistics of all
 * parts.
 */
export interface PartStatistics {
  docCount: number;
  /** The sum of the lengths of the live documents, in words. */
  length: number;
  /** The day of the newest document, in days since 1970. The age of documents is computed relative to it. */
  newestDay: number;
  /** The greatest PageRank of a document. */
  maxRank: number;
  /** The document counts for each word of the query. */
  words: readonly WordCounts[];
}

/** The statistics of a query over the whole index. All shards score with these numbers. */
export interface GlobalStatistics extends QueryStatistics {
  /** For each word of the query, the number of documents that contain it. */
  frequencies: readonly number[];
  newestDay: number;
  maxRank: number;
  /** For each word of the query, true if it names a site, as "fontforge" does. */
  isSiteName: readonly boolean[];
}

export function partStatisticsOf(
  searched: readonly SearchedSegment[],
  words: readonly (readonly WordTerm[])[],
): PartStatistics {
  const part = { docCount: 0, length: 0, newestDay: 0, maxRank: 0 };
  for (const { segment } of searched) {
    part.docCount += segment.liveDocs;
    part.length += segment.liveLength;
    part.newestDay = Math.max(part.newestDay, newestDay(segment));
    part.maxRank = Math.max(part.maxRank, maxRank(segment));
  }
  const counts = words.map((terms) => ({
    own: terms.map(() => 0),
    said: terms.map(() => 0),
    siteDocs: siteDocsIn(searched, terms),
  }));
  for (const { segment, lists, anchors } of searched) {
    for (const [word, terms] of words.entries()) {
      addCounts(counts[word]!.own, terms, lists[word]!, segment, segment.reader);
      if (segment.anchors) addCounts(counts[word]!.said, terms, anchors[word]!, segment, segment.anchors);
    }
  }
  return { ...part, words: counts };
}

function siteDocsIn(searched: readonly SearchedSegment[], terms: readonly WordTerm[]): number {
  const own = new Set(terms.filter(({ role }) => role === 'own').map(({ term }) => term));
  let count = 0;
  for (const { segment } of searched) for (const term of own) count += siteDocsOf(segment).get(term) ?? 0;
  return count;
}

/**
 * Adds the document counts of dictionary entries to the counts of their terms. `entries` is in the order of the
 * terms, but may lack some of them.
 */
function addCounts(
  counts: number[],
  terms: readonly WordTerm[],
  entries: readonly ListEntry[],
  segment: OpenSegment,
  from: TermLists,
): void {
  let next = 0;
  for (let at = 0; at < terms.length && next < entries.length; at++) {
    const { term, stemmings, entry } = entries[next]!;
    if (terms[at]!.term !== term || terms[at]!.stemmings !== stemmings) continue;
    counts[at]! += liveFrequency(segment, entry, stemmings, from);
    next++;
  }
}

/**
 * Adds up the statistics of all parts of the index. The weight of function words such as "the" is multiplied by
 * `functionWords`.
 */
export function joinStatistics(
  parts: readonly PartStatistics[],
  words: readonly (readonly WordTerm[])[],
  uses: readonly WordUse[] = [],
  functionWords = 1,
): GlobalStatistics {
  const docCount = parts.reduce((sum, part) => sum + part.docCount, 0);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const frequencies = words.map((terms, word) =>
    Math.min(
      docCount,
      Math.max(
        frequencyOf(terms, (term) => countIn(parts, (part) => part.words[word]!.own[term]!)),
        frequencyOf(terms, (term) => countIn(parts, (part) => part.words[word]!.said[term]!)),
      ),
    ),
  );
  const rarities = frequencies.map((frequency) => inverseDocumentFrequency(docCount, frequency));
  const isFunction = frequencies.map((_, word) => uses[word]?.isFunction ?? false);
  const idfs = rarities.map(
    (rarity, word) => rarity * (uses[word]?.count ?? 1) * (isFunction[word] ? functionWords : 1),
  );
  const weight = idfs.reduce((sum, idf, word) => (frequencies[word]! > 0 ? sum + idf : sum), 0);
  const meanLength = docCount > 0 ? length / docCount : 1;
  const newestDay = parts.reduce((newest, part) => Math.max(newest, part.newestDay), 0);
  const maxRank = parts.reduce((most, part) => Math.max(most, part.maxRank), 0);
  const isGeneric = frequencies.map((_, word) => uses[word]?.isGeneric ?? false);
  const siteNames = frequencies.map((frequency, word) =>
    isSiteName(
      countIn(parts, (part) => part.words[word]!.siteDocs),
      frequency,
    ),
  );
  return {
    ...{ docCount, meanLength, frequencies, rarities, idfs, weight },
    ...{ isFunction, isGeneric, newestDay, maxRank, isSiteName: siteNames },
  };
}

function countIn(parts: readonly PartStatistics[], count: (part: PartStatistics) => number): number {
  let sum = 0;
  for (const part of parts) sum += count(part);
  return sum;
}

/**
 * Returns the number of documents with a word: the sum of the numbers for its terms, multiplied by their
 * weights. A document with two of the terms is counted twice, because only a scan of the postings could find
 * such documents. For terms of different languages the sum is exact, because these terms are in different
 * documents. Terms are added in the order of their names, so that rounding errors do not depend on how the
 * index is divided.
 *
 * The caller computes this number for the texts of documents and for anchor texts, and uses the greater of the two,
 * because most documents whose anchor texts have the word also contain it.
 */
function frequencyOf(terms: readonly WordTerm[], countOf: (term: number) => number): number {
  let own = 0;
  const others: { key: string; value: number }[] = [];
  for (const [at, { term, stemmings, weight }] of terms.entries()) {
    if (weight === 1) own += countOf(at);
    else others.push({ key: `${term} ${stemmings}`, value: weight * countOf(at) });
  }
  others.sort((a, b) => (a.key < b.key ? -1 : 1));
  return others.reduce((sum, { value }) => sum + value, own);
}

const newestDays = new WeakMap<OpenSegment, number>();

/** Returns the day of the segment's newest live document; 0 if none has a date. */
function newestDay(segment: OpenSegment): number {
  const known = newestDays.get(segment);
  if (known !== undefined) return known;
  const { days } = segment.reader.table;
  const newest = days.reduce(
    (latest, day, doc) => (segment.deletes.has(doc) ? latest : Math.max(latest, day)),
    0,
  );
  newestDays.set(segment, newest);
  return newest;
}

const maxRanks = new WeakMap<OpenSegment, number>();

function maxRank(segment: OpenSegment): number {
  const known = maxRanks.get(segment);
  if (known !== undefined) return known;
  const most = segment.ranks?.reduce((max, rank) => Math.max(max, rank), 0) ?? 0;
  maxRanks.set(segment, most);
  return most;
}

/** A cache: for each dictionary entry, the number of live documents that have the term. */
const liveCounts = new WeakMap<TermEntry, number>();
/** A cache: for each dictionary entry, the number of live documents that have the term, by stemming. */
const countsByStemming = new WeakMap<TermEntry, Uint32Array>();

/**
 * Returns the number of live documents with these stemmings that have a term. This scans the postings if the segment
 * has deleted documents or documents with other stemmings.
 */
export function liveFrequency(
  segment: OpenSegment,
  entry: TermEntry | null,
  stemmings: StemmingSet,
  lists: TermLists = segment.reader,
  deadline: Deadline = NO_DEADLINE,
): number {
  if (!entry) return 0;
  if (isEvery(segment, stemmings)) {
    if (segment.deletes.size === 0) return entry.docCount;
    return liveCounts.get(entry) ?? keepLiveCount(segment, entry, lists, deadline);
  }
  const counts = countsByStemming.get(entry) ?? keepCounts(segment, entry, lists, deadline);
  let sum = 0;
  for (let stemming = 0; stemming < counts.length; stemming++)
    if (isAmong(stemmings, stemming)) sum += counts[stemming]!;
  return sum;
}

function keepLiveCount(segment: OpenSegment, entry: TermEntry, lists: TermLists, deadline: Deadline): number {
  const count = entry.docCount - countDeleted(segment, entry, lists, deadline);
  liveCounts.set(entry, count);
  return count;
}

function keepCounts(
  segment: OpenSegment,
  entry: TermEntry,
  lists: TermLists,
  deadline: Deadline,
): Uint32Array {
  const counts = countLive(segment, entry, lists, deadline);
  countsByStemming.set(entry, counts);
  return counts;
}

const deletedDocs = new WeakMap<OpenSegment, readonly DocId[]>();

/**
 * Counts the deleted documents that have a term. Decodes only the postings blocks whose range contains a deleted
 * document; most segments have few of them.
 */
function countDeleted(segment: OpenSegment, entry: TermEntry, lists: TermLists, deadline: Deadline): number {
  const deleted = deletedDocs.get(segment) ?? segment.deletes.toArray();
  deletedDocs.set(segment, deleted);
  deadline.require(Math.min(entry.docCount, DOCS_PER_BLOCK * deleted.length));
  return reading(segment, () => {
    const cursor = lists.postings(entry);
    let count = 0;
    for (const doc of deleted) {
      const next = cursor.seek(doc);
      if (next === NO_MORE_DOCS) break;
      if (next === doc) count++;
    }
    return count;
  });
}

function countLive(
  segment: OpenSegment,
  entry: TermEntry,
  lists: TermLists,
  deadline: Deadline,
): Uint32Array {
  return reading(segment, () => {
    const counts = new Uint32Array(STEMMINGS.length);
    const { stemmings } = segment.reader.table;
    const cursor = lists.postings(entry);
    deadline.require(entry.docCount % COUNTED_PER_LOOK);
    let read = 0;
    for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
      if (++read % COUNTED_PER_LOOK === 0) deadline.require(COUNTED_PER_LOOK);
      if (!segment.deletes.has(doc)) counts[stemmings[doc]!]!++;
    }
    return counts;
  });
}
