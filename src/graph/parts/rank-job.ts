/**
 * A ranking that several workers compute together. It is a sequence of phases; a phase is a list of tasks, and a task
 * belongs to a writer of the journal, to a part of the graph, or to the whole ranking.
 *
 *   tasks of a phase ──all finished──► next phase
 *   free ──take──► taken, epoch + 1 ──finish──► finished
 *   taken by a worker that died ──take by another worker──► taken, epoch + 1
 *
 * A task reads blobs of finished tasks and writes blobs of its own, whose names have its epoch. Its result is
 * valid when the board has accepted it, and the board refuses the result of an earlier epoch. Therefore a
 * worker that was suspended and continues later cannot change the ranking: no task reads its blobs. A phase is
 * a barrier, because a task of the next phase may read the blobs of all tasks.
 *
 * The URLs are divided into parts, each a range in the order of hosts and paths. A part of the graph has the pages of
 * its URLs and all links to them.
 *
 *   runs       writer   new journal files become runs; weights of hosts
 *   plan       1        the first host of each part
 *   split      writer   one run for each part, with the records of its URLs
 *   names      part     the URLs that the pages of this part mention, for the part of each URL
 *   numbers    part     numbers for the URLs of this part
 *   aliases    part     the aliases among the URLs of this part
 *   documents  1        the document of each alias
 *   mark       part     the documents that the pages of this part link to
 *   nodes      part     the nodes of this part, and their hosts
 *   layout     1        the domains of hosts
 *   links      part     the links of the pages of this part, for the part of each target
 *   tiles      part, 1  the tiles of this part; the last task ranks the hosts
 *   start      part     the initial ranks
 *   step-N     part     one iteration of PageRank, from the slices of all parts
 *   files      part     the files with the ranks and anchors of this part
 *   finish     1        removes all other blobs
 */

export interface RankJob {
  /** The beginning of the names of all blobs. */
  name: string;
  /** The number in the names of the resulting files, as in `ranks-00000001.ranks`. */
  generation: number;
  /** The writers of the journal. */
  writers: readonly string[];
  parts: number;
}

export type RankTaskResult = Readonly<Record<string, number | readonly number[]>>;

export interface FinishedTask {
  epoch: number;
  result: RankTaskResult;
}

export interface TakenTask {
  /** The number and the name of the phase. */
  phase: number;
  name: string;
  /** The number of the task in its phase. */
  task: number;
  epoch: number;
}

export type NextTask =
  | { kind: 'task'; task: TakenTask }
  /** All tasks of the phase are taken by live workers, so this worker has to wait. */
  | { kind: 'wait' }
  | { kind: 'complete'; phase: number; name: string }
  | { kind: 'finished' };

/** The board of a job, as one worker sees it. It has the phases, the tasks and their results. */
export interface RankBoard {
  readonly job: RankJob;
  /**
   * Takes a task of the present phase: a task that is planned for this worker, or a task of a worker that died.
   */
  next(): Promise<NextTask>;
  /** Stores the result of a task. Rejects with the error `stale-epoch` if another worker has taken the task. */
  finish(task: TakenTask, result: RankTaskResult): Promise<void>;
  /** Returns true if no other worker has taken the task. */
  holds(task: TakenTask): Promise<boolean>;
  /** Returns the results of all tasks of a complete phase, in order. */
  resultsOf(name: string): Promise<FinishedTask[]>;
  /** Returns the number of iterations that have begun. */
  stepCount(): Promise<number>;
  /** Begins the phase after `phase`. Does nothing if another worker has done so. */
  begin(phase: number, name: string, taskCount: number): Promise<void>;
  /** Marks the job as finished. `phase` is its last phase. */
  end(phase: number): Promise<void>;
  /** Resolves when the board may have changed, at the latest after a short time. */
  changed(): Promise<void>;
}

interface Convergence {
  maxIterations: number;
  tolerance: number;
}

export const FIRST_PHASE = 'runs';

const ORDER = [
  FIRST_PHASE,
  ...['plan', 'split', 'names', 'numbers', 'aliases', 'documents', 'mark', 'nodes', 'layout'],
  ...['links', 'tiles', 'start', 'step-1', 'files', 'finish'],
];
const SINGLE = new Set(['plan', 'documents', 'layout', 'finish']);

/** Returns the number of tasks of a phase. */
export function taskCountOf(name: string, { writers, parts }: RankJob): number {
  if (SINGLE.has(name)) return 1;
  if (name === FIRST_PHASE || name === 'split') return writers.length;
  return name === 'tiles' ? parts + 1 : parts;
}

/** Returns the phase after `name`, whose tasks have the given results; null after the last phase. */
export function phaseAfter(
  name: string,
  results: readonly FinishedTask[],
  { maxIterations, tolerance }: Convergence,
): string | null {
  const step = stepOf(name);
  if (step === 0) return ORDER[ORDER.indexOf(name) + 1] ?? null;
  const isConverged = totalOf(results, 'distance') < tolerance;
  return isConverged || step >= maxIterations ? 'files' : `step-${step + 1}`;
}

/** Returns the number of an iteration; 0 for other phases. */
export function stepOf(name: string): number {
  return name.startsWith('step-') ? Number(name.slice(5)) : 0;
}

export function totalOf(results: readonly FinishedTask[], field: string): number {
  return results.reduce((sum, { result }) => sum + Number(result[field] ?? 0), 0);
}

/** Returns, for each task, the sum of the field over the results of all earlier tasks. */
export function basesOf(results: readonly FinishedTask[], field: string): number[] {
  let base = 0;
  return results.map(({ result }) => {
    base += Number(result[field]);
    return base - Number(result[field]);
  });
}
