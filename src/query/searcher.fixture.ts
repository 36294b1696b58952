/** Builds small indexes and opens searchers over them, for tests that search with typed queries. */
import { type Directory, silentLog, systemClock } from '../base/mod.ts';
import { type IndexDocument, IndexWriter } from '../index/mod.ts';
import { type LocalSearcher, type LocalSearcherOptions, openSearcher } from './local-searcher.ts';
import { addSegment, temporaryDirectory } from './matching/naive.fixture.ts';

export async function indexOf(
  t: Parameters<typeof temporaryDirectory>[0],
  ...segments: IndexDocument[][]
): Promise<Directory> {
  const index = temporaryDirectory(t);
  for (const documents of segments) await add(index, documents);
  return index;
}

/** Adds the documents to the index as a new segment. */
export async function add(index: Directory, documents: readonly IndexDocument[]): Promise<void> {
  const writer = new IndexWriter(index, silentLog);
  await addSegment(index, writer, documents);
  writer.commit();
  writer.close();
}

export function open(index: Directory, options: Partial<LocalSearcherOptions> = {}): LocalSearcher {
  return openSearcher(index, { log: silentLog, clock: systemClock, ...options });
}

/** Returns the URLs of the results of a query, best first. */
export async function found(searcher: LocalSearcher, query: string): Promise<string[]> {
  return (await searcher.search({ query, offset: 0, limit: 100 })).results.map(({ url }) => url);
}
