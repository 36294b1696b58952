/** A thread for tests of the pool: the text of each query decides how the thread behaves. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SearchRequest } from '../../query/mod.ts';
import type { FromSearchThread, SearchThreadInput, ToSearchThread } from './search-pool.ts';

const { hurry } = workerData as SearchThreadInput;
const hurried = new Int32Array(hurry);
const tell = (message: FromSearchThread) => parentPort!.postMessage(message);

tell({ kind: 'stats', stats: { docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1 } });
parentPort!.on('message', (message: ToSearchThread) => {
  if (message.kind === 'search') answer(message.request);
  else if (message.kind === 'close') parentPort!.close();
});

function answer({ query }: SearchRequest): void {
  for (let n = 0; query.startsWith('hostile') && n < 4000; n++) {
    if (Atomics.wait(hurried, 0, 0, 5) !== 'timed-out') break;
  }
  if (query === 'greedy') process.exit(1);
  const partial = Atomics.load(hurried, 0) !== 0;
  const response = { query, total: 0, tookMs: 0, partial, notes: [], results: [] };
  tell({ kind: 'answer', answer: response });
}
