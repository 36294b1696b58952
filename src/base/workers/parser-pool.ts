/**
 * A pool of threads that parse untrusted files. A file may be slow to parse, never finish, or kill its
 * thread. Then only the task for this file fails, and other tasks are delayed by at most the fast limit.
 *
 *   run(input) -> fast lane: batches, `fastLimitMs` per task --- took longer ---> slow lane: alone, `limitMs`
 *                                                                              took longer ---> died
 *
 * Some threads belong to the slow lane. They take work of the fast lane while their own lane is empty; a
 * thread of the fast lane never takes slow work. Therefore fast tasks wait for a slow one only if the pool
 * has a single thread, which takes tasks from both lanes in turn. Urgent tasks are first, on any idle thread.
 *
 * A thread gets one batch at a time, made of the tasks that arrived while it was busy. Under load this
 * spreads the cost of a message over many tasks; without load no task waits for a batch to fill.
 *
 * The pool replaces a thread that dies or is stuck. The task that the thread was working on fails as `died`,
 * and its other unfinished tasks are repeated. If the thread was working on no task (for example, a timer of
 * a plug-in threw), any of its tasks may be the cause, so each is repeated alone. After MAX_UNEXPLAINED such
 * deaths a task is repeated without plug-ins, and after one more it fails. Therefore no task can stop the
 * pool. If threads cannot start, the pool breaks: every task is rejected with the reason.
 *
 * Tasks are independent: state that a thread keeps between tasks is lost without notice when it dies.
 */
import { GyreError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Lane, Task, TaskOptions, TaskOutcome, TaskResult } from './parser-task.ts';
import { MAX_UNEXPLAINED, ParserWorker, type WorkerOptions } from './parser-worker.ts';
import type { ThreadDeath } from './watched-thread.ts';

const BATCH_TASKS = 16;
const BATCH_BYTES = 1024 * 1024;
/** The number of threads in a row that may die while they start. After that the pool breaks. */
const MAX_FAILED_STARTS = 6;
/**
 * The time in milliseconds that is added to deadlines while all threads are starting. On a busy machine a
 * thread takes longer to start than most tasks take.
 */
const START_MS = 10_000;

export interface ParserPoolOptions extends WorkerOptions {
  threads: number;
  /** The number of threads in the slow lane; by default half of all threads, but at least one. */
  slowThreads?: number;
  /** The maximum number of tasks in a batch of the fast lane; by default BATCH_TASKS. */
  maxBatch?: number;
  /** The time limit of a task in the fast lane; by default `limitMs`. */
  fastLimitMs?: number;
  /** The time limit of a task in the slow lane. */
  limitMs: number;
  /**
   * The maximum number of tasks and of bytes that may wait in a lane. Further tasks are rejected as `full`.
   * By default there is no limit.
   */
  maxWaiting?: Partial<Record<Lane, { tasks: number; bytes: number }>>;
  log: Log;
}

export class ParserPool<Input, Output> {
  readonly #options: ParserPoolOptions;
  readonly #workers: ParserWorker<Input, Output>[];
  #urgent: Task<Input, Output>[] = [];
  #lanes: Record<Lane, Task<Input, Output>[]> = { fast: [], slow: [] };
  #nextId = 0;
  #failedStarts = 0;
  #broken: GyreError | null = null;

  constructor(options: ParserPoolOptions) {
    this.#options = options;
    const { threads, slowThreads = Math.max(1, threads >> 1) } = options;
    this.#workers = Array.from({ length: threads }, (_, at) => {
      const lanes: Lane[] = threads === 1 ? ['slow', 'fast'] : at < slowThreads ? ['slow', 'fast'] : ['fast'];
      return new ParserWorker(options, lanes, {
        onResult: (result) => this.#take(result),
        onIdle: () => this.#dispatch(),
        onDeath: (worker, death) => this.#replace(worker, death),
        onBroken: (message) => this.#break(message),
      });
    });
  }

  /** Starts threads before they have tasks; by default all threads. */
  warm(count = this.#workers.length): void {
    for (const worker of this.#workers.slice(-count)) worker.start();
  }

  /** The number of tasks in the slow lane, waiting or running. */
  get slowCount(): number {
    const running = this.#workers.filter(({ batch }) => batch.some(({ lane }) => lane === 'slow'));
    return this.#lanes.slow.length + running.length;
  }

  run(input: Input, options: TaskOptions): Promise<TaskOutcome<Output>> {
    if (this.#broken) return Promise.reject(this.#broken);
    const { lane = 'fast' } = options;
    if (!options.isUrgent && this.#isFull(lane, options)) return Promise.resolve({ kind: 'full' });
    const { promise, resolve, reject } = Promise.withResolvers<TaskOutcome<Output>>();
    const task: Task<Input, Output> = {
      ...{ id: this.#nextId++, input, options, lane, unexplained: 0, timer: undefined, reject },
      settle: (outcome) => {
        clearTimeout(task.timer);
        resolve(outcome);
      },
    };
    const { deadlineMs } = options;
    const startMs = this.#workers.some(({ hasBegun }) => hasBegun) ? 0 : START_MS;
    if (deadlineMs !== undefined) task.timer = setTimeout(() => this.#giveUp(task), deadlineMs + startMs);
    this.#queueOf(task).push(task);
    this.#dispatch();
    return promise;
  }

  /** Abandons the waiting tasks of a group, such as a host. */
  abandonGroup(group: string): void {
    const dropped: Task<Input, Output>[] = [];
    for (const lane of ['fast', 'slow'] as const) {
      const { true: gone = [], false: left = [] } = Object.groupBy(this.#lanes[lane], ({ options }) =>
        options.group === group ? 'true' : 'false',
      );
      dropped.push(...gone);
      this.#lanes[lane] = left;
    }
    for (const task of dropped) task.settle({ kind: 'abandoned' });
  }

  /** Abandons all tasks that are not urgent, and ends the threads that are running such a task. */
  abandon(): void {
    const isDropped = ({ options }: Task<Input, Output>) => !options.isUrgent;
    const dropped = [...this.#lanes.fast, ...this.#lanes.slow];
    this.#lanes = { fast: [], slow: [] };
    for (const worker of this.#workers) {
      if (worker.batch.some(isDropped)) dropped.push(...worker.stop());
    }
    for (const task of dropped) task.settle({ kind: 'abandoned' });
    this.#dispatch();
  }

  /** Ends all threads, even busy ones, and abandons their tasks. Resolves when the threads have ended. */
  async close(): Promise<void> {
    this.#broken ??= new GyreError('parser-pool', 'the parser pool is closed');
    const tasks = [...this.#urgent, ...this.#lanes.fast, ...this.#lanes.slow];
    this.#urgent = [];
    this.#lanes = { fast: [], slow: [] };
    const ends = this.#workers.map((worker) => worker.ended());
    for (const worker of this.#workers) tasks.push(...worker.stop());
    for (const task of tasks) task.settle({ kind: 'abandoned' });
    await Promise.all(ends);
  }

  #isFull(lane: Lane, { sizeBytes = 0 }: TaskOptions): boolean {
    const most = this.#options.maxWaiting?.[lane];
    const waiting = this.#lanes[lane];
    if (!most || waiting.length === 0) return false;
    const bytes = waiting.reduce((sum, { options }) => sum + (options.sizeBytes ?? 0), sizeBytes);
    return waiting.length >= most.tasks || bytes > most.bytes;
  }

  #queueOf({ options, lane }: Task<Input, Output>): Task<Input, Output>[] {
    return options.isUrgent ? this.#urgent : this.#lanes[lane];
  }

  /**
   * Gives waiting tasks to idle threads. Threads of the fast lane come first, so that threads of the slow
   * lane stay free for slow tasks.
   */
  #dispatch(): void {
    if (this.#broken) return;
    for (let at = this.#workers.length - 1; at >= 0; at--) {
      const worker = this.#workers[at]!;
      if (worker.batch.length > 0) continue;
      const batch = this.#nextBatch(worker);
      if (batch.length > 0) worker.give(batch, this.#limitOf(batch));
    }
  }

  #nextBatch(worker: ParserWorker<Input, Output>): Task<Input, Output>[] {
    if (this.#urgent.length > 0) return this.#urgent.splice(0, 1);
    const lane = worker.lanes.find((each) => this.#lanes[each].length > 0);
    if (!lane) return [];
    if (this.#workers.length === 1 && lane === worker.lanes[0]) worker.lanes.reverse();
    const queue = this.#lanes[lane];
    return queue.splice(0, lane === 'slow' ? 1 : batchLength(queue, this.#options.maxBatch));
  }

  #limitOf([first]: readonly Task<Input, Output>[]): number {
    const { limitMs, fastLimitMs = limitMs } = this.#options;
    if (first!.options.isUrgent) return Number.POSITIVE_INFINITY;
    return first!.lane === 'fast' ? Math.min(fastLimitMs, limitMs) : limitMs;
  }

  #take({ task, result }: { task: Task<Input, Output>; result: TaskResult<Output> }): void {
    this.#failedStarts = 0;
    const { id: _, ...outcome } = result;
    task.settle(outcome);
  }

  #giveUp(task: Task<Input, Output>): void {
    const queue = this.#queueOf(task);
    const at = queue.indexOf(task);
    if (at >= 0) queue.splice(at, 1);
    const worker = this.#workers.find((each) => each.isAt(task));
    // A thread is stopped only if it is running the late task. If the task has been sent to a thread but has
    // not begun, for example because the thread is still starting, the thread is not stopped: it runs the task
    // later, and the result is discarded.
    if (worker) {
      this.#again(worker.stop().filter((each) => each !== task));
      worker.start();
    }
    task.settle({ kind: 'late', hasBegun: worker !== undefined });
    this.#dispatch();
  }

  #again(tasks: readonly Task<Input, Output>[]): void {
    for (const task of tasks.toReversed()) this.#queueOf(task).unshift(task);
  }

  #replace(worker: ParserWorker<Input, Output>, death: ThreadDeath): void {
    const { limitMs } = worker;
    const tasks = worker.stop();
    const culprit = tasks.find(({ id }) => id === death.piece);
    const { log } = this.#options;
    if (tasks.length > 0)
      log.warn('parser thread replaced', { task: culprit?.options.name, message: death.message });
    if (!death.hasBegun) this.#failedStarts++;
    if (culprit) {
      this.#again(tasks.filter((task) => task !== culprit));
      this.#suspectGroup(culprit.options.group);
      if (!this.#isSlowed(culprit, death)) culprit.settle({ kind: 'died', death: death.kind, limitMs });
    } else if (death.hasBegun) this.#suspect(tasks, death);
    else this.#again(tasks);
    if (this.#failedStarts > MAX_FAILED_STARTS) {
      this.#break(death.message);
      return;
    }
    // A thread that died while idle may die again at once, so it is replaced only when there are tasks for
    // it.
    if (tasks.length > 0) worker.start();
    this.#dispatch();
  }

  /**
   * Moves a task that was too slow for the fast lane to the slow lane. Returns false if the task had another
   * problem or the slow lane is full.
   */
  #isSlowed(task: Task<Input, Output>, { kind }: ThreadDeath): boolean {
    const { limitMs, fastLimitMs = limitMs } = this.#options;
    const isMoved =
      kind === 'stuck' &&
      task.lane === 'fast' &&
      fastLimitMs < limitMs &&
      !this.#isFull('slow', task.options);
    if (isMoved) this.#slow(task);
    return isMoved;
  }

  /** Moves the waiting tasks of a group from the fast lane to the slow lane, until the slow lane is full. */
  #suspectGroup(group: string | undefined): void {
    if (group === undefined) return;
    this.#lanes.fast = this.#lanes.fast.filter((task) => {
      const isMoved = task.options.group === group && !this.#isFull('slow', task.options);
      if (isMoved) this.#slow(task);
      return !isMoved;
    });
  }

  #slow(task: Task<Input, Output>): void {
    task.lane = 'slow';
    this.#lanes.slow.push(task);
    task.options.onSlow?.();
  }

  #suspect(tasks: readonly Task<Input, Output>[], { kind }: ThreadDeath): void {
    const { limitMs } = this.#options;
    for (const task of tasks) {
      if (++task.unexplained > MAX_UNEXPLAINED) {
        task.settle({ kind: 'died', death: kind, limitMs });
        continue;
      }
      if (task.lane === 'fast' && !task.options.isUrgent) this.#slow(task);
      else this.#queueOf(task).push(task);
    }
  }

  #break(why: string): void {
    const error = new GyreError('parser-pool', `the threads of the parser pool cannot start: ${why}`);
    this.#broken ??= error;
    const tasks = [...this.#urgent, ...this.#lanes.fast, ...this.#lanes.slow];
    for (const worker of this.#workers) tasks.push(...worker.stop());
    this.#urgent = [];
    this.#lanes = { fast: [], slow: [] };
    for (const { reject, timer } of tasks) {
      clearTimeout(timer);
      reject(error);
    }
  }
}

function batchLength(waiting: readonly Task<unknown, never>[], maxTasks = BATCH_TASKS): number {
  let sizeBytes = 0;
  let count = 0;
  while (count < waiting.length && count < maxTasks && sizeBytes < BATCH_BYTES) {
    sizeBytes += waiting[count++]!.options.sizeBytes ?? 0;
  }
  return count;
}
