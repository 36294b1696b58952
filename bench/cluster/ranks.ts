/**
 * Measures the iterations of PageRank in parts: 1, 2 and 4 workers on one graph. The workers run one after the other in
 * this process, and the processor time of each is measured: the engine, the slices that it reads and the slice that it
 * writes, through a directory. The critical path of an iteration is the time of its slowest worker; waiting and the
 * network are not included.
 *
 * `tileBytes` is the memory of a worker for tiles. If it is less than the tiles of its part, the worker reads them from
 * disk in every iteration, as one worker must on a graph that is larger than its memory.
 */
import { blobsIn } from '../../src/base/files/blob-store.ts';
import { type BlobStore, type Directory, silentLog } from '../../src/base/mod.ts';
import { PartCache } from '../../src/graph/parts/part-cache.ts';
import { PartEngines } from '../../src/graph/parts/part-engines.ts';
import type { FinishedTask, RankBoard, RankJob, RankTaskResult } from '../../src/graph/parts/rank-job.ts';
import { startRanks, stepRanks } from '../../src/graph/parts/step-tasks.ts';
import { blobName, TaskContext } from '../../src/graph/parts/task-context.ts';
import { GraphBuilder, GraphFile, RANGE_NODES, tileRangesOf } from '../../src/graph/tiles/mod.ts';
import type { BenchRow } from '../report.ts';

const EPOCH = 1;

export interface RanksBench {
  directory: Directory;
  /** The name of a graph file in the directory. */
  graph: string;
  tileBytes: number;
  iterations: number;
}

export async function measureRanks(bench: RanksBench, workers: number): Promise<BenchRow> {
  const job: RankJob = { name: `bench-${workers}`, generation: 1, writers: [], parts: workers };
  const blobs = blobsIn(bench.directory.directory('blobs'));
  const results = new Map<string, FinishedTask[]>(await divideGraph(bench, job, blobs));
  const contextOf = contexts(bench, job, blobs, results);
  await runPhase('start', startRanks, workers, contextOf, results);
  const times: number[][] = [];
  for (let step = 1; step <= bench.iterations; step++)
    times.push(await runPhase(`step-${step}`, stepRanks, workers, contextOf, results));
  for (const name of await blobs.list(job.name)) await blobs.delete(name);
  // The first iteration also reads the tiles of all parts.
  const steps = times.slice(1);
  const critical = median(steps.map((each) => Math.max(...each)));
  return {
    name: 'ranks',
    workers,
    'critical path ms': critical,
    'CPU ms of all': median(steps.map((each) => each.reduce((sum, ms) => sum + ms, 0))),
    'distance at the end': results
      .get(`step-${bench.iterations}`)!
      .reduce((sum, { result }) => sum + Number(result.distance), 0),
  };
}

type ContextOf = (worker: number, phase: string) => TaskContext;

function contexts(
  bench: RanksBench,
  job: RankJob,
  blobs: BlobStore,
  results: ReadonlyMap<string, FinishedTask[]>,
): ContextOf {
  const board = { job, resultsOf: async (name: string) => results.get(name)! } as RankBoard;
  const workers = Array.from({ length: job.parts }, (_, worker) => ({
    scratch: bench.directory.directory(`${job.name}-${worker}`),
    memory: {
      parts: new PartCache(),
      engines: new PartEngines(),
      results: new Map<string, FinishedTask[]>(),
    },
  }));
  return (worker, name) => {
    const { scratch, memory } = workers[worker]!;
    const options = {
      ...{ board, blobs, scratch, log: silentLog, tileBytes: bench.tileBytes },
      journalOf: async () => scratch,
    };
    return new TaskContext(options, memory, { phase: 0, name, task: worker, epoch: EPOCH });
  };
}

/** Runs the tasks of a phase. Returns the processor time of each in milliseconds. */
async function runPhase(
  phase: string,
  run: (context: TaskContext) => Promise<RankTaskResult>,
  workers: number,
  contextOf: ContextOf,
  results: Map<string, FinishedTask[]>,
): Promise<number[]> {
  const finished: FinishedTask[] = [];
  const times: number[] = [];
  for (let worker = 0; worker < workers; worker++) {
    const before = process.cpuUsage();
    finished.push({ epoch: EPOCH, result: await run(contextOf(worker, phase)) });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  results.set(phase, finished);
  return times;
}

/** Writes the graph files of parts with the same number of columns, as the phase `tiles` does. */
async function divideGraph(
  { directory, graph: name }: RanksBench,
  job: RankJob,
  blobs: BlobStore,
): Promise<[string, FinishedTask[]][]> {
  const graph = new GraphFile(directory, name);
  const { nodeCount, weights } = graph.shape;
  const columns = tileRangesOf(nodeCount);
  const firstColumns = Array.from({ length: job.parts + 1 }, (_, part) =>
    Math.round((columns * part) / job.parts),
  );
  const counts = firstColumns
    .slice(1)
    .map((end, part) => Math.min(end * RANGE_NODES, nodeCount) - firstColumns[part]! * RANGE_NODES);
  const builders = counts.map((count, part) => {
    const firstNode = firstColumns[part]! * RANGE_NODES;
    return new GraphBuilder(directory, blobName(job, 'tiles', part, EPOCH, 'graph'), {
      ...{ nodeCount: count, weights, part: { firstColumn: firstColumns[part]!, blocks: columns } },
      outWeights: graph.outWeights.slice(firstNode, firstNode + count),
    });
  });
  let part = 0;
  graph.forEachEdge((source, target, kind) => {
    while (target >= firstColumns[part + 1]! * RANGE_NODES) part++;
    builders[part]!.add(source, target, kind);
  });
  graph.close();
  for (const [part, builder] of builders.entries()) {
    builder.finish();
    const file = blobName(job, 'tiles', part, EPOCH, 'graph');
    await blobs.put(file, directory.read(file));
    directory.remove(file);
  }
  const finished = (values: RankTaskResult[]) => values.map((result) => ({ epoch: EPOCH, result }));
  return [
    ['nodes', finished(counts.map((nodes) => ({ nodes })))],
    ['tiles', finished(counts.map(() => ({})))],
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
