/** A task of a parser pool: its options and outcome, and the messages between pool and thread. */
import type { ThreadDeath } from './watched-thread.ts';

export type Lane = 'fast' | 'slow';

export interface TaskOptions {
  /** For the log. */
  name: string;
  /**
   * The origin of the task, such as a host. When one task of a group is too slow for the fast lane, the waiting
   * tasks of that group move to the slow lane as well.
   */
  group?: string;
  lane?: Lane;
  sizeBytes?: number;
  /** Runs before all others and without the limit of the fast lane. */
  isUrgent?: boolean;
  /** Time from now after which the caller gives up, including the time in the queue but not the pool's start. */
  deadlineMs?: number;
  /** Called when the task was too slow for the fast lane and is moved to the slow one. */
  onSlow?(): void;
}

export type TaskOutcome<Output> =
  /** `cpuMs` is the processor time of the thread, which does not depend on the load of the machine. */
  | { kind: 'done'; output: Output; cpuMs: number }
  /** The task threw an error; the thread continues. */
  | { kind: 'failed'; message: string }
  | { kind: 'died'; death: ThreadDeath['kind']; limitMs: number }
  /** The deadline passed before the task started, or while it was running. */
  | { kind: 'late'; hasBegun: boolean }
  /** Too many tasks wait in its lane. */
  | { kind: 'full' }
  /** The pool ended the task: see `abandon`, `abandonGroup` and `close` of the pool. */
  | { kind: 'abandoned' };

/** A task as it is sent to a thread. */
export interface TaskMessage<Input> {
  id: number;
  /** Run without plug-ins: threads with this task have died of an unknown cause. */
  isPlain: boolean;
  input: Input;
}

export type ThreadReply<Output> =
  | { kind: 'results'; results: TaskResult<Output>[] }
  | { kind: 'note'; note: unknown }
  /** No thread can start. */
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
