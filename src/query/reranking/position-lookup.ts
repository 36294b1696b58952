/**
 * Looks up the words of a query in given documents of one segment: frequencies, fields and positions.
 *
 * Uses the search kernel if the postings lists fit into its memory, where they stay from query to query. Otherwise
 * it reads the lists from the file. Both ways give the same result, which a property test checks.
 *
 * A word has one postings list for each of its terms, with different weights. Its frequencies are weighted sums over
 * these lists, and the positions of all lists are merged. The anchor texts of a document are a list too: its
 * frequencies are votes, and its positions are not positions in the document. Some lists are used only for documents
 * in certain languages.
 */

import {
  ALL_FORMS,
  type DocId,
  Field,
  fieldFormOf,
  fieldOf,
  frequenciesIn,
  MAX_KERNEL_FORMS,
  MAX_KERNEL_MATCHES,
  type OpenSegment,
  type PostingsCursor,
  type PlacesInDocuments,
  placesIn,
  positionOf,
  type TermEntry,
  type TermLists,
  type TermPlaces,
} from '../../index/mod.ts';
import type { Profile } from '../../scoring/mod.ts';
import { type Deadline, NO_DEADLINE } from '../deadline.ts';
import type { KernelSearch, ListsInMemory } from '../matching/mod.ts';
import { filterOf, type ListEntry, type SearchedSegment } from '../terms/mod.ts';

/**
 * The maximum number of positions that are read per postings list and document. Later positions have no noticeable
 * effect on the ranking.
 */
const MAX_PLACES = 500;
const FIELD_COUNT = Object.keys(Field).length;
/** The cost of reading the positions of a postings list in one document, in deadline steps. */
const PLACES_STEPS = 8;

interface WeightedList extends ListEntry {
  from: TermLists;
  /**
   * Returns true for a document for which the list is used. The function is null if the list is used for all
   * documents.
   */
  isCounted: ((doc: DocId) => boolean) | null;
}

interface WeightedPlaces {
  term: string;
  weight: number;
  isCounted: WeightedList['isCounted'];
  places: PlacesInDocuments;
}

/** The occurrences of a word in one document. */
export interface WordPlaces {
  /** How often the document has the word, including anchor texts. Each occurrence counts with the weight of its term. */
  frequency: number;
  /** How often anchor texts of links to the document have the word. */
  inAnchors: number;
  typed: number;
  /** The occurrences of the word in each field of the document. An occurrence of a term counts with the weight of the term. */
  counts: ArrayLike<number>;
  /** The positions of the word in the document, ascending. */
  positions: Uint32Array;
  /**
   * The greatest weight among the word's postings lists that contain the document. It is 1 if the document has the
   * word itself, and less for a synonym.
   */
  share: number;
  /** The synonyms and other alternatives of the word that the document has. */
  through: readonly { term: string; weight: number; frequency: number }[];
}

/** Returns a bit set of the forms of a term that the query contains as typed words. */
export type TypedForms = (word: number, entry: TermEntry) => bigint;

export interface LookupContext {
  searched: readonly SearchedSegment[];
  meanLength: number;
  profile: Profile;
  kernel: KernelSearch | null;
  /** If the query is late, the lookup throws a LateError. Without a deadline there is no time limit. */
  deadline?: Deadline;
}

/**
 * Returns, for each word of the query, its weighted frequency in each document; null if the segment does not have
 * the word. `docs` must be ascending.
 */
export function frequenciesOf(
  at: LookupContext,
  one: SearchedSegment,
  docs: Uint32Array,
): (ArrayLike<number> | null)[] {
  const words = one.lists.map((_, word) => [...listsOf(one, word), ...anchorsOf(one, word)]);
  return sumsOf(at, one, docs, words).map((word) => word?.sums ?? null);
}

/**
 * Looks up the occurrences of each word of the query in each document. `forms` returns a bit set of the written
 * forms of a term that the query contains.
 */
export function placesOf(
  at: LookupContext,
  one: SearchedSegment,
  docs: Uint32Array,
  forms: TypedForms,
): PlacesOfWords {
  const said = saidOf(at, one, docs);
  const words = one.lists.map((_, word) => listsOf(one, word));
  const memory = bring(at, one, words.flat(), docs.length, true);
  const found: WeightedPlaces[][] = [];
  let first = 0;
  for (let word = 0; word < words.length; word++) {
    const lists = words[word]!;
    const all: WeightedPlaces[] = [];
    for (const one of lists) {
      const wanted = forms(word, one.entry);
      all.push(placesOfList(at, one, memory ? { memory, list: first + all.length } : null, docs, wanted));
    }
    found.push(all);
    first += lists.length;
  }
  return new PlacesOfWords(docs, found, said);
}

/** The occurrences of the words of a query in given documents. Objects are made only for the documents asked for. */
export class PlacesOfWords {
  readonly #docs: Uint32Array;
  readonly #found: readonly (readonly WeightedPlaces[])[];
  readonly #said: readonly (WeightedSums | null)[];

  constructor(
    docs: Uint32Array,
    found: readonly (readonly WeightedPlaces[])[],
    said: readonly (WeightedSums | null)[],
  ) {
    this.#docs = docs;
    this.#found = found;
    this.#said = said;
  }

  /** Returns the occurrences of a word in the document with this index; null if the document does not have it. */
  of(word: number, at: number): WordPlaces | null {
    const said = this.#said[word] ?? null;
    return joined(
      this.#found[word]!,
      this.#docs[at]!,
      at,
      said ? said.sums[at]! : 0,
      said ? said.shares[at]! : 0,
    );
  }
}

/**
 * Returns the occurrences of one postings list. `held` is the number of the list in the kernel's memory; null
 * if the list is not loaded.
 */
function placesOfList(
  at: LookupContext,
  { from, entry, weight, isCounted }: WeightedList,
  held: { memory: ListsInMemory; list: number } | null,
  docs: Uint32Array,
  wanted: bigint,
): WeightedPlaces {
  at.deadline?.requireFinish(PLACES_STEPS * docs.length);
  const places = held
    ? placesIn(held.memory.kernel, held.memory.lists[held.list]!, docs, MAX_PLACES, wanted)
    : walkedPlaces(from.postings(entry), docs, wanted);
  return { term: entry.term, weight, isCounted, places };
}

/** Returns, for each word of the query, its frequency in the anchor texts of each document. */
function saidOf(at: LookupContext, one: SearchedSegment, docs: Uint32Array): (WeightedSums | null)[] {
  const words = one.lists.map((_, word) => anchorsOf(one, word));
  return sumsOf(at, one, docs, words);
}

/**
 * For each document: the weighted sum of a word's frequencies, and the greatest weight among the word's lists that
 * contain the document.
 */
interface WeightedSums {
  sums: Float64Array;
  shares: Float64Array;
}

/** Returns the weighted frequencies of each word of the query; null for a word without postings lists. */
function sumsOf(
  at: LookupContext,
  one: SearchedSegment,
  docs: Uint32Array,
  words: readonly (readonly WeightedList[])[],
): (WeightedSums | null)[] {
  const memory = bring(at, one, words.flat(), docs.length, false);
  const sums: (WeightedSums | null)[] = [];
  let first = 0;
  for (const lists of words) {
    sums.push(lists.length === 0 ? null : sumsOfWord(at, lists, memory, first, docs));
    first += lists.length;
  }
  return sums;
}

/** Returns the weighted frequencies of one word. Its lists in memory begin with the number `first`. */
function sumsOfWord(
  at: LookupContext,
  lists: readonly WeightedList[],
  memory: ListsInMemory | null,
  first: number,
  docs: Uint32Array,
): WeightedSums {
  const found: WeightedSums = {
    sums: new Float64Array(docs.length),
    shares: new Float64Array(docs.length),
  };
  for (let list = 0; list < lists.length; list++) {
    const { from, entry, weight, isCounted } = lists[list]!;
    at.deadline?.requireFinish(docs.length);
    const own = memory
      ? frequenciesIn(memory.kernel, memory.lists[first + list]!, docs)
      : walkedFrequencies(from.postings(entry), docs);
    addSums(found, own, weight, docs, isCounted);
  }
  return found;
}

/** Adds the frequencies of one list, which has `own[i]` occurrences in document `docs[i]`. */
function addSums(
  { sums, shares }: WeightedSums,
  own: ArrayLike<number>,
  weight: number,
  docs: Uint32Array,
  isCounted: WeightedList['isCounted'],
): void {
  for (let at = 0; at < docs.length; at++) {
    if (own[at] === 0 || (isCounted && !isCounted(docs[at]!))) continue;
    sums[at]! += weight * own[at]!;
    if (weight > shares[at]!) shares[at] = weight;
  }
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
  { searched, meanLength, profile, kernel, deadline = NO_DEADLINE }: LookupContext,
  one: SearchedSegment,
  lists: readonly WeightedList[],
  docCount: number,
  withPositions: boolean,
): ListsInMemory | null {
  if (!kernel || docCount > MAX_KERNEL_MATCHES) return null;
  const number = searched.findIndex(({ segment }) => segment === one.segment);
  const wanted = lists.map(({ from, entry }) => ({ number, from, entry, withPositions }));
  return kernel.bring(searched, meanLength, profile, wanted, deadline);
}

function walkedFrequencies(cursor: PostingsCursor, docs: ArrayLike<DocId>): ArrayLike<number> {
  return Uint32Array.from(docs, (doc) => (cursor.seek(doc) === doc ? cursor.frequency : 0));
}

function walkedPlaces(cursor: PostingsCursor, docs: ArrayLike<DocId>, forms: bigint): PlacesInDocuments {
  const found = Array.from(docs, (doc) => {
    if (cursor.seek(doc) !== doc) return null;
    const places = cursor.places(MAX_PLACES);
    const counts = new Array<number>(FIELD_COUNT).fill(0);
    for (const place of places) counts[fieldOf(place)]!++;
    const typed = places.filter((place) => isAmong(forms, fieldFormOf(place))).length;
    return { frequency: cursor.frequency, typed, counts, positions: Uint32Array.from(places, positionOf) };
  });
  return { of: (at) => found[at]! };
}

/**
 * Returns true if bit number `form` is set in the bit set `forms`. Form numbers from MAX_KERNEL_FORMS on have
 * no bit, so the result is false for them.
 */
function isAmong(forms: bigint, form: number): boolean {
  return forms === ALL_FORMS || (form < MAX_KERNEL_FORMS && (forms & (1n << BigInt(form))) !== 0n);
}

/**
 * Merges the occurrences of a word's terms in the document `doc`, which has the index `at`. Returns null if neither the
 * document nor its anchor texts have the word.
 */
function joined(
  lists: readonly WeightedPlaces[],
  doc: DocId,
  at: number,
  votes: number,
  saidShare: number,
): WordPlaces | null {
  let all: WordPlaces | null = null;
  for (let list = 0; list < lists.length; list++) {
    const { term, weight, isCounted, places } = lists[list]!;
    const own = isCounted && !isCounted(doc) ? null : places.of(at);
    if (!own) continue;
    if (!all && weight === 1) all = wholeWord(own, votes);
    else all = withTerm(all ?? onlySaid(votes, saidShare), term, weight, own);
  }
  return all ?? (votes > 0 ? onlySaid(votes, saidShare) : null);
}

/** Returns the occurrences of a word that the document has itself. */
function wholeWord({ frequency, typed, counts, positions }: TermPlaces, votes: number): WordPlaces {
  return {
    frequency: frequency + votes,
    inAnchors: votes,
    typed,
    counts,
    positions,
    share: 1,
    through: NO_SUBSTITUTES,
  };
}

/** Returns the occurrences of a word that only anchor texts have. */
function onlySaid(votes: number, share: number): WordPlaces {
  return {
    frequency: votes,
    inAnchors: votes,
    typed: 0,
    counts: NO_COUNTS,
    positions: NO_POSITIONS,
    share,
    through: NO_SUBSTITUTES,
  };
}

/** Adds the occurrences of a further term of a word. */
function withTerm(word: WordPlaces, term: string, weight: number, own: TermPlaces): WordPlaces {
  const counts = new Array<number>(FIELD_COUNT);
  for (let field = 0; field < FIELD_COUNT; field++)
    counts[field] = word.counts[field]! + weight * own.counts[field]!;
  return {
    frequency: word.frequency + weight * own.frequency,
    inAnchors: word.inAnchors,
    typed: word.typed + own.typed,
    counts,
    positions: merged(word.positions, own.positions),
    share: Math.max(word.share, weight),
    through: weight < 1 ? [...word.through, { term, weight, frequency: own.frequency }] : word.through,
  };
}

const NO_SUBSTITUTES: WordPlaces['through'] = [];
const NO_POSITIONS = new Uint32Array();
const NO_COUNTS: readonly number[] = new Array<number>(FIELD_COUNT).fill(0);

/** Merges two ascending lists of positions into one. */
function merged(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const all = new Uint32Array(a.length + b.length);
  let fromA = 0;
  let fromB = 0;
  for (let at = 0; at < all.length; at++) {
    const isA = fromB === b.length || (fromA < a.length && a[fromA]! <= b[fromB]!);
    all[at] = isA ? a[fromA++]! : b[fromB++]!;
  }
  return all;
}

/** Returns a bit set of the form numbers that are in any of the given sets. A null set stands for all forms. */
export function formBits(wanted: readonly (ReadonlySet<number> | null)[]): bigint {
  if (wanted.some((forms) => forms === null)) return ALL_FORMS;
  let bits = 0n;
  for (const forms of wanted)
    for (const form of forms!) if (form < MAX_KERNEL_FORMS) bits |= 1n << BigInt(form);
  return bits;
}
