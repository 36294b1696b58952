/**
 * Computes the weights of a query's words over the whole index.
 *
 * Only live documents count, in all segments together. Therefore a document has the same score however the
 * index is divided into segments and however many deleted documents wait for a merge. For a segment with
 * deleted documents this scans the postings, once per word: an open segment never changes.
 */
import { NO_MORE_DOCS, type OpenSegment, type TermEntry, type TermLists } from '../../index/mod.ts';
import { inverseDocumentFrequency, type QueryStatistics } from '../../scoring/mod.ts';
import { ALL_STEMMINGS, isAmong, STEMMINGS, type StemmingSet } from '../../text/mod.ts';
import { type Deadline, NO_DEADLINE } from '../deadline.ts';
import { reading } from '../errors.ts';
import { isEvery } from '../matching/mod.ts';
import type { WordTerm } from './word-terms.ts';
import type { WordUse } from './word-use.ts';

/**
 * A segment with its dictionary entries for the terms of a query's words. Entries without live documents are
 * left out.
 */
export interface SearchedSegment {
  segment: OpenSegment;
  /** Per word, the entries in the order of its terms. */
  lists: readonly (readonly ListEntry[])[];
  /** Per word, the entries among the anchor texts of the documents. */
  anchors: readonly (readonly ListEntry[])[];
}

export interface ListEntry extends WordTerm {
  entry: TermEntry;
}

/** Deadline steps for finding a term in a dictionary: a block of 32 terms is decoded. */
export const FIND_STEPS = 64;
/** The number of postings counted between two checks of the deadline. */
const COUNTED_PER_LOOK = 1 << 16;

/** `words` holds the terms of each word. */
export function lookUp(
  segments: readonly OpenSegment[],
  words: readonly (readonly WordTerm[])[],
  deadline: Deadline = NO_DEADLINE,
): SearchedSegment[] {
  return segments.map((segment) =>
    reading(segment, () => ({
      segment,
      lists: words.map((terms) => entriesIn(segment, segment.reader, terms, deadline)),
      anchors: words.map((terms) =>
        segment.anchors ? saidIn(segment, segment.anchors, terms, deadline) : [],
      ),
    })),
  );
}

/** Makes query terms of words that are terms already. They count in documents of all languages. */
export function asTerms(words: readonly string[]): WordTerm[][] {
  return words.map((term) => [{ term, stemmings: ALL_STEMMINGS, weight: 1, role: 'own' }]);
}

function entriesIn(
  segment: OpenSegment,
  lists: TermLists,
  terms: readonly WordTerm[],
  deadline: Deadline,
): ListEntry[] {
  const found: ListEntry[] = [];
  for (const term of terms) {
    deadline.require(FIND_STEPS);
    const entry = lists.findTerm(term.term);
    if (entry && liveFrequency(segment, entry, term.stemmings, lists, deadline) > 0)
      found.push({ ...term, entry });
  }
  return found;
}

/** Leaves out completions: a prefix must match in the document itself. */
function saidIn(
  segment: OpenSegment,
  anchors: TermLists,
  terms: readonly WordTerm[],
  deadline: Deadline,
): ListEntry[] {
  return entriesIn(
    segment,
    anchors,
    terms.filter(({ role }) => role !== 'completion'),
    deadline,
  );
}

/** `functionWords` is the factor by which the weight of function words is multiplied. */
export function statisticsOf(
  searched: readonly SearchedSegment[],
  wordCount: number,
  uses: readonly WordUse[] = [],
  functionWords = 1,
): QueryStatistics {
  const docCount = searched.reduce((sum, { segment }) => sum + segment.liveDocs, 0);
  const length = searched.reduce((sum, { segment }) => sum + segment.liveLength, 0);
  const frequencies = Array.from({ length: wordCount }, (_, word) =>
    Math.min(
      docCount,
      Math.max(
        frequencyOf(searched, ({ segment, lists }) => ({ from: segment.reader, entries: lists[word]! })),
        frequencyOf(searched, ({ segment, anchors }) => ({ from: segment.anchors, entries: anchors[word]! })),
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
  return { docCount, meanLength, rarities, idfs, weight, isFunction };
}

/**
 * Returns the number of documents with a word: the weighted sum over its terms, as if no document had two of
 * them, because counting the union would scan the postings. Terms of different languages are in different
 * documents, so for them the sum is the union. Documents are counted before weights are applied, so that
 * rounding does not depend on the segments.
 *
 * Most documents whose anchor texts have the word also contain it, so the caller uses the greater of the two
 * numbers.
 */
function frequencyOf(
  searched: readonly SearchedSegment[],
  listsOf: (one: SearchedSegment) => { from: TermLists | null; entries: readonly ListEntry[] },
): number {
  let own = 0;
  const others = new Map<string, { count: number; weight: number }>();
  for (const one of searched) {
    const { from, entries } = listsOf(one);
    for (const { entry, stemmings, weight } of entries) {
      const count = liveFrequency(one.segment, entry, stemmings, from!);
      const key = `${entry.term} ${stemmings}`;
      if (weight === 1) own += count;
      else others.set(key, { count: count + (others.get(key)?.count ?? 0), weight });
    }
  }
  const keys = [...others.keys()].sort();
  return keys.reduce((sum, key) => sum + others.get(key)!.weight * others.get(key)!.count, own);
}

/** Per postings lists of a segment and term: the number of live documents by stemming. */
const counted = new WeakMap<TermLists, Map<string, Uint32Array>>();
/** The maximum number of terms per segment, at about 150 bytes each. */
const MAX_COUNTED = 16_384;

/**
 * Returns the number of live documents of these stemmings that have a term. If some documents are excluded,
 * this scans the postings.
 */
export function liveFrequency(
  segment: OpenSegment,
  entry: TermEntry | null,
  stemmings: StemmingSet,
  lists: TermLists = segment.reader,
  deadline: Deadline = NO_DEADLINE,
): number {
  if (!entry) return 0;
  if (segment.deletes.size === 0 && isEvery(segment, stemmings)) return entry.docCount;
  const known = counted.get(lists) ?? new Map<string, Uint32Array>();
  const counts = known.get(entry.term) ?? countLive(segment, entry, lists, deadline);
  if (known.size >= MAX_COUNTED) known.clear();
  counted.set(lists, known.set(entry.term, counts));
  return counts.reduce((sum, count, stemming) => (isAmong(stemmings, stemming) ? sum + count : sum), 0);
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
