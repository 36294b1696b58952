/**
 * What the lists of a query's words say of some documents of one segment: how often, in which fields, at which positions.
 *
 * By the search kernel where its memory has room for the lists, which stay there from query to query; else by walking
 * cursors over the file. Both say the same; a property test holds them to it.
 *
 * A word may have several lists, one for each of its terms, with a weight: frequencies and counts are then weighted sums,
 * and places lie in one list, as if all were the same word. What links say of a document is a list too, whose frequencies
 * are votes; its places are none of the document's. A list may count in documents of some languages only.
 */
import {
  ALL_FORMS,
  type DocId,
  fieldOf,
  formOf,
  frequenciesIn,
  MAX_KERNEL_FORMS,
  MAX_KERNEL_MATCHES,
  type OpenSegment,
  type PostingsCursor,
  placesIn,
  positionOf,
  type TermEntry,
  type TermLists,
  type TermPlaces,
} from '../index/mod.ts';
import type { Profile } from '../rank/mod.ts';
import type { KernelSearch, ListsInMemory } from './kernel-search.ts';
import { filterOf } from './segment-stemmings.ts';
import type { ListEntry, SearchedSegment } from './statistics.ts';

/** Of a list in one document; what follows changes no ranking that anyone would notice. */
const MAX_PLACES = 500;
const FIELD_COUNT = 6;

interface WeightedList extends ListEntry {
  from: TermLists;
  /** Null if it counts in all documents. */
  isCounted: ((doc: DocId) => boolean) | null;
}

interface WeightedPlaces {
  term: string;
  weight: number;
  /** Per document. */
  places: readonly (TermPlaces | null)[];
}

/** A word in one document. */
export interface WordPlaces {
  /** With what links say. */
  frequency: number;
  /** What links say of it alone. */
  inAnchors: number;
  typed: number;
  /** By field, weighted. */
  counts: ArrayLike<number>;
  /** Ascending. */
  positions: Uint32Array;
  /** The greatest weight among the lists that have the document: 1 if it has the word itself. */
  share: number;
  /** Which of its alternatives the document has. */
  through?: readonly { term: string; weight: number; frequency: number }[];
}

/** Of a term that counts for a word, which forms of it were typed, as bits. */
export type TypedForms = (word: number, entry: TermEntry) => bigint;

export interface LookingAt {
  searched: readonly SearchedSegment[];
  meanLength: number;
  profile: Profile;
  kernel: KernelSearch | null;
}

/** Per word, the weighted frequency in each of the documents, which ascend; null if the segment does not have the word. */
export function frequenciesOf(
  at: LookingAt,
  one: SearchedSegment,
  docs: Uint32Array,
): (ArrayLike<number> | null)[] {
  const words = one.lists.map((_, word) => [...listsOf(one, word), ...anchorsOf(one, word)]);
  return sumsOf(at, one, docs, words).map((word) => word?.sums ?? null);
}

/** Per word and document, where the word stands in it; `forms` tells which forms of a term were typed, as bits. */
export function placesOf(
  at: LookingAt,
  one: SearchedSegment,
  docs: Uint32Array,
  forms: TypedForms,
): (WordPlaces | null)[][] {
  const said = saidOf(at, one, docs);
  const words = one.lists.map((_, word) => listsOf(one, word));
  const memory = bring(at, one, words.flat(), docs.length, true);
  let list = 0;
  return words.map((lists, word) => {
    const all = lists.map(({ from, entry, weight, isCounted }) => {
      const wanted = forms(word, entry);
      const places = memory
        ? placesIn(memory.kernel, memory.lists[list++]!, docs, MAX_PLACES, wanted)
        : walkedPlaces(from.postings(entry), docs, wanted);
      if (isCounted) for (let at = 0; at < docs.length; at++) if (!isCounted(docs[at]!)) places[at] = null;
      return { term: entry.term, weight, places };
    });
    return Array.from(docs, (_, doc) => joined(all, doc, said[word] ?? null));
  });
}

/** Per word, the frequency in what links say of each of the documents. */
function saidOf(at: LookingAt, one: SearchedSegment, docs: Uint32Array): (WeightedSums | null)[] {
  const words = one.lists.map((_, word) => anchorsOf(one, word));
  return sumsOf(at, one, docs, words);
}

/** Per document: the weighted frequencies of some lists, and the greatest weight among those that have it. */
interface WeightedSums {
  sums: Float64Array;
  shares: Float64Array;
}

/** Per word; null for one without lists. */
function sumsOf(
  at: LookingAt,
  one: SearchedSegment,
  docs: Uint32Array,
  words: readonly (readonly WeightedList[])[],
): (WeightedSums | null)[] {
  const memory = bring(at, one, words.flat(), docs.length, false);
  let list = 0;
  return words.map((lists) => {
    if (lists.length === 0) return null;
    const sums = new Float64Array(docs.length);
    const shares = new Float64Array(docs.length);
    for (const { from, entry, weight, isCounted } of lists) {
      const own = memory
        ? frequenciesIn(memory.kernel, memory.lists[list++]!, docs)
        : walkedFrequencies(from.postings(entry), docs);
      for (let doc = 0; doc < docs.length; doc++) {
        if (own[doc] === 0 || (isCounted && !isCounted(docs[doc]!))) continue;
        sums[doc]! += weight * own[doc]!;
        if (weight > shares[doc]!) shares[doc] = weight;
      }
    }
    return { sums, shares };
  });
}

function listsOf({ segment, lists }: SearchedSegment, word: number): WeightedList[] {
  return weightedLists(segment, segment.reader, lists[word]!);
}

function anchorsOf({ segment, anchors }: SearchedSegment, word: number): WeightedList[] {
  return segment.anchors ? weightedLists(segment, segment.anchors, anchors[word]!) : [];
}

function weightedLists(segment: OpenSegment, from: TermLists, entries: readonly ListEntry[]): WeightedList[] {
  return entries.map((list) => ({ ...list, from, isCounted: filterOf(segment, list.stemmings) }));
}

function bring(
  { searched, meanLength, profile, kernel }: LookingAt,
  one: SearchedSegment,
  lists: readonly WeightedList[],
  docCount: number,
  withPositions: boolean,
): ListsInMemory | null {
  if (!kernel || docCount > MAX_KERNEL_MATCHES) return null;
  const number = searched.findIndex(({ segment }) => segment === one.segment);
  const wanted = lists.map(({ from, entry }) => ({ number, from, entry, withPositions }));
  return kernel.bring(searched, meanLength, profile, wanted);
}

function walkedFrequencies(cursor: PostingsCursor, docs: ArrayLike<DocId>): ArrayLike<number> {
  return Uint32Array.from(docs, (doc) => (cursor.seek(doc) === doc ? cursor.frequency : 0));
}

function walkedPlaces(cursor: PostingsCursor, docs: ArrayLike<DocId>, forms: bigint): (TermPlaces | null)[] {
  return Array.from(docs, (doc) => {
    if (cursor.seek(doc) !== doc) return null;
    const places = cursor.places(MAX_PLACES);
    const counts = new Uint32Array(FIELD_COUNT);
    for (const place of places) counts[fieldOf(place)]!++;
    const typed = places.filter((place) => isAmong(forms, formOf(place))).length;
    return { frequency: cursor.frequency, typed, counts, positions: Uint32Array.from(places, positionOf) };
  });
}

/** Forms with greater numbers cannot be told apart: they have no bit. */
function isAmong(forms: bigint, form: number): boolean {
  return forms === ALL_FORMS || (form < MAX_KERNEL_FORMS && (forms & (1n << BigInt(form))) !== 0n);
}

/** What the lists of a word say of one document; null if none of them has it, and no link says so. */
function joined(lists: readonly WeightedPlaces[], doc: number, said: WeightedSums | null): WordPlaces | null {
  const [first] = lists;
  const own = first?.places[doc];
  const votes = said?.sums[doc] ?? 0;
  if (own && lists.length === 1 && first.weight === 1)
    return { ...own, frequency: own.frequency + votes, inAnchors: votes, share: 1 };
  if (votes === 0 && !lists.some(({ places }) => places[doc])) return null;
  return weighed(lists, doc, votes, said?.shares[doc] ?? 0);
}

function weighed(
  lists: readonly WeightedPlaces[],
  doc: number,
  votes: number,
  saidShare: number,
): WordPlaces {
  const sum = { frequency: votes, inAnchors: votes, typed: 0, share: saidShare };
  const counts = new Float64Array(FIELD_COUNT);
  const positions: number[] = [];
  const through: NonNullable<WordPlaces['through']>[number][] = [];
  for (const { term, weight, places } of lists) {
    const own = places[doc];
    if (!own) continue;
    if (weight < 1) through.push({ term, weight, frequency: own.frequency });
    sum.frequency += weight * own.frequency;
    sum.typed += own.typed;
    for (let field = 0; field < FIELD_COUNT; field++) counts[field]! += weight * own.counts[field]!;
    positions.push(...own.positions);
    sum.share = Math.max(sum.share, weight);
  }
  return { ...sum, counts, positions: Uint32Array.from(positions).sort(), through };
}

/** Forms as bits: those that are in any of the sets, of which null has all. */
export function formBits(wanted: readonly (ReadonlySet<number> | null)[]): bigint {
  if (wanted.some((forms) => forms === null)) return ALL_FORMS;
  let bits = 0n;
  for (const forms of wanted)
    for (const form of forms!) if (form < MAX_KERNEL_FORMS) bits |= 1n << BigInt(form);
  return bits;
}
