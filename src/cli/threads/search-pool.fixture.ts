/**
 * A search thread for tests of the pool. The text of each query decides how the thread behaves, for example that it
 * crashes.
 */
import { workerData } from 'node:worker_threads';
import { serveChannel } from '../../base/mod.ts';
import type { SearchRequest, SearchResponse } from '../../query/mod.ts';
import type { SearchReply, ToSearchThread } from './search-pool.ts';
import type { SearchThreadInput } from './search-thread-start.ts';

const { hurry } = workerData as SearchThreadInput;
const hurried = new Int32Array(hurry);

serveChannel<ToSearchThread, SearchReply>({
  handle: (request) => {
    if (request.kind === 'search') return answer(request.request);
    return { docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1 };
  },
  isLast: ({ kind }) => kind === 'close',
});

function answer({ query }: SearchRequest): SearchResponse {
  for (let n = 0; query.startsWith('hostile') && n < 4000; n++) {
    if (Atomics.wait(hurried, 0, 0, 5) !== 'timed-out') break;
  }
  if (query === 'greedy') process.exit(1);
  const partial = Atomics.load(hurried, 0) !== 0;
  return { query, total: 0, tookMs: 0, partial, notes: [], results: [] };
}
