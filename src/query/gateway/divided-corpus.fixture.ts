/** Indexes over parts of a random corpus, and random requests to compare the responses of their gateways. */
import type { TestContext } from 'node:test';
import { type Random, silentLog } from '../../base/mod.ts';
import { type IndexDocument, IndexReader, IndexWriter } from '../../index/mod.ts';
import { addSegment, temporaryDirectory } from '../matching/naive.fixture.ts';
import { HOSTS, rankOf, signalsOf, textsOf } from '../matching/random-corpus.fixture.ts';
import type { SearchRequest, SearchResponse } from '../searcher.ts';

export const LANGUAGES = ['', 'en', 'de', 'fr', 'pl'];

/** Returns the documents of one of `count` shards, which are divided by the fingerprints of their URLs. */
export function partOfDocuments(
  documents: readonly IndexDocument[],
  shard: number,
  count: number,
): IndexDocument[] {
  return documents.filter(({ fingerprint }) => Number(BigInt.asUintN(32, fingerprint)) % count === shard);
}

/** Builds an index of two segments with the documents of a shard, and with documents that are then deleted. */
export async function readerOver(
  t: TestContext,
  own: readonly IndexDocument[],
  deleted: readonly IndexDocument[],
): Promise<IndexReader> {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  const middle = Math.ceil(own.length / 2);
  for (const documents of [[...own.slice(0, middle), ...deleted], own.slice(middle)])
    if (documents.length > 0) await addSegment(directory, writer, documents, rankOf, textsOf, signalsOf);
  writer.deleteDocuments(deleted.map(({ fingerprint }) => fingerprint));
  writer.commit();
  writer.close();
  return new IndexReader(directory, silentLog);
}

export function randomRequest(random: Random, query: string): SearchRequest {
  const request: SearchRequest = { query, offset: random.pick([0, 0, 3, 10]), limit: random.between(1, 12) };
  if (random.chance(0.5)) request.perHost = random.between(1, 3);
  if (random.chance(0.5)) request.collapse = true;
  if (random.chance(0.3)) request.order = 'newest';
  if (random.chance(0.3)) request.preferredLanguage = random.pick(LANGUAGES);
  if (random.chance(0.4)) {
    const effects = ['block', 'lower', 'raise', 'pin', 'normal'] as const;
    request.siteRules = HOSTS.map((site) => ({ site, effect: random.pick(effects) }));
  }
  return request;
}

/**
 * Removes the time and the cursor from a response before responses are compared: cursors contain the generations of
 * the shards, which differ.
 */
export function comparable({ tookMs, cursor, ...response }: SearchResponse) {
  return { ...response, hasCursor: cursor !== undefined };
}
