/**
 * Groups the words of a buffer by term.
 *
 * Every word is stemmed once for each stemming whose documents have it, however often it occurs. The words of
 * a term are its forms. They get temporary numbers here for sorting; forms.ts assigns the numbers that are
 * written.
 */
import { type Stemming, termOf } from '../../text/mod.ts';
import { MAX_FORMS, REST } from '../dictionary/mod.ts';
import type { WordGatherer } from './word-gatherer.ts';

/** The lowest bit of the form number in a target. */
const FORM_SHIFT = 24;
const TERM_MASK = (1 << FORM_SHIFT) - 1;

export interface WordGroups {
  /** Words and stems by number. */
  texts: readonly string[];
  /** Number of words; higher numbers in `texts` are stems. */
  words: number;
  /** Number of occurrences, per stemming and word. */
  counts: Uint32Array;
  /** Per stemming and word: the number of its term, and in the top 8 bits its form number. */
  targets: Uint32Array;
  /** Number of occurrences of all words of a term, per term. */
  totals: Uint32Array;
  /** The forms of each term that has a form other than itself. */
  forms: ReadonlyMap<number, readonly string[]>;
}

/** `counts` has the occurrences of each word for each of `stemmings`. */
export function groupWords(
  gatherer: WordGatherer,
  counts: Uint32Array,
  stemmings: readonly Stemming[],
): WordGroups {
  const texts = gatherer.texts();
  const words = texts.length;
  const targets = new Uint32Array(counts.length);
  for (const [i, stemming] of stemmings.entries()) {
    for (let word = 0; word < words; word++) {
      const at = i * words + word;
      if (counts[at] === 0) continue;
      const text = texts[word]!;
      const stem = termOf(text, stemming);
      const term = stem === text ? word : gatherer.numberOf(stem);
      targets[at] = term;
      if (term >= texts.length) texts.push(stem);
    }
  }
  const totals = totalsOf(counts, targets, texts.length);
  const forms = numberForms(texts, words, counts, targets);
  return { texts, words, counts, targets, totals, forms };
}

/** Returns the terms of a word that differ from the word itself. */
export function otherTermsOf({ texts, words, counts, targets }: WordGroups, word: number): string[] {
  let terms: string[] = [];
  for (let at = word; word < words && at < counts.length; at += words) {
    const term = targets[at]! & TERM_MASK;
    if (counts[at] !== 0 && term !== word && !terms.includes(texts[term]!)) terms = [...terms, texts[term]!];
  }
  return terms;
}

function totalsOf(counts: Uint32Array, targets: Uint32Array, terms: number): Uint32Array {
  const totals = new Uint32Array(terms);
  for (let at = 0; at < counts.length; at++) totals[targets[at]!]! += counts[at]!;
  return totals;
}

/**
 * Writes form numbers into the targets. Returns the names of the forms of each term that has a form other
 * than itself.
 */
function numberForms(
  texts: readonly string[],
  words: number,
  counts: Uint32Array,
  targets: Uint32Array,
): Map<number, string[]> {
  const uses = usesByTerm(texts.length, counts, targets, words);
  const forms = new Map<number, string[]>();
  for (let term = 0; term < texts.length; term++) {
    if (!uses.hasOthers(term)) continue;
    const ats = uses.of(term);
    if (counts.length === words && ats.length < MAX_FORMS) {
      for (const [form, at] of ats.entries()) targets[at] = (term | (form << FORM_SHIFT)) >>> 0;
      forms.set(
        term,
        ats.map((word) => texts[word]!),
      );
      continue;
    }
    const numbers = new Map<number, number>();
    for (const at of ats) {
      const word = at % words;
      if (!numbers.has(word)) numbers.set(word, Math.min(numbers.size, MAX_FORMS - 1));
      targets[at] = (term | (numbers.get(word)! << FORM_SHIFT)) >>> 0;
    }
    const names = Array.from(numbers.keys(), (word) => texts[word]!);
    forms.set(term, names.length > MAX_FORMS ? [...names.slice(0, MAX_FORMS - 1), REST] : names);
  }
  return forms;
}

/** Links the targets of each term into a chain in ascending order, without an object per word. */
function usesByTerm(terms: number, counts: Uint32Array, targets: Uint32Array, words: number) {
  const first = new Int32Array(terms).fill(-1);
  const next = new Int32Array(targets.length);
  const others = new Uint8Array(terms);
  for (let at = targets.length - 1; at >= 0; at--) {
    if (counts[at] === 0) continue;
    const term = targets[at]!;
    next[at] = first[term]!;
    first[term] = at;
    if (at % words !== term) others[term] = 1;
  }
  return {
    hasOthers: (term: number) => others[term] === 1,
    of(term: number): number[] {
      const ats: number[] = [];
      for (let at = first[term]!; at >= 0; at = next[at]!) ats.push(at);
      return ats;
    },
  };
}
