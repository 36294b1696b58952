/**
 * A board in memory, for workers in one process. A test can end the lease of a worker with `expire`; other
 * workers then take its tasks.
 */
import { type BlobStore, GyreError, sleep } from '../../base/mod.ts';
import {
  FIRST_PHASE,
  type FinishedTask,
  type NextTask,
  type RankBoard,
  type RankJob,
  type TakenTask,
  type RankTaskResult,
  taskCountOf,
} from './mod.ts';

interface Row {
  owner: string | null;
  epoch: number;
  result: RankTaskResult | null;
}

export class MemoryBoards {
  readonly #job: RankJob;
  readonly #phases: { name: string; rows: Row[] }[] = [];
  readonly #dead = new Set<string>();
  #isFinished = false;

  constructor(job: RankJob) {
    this.#job = job;
    this.#add(FIRST_PHASE, taskCountOf(FIRST_PHASE, job));
  }

  /** Ends the lease of a worker until it takes its next task. */
  expire(worker: string): void {
    this.#dead.add(worker);
  }

  boardOf(worker: string): RankBoard {
    return {
      job: this.#job,
      next: async () => this.#next(worker),
      finish: async (task, result) => this.#finish(worker, task, result),
      holds: async (task) => this.#isHeld(worker, task),
      resultsOf: async (name) => this.#resultsOf(name),
      stepCount: async () => this.#phases.filter(({ name }) => name.startsWith('step-')).length,
      begin: async (phase, name, taskCount) => {
        if (phase === this.#phases.length - 1) this.#add(name, taskCount);
      },
      end: async () => {
        this.#isFinished = true;
      },
      changed: () => sleep(1),
    };
  }

  #add(name: string, count: number): void {
    const last = this.#phases.at(-1)?.rows ?? [];
    const rowOf = (_: unknown, task: number) => ({
      owner: last[task]?.owner ?? null,
      epoch: 0,
      result: null,
    });
    this.#phases.push({ name, rows: Array.from({ length: count }, rowOf) });
  }

  #next(worker: string): NextTask {
    this.#dead.delete(worker);
    if (this.#isFinished) return { kind: 'finished' };
    const phase = this.#phases.length - 1;
    const { name, rows } = this.#phases[phase]!;
    if (rows.every(({ result }) => result !== null)) return { kind: 'complete', phase, name };
    const isFree = ({ owner, result }: Row) =>
      result === null && (owner === null || owner === worker || this.#dead.has(owner));
    const task = rows.findIndex(isFree);
    if (task < 0) return { kind: 'wait' };
    const row = rows[task]!;
    row.owner = worker;
    row.epoch++;
    return { kind: 'task', task: { phase, name, task, epoch: row.epoch } };
  }

  #isHeld(worker: string, { phase, task, epoch }: TakenTask): boolean {
    const row = this.#phases[phase]!.rows[task]!;
    return row.owner === worker && row.epoch === epoch && row.result === null;
  }

  #finish(worker: string, task: TakenTask, result: RankTaskResult): void {
    if (!this.#isHeld(worker, task)) throw new GyreError('stale-epoch', `${worker} no longer has the task`);
    this.#phases[task.phase]!.rows[task.task]!.result = result;
  }

  #resultsOf(wanted: string): FinishedTask[] {
    const { rows } = this.#phases.find(({ name }) => name === wanted)!;
    return rows.map(({ epoch, result }) => ({ epoch, result: result! }));
  }
}

/** Returns blobs in memory. */
export function memoryBlobs(): BlobStore {
  const blobs = new Map<string, Buffer>();
  const get = async (name: string) => {
    const bytes = blobs.get(name);
    if (!bytes) throw new GyreError('no-blob', `there is no ${name}`);
    return bytes;
  };
  return {
    get,
    put: async (name, bytes) => {
      if (blobs.has(name) && !blobs.get(name)!.equals(bytes)) throw new GyreError('blob-exists', name);
      blobs.set(name, Buffer.from(bytes));
    },
    range: async (name, start, length) => (await get(name)).subarray(start, start + length),
    list: async (prefix) => [...blobs.keys()].filter((name) => name.startsWith(prefix)).sort(),
    delete: async (name) => void blobs.delete(name),
  };
}
