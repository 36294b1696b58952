/**
 * Runs SQLite's FTS5 on the benchmark's corpus and queries, with the same arguments and output as gyre.ts.
 * Its ranking is BM25; the text is stored in the same table.
 */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bestOf, cpuMs } from './best-of.ts';
import { readBatches } from './read-corpus.ts';

/**
 * The number of queries to run. It is small, because a phrase or an OR over all documents takes tens of
 * milliseconds.
 */
const QUERIES = 200;

const MODES: Record<string, (words: string[]) => string> = {
  or: (words) => words.map((word) => `"${word}"`).join(' OR '),
  and: (words) => words.map((word) => `"${word}"`).join(' AND '),
  phrase: (words) => `"${words.join(' ')}"`,
};

function index(corpus: string, directory: string): object {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'fts5.db');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;');
  database.exec("CREATE VIRTUAL TABLE pages USING fts5(title, body, tokenize = 'unicode61')");
  const insert = database.prepare('INSERT INTO pages VALUES (?, ?)');
  let docs = 0;
  let textBytes = 0;
  let ms = 0;
  const timed = (work: () => void) => {
    const start = cpuMs();
    work();
    ms += cpuMs() - start;
  };
  timed(() => database.exec('BEGIN'));
  for (const batch of readBatches(corpus)) {
    timed(() => {
      for (const { title, body } of batch) insert.run(title, body);
    });
    for (const { title, body } of batch) textBytes += Buffer.byteLength(title) + Buffer.byteLength(body);
    docs += batch.length;
  }
  timed(() => database.exec('COMMIT'));
  database.close();
  return { docs, seconds: ms / 1000, bytes: Math.max(0, statSync(file).size - textBytes) };
}

function search(queriesPath: string, directory: string): object {
  const lines = readFileSync(queriesPath, 'utf8').split('\n').filter(Boolean).slice(0, QUERIES);
  const database = new DatabaseSync(join(directory, 'fts5.db'), { readOnly: true });
  const select = database.prepare('SELECT rowid, rank FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT 10');
  const times: Record<string, number[]> = {};
  for (const [mode, textOf] of Object.entries(MODES)) {
    times[mode] = lines.map((line) => bestOf(() => select.all(textOf(line.split(' ')))));
  }
  database.close();
  return times;
}

const [command, input = '', directory = ''] = process.argv.slice(2);
console.log(JSON.stringify(command === 'index' ? index(input, directory) : search(input, directory)));
