/**
 * Handles Ctrl-C, and has the messages for a crawl that is stopping or has stopped. The messages say that
 * nothing is lost and how to continue.
 */
import { endProcess } from './end-process.ts';

export const STOPPING = 'stopping: requests under way are finished and saved; Ctrl-C again ends at once';

export function stopped(again: string): string {
  return `stopped: everything is saved, and ${again} continues`;
}

/**
 * Handles Ctrl-C: the first Ctrl-C calls `finish`, a second one ends the process at once. Returns a function
 * that removes the handler.
 */
export function onInterrupt(finish: () => void): () => void {
  let asked = false;
  const handle = () => {
    if (asked) endProcess(130);
    asked = true;
    finish();
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return () => {
    process.off('SIGINT', handle);
    process.off('SIGTERM', handle);
  };
}
