/**
 * The thread of `gyre up` that settles the list of removals. The crawl and the index thread are stopped meanwhile;
 * searches continue.
 */
import { openData } from '../data-directory.ts';
import { stderrLog } from '../output.ts';
import { settleRemovals } from '../purging/mod.ts';
import type { Config } from '../settings/mod.ts';
import { runThread } from './thread.ts';

export interface RemovalThreadInput {
  config: Config;
}

runThread<RemovalThreadInput, never>(async ({ config }, _report, signal) => {
  await settleRemovals(openData(config.data), { config, log: stderrLog(config), signal });
});
