/** Runs in the threads of a parser pool: receives tasks and sends results to `parser-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import { collectWhenHigh } from '../memory-level.ts';
import type { TaskMessage, TaskResult, ThreadReply } from './parser-task.ts';
import { BusyCell } from './watched-thread.ts';

/** The time in milliseconds after which a batch sends its results so far, before it ends. */
const FLUSH_MS = 50;
/**
 * For a task that takes less time than this, `cpuMsOf` returns the elapsed time instead of the processor time.
 * In milliseconds.
 */
const SHORT_TASK_MS = 10;

interface TaskHandler<Input, Output> {
  /** Runs a task. It must be synchronous, so that the watcher knows which task the thread is working on. */
  handle(input: Input, isPlain: boolean): Output;
  /** Returns the buffers of an output that are transferred to the pool instead of copied. */
  transferOf?(output: Output): ArrayBuffer[];
}

/** Receives and runs tasks until the pool ends the thread. If `prepare` throws, the pool breaks. */
export async function serveTasks<Input, Output>(
  prepare: () => TaskHandler<Input, Output> | Promise<TaskHandler<Input, Output>>,
): Promise<void> {
  let handler: TaskHandler<Input, Output>;
  try {
    handler = await prepare();
  } catch (error) {
    return send<Output>({ kind: 'broken', message: messageOf(error) });
  }
  const busy = new BusyCell(workerData);
  collectWhenHigh();
  portOf().on('message', (tasks: TaskMessage<Input>[]) => {
    let results: TaskResult<Output>[] = [];
    let transfer: ArrayBuffer[] = [];
    let sentAt = performance.now();
    for (const [at, task] of tasks.entries()) {
      const result = busy.during(task.id, () => resultOf(task, handler));
      results.push(result);
      if (result.kind === 'done') transfer.push(...(handler.transferOf?.(result.output) ?? []));
      if (at < tasks.length - 1 && performance.now() - sentAt < FLUSH_MS) continue;
      send({ kind: 'results', results }, transfer);
      results = [];
      transfer = [];
      sentAt = performance.now();
    }
  });
}

/** Sends a message that is not a result, for example a warning, to the owner of the pool. */
export function sendNote(note: unknown): void {
  send({ kind: 'note', note });
}

/** Runs a task. If it throws, only this task fails, and the rest of the batch continues. */
function resultOf<Input, Output>(
  { id, input, isPlain }: TaskMessage<Input>,
  { handle }: TaskHandler<Input, Output>,
): TaskResult<Output> {
  const startedAt = performance.now();
  try {
    const output = handle(input, isPlain);
    return { kind: 'done', id, output, cpuMs: cpuMsOf(performance.now() - startedAt) };
  } catch (error) {
    return { kind: 'failed', id, message: messageOf(error) };
  }
}

let cpuMsBefore = 0;

/**
 * Returns the processor time of a task that took `elapsedMs`. Reading the processor time for every task took
 * half a percent of the time of a crawl. Therefore the elapsed time is used for short tasks, and the result
 * for a long task may include short tasks before it.
 */
function cpuMsOf(elapsedMs: number): number {
  if (elapsedMs < SHORT_TASK_MS) return elapsedMs;
  const { user, system } = process.threadCpuUsage();
  const cpuMs = (user + system) / 1000;
  const spentMs = cpuMs - cpuMsBefore;
  cpuMsBefore = cpuMs;
  return Math.min(elapsedMs, spentMs);
}

function send<Output>(reply: ThreadReply<Output>, transfer: ArrayBuffer[] = []): void {
  portOf().postMessage(reply, transfer);
}

function portOf(): NonNullable<typeof parentPort> {
  if (!parentPort) throw new Error('this module is for threads of a parser pool');
  return parentPort;
}
