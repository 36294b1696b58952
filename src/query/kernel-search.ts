/**
 * The first stage by the search kernel, for the queries that most people make: words, words that must occur,
 * phrases. What else the language has (exclusions, sites) is walked document by document, see evaluate.ts; both
 * give the same matches with the same scores.
 */
import { MAX_KERNEL_MATCHES, MAX_KERNEL_WORDS, ResidentLists, type ResidentSegment } from '../index/mod.ts';
import { lengthNorm, type Profile, type QueryStatistics, staticScore } from '../rank/mod.ts';
import { reading } from './errors.ts';
import type { Evaluation, EvaluationLimits } from './evaluate.ts';
import type { ParsedQuery } from './parse.ts';
import type { SearchedSegment } from './statistics.ts';

/** Documents between two looks at the clock; a multiple of the kernel's window. */
const DOCS_PER_CALL = 1 << 20;

/** The lists of a query's words in one segment. */
interface Lists {
  resident: ResidentSegment;
  number: number;
  /** Per word; 0 if the segment does not have it. */
  lists: number[];
}

export class KernelSearch {
  readonly #resident: ResidentLists;

  constructor(cacheBytes: number) {
    this.#resident = new ResidentLists(cacheBytes);
  }

  /** Null if the kernel cannot answer this query. */
  evaluate(
    query: ParsedQuery,
    searched: readonly SearchedSegment[],
    statistics: QueryStatistics,
    profile: Profile,
    limits: EvaluationLimits,
  ): Evaluation | null {
    if (!isForKernel(query, limits.keep)) return null;
    const lists = this.#bringLists(query, searched, statistics, profile);
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
        : this.#searchAll(one, query, statistics, limits);
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
    query: ParsedQuery,
    searched: readonly SearchedSegment[],
    { meanLength }: QueryStatistics,
    profile: Profile,
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
    const inPhrases = new Set(query.phrases.filter((phrase) => phrase.length > 1).flat());
    const wanted = searched.flatMap(({ entries }, number) =>
      entries.flatMap((entry, word) => {
        const withPositions = inPhrases.has(query.words[word]!);
        return entry ? [{ resident: residents[number]!, number, word, entry, withPositions }] : [];
      }),
    );
    const ats = this.#resident.bring(wanted, reading);
    if (!ats) return null;
    const lists = residents.map((resident, number) => ({
      resident,
      number,
      lists: query.words.map(() => 0),
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

  #searchAll(one: Lists, query: ParsedQuery, statistics: QueryStatistics, limits: EvaluationLimits): Counted {
    const { kernel } = this.#resident;
    const { docCount } = one.resident.segment.reader;
    const present = this.#enter(one, statistics);
    const placeOf = new Map(present.map((word, place) => [query.words[word]!, place]));
    const phrases = query.phrases.map((phrase) => phrase.map((term) => placeOf.get(term) ?? -1));
    if (phrases.flat().includes(-1)) return { total: 0, partial: false };
    const required = [...new Set(phrases.flat())].sort(
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

function isForKernel(query: ParsedQuery, keep: number): boolean {
  return (
    query.words.length > 0 &&
    query.words.length <= MAX_KERNEL_WORDS &&
    query.excluded.length + query.sites.length + query.excludedSites.length === 0 &&
    !query.blocks &&
    keep > 0 &&
    keep <= MAX_KERNEL_MATCHES
  );
}
