/** One worker of a parser pool: a thread, which is replaced when it dies, and its current batch of tasks. */
import type { ResourceLimits } from 'node:worker_threads';
import type { Lane, Task, TaskMessage, TaskResult, ThreadReply } from './parser-task.ts';
import { type ThreadDeath, WatchedThread } from './watched-thread.ts';

/** The number of unexplained thread deaths after which a task is repeated without plug-ins. */
export const MAX_UNEXPLAINED = 3;

export interface WorkerOptions {
  /** The module that the thread runs. It calls `serveTasks`. */
  file: URL;
  data: object;
  resourceLimits: ResourceLimits;
  /** Called with messages of threads that are not results. */
  onNote?(note: unknown): void;
}

interface WorkerEvents<Input, Output> {
  onResult(event: { task: Task<Input, Output>; result: TaskResult<Output> }): void;
  /** Called when the whole batch is done. */
  onIdle(): void;
  onDeath(worker: ParserWorker<Input, Output>, death: ThreadDeath): void;
  onBroken(message: string): void;
}

export class ParserWorker<Input, Output> {
  /** The lanes from which the worker takes tasks, the preferred lane first. */
  readonly lanes: Lane[];
  /** The unfinished tasks of the current batch. */
  batch: Task<Input, Output>[] = [];
  limitMs = 0;
  readonly #options: WorkerOptions;
  readonly #events: WorkerEvents<Input, Output>;
  #thread: WatchedThread<TaskMessage<Input>[], ThreadReply<Output>> | null = null;

  constructor(options: WorkerOptions, lanes: Lane[], events: WorkerEvents<Input, Output>) {
    this.#options = options;
    this.lanes = lanes;
    this.#events = events;
  }

  start(): WatchedThread<TaskMessage<Input>[], ThreadReply<Output>> {
    const { file, data, resourceLimits } = this.#options;
    this.#thread ??= new WatchedThread<TaskMessage<Input>[], ThreadReply<Output>>({
      ...{ file, data, resourceLimits },
      limitMs: () => (this.batch.length > 0 ? this.limitMs : null),
      onReply: (reply) => this.#take(reply),
      onDeath: (death) => this.#events.onDeath(this, death),
    });
    return this.#thread;
  }

  give(batch: Task<Input, Output>[], limitMs: number): void {
    this.batch = batch;
    this.limitMs = limitMs;
    this.start().post(
      batch.map(({ id, input, unexplained }) => ({ id, input, isPlain: unexplained >= MAX_UNEXPLAINED })),
    );
  }

  get hasBegun(): boolean {
    return this.#thread?.hasBegun ?? false;
  }

  isAt({ id }: Task<Input, Output>): boolean {
    return this.#thread?.piece === id;
  }

  async ended(): Promise<void> {
    await this.#thread?.close();
  }

  /** Ends the thread and returns its unfinished tasks. A new thread starts with the next batch. */
  stop(): Task<Input, Output>[] {
    const left = this.batch;
    this.batch = [];
    void this.#thread?.close();
    this.#thread = null;
    return left;
  }

  #take(reply: ThreadReply<Output>): void {
    if (reply.kind === 'note') this.#options.onNote?.(reply.note);
    else if (reply.kind === 'broken') this.#events.onBroken(reply.message);
    else {
      const byId = new Map(this.batch.map((task) => [task.id, task]));
      for (const { id } of reply.results) this.batch.splice(this.batch.indexOf(byId.get(id)!), 1);
      // Gives the thread its next batch before the callers process the results.
      if (this.batch.length === 0) this.#events.onIdle();
      for (const result of reply.results) this.#events.onResult({ task: byId.get(result.id)!, result });
    }
  }
}
