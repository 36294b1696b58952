/**
 * Which words of a buffer go under which term.
 *
 * Every word is stemmed once for each stemming whose documents have it, however often it occurs. The words of a term
 * are its forms; here they get numbers for the time of sorting, forms.ts says which ones are written.
 */
import { type Stemming, termOf } from '../text/mod.ts';
import { MAX_FORMS, REST } from './forms.ts';
import type { WordGatherer } from './word-gatherer.ts';

/** Where the form stands in a target. */
export const FORM_SHIFT = 24;

export interface WordGroups {
  /** Words and stems by number. */
  texts: readonly string[];
  /** How many words there are; the numbers of the other texts are those of stems. */
  words: number;
  /** Per stemming and word: its term, and in the top 8 bits its form. */
  targets: Uint32Array;
  /** Per term: how often its words occur. */
  totals: Uint32Array;
  /** The forms of each term that has another form than itself. */
  forms: ReadonlyMap<number, readonly string[]>;
  /** The terms of each word that is not its own. */
  termsOf: ReadonlyMap<number, readonly number[]>;
}

/** A word that is not its own term. */
interface Alias {
  word: number;
  /** Where its target is. */
  at: number;
  count: number;
}

/** `counts` has the occurrences of each word for each of `stemmings`. */
export function groupWords(
  gatherer: WordGatherer,
  counts: Uint32Array,
  stemmings: readonly Stemming[],
): WordGroups {
  const words = gatherer.termCount;
  const texts = Array.from({ length: words }, (_, word) => gatherer.text(word));
  const targets = new Uint32Array(counts.length);
  const aliases = new Map<number, Alias[]>();
  const termsOf = new Map<number, number[]>();
  for (const [i, stemming] of stemmings.entries()) {
    for (let word = 0; word < words; word++) {
      const at = i * words + word;
      if (counts[at] === 0) continue;
      const text = texts[word]!;
      const stem = termOf(text, stemming);
      const term = stem === text ? word : gatherer.numberOf(stem);
      targets[at] = term;
      if (term === word) continue;
      texts[term] ??= stem;
      addTo(aliases, term, { word, at, count: counts[at]! });
      if (!termsOf.get(word)?.includes(term)) addTo(termsOf, word, term);
    }
  }
  const totals = totalsOf(counts, targets, gatherer.termCount);
  const forms = new Map<number, readonly string[]>();
  for (const [term, others] of aliases) {
    forms.set(term, numberForms(term, [...ownUses(term, words, counts, targets), ...others], texts, targets));
  }
  return { texts, words, targets, totals, forms, termsOf };
}

function addTo<T>(lists: Map<number, T[]>, key: number, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

function totalsOf(counts: Uint32Array, targets: Uint32Array, terms: number): Uint32Array {
  const totals = new Uint32Array(terms);
  for (let at = 0; at < counts.length; at++) totals[targets[at]!]! += counts[at]!;
  return totals;
}

/** Where a term is itself a word of documents, and is its own term there. */
function ownUses(term: number, words: number, counts: Uint32Array, targets: Uint32Array): Alias[] {
  const uses: Alias[] = [];
  if (term >= words) return uses;
  for (let at = term; at < counts.length; at += words) {
    if (counts[at]! > 0 && targets[at] === term) uses.push({ word: term, at, count: counts[at]! });
  }
  return uses;
}

/** Writes the numbers of the forms into the targets, the most frequent first, and returns their names. */
function numberForms(
  term: number,
  uses: readonly Alias[],
  texts: readonly string[],
  targets: Uint32Array,
): string[] {
  const counts = new Map<number, number>();
  for (const { word, count } of uses) counts.set(word, (counts.get(word) ?? 0) + count);
  const byCount = [...counts].sort((a, b) => b[1] - a[1] || (texts[a[0]]! < texts[b[0]]! ? -1 : 1));
  const numbers = new Map(byCount.map(([word], number) => [word, Math.min(number, MAX_FORMS - 1)]));
  for (const { word, at } of uses) targets[at] = (term | (numbers.get(word)! << FORM_SHIFT)) >>> 0;
  const names = byCount.map(([word]) => texts[word]!);
  return names.length > MAX_FORMS ? [...names.slice(0, MAX_FORMS - 1), REST] : names;
}
