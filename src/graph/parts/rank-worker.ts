/**
 * A worker of a ranking: takes tasks from the board and runs them until the job is finished.
 *
 * A task computes without pauses for up to minutes, so nothing else runs in the thread of a worker. The caller
 * runs it in a thread of its own, and renews the lease of its node in another thread of the same process: a
 * process that is killed or suspended then loses its lease, but a worker that computes for a long time keeps
 * it.
 */
import { writeFiles, removeOthers } from './file-tasks.ts';
import { buildTiles, exchangeLinks } from './link-tasks.ts';
import { layOutHosts, listNodes, markNodes } from './node-tasks.ts';
import { PartCache } from './part-cache.ts';
import { PartEngines } from './part-engines.ts';
import { phaseAfter, stepOf, type TakenTask, type RankTaskResult, taskCountOf } from './rank-job.ts';
import { makeRuns, planParts, splitRuns } from './split-tasks.ts';
import { startRanks, stepRanks } from './step-tasks.ts';
import { TaskContext, type WorkerMemory, type RankWorkerOptions } from './task-context.ts';
import { collectAliases, collectNames, numberUrls, resolveDocuments } from './url-tasks.ts';

const DEFAULT_MAX_ITERATIONS = 100;
const DEFAULT_TOLERANCE = 1e-6;

const TASKS: Readonly<Record<string, (context: TaskContext) => Promise<RankTaskResult>>> = {
  runs: makeRuns,
  plan: planParts,
  split: splitRuns,
  names: collectNames,
  numbers: numberUrls,
  aliases: collectAliases,
  documents: resolveDocuments,
  mark: markNodes,
  nodes: listNodes,
  layout: layOutHosts,
  links: exchangeLinks,
  tiles: buildTiles,
  start: startRanks,
  files: writeFiles,
  finish: removeOthers,
};

/** Works until the job is finished. Several workers may work on a job, and may come and go at any time. */
export async function workOnRanks(options: RankWorkerOptions): Promise<void> {
  clearScratch(options);
  const memory: WorkerMemory = { parts: new PartCache(), engines: new PartEngines(), results: new Map() };
  try {
    while (await workOnce(options, memory));
  } finally {
    memory.parts.clear();
    memory.engines.clear();
    clearScratch(options);
  }
}

/** Runs a task, begins a phase or waits. Returns false if the job is finished. */
async function workOnce(options: RankWorkerOptions, memory: WorkerMemory): Promise<boolean> {
  const { board } = options;
  const next = await board.next();
  if (next.kind === 'finished') return false;
  if (next.kind === 'wait') await board.changed();
  else if (next.kind === 'complete') await beginNext(options, next.phase, next.name);
  else await runTask(options, memory, next.task);
  return true;
}

async function beginNext(
  { board, ...options }: RankWorkerOptions,
  phase: number,
  name: string,
): Promise<void> {
  const { maxIterations = DEFAULT_MAX_ITERATIONS, tolerance = DEFAULT_TOLERANCE } = options;
  const next = phaseAfter(name, await board.resultsOf(name), { maxIterations, tolerance });
  if (next === null) await board.end(phase);
  else await board.begin(phase, next, taskCountOf(next, board.job));
}

async function runTask(options: RankWorkerOptions, memory: WorkerMemory, task: TakenTask): Promise<void> {
  const { board, log } = options;
  const run = stepOf(task.name) > 0 ? stepRanks : TASKS[task.name]!;
  const startMs = performance.now();
  try {
    const result = await run(new TaskContext(options, memory, task));
    await board.finish(task, result);
    log.info('rank task finished', {
      ...{ phase: task.name, task: task.task, epoch: task.epoch },
      ms: Math.round(performance.now() - startMs),
    });
  } catch (error) {
    // If another worker has taken the task, the blobs of this worker may have been removed, and the error is
    // ignored.
    if (await board.holds(task)) throw error;
    log.warn('rank task taken by another worker', { phase: task.name, task: task.task, epoch: task.epoch });
  }
}

/** Removes temporary files. The runs of the writers stay, because they make the next ranking faster. */
function clearScratch({ scratch }: RankWorkerOptions): void {
  for (const name of scratch.list()) scratch.remove(name);
}
