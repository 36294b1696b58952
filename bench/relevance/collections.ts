/**
 * Opens judged collections: one folder for each, with `corpus.jsonl` (`{"id","title","text"}` per line),
 * `queries.tsv` and `qrels.txt`. They are research data and are never stored in the repository.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageOfDocument, parseDocument } from '../../src/archive/mod.ts';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { indexDocumentOf } from '../../src/build/index-document.ts';
import { embedDocuments, missingVectors } from '../../src/build/mod.ts';
import { IndexReader, IndexWriter, SegmentBuffer } from '../../src/index/mod.ts';
import type { Embedder } from '../../src/meaning/mod.ts';
import { type LocalSearcher, openSearcher } from '../../src/query/mod.ts';
import { type Profile, parseQrels, parseTopics, type Qrels, type Topic } from '../../src/scoring/mod.ts';

export interface Collection {
  name: string;
  topics: Topic[];
  qrels: Qrels;
  /** Opens a searcher over the index with another ranking profile. */
  open(profile: Profile): LocalSearcher;
  /** Returns the identifier that the collection gives to the document at a URL. */
  idOf(url: string): string;
  close(): void;
}

const DEFAULT_DIRECTORY = join(import.meta.dirname, '..', '..', '..', 'shared', 'relevance');

/** Returns the names of the collections in `directory`; empty if there are none. */
export function collectionNames(directory = DEFAULT_DIRECTORY): string[] {
  if (!existsSync(directory)) return [];
  const hasCorpus = (name: string) => existsSync(join(directory, name, 'corpus.jsonl'));
  return readdirSync(directory).filter(hasCorpus).sort();
}

/**
 * Indexes a collection in a temporary directory. Only queries with judgements are kept. With an embedder, documents are
 * also found by meaning.
 */
export async function openCollection(
  name: string,
  directory = DEFAULT_DIRECTORY,
  embedder: Embedder | null = null,
): Promise<Collection> {
  const read = (file: string) => readFileSync(join(directory, name, file), 'utf8');
  const path = mkdtempSync(join(tmpdir(), `gyre-${name}-`));
  const index = openDirectory(path);
  const qrels = parseQrels(read('qrels.txt'), `${name}/qrels.txt`);
  const ids = await indexLines(read('corpus.jsonl').split('\n'), name, index);
  if (embedder) embedAll(index, embedder);
  const embedQuery = (text: string) =>
    embedder && { model: embedder.modelId, vector: embedder.embed([text])[0]! };
  return {
    name,
    topics: parseTopics(read('queries.tsv'), `${name}/queries.tsv`).filter(({ id }) => qrels.has(id)),
    qrels,
    open: (profile) => openSearcher(index, { log: silentLog, clock: systemClock, profile, embedQuery }),
    idOf: (url) => ids.get(url) ?? url,
    close: () => rmSync(path, { recursive: true, force: true }),
  };
}

/**
 * Indexes documents like `gyre import` and `gyre build`, but keeps duplicates, because every judged document
 * must be in the index.
 */
async function indexLines(
  lines: readonly string[],
  name: string,
  index: ReturnType<typeof openDirectory>,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const buffer = new SegmentBuffer();
  for (const line of lines) {
    const parsed = line === '' ? null : parseDocument(line, name);
    if (!parsed || !('document' in parsed)) continue;
    const { url } = parsed.document;
    const page = pageOfDocument(parsed.document);
    if (!page) continue;
    ids.set(url, String((JSON.parse(line) as { id: unknown }).id));
    buffer.add(indexDocumentOf({ kind: 'page', url, fetchedAt: 0, digest: '', page }));
  }
  const writer = new IndexWriter(index, silentLog);
  const segment = writer.reserveName();
  await buffer.write(index, segment, (url) => url);
  writer.adopt(segment, null);
  writer.commit();
  writer.close();
  return ids;
}

/** The number of documents that are embedded at once. */
const STEP = 8;

function embedAll(index: ReturnType<typeof openDirectory>, embedder: Embedder): void {
  const reader = new IndexReader(index, silentLog);
  const { missing } = missingVectors(reader, embedder, { part: 0, parts: 1, waiting: new Set() });
  const entries = [];
  for (let at = 0; at < missing.length; at += STEP)
    entries.push(...embedDocuments(missing.slice(at, at + STEP), embedder));
  reader.close();
  const writer = new IndexWriter(index, silentLog);
  const vectors = new Map(entries.map((entry) => [entry.fingerprint, entry]));
  writer.setVectors(embedder.modelId, embedder.dimension, vectors);
  writer.commit();
  writer.close();
}
