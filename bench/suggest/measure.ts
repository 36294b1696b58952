/** Measures the time of suggestions over generated phrases; see main.ts. */
import { Random } from '../../src/base/mod.ts';
import {
  encodeLexicon,
  keyOf,
  PhraseUse,
  phraseColumns,
  phrasesOfSegment,
  SegmentLexicon,
  textColumn,
  USE_BITS,
} from '../../src/lexicon/mod.ts';
import type { PhraseRow } from '../../src/lexicon/segments/segment-lexicon-format.ts';
import { Suggester } from '../../src/query/assistance/suggest/suggester.ts';
import { mistyped } from '../spelling/typing-noise.ts';

export interface SuggestFigures {
  phrases: number;
  /** The size of the tables of phrases in memory, which equals the size of their files. */
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

export function measureSuggestions(count: number, asked: number, seed: number, segments = 1): SuggestFigures {
  const random = new Random(seed);
  const phrases = madePhrases(count, random);
  const bodies = bodiesOf(phrases, segments);
  const keys = [...phrases.keys()];
  const startedAt = performance.now();
  const tables = bodies.map(({ body, ranks }) => phrasesOfSegment(new SegmentLexicon(body), ranks));
  const suggester = new Suggester(tables);
  const loadMs = performance.now() - startedAt;
  const figures: SuggestFigures = {
    phrases: phrases.size,
    sizeBytes: bodies.reduce((sum, { body }) => sum + body.length, 0),
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
 * Returns the lexicons of segments in which each phrase belongs to a document of its own; one phrase in ten is
 * in two segments.
 */
function bodiesOf(
  phrases: ReadonlyMap<string, MadePhrase>,
  segments: number,
): { body: Buffer; ranks: Float32Array }[] {
  const parts = Array.from({ length: segments }, () => ({
    rows: [] as PhraseRow[],
    urls: [] as string[],
    ranks: [] as number[],
  }));
  for (const [at, [key, { text, url, rank }]] of [...phrases].entries()) {
    for (const number of at % 10 === 0 && segments > 1 ? [at, at + 1] : [at]) {
      const part = parts[number % segments]!;
      const use = url === '' ? PhraseUse.heading : PhraseUse.title;
      part.rows.push({ key, text, usedBy: [(part.urls.length << USE_BITS) | use] });
      part.urls.push(url);
      part.ranks.push(rank);
    }
  }
  const none = new Uint32Array(0);
  const words = { total: 0, words: [], counts: none, pairEnds: none, seconds: none, together: none };
  return parts.map(({ rows, urls, ranks }) => ({
    body: encodeLexicon({ ...words, phrases: phraseColumns(rows), urls: textColumn(urls) }),
    ranks: Float32Array.from(ranks),
  }));
}

interface MadePhrase {
  text: string;
  /** The URL of the page whose title the phrase is; empty if the phrase is a heading. */
  url: string;
  /** The PageRank of the page that has this phrase as its title. */
  rank: number;
}

/**
 * Makes phrases of two to six words, each of one to four syllables. Common words are far more frequent, as in
 * real titles.
 */
function madePhrases(count: number, random: Random): Map<string, MadePhrase> {
  const words = Array.from({ length: WORDS }, () =>
    Array.from({ length: random.between(1, 4) }, () => random.pick(SYLLABLES)).join(''),
  );
  const phrases = new Map<string, MadePhrase>();
  while (phrases.size < count) {
    const length = random.between(2, 6);
    const text = Array.from({ length }, () => words[Math.floor(WORDS * random.next() ** 3)]!).join(' ');
    const url = random.chance(0.5) ? `https://host${random.below(1000)}.example/${phrases.size}` : '';
    phrases.set(keyOf(text), { text, url, rank: 16 * random.next() ** 4 });
  }
  return phrases;
}
