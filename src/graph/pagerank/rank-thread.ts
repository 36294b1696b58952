/**
 * The entry point of an additional PageRank thread. pagerank.ts starts it with the shared memory, and stops
 * it by a flag in that memory.
 */
import { workerData } from 'node:worker_threads';
import { startKernel } from '../../base/mod.ts';
import { ColumnWorker } from './rank-columns.ts';
import type { RankLayout } from './rank-memory.ts';

export interface RankThreadInput {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  layout: RankLayout;
  thread: number;
}

const { module, memory, layout, thread } = workerData as RankThreadInput;
new ColumnWorker(startKernel(module, memory), memory, layout, thread).serve();
