/**
 * Runs MiniSearch on the benchmark's corpus and queries, with the same arguments and output as gyre.ts.
 * MiniSearch keeps all data in memory. It has no phrase queries, so AND queries replace them. The size of the
 * index is the size of its JSON.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bestOf } from './best-of.ts';
import { readCorpus } from './read-corpus.ts';

interface Engine {
  add(document: object): void;
  search(query: string, options: object): { id: string; score: number }[];
}

interface EngineClass {
  new (options: object): Engine;
  loadJSON(json: string, options: object): Engine;
}

const QUERIES = 100;
const OPTIONS = { fields: ['title', 'body'], idField: 'id' };

/** The MiniSearch class. The package is in bench/package.json. */
const MiniSearch = createRequire(import.meta.url)('minisearch') as EngineClass;

function index(corpus: string, directory: string): object {
  mkdirSync(directory, { recursive: true });
  const engine = new MiniSearch(OPTIONS);
  let docs = 0;
  let ms = 0;
  for (const document of readCorpus(corpus)) {
    const start = cpuMs();
    engine.add(document);
    ms += cpuMs() - start;
    docs++;
  }
  const file = join(directory, 'minisearch.json');
  writeFileSync(file, JSON.stringify(engine));
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  return { docs, seconds: ms / 1000, bytes: statSync(file).size, peakBytes };
}

function search(queriesPath: string, directory: string): object {
  const lines = readFileSync(queriesPath, 'utf8').split('\n').filter(Boolean).slice(0, QUERIES);
  const engine = MiniSearch.loadJSON(readFileSync(join(directory, 'minisearch.json'), 'utf8'), OPTIONS);
  const timesOf = (combineWith: string) =>
    lines.map((line) => bestOf(() => engine.search(line, { combineWith }).slice(0, 10)));
  const and = timesOf('AND');
  return { or: timesOf('OR'), and, phrase: and, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const [command, input = '', directory = ''] = process.argv.slice(2);
console.log(JSON.stringify(command === 'index' ? index(input, directory) : search(input, directory)));
