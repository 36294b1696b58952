/** The entry point of the thread that runs one merge; merge-runner.ts starts it. */
import { directoryAt, serveChannel } from '../base/mod.ts';
import { type MergeOutcome, runMerge } from '../index/mod.ts';
import { lexiconMerger } from './lexicons/mod.ts';
import type { MergeRequest } from './merge-runner.ts';
import { orderKey } from './order.ts';

serveChannel<MergeRequest, MergeOutcome>({
  handle: ({ path, plan }) => {
    const index = directoryAt(path);
    return runMerge(index, plan, orderKey, undefined, lexiconMerger(index));
  },
});
