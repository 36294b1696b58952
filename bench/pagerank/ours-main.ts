/**
 * Runs the PageRank of Gyre in a separate process, so that its time and memory can be measured alone:
 *
 *   node ours-main.ts build|rank EDGES NODES FOLDER THREADS
 *
 * `build` makes a graph file from the file of unsorted edges; `rank` also computes converged ranks. Prints
 * JSON.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { openDirectory } from '../../src/base/mod.ts';
import { pageRank } from '../../src/graph/pagerank/pagerank.ts';
import { GraphFile } from '../../src/graph/tiles/tiles-reader.ts';
import { GraphBuilder } from '../../src/graph/tiles/tiles-writer.ts';

const READ_EDGES = 1 << 17;

const [task, path, nodes, folder, threads] = process.argv.slice(2);
const started = performance.now();
const directory = openDirectory(folder!);
const { edgeCount } = build();
const answer = { edgeCount, ...(task === 'rank' && rank()) };
const seconds = (performance.now() - started) / 1000;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cost = { seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 };
console.log(JSON.stringify({ ...cost, ...answer }));

function build(): { edgeCount: number } {
  const builder = new GraphBuilder(directory, 'bench.graph', { nodeCount: Number(nodes) });
  const pairs = new Uint32Array(READ_EDGES * 2);
  const file = openSync(path!, 'r');
  for (let count = readSync(file, pairs); count > 0; count = readSync(file, pairs))
    for (let at = 0; at < count / 4; at += 2) builder.add(pairs[at]!, pairs[at + 1]!);
  closeSync(file);
  return builder.finish();
}

function rank(): { iterations: number; best: number } {
  const graph = new GraphFile(directory, 'bench.graph');
  const { ranks, iterations } = pageRank(graph, { threads: Number(threads) });
  graph.close();
  return { iterations, best: ranks.indexOf(ranks.reduce((best, value) => Math.max(best, value), 0)) };
}
