/**
 * What the words of a query are worth in the whole index.
 *
 * Only live documents count, in all segments together, so a document has the same score however the index
 * is cut into segments and however many deleted documents wait for a merge. For a segment with deletes
 * that takes a walk over the postings, once per word: an open segment never changes.
 */
import { NO_MORE_DOCS, type OpenSegment, type TermEntry, type TermLists } from '../index/mod.ts';
import { inverseDocumentFrequency, type QueryStatistics } from '../rank/mod.ts';
import { ALL_STEMMINGS, isAmong, STEMMINGS, type StemmingSet } from '../text/mod.ts';
import { reading } from './errors.ts';
import { isEvery } from './segment-stemmings.ts';
import type { WordTerm } from './word-terms.ts';
import type { WordUse } from './word-use.ts';

/** A segment with the dictionary's entries for the terms of a query's words, as far as its live documents have them. */
export interface SearchedSegment {
  segment: OpenSegment;
  /** Per word, in the order of its terms. */
  lists: readonly (readonly ListEntry[])[];
  /** Per word, the same among what links say of the documents. */
  anchors: readonly (readonly ListEntry[])[];
}

export interface ListEntry extends WordTerm {
  entry: TermEntry;
}

/** `words` has the terms of each word. */
export function lookUp(
  segments: readonly OpenSegment[],
  words: readonly (readonly WordTerm[])[],
): SearchedSegment[] {
  return segments.map((segment) =>
    reading(segment, () => ({
      segment,
      lists: words.map((terms) => entriesIn(segment, segment.reader, terms)),
      anchors: words.map((terms) => (segment.anchors ? saidIn(segment, segment.anchors, terms) : [])),
    })),
  );
}

/** Words that are terms already, in documents of whatever language. */
export function asTerms(words: readonly string[]): WordTerm[][] {
  return words.map((term) => [{ term, stemmings: ALL_STEMMINGS, weight: 1, role: 'own' }]);
}

function entriesIn(segment: OpenSegment, lists: TermLists, terms: readonly WordTerm[]): ListEntry[] {
  const found: ListEntry[] = [];
  for (const term of terms) {
    const entry = lists.findTerm(term.term);
    if (entry && liveFrequency(segment, entry, term.stemmings, lists) > 0) found.push({ ...term, entry });
  }
  return found;
}

/** The beginning of a word must be in the document itself. */
function saidIn(segment: OpenSegment, anchors: TermLists, terms: readonly WordTerm[]): ListEntry[] {
  return entriesIn(
    segment,
    anchors,
    terms.filter(({ role }) => role !== 'completion'),
  );
}

/** `functionWords` is what is left of the weight of words that only hold the others together. */
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
 * In how many documents a word is: the sum over its terms, each as far as it counts, as if no document had two of them;
 * counting the union would take a walk. Terms of several languages are of different documents, so for them the sum is
 * the union. Documents are counted before anything is weighed, so that the sum is the same however the index is cut.
 *
 * Most documents that links call so have the word themselves: the greater of the two numbers stands for both.
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

/** Per lists of a segment, what was counted of their terms: live documents by stemming. */
const counted = new WeakMap<TermLists, Map<string, Uint32Array>>();
/** Words per segment, at about 150 bytes each. */
const MAX_COUNTED = 16_384;

/** How many live documents of these stemmings have a term. Where not all documents count, that takes a walk. */
export function liveFrequency(
  segment: OpenSegment,
  entry: TermEntry | null,
  stemmings: StemmingSet,
  lists: TermLists = segment.reader,
): number {
  if (!entry) return 0;
  if (segment.deletes.size === 0 && isEvery(segment, stemmings)) return entry.docCount;
  const known = counted.get(lists) ?? new Map<string, Uint32Array>();
  const counts = known.get(entry.term) ?? countLive(segment, entry, lists);
  if (known.size >= MAX_COUNTED) known.clear();
  counted.set(lists, known.set(entry.term, counts));
  return counts.reduce((sum, count, stemming) => (isAmong(stemmings, stemming) ? sum + count : sum), 0);
}

function countLive(segment: OpenSegment, entry: TermEntry, lists: TermLists): Uint32Array {
  return reading(segment, () => {
    const counts = new Uint32Array(STEMMINGS.length);
    const { stemmings } = segment.reader.table;
    const cursor = lists.postings(entry);
    for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
      if (!segment.deletes.has(doc)) counts[stemmings[doc]!]!++;
    }
    return counts;
  });
}
