/**
 * Runs Gyre on the corpus and the queries of bench:engine, on one thread. `main.ts` starts it as a process:
 *
 *   node bench/engine/gyre.ts index  CORPUS DIRECTORY
 *   node bench/engine/gyre.ts search QUERIES DIRECTORY
 *
 * Prints one line of JSON, like the programs that run the rivals.
 */
import { readFileSync } from 'node:fs';
import { openDirectory, SEAL_FOOTER_BYTES, silentLog } from '../../src/base/mod.ts';
import { type IndexDocument, IndexReader, IndexWriter, SegmentBuffer } from '../../src/index/mod.ts';
import { mergeAll, mergeIfDue } from '../../src/index/segment/documents.fixture.ts';
import { DOCUMENTS_AT, decodeFooter, FOOTER_BYTES } from '../../src/index/segment/segment-format.ts';
import { NO_DEADLINE } from '../../src/query/deadline.ts';
import { readQueryIn, statisticsIn } from '../../src/query/gateway/read-query.fixture.ts';
import { evaluate } from '../../src/query/matching/evaluate.ts';
import { KernelSearch } from '../../src/query/matching/kernel-search.ts';
import { lookUp } from '../../src/query/terms/statistics.ts';
import { DEFAULT_PROFILE } from '../../src/scoring/mod.ts';
import { type CanonicalUrl, fingerprint, hostOf, localityKey } from '../../src/url/mod.ts';
import { cpuMs } from './best-of.ts';
import type { CorpusDocument } from './corpus.ts';
import { readBatches } from './read-corpus.ts';

/** The memory for indexing in bytes. This is less than the 256 MB that Lucene gets. */
const BUFFER_BYTES = 208 * 1024 * 1024;
const CACHE_BYTES = 512 * 1024 * 1024;
const ROUNDS = 5;

const MODES: Record<string, (words: string[]) => string> = {
  or: (words) => words.join(' '),
  and: (words) => words.map((word) => `+${word}`).join(' '),
  phrase: (words) => `"${words.join(' ')}"`,
};

function indexDocumentOf({ url, title, body }: CorpusDocument): IndexDocument {
  return {
    stored: { url, title, description: '', text: body, language: '', fetchedAt: 0 },
    fingerprint: fingerprint(url as CanonicalUrl),
    host: hostOf(url as CanonicalUrl),
    urlDepth: 1,
    title,
    text: body,
    fieldRanges: [],
    urlText: '',
  };
}

const orderKey = (url: string): string => localityKey(url as CanonicalUrl);

async function index(corpus: string, path: string): Promise<object> {
  const directory = openDirectory(path);
  const writer = new IndexWriter(directory, silentLog);
  const buffer = new SegmentBuffer();
  let docs = 0;
  let ms = 0;
  const flush = async () => {
    const name = writer.reserveName();
    await buffer.write(directory, name, orderKey);
    writer.adopt(name, null);
    buffer.clear();
  };
  const timed = async (work: () => Promise<void>) => {
    const start = cpuMs();
    await work();
    ms += cpuMs() - start;
  };
  for (const batch of readBatches(corpus)) {
    await timed(async () => {
      for (const line of batch) {
        buffer.add(indexDocumentOf(line));
        if (buffer.sizeBytes > BUFFER_BYTES) await flush();
      }
    });
    docs += batch.length;
  }
  await timed(async () => {
    await flush();
    writer.commit();
    while (await mergeIfDue(directory, writer, orderKey)) writer.commit();
  });
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  await mergeAll(directory, writer, orderKey);
  writer.commit();
  writer.close();
  const reader = new IndexReader(directory, silentLog);
  const names = reader.segments.map(({ reader: segment }) => segment.name);
  reader.close();
  const bytes = names.reduce((sum, name) => sum + bytesWithoutDocuments(directory.read(name), name), 0);
  return { docs, seconds: ms / 1000, bytes, peakBytes };
}

function bytesWithoutDocuments(segment: Buffer, name: string): number {
  const footerAt = segment.length - SEAL_FOOTER_BYTES - FOOTER_BYTES;
  const { postingsAt } = decodeFooter(segment.subarray(footerAt, footerAt + FOOTER_BYTES), name, footerAt);
  return segment.length - (postingsAt - DOCUMENTS_AT);
}

async function search(queriesPath: string, path: string): Promise<object> {
  const lines = readFileSync(queriesPath, 'utf8').split('\n').filter(Boolean);
  const reader = new IndexReader(openDirectory(path), silentLog);
  const kernel = new KernelSearch(CACHE_BYTES);
  const run = async (text: string, count: boolean) => {
    const query = await readQueryIn(reader, text);
    const searched = lookUp(reader.segments, query.terms);
    const statistics = statisticsIn(searched, query);
    const limits = { keep: 10, count, deadline: NO_DEADLINE };
    return evaluate(query, searched, statistics, DEFAULT_PROFILE, limits, kernel);
  };
  const times: Record<string, number[]> = {};
  for (const [mode, textOf] of Object.entries(MODES)) {
    const queries = lines.map((line) => textOf(line.split(' ')));
    times[mode] = await timesOf(queries, (query) => run(query, false));
    times[`${mode}Counted`] = await timesOf(queries, (query) => run(query, true));
  }
  return { ...times, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

/** Returns the best time of each query in the last rounds, in milliseconds. */
async function timesOf(
  queries: readonly string[],
  run: (query: string) => Promise<unknown>,
): Promise<number[]> {
  const best = queries.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, query] of queries.entries()) {
      const start = performance.now();
      await run(query);
      const ms = performance.now() - start;
      if (round >= 2) best[i] = Math.min(best[i]!, ms);
    }
  }
  return best;
}

const [command, input = '', directory = ''] = process.argv.slice(2);
console.log(
  JSON.stringify(command === 'index' ? await index(input, directory) : await search(input, directory)),
);
