/**
 * First stage in the search kernel, for the most frequent queries: words, words that must occur, phrases; see
 * kernel-query.ts. Other queries (exclusions, sites) are evaluated document by document in evaluate.ts. Both
 * give the same matches with the same scores.
 */

import {
  ALL_FORMS,
  DOCS_PER_SEARCH,
  type ListRange,
  type OpenSegment,
  type PhraseSlot,
  ResidentLists,
  type ResidentSegment,
  type SearchKernel,
  type TermEntry,
  type TermLists,
  type WantedList,
} from '../../index/mod.ts';
import { lengthNorm, type Profile, type QueryStatistics, staticScore } from '../../scoring/mod.ts';
import { ALL_STEMMINGS, type StemmingSet } from '../../text/mod.ts';
import { type Deadline, LateError } from '../deadline.ts';
import { reading } from '../errors.ts';
import { isEvery, liveFrequency, type SearchedSegment, type TermQuery } from '../terms/mod.ts';
import type { Evaluation, EvaluationLimits } from './evaluate.ts';
import { fitsKernel, type KernelPhraseWord, type KernelQuery, kernelQueryOf } from './kernel-query.ts';

/**
 * The memory addresses of a query's lists for one segment: one per word and list, 0 if the segment does not
 * have the list.
 */
interface SegmentLists {
  resident: ResidentSegment;
  number: number;
  lists: readonly (readonly number[])[];
  /**
   * The addresses of the masks of the segment's lists, 0 for a list that counts in all documents; null if all
   * lists do.
   */
  masks: readonly number[] | null;
}

/** A word of the query in a segment that has it, with the kernel's numbers of its lists. */
interface EnteredWord {
  all: ListRange;
  inPhrases: ListRange;
}

/** One element per word; null for a word that the segment does not have. */
type Entered = readonly (EnteredWord | null)[];

/** Lists in the kernel's memory. They are valid until other lists are loaded. */
export interface ListsInMemory {
  kernel: SearchKernel;
  lists: readonly number[];
}

type Counted = Pick<Evaluation, 'total' | 'partial'>;

/** Deadline steps for reading a list into memory. */
const LOAD_STEPS = 1024;

export class KernelSearch {
  readonly #resident: ResidentLists;
  readonly #docsPerSearch: number;

  /** `docsPerSearch` is the number of documents searched between two clock readings; a multiple of 64. */
  constructor(cacheBytes: number, docsPerSearch = DOCS_PER_SEARCH) {
    this.#resident = new ResidentLists(cacheBytes);
    this.#docsPerSearch = docsPerSearch;
  }

  /** Returns null if the kernel cannot answer this query. */
  evaluate(
    query: TermQuery,
    searched: readonly SearchedSegment[],
    statistics: QueryStatistics,
    profile: Profile,
    limits: EvaluationLimits,
  ): Evaluation | null {
    const plain = kernelQueryOf(query, searched, statistics);
    return plain && this.search(plain, profile, limits);
  }

  /** Returns null if the query or its lists do not fit into memory, or if there is no time to read them. */
  search(query: KernelQuery, profile: Profile, limits: EvaluationLimits): Evaluation | null {
    if (!fitsKernel(query, limits.keep)) return null;
    const bySegment = this.#bringInTime(query, profile, limits.deadline);
    if (!bySegment) return null;
    const { kernel } = this.#resident;
    kernel.start(query.weight, limits.keep);
    let total = 0;
    let partial = false;
    for (const one of bySegment) {
      partial ||= one.number > 0 && limits.deadline.isLate();
      if (partial) break;
      const part =
        query.phrases.length === 0
          ? this.#searchAny(one, query, limits)
          : this.#searchAll(one, query, limits);
      total += part.total;
      partial = part.partial;
    }
    if (kernel.calls.gaveUp() !== 0) return null;
    const matches = kernel.matches(query.segments);
    const isCounted = limits.count && !partial;
    return { total: isCounted ? total : Math.max(total, matches.length), partial, matches };
  }

  /** Loads lists into memory for the second stage; null if they do not fit. */
  bring(
    searched: readonly SearchedSegment[],
    meanLength: number,
    profile: Profile,
    wanted: readonly (Omit<WantedList, 'resident'> & { number: number })[],
    deadline: Deadline,
  ): ListsInMemory | null {
    const segments = searched.map(({ segment }) => segment);
    const residents = this.#attach(segments, meanLength, profile);
    const lists = this.#resident.bring(
      wanted.map((one) => ({ ...one, resident: residents[one.number]! })),
      readingInTime(deadline),
    );
    return lists && { kernel: this.#resident.kernel, lists };
  }

  #attach(
    segments: readonly OpenSegment[],
    meanLength: number,
    profile: Profile,
  ): readonly ResidentSegment[] {
    return this.#resident.attach(segments, {
      profile,
      k1: profile.k1,
      normOf: (length) => lengthNorm(profile, length / meanLength),
      staticOf: (rank, isEntry, urlDepth) => staticScore(profile, rank, isEntry, urlDepth),
    });
  }

  #bringInTime(query: KernelQuery, profile: Profile, deadline: Deadline): SegmentLists[] | null {
    try {
      return this.#bringLists(query, profile, deadline);
    } catch (error) {
      if (error instanceof LateError) return null;
      throw error;
    }
  }

  #bringLists(query: KernelQuery, profile: Profile, deadline: Deadline): SegmentLists[] | null {
    const residents = this.#attach(query.segments, query.meanLength, profile);
    const wanted = wantedLists(query, residents);
    const ats = this.#resident.bring(wanted, readingInTime(deadline));
    if (!ats) return null;
    let next = 0;
    return residents.map((resident, number) => {
      const first = next;
      const lists = query.words.map(({ lists }) =>
        lists.map(({ entries }) => (entries[number] ? ats[next++]! : 0)),
      );
      return { resident, number, lists, masks: masksOf(wanted.slice(first, next)) };
    });
  }

  #searchAny(one: SegmentLists, query: KernelQuery, limits: EvaluationLimits): Counted {
    const { kernel } = this.#resident;
    const { docCount } = one.resident.segment.reader;
    if (!this.#enter(one, query).some((word) => word !== null)) return { total: 0, partial: false };
    kernel.require([], []);
    const { partial } = this.#searchDocs(docCount, { ...limits, count: false });
    return { total: limits.count && !partial ? this.#countAny(one) : 0, partial };
  }

  #countAny({ lists, masks }: SegmentLists): number {
    const [only, ...others] = lists.flat().filter((list) => list !== 0);
    return others.length === 0 && !masks
      ? this.#resident.liveCount(only!)
      : this.#resident.kernel.calls.countAny();
  }

  #searchAll(one: SegmentLists, query: KernelQuery, limits: EvaluationLimits): Counted {
    const { kernel } = this.#resident;
    const { docCount } = one.resident.segment.reader;
    const entered = this.#enter(one, query);
    const slots = slotsOf(one, query, entered);
    if (!slots) return { total: 0, partial: false };
    kernel.require(requiredOf(one, query, entered), slots);
    return this.#searchDocs(docCount, limits);
  }

  /** Searches the segment that was passed to `enterSegment`. */
  #searchDocs(docCount: number, { keep, count, deadline }: EvaluationLimits): Counted {
    const { calls } = this.#resident.kernel;
    let total = 0;
    for (let from = 0; from < docCount; from += this.#docsPerSearch) {
      if (from > 0 && deadline.isLate()) return { total, partial: true };
      total += calls.search(from, Math.min(docCount, from + this.#docsPerSearch), keep, count);
    }
    return { total, partial: false };
  }

  /** Passes the segment and the lists that it has to the kernel. */
  #enter({ resident, number, lists, masks }: SegmentLists, { words }: KernelQuery): Entered {
    const { calls } = this.#resident.kernel;
    let count = 0;
    for (const own of lists) for (const list of own) if (list !== 0) count++;
    calls.enterSegment(resident.at, number, count);
    let next = 0;
    return lists.map((own, word) => {
      const first = next;
      let forPhrases = 0;
      for (let i = 0; i < own.length; i++) {
        if (own[i] === 0) continue;
        const { scale, mass } = words[word]!.lists[i]!;
        calls.setList(next, own[i]!, word, scale, mass, masks?.[next] ?? 0);
        next++;
        if (i < words[word]!.phraseLists) forPhrases++;
      }
      if (next === first) return null;
      return { all: { first, count: next - first }, inPhrases: { first, count: forPhrases } };
    });
  }
}

/**
 * Returns a function that reads a list, and throws a LateError after the grace period. A late query may still read its
 * lists within the grace period, so that it finds at least the first matches.
 */
function readingInTime(deadline: Deadline): typeof reading {
  return (segment, read) => {
    deadline.requireFinish(LOAD_STEPS);
    return reading(segment, read);
  };
}

/** Returns every list of the query in every segment that has it: by segment, then word, then list. */
function wantedLists(query: KernelQuery, residents: readonly ResidentSegment[]): WantedList[] {
  const wanted: WantedList[] = [];
  const isPlaced = placedWords(query);
  for (const [number, resident] of residents.entries()) {
    for (const [word, { lists, phraseLists }] of query.words.entries()) {
      for (const [list, { entries, inAnchors, stemmings = ALL_STEMMINGS }] of lists.entries()) {
        const entry = entries[number];
        const from = inAnchors ? resident.segment.anchors! : resident.segment.reader;
        const withPositions = list < phraseLists && isPlaced[word]!;
        if (!entry) continue;
        const mask = isWholeList(resident.segment, entry, stemmings, from) ? null : stemmings;
        wanted.push({ resident, from, entry, withPositions, mask });
      }
    }
  }
  return wanted;
}

function masksOf(wanted: readonly WantedList[]): number[] | null {
  if (wanted.every(({ mask }) => mask === null)) return null;
  return wanted.map(({ mask = null, resident }) => (mask === null ? 0 : resident.masks.get(mask)!));
}

/** Returns true if all live documents of the list have one of `stemmings`, so that the list counts in each of them. */
function isWholeList(
  segment: OpenSegment,
  entry: TermEntry,
  stemmings: StemmingSet,
  from: TermLists,
): boolean {
  if (isEvery(segment, stemmings)) return true;
  const count = (set: StemmingSet) => liveFrequency(segment, entry, set, from);
  return count(stemmings) === count(ALL_STEMMINGS);
}

/** Returns, per word, true if a phrase needs its positions. */
function placedWords({ words, phrases }: KernelQuery): boolean[] {
  const isPlaced = words.map(() => false);
  for (const phrase of phrases) {
    if (phrase.length > 1 || phrase[0]!.forms) for (const { word } of phrase) isPlaced[word] = true;
  }
  return isPlaced;
}

/** Returns the words that must occur, those with the fewest documents first. The segment has all of them. */
function requiredOf(one: SegmentLists, query: KernelQuery, entered: Entered): ListRange[] {
  const needed = new Set<number>();
  for (const phrase of query.phrases) for (const { word } of phrase) needed.add(word);
  const docsOf = (word: number) => docsWith(one, query, word);
  return [...needed].sort((a, b) => docsOf(a) - docsOf(b)).map((word) => entered[word]!.all);
}

/** Returns an upper bound of the number of documents in the segment that have the word. */
function docsWith({ number }: SegmentLists, { words }: KernelQuery, word: number): number {
  let sum = 0;
  for (const { entries } of words[word]!.lists) sum += entries[number]?.docCount ?? 0;
  return sum;
}

/**
 * Returns the phrases for one segment, each with its rarest word first; null if the segment cannot match one
 * of them.
 */
function slotsOf(one: SegmentLists, query: KernelQuery, entered: Entered): PhraseSlot[][] | null {
  const slots: PhraseSlot[][] = [];
  for (const phrase of query.phrases) {
    const own: (PhraseSlot & { docs: number })[] = [];
    for (const [offset, wanted] of phrase.entries()) {
      const known = entered[wanted.word];
      if (!known) return null;
      const forms = formsIn(one, wanted);
      if (forms?.every((bits) => bits === 0n)) return null;
      const isAny = known.all.count === known.inPhrases.count && forms?.every((bits) => bits === ALL_FORMS);
      const docs = docsWith(one, query, wanted.word);
      own.push({ ...known.inPhrases, offset, forms: isAny ? null : forms, docs });
    }
    slots.push(own.sort((a, b) => a.docs - b.docs));
  }
  return slots;
}

/**
 * Returns the forms that count, for each of the word's lists that the segment has; null if all forms count.
 */
function formsIn({ number, lists }: SegmentLists, { word, forms }: KernelPhraseWord): bigint[] | null {
  return forms && forms[number]!.filter((_, list) => lists[word]![list] !== 0);
}
