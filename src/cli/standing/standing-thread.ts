/**
 * The thread that works on standing queries: it indexes and searches new pages, and sends requests to webhooks. The
 * thread that accepts connections does neither. It may be ended at any moment, because each step is one transaction.
 */
import { type FileLock, type Log, serveChannel } from '../../base/mod.ts';
import { isManifestReadable, readManifest } from '../../index/mod.ts';
import { type DataDirectory, readData } from '../data-directory.ts';
import { ifFree, lockStanding } from '../locks.ts';
import { stderrLog } from '../output.ts';
import type { Config } from '../settings/mod.ts';
import { findStanding, sendStanding } from './standing-work.ts';

/** The lock, which this thread keeps once it has it. */
let lock: FileLock | null = null;
/** The state of the index after which new pages were found the last time. */
let searched = '';

serveChannel<Config, void>({
  handle: async (config) => {
    const data = readData(config.data);
    lock ??= ifFree(() => lockStanding(data.root));
    if (lock) await work(data, config, stderrLog(config));
  },
});

async function work(data: DataDirectory, config: Config, log: Log): Promise<void> {
  const index = data.root.has('index') && isManifestReadable(data.index) ? readManifest(data.index) : null;
  const state = index ? `${index.id} ${JSON.stringify(index.journal)}` : '';
  if (state !== searched) await findStanding(data, { config, log });
  searched = state;
  await sendStanding(data, { config, log });
}
