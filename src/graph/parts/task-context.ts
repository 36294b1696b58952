/**
 * The tools of a task of a ranking: the job, the results and blobs of finished tasks, its own blobs, and a
 * directory for temporary files. The name of a blob has the job, the phase, the task, its epoch and a label:
 * `ranks-00000007.links.3.1.to-0`.
 */
import type { BlobStore, Directory, Log } from '../../base/mod.ts';
import type { PartCache } from './part-cache.ts';
import type { PartEngines } from './part-engines.ts';
import type { FinishedTask, RankBoard, RankJob, TakenTask } from './rank-job.ts';

export interface RankWorkerOptions {
  board: RankBoard;
  blobs: BlobStore;
  /** A directory of this worker alone. Its files are removed at the end. */
  scratch: Directory;
  /** Returns the directory with the journal files of a writer. */
  journalOf(writer: string): Promise<Directory>;
  log: Log;
  damping?: number;
  maxIterations?: number;
  /** The tolerance as in `PageRankOptions`. All workers must use the same value. */
  tolerance?: number;
  /** The memory in bytes for the tiles of the graph. Tiles that do not fit are read again in every iteration. */
  tileBytes?: number;
}

/** The parts of a worker that stay in memory from one task to the next. */
export interface WorkerMemory {
  parts: PartCache;
  engines: PartEngines;
  results: Map<string, FinishedTask[]>;
}

export class TaskContext {
  readonly job: RankJob;
  /** The number of the task, which is the number of its writer or part. */
  readonly task: number;
  readonly options: RankWorkerOptions;
  readonly scratch: Directory;
  readonly memory: WorkerMemory;
  readonly #taken: TakenTask;

  constructor(options: RankWorkerOptions, memory: WorkerMemory, taken: TakenTask) {
    this.options = options;
    this.job = options.board.job;
    this.scratch = options.scratch;
    this.memory = memory;
    this.task = taken.task;
    this.#taken = taken;
  }

  get phase(): string {
    return this.#taken.name;
  }

  async results(phase: string): Promise<FinishedTask[]> {
    const known = this.memory.results.get(phase);
    if (known) return known;
    const results = await this.options.board.resultsOf(phase);
    this.memory.results.set(phase, results);
    return results;
  }

  /** Stores a blob of this task. */
  async put(label: string, bytes: Uint8Array): Promise<void> {
    await this.options.blobs.put(this.ownName(label), bytes);
  }

  /** Stores a file of the scratch directory as a blob of this task. */
  async putFile(label: string): Promise<void> {
    await this.put(label, this.scratch.read(this.ownName(label)));
  }

  /** Returns the name of a blob of this task, which is also the name of its local copy. */
  ownName(label: string): string {
    return blobName(this.job, this.#taken.name, this.task, this.#taken.epoch, label);
  }

  /** Reads a blob of a finished task. */
  async get(phase: string, task: number, label: string): Promise<Buffer> {
    return await this.options.blobs.get(await this.nameOf(phase, task, label));
  }

  async range(phase: string, task: number, label: string, start: number, length: number): Promise<Buffer> {
    return await this.options.blobs.range(await this.nameOf(phase, task, label), start, length);
  }

  /** Brings a blob of a finished task to the scratch directory, and returns its name there. */
  async file(phase: string, task: number, label: string): Promise<string> {
    const name = await this.nameOf(phase, task, label);
    if (!this.scratch.has(name)) this.write(name, await this.options.blobs.get(name));
    return name;
  }

  /** Writes a file of the scratch directory. It need not be durable, because a worker that starts again removes it. */
  write(name: string, bytes: Uint8Array): void {
    const file = this.scratch.append(name, 0);
    file.write(bytes);
    file.close();
  }

  async nameOf(phase: string, task: number, label: string): Promise<string> {
    const { epoch } = (await this.results(phase))[task]!;
    return blobName(this.job, phase, task, epoch, label);
  }
}

/** Returns the name of a blob. */
export function blobName(
  { name }: RankJob,
  phase: string,
  task: number,
  epoch: number,
  label: string,
): string {
  return `${name}.${phase}.${task}.${epoch}.${label}`;
}
