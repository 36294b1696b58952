/** A task of a parser pool: its options and outcome, and the messages between pool and thread. */
import type { ThreadDeath } from './watched-thread.ts';

export type Lane = 'fast' | 'slow';

export interface TaskOptions {
  /** The name of the task in log events. */
  name: string;
  /**
   * The origin of the task, such as a host. When one task of a group is too slow for the fast lane, the
   * waiting tasks of that group move to the slow lane too.
   */
  group?: string;
  lane?: Lane;
  sizeBytes?: number;
  /** Urgent tasks run before all others and without the time limit of the fast lane. */
  isUrgent?: boolean;
  /**
   * The time in milliseconds from now after which the caller gives up. The time in the queue counts; the time
   * in which the threads of the pool start does not count.
   */
  deadlineMs?: number;
  /** Called when the task was too slow for the fast lane and moves to the slow lane. */
  onSlow?(): void;
}

export type TaskOutcome<Output> =
  /**
   * The task succeeded. `cpuMs` is the processor time of the thread, which does not depend on the load of the
   * machine.
   */
  | { kind: 'done'; output: Output; cpuMs: number }
  /** The task threw an error; the thread continues. */
  | { kind: 'failed'; message: string }
  | { kind: 'died'; death: ThreadDeath['kind']; limitMs: number }
  /** The deadline of the task passed before it started, or while it was running (`hasBegun`). */
  | { kind: 'late'; hasBegun: boolean }
  /** The task was rejected, because too many tasks wait in its lane. */
  | { kind: 'full' }
  /** The pool gave up the task: see `abandon`, `abandonGroup` and `close` of the pool. */
  | { kind: 'abandoned' };

export interface TaskMessage<Input> {
  id: number;
  /**
   * If true, the task runs without plug-ins, because threads with this task have died for an unknown reason.
   */
  isPlain: boolean;
  input: Input;
}

export type ThreadReply<Output> =
  | { kind: 'results'; results: TaskResult<Output>[] }
  | { kind: 'note'; note: unknown }
  /** No thread of the pool can start. */
  | { kind: 'broken'; message: string };

export type TaskResult<Output> = { id: number } & (
  | { kind: 'done'; output: Output; cpuMs: number }
  | { kind: 'failed'; message: string }
);

export interface Task<Input, Output> {
  id: number;
  input: Input;
  options: TaskOptions;
  lane: Lane;
  unexplained: number;
  timer: NodeJS.Timeout | undefined;
  settle(outcome: TaskOutcome<Output>): void;
  reject(error: Error): void;
}
