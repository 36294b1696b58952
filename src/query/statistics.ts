/**
 * What the words of a query are worth in the whole index.
 *
 * Only live documents count, in all segments together, so a document has the same score however the index
 * is cut into segments and however many deleted documents wait for a merge. For a segment with deletes
 * that takes a walk over the postings, once per word: an open segment never changes.
 */
import { NO_MORE_DOCS, type OpenSegment, type TermEntry, type TermLists } from '../index/mod.ts';
import { inverseDocumentFrequency, type QueryStatistics } from '../rank/mod.ts';
import { reading } from './errors.ts';
import type { Alternative } from './meaning.ts';
import type { WordUse } from './word-use.ts';

/** A segment with the dictionary's entries for the words of a query, null for those it does not have. */
export interface SearchedSegment {
  segment: OpenSegment;
  entries: (TermEntry | null)[];
  /** Per word, what else counts for it and is in this segment. */
  alternatives: WeightedEntry[][];
  /** Per word, its entry among what links say of the documents; empty if they say nothing. */
  anchors: readonly (TermEntry | null)[];
}

export interface WeightedEntry {
  entry: TermEntry;
  weight: number;
}

export function lookUp(
  segments: readonly OpenSegment[],
  words: readonly string[],
  alternatives: readonly (readonly Alternative[])[] = [],
): SearchedSegment[] {
  return segments.map((segment) => ({
    segment,
    entries: reading(segment, () => entriesIn(segment.reader, words)),
    alternatives: reading(segment, () =>
      words.map((_, word) => entriesOf(segment, alternatives[word] ?? [])),
    ),
    anchors: reading(segment, () => (segment.anchors ? entriesIn(segment.anchors, words) : NOTHING_SAID)),
  }));
}

const NOTHING_SAID: readonly null[] = [];

function entriesIn(lists: TermLists, words: readonly string[]): (TermEntry | null)[] {
  return words.map((word) => lists.findTerm(word));
}

function entriesOf({ reader }: OpenSegment, alternatives: readonly Alternative[]): WeightedEntry[] {
  return alternatives.flatMap(({ term, weight }) => {
    const entry = reader.findTerm(term);
    return entry ? [{ entry, weight }] : [];
  });
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
        wordFrequency(searched, word),
        searched.reduce((sum, one) => sum + anchorFrequency(one, word), 0),
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
 * With alternatives it is the sum, each as far as it counts, as if no document had two of them: counting the union would
 * take a walk. Documents are counted before anything is weighed, so that the sum is the same however the index is cut.
 */
function wordFrequency(searched: readonly SearchedSegment[], word: number): number {
  let own = 0;
  const others = new Map<string, { count: number; weight: number }>();
  for (const { segment, entries, alternatives } of searched) {
    own += liveFrequency(segment, entries[word] ?? null);
    for (const { entry, weight } of alternatives[word] ?? []) {
      const { count } = others.get(entry.term) ?? { count: 0 };
      others.set(entry.term, { count: count + liveFrequency(segment, entry), weight });
    }
  }
  const terms = [...others.keys()].sort();
  return terms.reduce((sum, term) => sum + others.get(term)!.weight * others.get(term)!.count, own);
}

/**
 * How many documents are called so by links. Most of them have the word themselves, so the greater of the two numbers
 * stands for the union, which would take a walk.
 */
function anchorFrequency({ segment, anchors }: SearchedSegment, word: number): number {
  return segment.anchors ? liveFrequency(segment, anchors[word] ?? null, segment.anchors) : 0;
}

/** Per lists of a segment with deletes, what was counted. */
const counted = new WeakMap<TermLists, Map<string, number>>();
/** Words per segment, at about 100 bytes each. */
const MAX_COUNTED = 16_384;

export function liveFrequency(
  segment: OpenSegment,
  entry: TermEntry | null,
  lists: TermLists = segment.reader,
): number {
  if (!entry) return 0;
  if (segment.deletes.size === 0) return entry.docCount;
  const known = counted.get(lists) ?? new Map<string, number>();
  const count = known.get(entry.term) ?? countLive(segment, entry, lists);
  if (known.size >= MAX_COUNTED) known.clear();
  counted.set(lists, known.set(entry.term, count));
  return count;
}

function countLive(segment: OpenSegment, entry: TermEntry, lists: TermLists): number {
  return reading(segment, () => {
    let count = 0;
    const cursor = lists.postings(entry);
    for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
      if (!segment.deletes.has(doc)) count++;
    }
    return count;
  });
}
