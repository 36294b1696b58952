/**
 * Generates documents and queries for bench:serve from a seed. Words follow Zipf's law, as in any language,
 * and pages are on a few hundred hosts. Queries have one to four adjacent words of a page. A few queries are
 * far more frequent than most, some are for a phrase, and some for the second page of results.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { Random } from '../../src/base/mod.ts';

const VOCABULARY = 60_000;
const HOSTS = 400;
const MEAN_WORDS = 250;
const SYLLABLES = 'ba ke mi no tu ra se li po du ga fe vi zo lu ta che ni mo sa'.split(' ');

export interface Corpus {
  /** The paths of search requests, in the order in which they are sent. */
  paths: string[];
}

/** Writes `docs` documents as lines of `{id, url, title, body}`, the format of bench/engine. */
export function writeCorpus(file: string, docs: number, asked: number): Corpus {
  const random = new Random(11);
  const words = Array.from({ length: VOCABULARY }, (_, at) => wordOf(at));
  const cumulative = zipf(VOCABULARY, 1);
  const questions: string[] = [];
  const out = openSync(file, 'w');
  let buffered = '';
  for (let doc = 0; doc < docs; doc++) {
    const length = random.between(MEAN_WORDS / 4, (MEAN_WORDS * 7) / 4);
    const body = Array.from({ length }, () => words[draw(cumulative, random)]!);
    const url = `http://site${doc % HOSTS}.example/page/${doc}`;
    buffered += `${JSON.stringify({ id: url, url, title: body.slice(0, 5).join(' '), body: body.join(' ') })}\n`;
    if (questions.length < asked && random.chance(0.2)) questions.push(questionOf(body, random));
    if (buffered.length > 1 << 20 || doc === docs - 1) {
      writeSync(out, buffered);
      buffered = '';
    }
  }
  closeSync(out);
  const popularity = zipf(questions.length, 0.8);
  return { paths: Array.from({ length: asked }, () => questions[draw(popularity, random)]!) };
}

function questionOf(body: readonly string[], random: Random): string {
  const count = random.between(1, 4);
  const from = random.below(Math.max(1, body.length - count));
  const text = body.slice(from, from + count).join(' ');
  const query = encodeURIComponent(random.chance(0.1) ? `"${text}"` : text);
  return `/search?q=${query}${random.chance(0.1) ? '&page=2' : ''}`;
}

/**
 * Returns a different word for every number: one syllable for each digit of the number in base (number of
 * syllables).
 */
function wordOf(number: number): string {
  const syllable = SYLLABLES[number % SYLLABLES.length]!;
  return number < SYLLABLES.length ? syllable : wordOf(Math.floor(number / SYLLABLES.length) - 1) + syllable;
}

function zipf(size: number, exponent: number): Float64Array {
  const cumulative = new Float64Array(size);
  let sum = 0;
  for (let at = 0; at < size; at++) {
    sum += 1 / (at + 2) ** exponent;
    cumulative[at] = sum;
  }
  return cumulative;
}

function draw(cumulative: Float64Array, random: Random): number {
  const target = random.next() * cumulative.at(-1)!;
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cumulative[middle]! < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
