/** Measures the time of suggestions over generated phrases; see main.ts. */
import { Random } from '../../src/base/mod.ts';
import { keyOf, PhraseTable } from '../../src/lexicon/mod.ts';
import type { Phrase } from '../../src/lexicon/phrases-format.ts';
import { encodePhrases } from '../../src/lexicon/phrases-writer.ts';
import { Suggester } from '../../src/query/assistance/suggest/suggester.ts';
import { mistyped } from '../spelling/typing-noise.ts';

export interface SuggestFigures {
  phrases: number;
  /** The size of the table of phrases in memory, which equals the size of its file. */
  sizeBytes: number;
  loadMs: number;
  /** The times of single suggestions in milliseconds, by kind of prefix. */
  times: Record<'as written' | 'with an error', number[]>;
  /** The number of prefixes of each kind that got a suggestion, whether the original phrase or another. */
  answered: Record<'as written' | 'with an error', number>;
}

const SYLLABLES =
  'ba ber con da der en fi gra in ka lo men net no per pro ra re sa ser ta ter ti tion un ver web wi'.split(
    ' ',
  );
const WORDS = 60_000;
const LIMIT = 8;

export function measureSuggestions(count: number, asked: number, seed: number): SuggestFigures {
  const random = new Random(seed);
  const phrases = madePhrases(count, random);
  const body = encodePhrases({ generation: 1, docs: count }, phrases);
  const keys = [...phrases.keys()];
  const startedAt = performance.now();
  const suggester = new Suggester(new PhraseTable(body));
  const loadMs = performance.now() - startedAt;
  const figures: SuggestFigures = {
    phrases: phrases.size,
    sizeBytes: body.length,
    loadMs,
    times: { 'as written': [], 'with an error': [] },
    answered: { 'as written': 0, 'with an error': 0 },
  };
  const ask = (kind: keyof SuggestFigures['times'], typed: string) => {
    const from = performance.now();
    const { length } = suggester.suggest(typed, LIMIT);
    figures.times[kind].push(performance.now() - from);
    if (length > 0) figures.answered[kind]++;
  };
  for (let n = 0; n < asked; n++) {
    const key = random.pick(keys);
    ask('as written', key.slice(0, random.between(1, key.length)));
    const beginning = key.slice(1, random.between(6, 20)).trim();
    ask('with an error', key[0]! + mistyped(beginning, random));
  }
  return figures;
}

/**
 * Makes phrases of two to six words, each of one to four syllables. Common words are far more frequent, as in
 * real titles.
 */
function madePhrases(count: number, random: Random): Map<string, Phrase> {
  const words = Array.from({ length: WORDS }, () =>
    Array.from({ length: random.between(1, 4) }, () => random.pick(SYLLABLES)).join(''),
  );
  const phrases = new Map<string, Phrase>();
  while (phrases.size < count) {
    const length = random.between(2, 6);
    const text = Array.from({ length }, () => words[Math.floor(WORDS * random.next() ** 3)]!).join(' ');
    const url = random.chance(0.5) ? `https://host${random.below(1000)}.example/${phrases.size}` : '';
    phrases.set(keyOf(text), { text, url, weight: random.next() ** 4 });
  }
  return phrases;
}
