/**
 * Generates queries for a corpus: adjacent words of its documents, half of them from titles.
 *
 *   node bench/engine/queries.ts --corpus corpus.jsonl --out queries.txt [--count 1000]
 *
 * Because the words are adjacent, the same line can be used as a query for any of the words, for all of the
 * words, and for the phrase. Each of these queries has a result.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from '../../src/base/mod.ts';
import { tokenize } from '../../src/text/mod.ts';
import { readCorpus } from './read-corpus.ts';

const MIN_WORDS = 2;
const MAX_WORDS = 4;

function wordsOf(text: string): string[] {
  const words: string[] = [];
  tokenize(text, (term) => words.push(term));
  return words;
}

/** Returns a line of words from each of `count` documents, drawn with a fixed seed. */
export function makeQueries(corpus: string, count: number): string[] {
  const random = new Random(7);
  const reservoir: { title: string; body: string }[] = [];
  let seen = 0;
  for (const { title, body } of readCorpus(corpus)) {
    const slot = seen++ < count ? seen - 1 : random.below(seen);
    if (slot < count) reservoir[slot] = { title, body: body.slice(0, 4000) };
  }
  return reservoir.flatMap(({ title, body }, i) => {
    const words = wordsOf(i % 2 === 0 ? title : body).filter((word) => /^[a-z][a-z0-9]*$/.test(word));
    const length = Math.min(words.length, random.between(MIN_WORDS, MAX_WORDS));
    if (length < MIN_WORDS) return [];
    const from = random.below(words.length - length + 1);
    return [words.slice(from, from + length).join(' ')];
  });
}

function main(): void {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string', default: 'corpus.jsonl' },
      out: { type: 'string', default: 'queries.txt' },
      count: { type: 'string', default: '1000' },
    },
  });
  const queries = makeQueries(values.corpus, Number(values.count));
  writeFileSync(values.out, `${queries.join('\n')}\n`);
  console.log(`${queries.length} queries in ${values.out}`);
}

if (import.meta.main) main();
