/**
 * Makes queries over real pages: judged queries from a file, titles of pages, and sets of queries of one kind
 * each. The sets are made of words of the pages, and show what makes a query expensive. The same pages and seed
 * give the same queries.
 */
import { readFileSync } from 'node:fs';
import { Random } from '../../src/base/mod.ts';
import { tokenize } from '../../src/text/mod.ts';
import { linesOf } from '../engine/read-corpus.ts';
import { parseJudgedQueries } from '../realweb/judged-queries.ts';
import { plainQuery } from '../realweb/lost-pages.ts';
import { sampleOf } from '../realweb/sample.ts';

export interface SampledPage {
  title: string;
  /** The first words of the page's text. */
  words: string[];
}

const SEED = 16;
const SAMPLED_PAGES = 5000;
const SAMPLED_CHARACTERS = 4000;
const WORD_COUNTS = [1, 2, 3, 4, 6, 8];
/** The number of words that count as common: the words that occur in the most pages. */
const COMMON_WORDS = 50;
const COMMON_PER_QUERY = 3;

/** Reads a sample of the pages in a file of `gyre export`. */
export function samplePages(exported: string): SampledPage[] {
  const random = new Random(SEED);
  const lines: string[] = [];
  let seen = 0;
  for (const line of linesOf(exported)) {
    const slot = seen++ < SAMPLED_PAGES ? seen - 1 : random.below(seen);
    if (slot < SAMPLED_PAGES) lines[slot] = line;
  }
  return lines.map((line) => {
    const { title, text } = JSON.parse(line) as { title: string; text: string };
    return { title: plainQuery(title), words: wordsOf(text.slice(0, SAMPLED_CHARACTERS)) };
  });
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  tokenize(text, (term) => words.push(term));
  return words;
}

/** Returns the titles of the pages as queries, each once. */
export function titleQueries(pages: readonly SampledPage[]): string[] {
  return [...new Set(pages.map(({ title }) => title))].filter(Boolean);
}

/**
 * Returns the queries of files of judged queries, each once; if there are fewer than `count`, titles are added
 * after them.
 */
export function mainQueries(files: readonly string[], titles: readonly string[], count: number): string[] {
  const judged = files.flatMap((file) => parseJudgedQueries(readFileSync(file, 'utf8')));
  const queries = [...new Set(judged.map(({ query }) => query))];
  return [...queries, ...titles.slice(0, Math.max(0, count - queries.length))];
}

/**
 * Returns queries by kind: 1 to 8 adjacent words, the most common words, and words with digits. Adjacent words
 * are taken unchanged from texts, including common words.
 */
export function queriesByKind(pages: readonly SampledPage[], count: number): Map<string, string[]> {
  const kinds = new Map<string, string[]>();
  for (const words of WORD_COUNTS) {
    const random = new Random(SEED + words);
    const texts = pages.flatMap(({ words: all }) => adjacentWords(all, words, random) ?? []);
    kinds.set(words === 1 ? '1 word' : `${words} words`, sampleOf([...new Set(texts)], count, random));
  }
  kinds.set('common words', commonQueries(pages, count));
  const digits = pages.flatMap(({ words }) => words.filter((word) => /\d/.test(word)));
  kinds.set('digits', sampleOf([...new Set(digits)], count, new Random(SEED)));
  return kinds;
}

function adjacentWords(words: readonly string[], count: number, random: Random): string | null {
  const plain = words.filter((word) => /^[a-z]+$/.test(word));
  if (plain.length < count) return null;
  const from = random.below(plain.length - count + 1);
  return plain.slice(from, from + count).join(' ');
}

function commonQueries(pages: readonly SampledPage[], count: number): string[] {
  const pageCounts = new Map<string, number>();
  for (const { words } of pages)
    for (const word of new Set(words)) pageCounts.set(word, (pageCounts.get(word) ?? 0) + 1);
  const common = [...pageCounts]
    .filter(([word]) => /^[a-z]{2,}$/.test(word))
    .sort((a, b) => b[1] - a[1])
    .slice(0, COMMON_WORDS)
    .map(([word]) => word);
  const random = new Random(SEED);
  return Array.from({ length: count }, () => sampleOf(common, COMMON_PER_QUERY, random).join(' '));
}
