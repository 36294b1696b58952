/** A thread for tests. It reports once, and then works without a pause, waits for a stop, or fails. */
import { sleep } from '../../base/mod.ts';
import { runThread } from './thread.ts';

export type ThreadWork = 'busy' | 'waiting' | 'failing';

runThread<ThreadWork, string>(async (work, report, signal) => {
  report('started');
  if (work === 'failing') throw new Error('failed here');
  for (let rounds = 0; work === 'busy'; rounds++) Math.sqrt(rounds);
  while (!signal.aborted) await sleep(10_000, signal);
  report('saved');
});
