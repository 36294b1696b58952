/** The thread side of `parser-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import type { TaskMessage, TaskResult, ThreadReply } from './parser-task.ts';
import { BusyCell } from './watched-thread.ts';

/** A batch that takes longer than this sends its results so far before it ends. */
const FLUSH_MS = 50;
/** For a task shorter than this, the elapsed time is reported as its processor time (`cpuMsOf`). */
const SHORT_TASK_MS = 10;

interface TaskHandler<Input, Output> {
  /** Synchronous, so that the watcher knows which task the thread is working on. */
  handle(input: Input, isPlain: boolean): Output;
  /** The buffers of an output that are transferred instead of copied. */
  transferOf?(output: Output): ArrayBuffer[];
}

/** Runs the tasks of a pool until the thread is ended. If `prepare` throws, the pool breaks. */
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

/** Sends a message that is not a result to the owner of the pool. */
export function sendNote(note: unknown): void {
  send({ kind: 'note', note });
}

/** A task that throws fails alone; the rest of the batch continues. */
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
 * Returns the processor time of a task that took `elapsedMs`. Reading it for every task took half a percent of a crawl.
 * Therefore the elapsed time is used for short tasks, and the time of a long task may include short tasks before it.
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
