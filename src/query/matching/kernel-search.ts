/**
 * Runs the first stage in the search kernel for the most frequent queries: words, required words and phrases; see
 * kernel-query.ts. Other queries, for example with exclusions or `site:`, are evaluated in evaluate.ts. Both return
 * the same matches with the same scores.
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
 * The addresses of a query's postings lists in the memory of the kernel, for one segment. There is one address per
 * word and list; it is 0 if the segment does not have the list.
 */
interface SegmentLists {
  resident: ResidentSegment;
  number: number;
  lists: readonly (readonly number[])[];
  /**
   * For each postings list, the address of its mask, a bitmap of the documents for which the list is used; 0 if
   * it is used for all documents. The whole array is null if all lists are used for all documents.
   */
  masks: readonly number[] | null;
}

/** A word of the query that a segment has, with the numbers under which the kernel knows its postings lists. */
interface EnteredWord {
  all: ListRange;
  inPhrases: ListRange;
}

/** The words of the query as the kernel knows them in one segment; null for a word that the segment does not have. */
type Entered = readonly (EnteredWord | null)[];

/** Postings lists in the memory of the kernel. They must not be used after other lists were loaded. */
export interface ListsInMemory {
  kernel: SearchKernel;
  lists: readonly number[];
}

type Counted = Pick<Evaluation, 'total' | 'partial'>;

/** The cost of loading a postings list into memory, in deadline steps. */
const LOAD_STEPS = 1024;

export class KernelSearch {
  readonly #resident: ResidentLists;
  readonly #docsPerSearch: number;

  /**
   * `docsPerSearch` is the number of documents that the kernel searches before the clock is read again; a multiple
   * of 64.
   */
  constructor(cacheBytes: number, docsPerSearch = DOCS_PER_SEARCH) {
    this.#resident = new ResidentLists(cacheBytes);
    this.#docsPerSearch = docsPerSearch;
  }

  /** Runs the first stage for a query. Returns null if the kernel does not support the query. */
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

  /**
   * Runs the first stage for a translated query. Returns null if its postings lists do not fit into memory, or if
   * there is no time to load them.
   */
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

  /** Loads postings lists into the memory of the kernel for the second stage; returns null if they do not fit. */
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

  /**
   * Searches the documents of the segment that `enterSegment` set. Checks the deadline after each range of
   * documents.
   */
  #searchDocs(docCount: number, { keep, count, deadline }: EvaluationLimits): Counted {
    const { calls } = this.#resident.kernel;
    let total = 0;
    for (let from = 0; from < docCount; from += this.#docsPerSearch) {
      if (from > 0 && deadline.isLate()) return { total, partial: true };
      total += calls.search(from, Math.min(docCount, from + this.#docsPerSearch), keep, count);
    }
    return { total, partial: false };
  }

  /** Passes a segment and its postings lists for the query to the kernel. */
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
 * Returns a function that reads a postings list from disk, or throws a LateError after the grace period. A late
 * query may use the grace period for this, so that it finds at least some matches.
 */
function readingInTime(deadline: Deadline): typeof reading {
  return (segment, read) => {
    deadline.requireFinish(LOAD_STEPS);
    return reading(segment, read);
  };
}

/** Returns the postings lists that the query needs, ordered by segment, word and list. */
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

/** Returns true if all live documents in a postings list have one of `stemmings`, so that no mask is needed. */
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

/** Returns, for each word of the query, true if a phrase needs the positions of the word. */
function placedWords({ words, phrases }: KernelQuery): boolean[] {
  const isPlaced = words.map(() => false);
  for (const phrase of phrases) {
    if (phrase.length > 1 || phrase[0]!.forms) for (const { word } of phrase) isPlaced[word] = true;
  }
  return isPlaced;
}

/** Returns the words that a document must have, the rarest first. Called only if the segment has all of them. */
function requiredOf(one: SegmentLists, query: KernelQuery, entered: Entered): ListRange[] {
  const needed = new Set<number>();
  for (const phrase of query.phrases) for (const { word } of phrase) needed.add(word);
  const docsOf = (word: number) => docsWith(one, query, word);
  return [...needed].sort((a, b) => docsOf(a) - docsOf(b)).map((word) => entered[word]!.all);
}

/** Returns an upper bound of the number of documents of a segment that have a word. */
function docsWith({ number }: SegmentLists, { words }: KernelQuery, word: number): number {
  let sum = 0;
  for (const { entries } of words[word]!.lists) sum += entries[number]?.docCount ?? 0;
  return sum;
}

/**
 * Returns the phrases of the query for one segment, each with its rarest word first; null if one of the phrases
 * cannot occur in the segment.
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
 * Returns, for each postings list of a word in a segment, a bit set of the written forms that match; null if
 * all forms match.
 */
function formsIn({ number, lists }: SegmentLists, { word, forms }: KernelPhraseWord): bigint[] | null {
  return forms && forms[number]!.filter((_, list) => lists[word]![list] !== 0);
}
