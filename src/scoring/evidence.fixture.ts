/** Makes small documents and queries whose features can be calculated by hand. */
import { Field } from '../index/mod.ts';
import type { Evidence, QueryStatistics, WordEvidence } from './evidence.ts';

/**
 * The statistics of a query of two words with weights 2 and 3, in an index of a hundred documents of fifty
 * words each.
 */
export const STATISTICS: QueryStatistics = {
  docCount: 100,
  meanLength: 50,
  rarities: [2, 3],
  idfs: [2, 3],
  weight: 5,
  isFunction: [false, false],
  isGeneric: [false, false],
};

/**
 * Makes the evidence of a word that occurs in the body text. `rest` overrides fields, for example to move
 * occurrences to the title.
 */
export function word(term: string, positions: number[], rest: Partial<WordEvidence> = {}): WordEvidence {
  const counts = countsOf({ body: positions.length });
  const frequency = 4 * positions.length;
  return {
    term,
    frequency,
    positions,
    counts,
    share: 1,
    votes: 0,
    inHost: false,
    inAnchors: null,
    exact: null,
    ...rest,
  };
}

export function countsOf(counts: Partial<Record<keyof typeof Field, number>>): number[] {
  const named = Object.keys(Field) as (keyof typeof Field)[];
  return named.sort((a, b) => Field[a] - Field[b]).map((name) => counts[name] ?? 0);
}

export function evidenceOf(words: Evidence['words'], rest: Partial<Evidence> = {}): Evidence {
  return {
    length: 50,
    titleLength: 3,
    subjectStart: 0,
    subjectLength: 3,
    subjectSize: 15,
    contentStart: 0,
    nameLength: 0,
    isEntry: false,
    urlLanguage: 0.5,
    isAuxiliary: false,
    urlDepth: 2,
    hostFill: 0,
    rank: 0,
    hostRank: null,
    trust: null,
    farm: null,
    concentration: null,
    ageDays: null,
    isReadable: null,
    quality: null,
    similarity: null,
    expansion: null,
    words,
    whole: null,
    ...rest,
  };
}

export function close(actual: number | undefined, expected: number): void {
  if (actual === undefined || !(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected))))
    throw new Error(`${actual} is not ${expected}`);
}
