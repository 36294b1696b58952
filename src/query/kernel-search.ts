/**
 * The first stage by the search kernel, for the queries that most people make: words, words that must occur,
 * phrases. What else the language has (exclusions, sites) is walked document by document, see evaluate.ts; both
 * give the same matches with the same scores.
 */
import {
  ALL_FORMS,
  MAX_KERNEL_FORMS,
  MAX_KERNEL_MATCHES,
  MAX_KERNEL_WORDS,
  ResidentLists,
  type ResidentSegment,
} from '../index/mod.ts';
import { lengthNorm, type Profile, type QueryStatistics, staticScore } from '../rank/mod.ts';
import { reading } from './errors.ts';
import type { Evaluation, EvaluationLimits } from './evaluate.ts';
import type { SearchedSegment } from './statistics.ts';
import { type TermQuery, wantedForms } from './term-query.ts';

/** Documents between two looks at the clock; a multiple of the kernel's window. */
const DOCS_PER_CALL = 1 << 20;

/** The lists of a query's words in one segment. */
interface Lists {
  resident: ResidentSegment;
  number: number;
  /** Per word; 0 if the segment does not have it. */
  lists: number[];
  phrases: KernelPhrase[] | null;
}

/** Words of the query that stand side by side, each with the forms that count, as bits. */
type KernelPhrase = { word: number; forms: bigint }[];

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
    if (!isForKernel(query, limits.keep)) return null;
    const phrases = searched.map((one) => phrasesIn(one, query));
    if (phrases.includes('too many forms')) return null;
    const lists = this.#bringLists(
      query,
      searched,
      statistics,
      profile,
      phrases as (KernelPhrase[] | null)[],
    );
    if (!lists) return null;
    const { kernel } = this.#resident;
    const { calls } = kernel;
    kernel.start(statistics.weight, limits.keep);
    const isAny = query.phrases.length === 0;
    let total = 0;
    let partial = false;
    for (const one of lists) {
      partial ||= one.number > 0 && limits.isLate();
      if (partial) break;
      const part = isAny
        ? this.#searchAny(one, statistics, limits)
        : this.#searchAll(one, statistics, limits);
      total += part.total;
      partial = part.partial;
    }
    if (calls.gaveUp() !== 0) return null;
    const matches = kernel
      .matches()
      .map(({ segment, doc, score }) => ({ segment: searched[segment]!.segment, doc, score }));
    const isCounted = limits.count && !partial;
    return { total: isCounted ? total : Math.max(total, matches.length), partial, matches };
  }

  #bringLists(
    query: TermQuery,
    searched: readonly SearchedSegment[],
    { meanLength }: QueryStatistics,
    profile: Profile,
    phrases: readonly (KernelPhrase[] | null)[],
  ): Lists[] | null {
    const residents = this.#resident.attach(
      searched.map(({ segment }) => segment),
      {
        profile,
        k1: profile.k1,
        normOf: (length) => lengthNorm(profile, length / meanLength),
        staticOf: (rank) => staticScore(profile, rank),
      },
    );
    const wanted = searched.flatMap(({ entries }, number) => {
      const placed = wordsWithPlaces(phrases[number] ?? []);
      return entries.flatMap((entry, word) => {
        const withPositions = placed.has(word);
        return entry ? [{ resident: residents[number]!, number, word, entry, withPositions }] : [];
      });
    });
    const ats = this.#resident.bring(wanted, reading);
    if (!ats) return null;
    const lists = residents.map((resident, number) => ({
      resident,
      number,
      lists: query.words.map(() => 0),
      phrases: phrases[number]!,
    }));
    for (const [i, { number, word }] of wanted.entries()) lists[number]!.lists[word] = ats[i]!;
    return lists;
  }

  #searchAny(one: Lists, statistics: QueryStatistics, limits: EvaluationLimits): Counted {
    const { calls } = this.#resident.kernel;
    const { docCount } = one.resident.segment.reader;
    const present = this.#enter(one, statistics);
    if (present.length === 0) return { total: 0, partial: false };
    for (let from = 0; from < docCount; from += DOCS_PER_CALL) {
      if (from > 0 && limits.isLate()) return { total: 0, partial: true };
      calls.searchAny(from, Math.min(docCount, from + DOCS_PER_CALL), limits.keep);
    }
    return { total: limits.count ? this.#countAny(one, statistics, present) : 0, partial: false };
  }

  #countAny(one: Lists, statistics: QueryStatistics, present: readonly number[]): number {
    if (present.length === 1) return this.#resident.liveCount(one.lists[present[0]!]!);
    const { kernel } = this.#resident;
    const { docCount } = one.resident.segment.reader;
    this.#enter(one, statistics);
    new Uint8Array(kernel.buffer, one.resident.bitsAt, (docCount >> 3) + 16).fill(0);
    return kernel.calls.countAny(one.resident.bitsAt, docCount);
  }

  #searchAll(one: Lists, statistics: QueryStatistics, limits: EvaluationLimits): Counted {
    const { kernel } = this.#resident;
    const { docCount } = one.resident.segment.reader;
    const present = this.#enter(one, statistics);
    if (!one.phrases) return { total: 0, partial: false };
    const phrases = one.phrases.map((phrase) =>
      phrase.map(({ word, forms }) => ({ word: present.indexOf(word), forms })),
    );
    const required = [...new Set(phrases.flat().map(({ word }) => word))].sort(
      (a, b) => this.#lengthOf(one, present[a]!) - this.#lengthOf(one, present[b]!),
    );
    kernel.require(required, phrases);
    let total = 0;
    for (let from = 0; from < docCount; from += DOCS_PER_CALL) {
      if (from > 0 && limits.isLate()) return { total, partial: true };
      const to = Math.min(docCount, from + DOCS_PER_CALL);
      total += kernel.calls.searchAll(from, to, one.resident.staticMaximum, limits.count);
    }
    return { total, partial: false };
  }

  #lengthOf(one: Lists, word: number): number {
    return this.#resident.liveCount(one.lists[word]!);
  }

  /** Sets the words that the segment has, and returns which they are. */
  #enter({ resident, number, lists }: Lists, { idfs }: QueryStatistics): number[] {
    const { calls } = this.#resident.kernel;
    const present = [...lists.keys()].filter((word) => lists[word] !== 0);
    calls.enterSegment(resident.at, number, present.length);
    for (const [place, word] of present.entries()) calls.setWord(place, lists[word]!, idfs[word]!);
    return present;
  }
}

type Counted = Pick<Evaluation, 'total' | 'partial'>;

/** The phrases of a query in one segment; null if it cannot have one of them. */
function phrasesIn({ entries }: SearchedSegment, query: TermQuery): KernelPhrase[] | null | 'too many forms' {
  const phrases: KernelPhrase[] = [];
  for (const terms of query.phrases) {
    const phrase: KernelPhrase = [];
    for (const { term, exact } of terms) {
      const word = query.words.indexOf(term);
      const entry = entries[word];
      const forms = entry && wantedForms(entry, exact);
      if (!entry || forms?.size === 0) return null;
      if (forms && Math.max(...forms) >= MAX_KERNEL_FORMS) return 'too many forms';
      phrase.push({ word, forms: forms ? bitsOf(forms!) : ALL_FORMS });
    }
    phrases.push(phrase);
  }
  return phrases;
}

function bitsOf(numbers: Iterable<number>): bigint {
  let bits = 0n;
  for (const number of numbers) bits |= 1n << BigInt(number);
  return bits;
}

/** A word alone, in whatever form, needs no places. */
function wordsWithPlaces(phrases: readonly KernelPhrase[]): Set<number> {
  const placed = phrases.filter((phrase) => phrase.length > 1 || phrase[0]!.forms !== ALL_FORMS);
  return new Set(placed.flat().map(({ word }) => word));
}

function isForKernel(query: TermQuery, keep: number): boolean {
  return (
    query.words.length > 0 &&
    query.words.length <= MAX_KERNEL_WORDS &&
    query.excluded.length + query.sites.length + query.excludedSites.length === 0 &&
    keep > 0 &&
    keep <= MAX_KERNEL_MATCHES
  );
}
