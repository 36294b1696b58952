/**
 * The first stage by the search kernel, for the queries that most people make: words, words that must occur,
 * phrases; see kernel-query.ts. What else the language has (exclusions, sites) is walked document by document, see
 * evaluate.ts; both give the same matches with the same scores.
 */
import {
  ALL_FORMS,
  type ListRange,
  type OpenSegment,
  type PhraseSlot,
  ResidentLists,
  type ResidentSegment,
  type SearchKernel,
  type TermEntry,
} from '../index/mod.ts';
import { lengthNorm, type Profile, type QueryStatistics, staticScore } from '../rank/mod.ts';
import { reading } from './errors.ts';
import type { Evaluation, EvaluationLimits } from './evaluate.ts';
import { fitsKernel, type KernelPhraseWord, type KernelQuery, kernelQueryOf } from './kernel-query.ts';
import type { SearchedSegment } from './statistics.ts';
import type { TermQuery } from './term-query.ts';

/** Documents between two looks at the clock; a multiple of the kernel's window. */
const DOCS_PER_CALL = 1 << 20;

/** Where the lists of a query are in memory, for one segment. */
interface SegmentLists {
  resident: ResidentSegment;
  number: number;
  /** Per word and list; 0 if the segment does not have it. */
  lists: number[][];
}

/** The words of a query that a segment has, with the numbers that their lists have in the kernel. */
interface Entered {
  words: Map<number, { all: ListRange; inPhrases: ListRange }>;
  lists: number[];
}

/** Lists in the kernel's memory, until others are brought. */
export interface ListsInMemory {
  kernel: SearchKernel;
  lists: readonly number[];
}

type Counted = Pick<Evaluation, 'total' | 'partial'>;

export class KernelSearch {
  readonly #resident: ResidentLists;

  constructor(cacheBytes: number) {
    this.#resident = new ResidentLists(cacheBytes);
  }

  /** Null if the kernel cannot answer this query. */
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

  /** Null if there is no room for the query or its lists. */
  search(query: KernelQuery, profile: Profile, limits: EvaluationLimits): Evaluation | null {
    if (!fitsKernel(query, limits.keep)) return null;
    const bySegment = this.#bringLists(query, profile);
    if (!bySegment) return null;
    const { kernel } = this.#resident;
    kernel.start(query.weight, limits.keep);
    let total = 0;
    let partial = false;
    for (const one of bySegment) {
      partial ||= one.number > 0 && limits.isLate();
      if (partial) break;
      const part =
        query.phrases.length === 0
          ? this.#searchAny(one, query, limits)
          : this.#searchAll(one, query, limits);
      total += part.total;
      partial = part.partial;
    }
    if (kernel.calls.gaveUp() !== 0) return null;
    const matches = kernel
      .matches()
      .map(({ segment, doc, score }) => ({ segment: query.segments[segment]!, doc, score }));
    const isCounted = limits.count && !partial;
    return { total: isCounted ? total : Math.max(total, matches.length), partial, matches };
  }

  /** Brings lists into memory for a closer look at some documents; null if there is no room for them. */
  bring(
    searched: readonly SearchedSegment[],
    meanLength: number,
    profile: Profile,
    wanted: readonly { number: number; entry: TermEntry; withPositions: boolean }[],
  ): ListsInMemory | null {
    const segments = searched.map(({ segment }) => segment);
    const residents = this.#attach(segments, meanLength, profile);
    const lists = this.#resident.bring(
      wanted.map((one) => ({ ...one, resident: residents[one.number]! })),
      reading,
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
      staticOf: (rank) => staticScore(profile, rank),
    });
  }

  #bringLists(
    { segments, words, phrases, meanLength }: KernelQuery,
    profile: Profile,
  ): SegmentLists[] | null {
    const residents = this.#attach(segments, meanLength, profile);
    const placed = phrases.filter((phrase) => phrase.length > 1 || phrase[0]!.forms);
    const inPhrases = new Set(placed.flat().map(({ word }) => word));
    const wanted = residents.flatMap((resident, number) =>
      words.flatMap(({ lists, phraseLists }, word) =>
        lists.flatMap(({ entries }, list) => {
          const entry = entries[number];
          const withPositions = list < phraseLists && inPhrases.has(word);
          return entry ? [{ resident, number, word, list, entry, withPositions }] : [];
        }),
      ),
    );
    const ats = this.#resident.bring(wanted, reading);
    if (!ats) return null;
    const bySegment = residents.map((resident, number) => ({
      resident,
      number,
      lists: words.map(({ lists }) => lists.map(() => 0)),
    }));
    for (const [i, { number, word, list }] of wanted.entries())
      bySegment[number]!.lists[word]![list] = ats[i]!;
    return bySegment;
  }

  #searchAny(one: SegmentLists, query: KernelQuery, limits: EvaluationLimits): Counted {
    const { calls } = this.#resident.kernel;
    const { docCount } = one.resident.segment.reader;
    const { lists } = this.#enter(one, query);
    if (lists.length === 0) return { total: 0, partial: false };
    for (let from = 0; from < docCount; from += DOCS_PER_CALL) {
      if (from > 0 && limits.isLate()) return { total: 0, partial: true };
      calls.searchAny(from, Math.min(docCount, from + DOCS_PER_CALL), limits.keep);
    }
    return { total: limits.count ? this.#countAny(one, query, lists) : 0, partial: false };
  }

  #countAny(one: SegmentLists, query: KernelQuery, lists: readonly number[]): number {
    if (lists.length === 1) return this.#resident.liveCount(lists[0]!);
    const { kernel } = this.#resident;
    const { docCount } = one.resident.segment.reader;
    this.#enter(one, query);
    new Uint8Array(kernel.buffer, one.resident.bitsAt, (docCount >> 3) + 16).fill(0);
    return kernel.calls.countAny(one.resident.bitsAt, docCount);
  }

  #searchAll(one: SegmentLists, query: KernelQuery, limits: EvaluationLimits): Counted {
    const { kernel } = this.#resident;
    const { docCount } = one.resident.segment.reader;
    const entered = this.#enter(one, query);
    const slots = slotsOf(one, query, entered);
    if (!slots) return { total: 0, partial: false };
    const needed = [...new Set(query.phrases.flat().map(({ word }) => word))];
    const lengthOf = (word: number) => this.#lengthOf(entered, word);
    const required = needed.sort((a, b) => lengthOf(a) - lengthOf(b));
    kernel.require(
      required.map((word) => entered.words.get(word)!.all),
      slots,
    );
    let total = 0;
    for (let from = 0; from < docCount; from += DOCS_PER_CALL) {
      if (from > 0 && limits.isLate()) return { total, partial: true };
      const to = Math.min(docCount, from + DOCS_PER_CALL);
      total += kernel.calls.searchAll(from, to, one.resident.staticMaximum, limits.count);
    }
    return { total, partial: false };
  }

  /** At most so many documents have the word. */
  #lengthOf({ words, lists }: Entered, word: number): number {
    const { first, count } = words.get(word)!.all;
    return lists.slice(first, first + count).reduce((sum, list) => sum + this.#resident.liveCount(list), 0);
  }

  /** Sets the lists that the segment has. */
  #enter({ resident, number, lists }: SegmentLists, { words }: KernelQuery): Entered {
    const { calls } = this.#resident.kernel;
    const entered: Entered = { words: new Map(), lists: [] };
    const count = lists.reduce((sum, own) => sum + own.filter((list) => list !== 0).length, 0);
    calls.enterSegment(resident.at, number, count);
    for (const [word, own] of lists.entries()) {
      const first = entered.lists.length;
      for (const [i, list] of own.entries()) {
        if (list === 0) continue;
        const { scale, mass } = words[word]!.lists[i]!;
        calls.setList(entered.lists.push(list) - 1, list, word, scale, mass);
      }
      const present = entered.lists.length - first;
      if (present === 0) continue;
      const forPhrases = own.slice(0, words[word]!.phraseLists).filter((list) => list !== 0).length;
      entered.words.set(word, { all: { first, count: present }, inPhrases: { first, count: forPhrases } });
    }
    return entered;
  }
}

/** The phrases in one segment; null if it cannot have one of them. */
function slotsOf(one: SegmentLists, query: KernelQuery, { words }: Entered): PhraseSlot[][] | null {
  const slots: PhraseSlot[][] = [];
  for (const phrase of query.phrases) {
    const own: PhraseSlot[] = [];
    for (const wanted of phrase) {
      const known = words.get(wanted.word);
      if (!known) return null;
      const forms = formsIn(one, wanted);
      if (forms?.every((bits) => bits === 0n)) return null;
      const isAny = known.all.count === known.inPhrases.count && forms?.every((bits) => bits === ALL_FORMS);
      own.push({ ...known.inPhrases, forms: isAny ? null : forms });
    }
    slots.push(own);
  }
  return slots;
}

/** The forms that count, for each of the word's lists that the segment has; null if all do. */
function formsIn({ number, lists }: SegmentLists, { word, forms }: KernelPhraseWord): bigint[] | null {
  return forms && forms[number]!.filter((_, list) => lists[word]![list] !== 0);
}
