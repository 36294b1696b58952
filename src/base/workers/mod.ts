/**
 * Worker threads that may die or hang. A watched thread reports its current task through shared memory. If
 * the thread dies, the pool replaces it, marks that task as the cause, and repeats the other tasks. Two lanes
 * keep slow tasks from delaying fast ones. Threads that handle only trusted data receive requests through a
 * worker channel instead.
 */

export { ParserPool } from './parser-pool.ts';
export type { Lane, TaskOutcome } from './parser-task.ts';
export { sendNote, serveTasks } from './parser-thread.ts';
export { deathReason } from './watched-thread.ts';
export { askThread, sendEvent, serveChannel, WorkerChannel } from './worker-channel.ts';
