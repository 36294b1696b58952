/** Progress of commands that take long: what is done, at which rate, and how long the rest takes. */

export { clearScreen, FetchRate, watch } from './watch.ts';
export { type Work, WorkProgress } from './work-progress.ts';
