/** What is said when a crawl is asked to end, and when it has: that nothing is lost, and how to go on. */
export const STOPPING = 'stopping: requests under way are finished and saved; Ctrl-C again ends at once';

export function stopped(again: string): string {
  return `stopped: everything is saved, and ${again} goes on`;
}

/** Ctrl-C asks to finish; a second one insists. */
export function onInterrupt(finish: () => void): () => void {
  let asked = false;
  const handle = () => {
    if (asked) process.exit(130);
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
