/** A further thread of PageRank: started by pagerank.ts with the memory, ends when told through it. */
import { workerData } from 'node:worker_threads';
import { ColumnWorker } from './rank-columns.ts';
import { instantiateKernel, type RankLayout } from './rank-memory.ts';

export interface RankThreadInput {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  layout: RankLayout;
  thread: number;
}

const { module, memory, layout, thread } = workerData as RankThreadInput;
new ColumnWorker(instantiateKernel(module, memory), memory, layout, thread).serve();
