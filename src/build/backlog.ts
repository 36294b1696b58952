/** Counts the journal files that are complete but not in the index yet. */

import { type Directory, type Log, messageOf } from '../base/mod.ts';
import type { ManifestStore } from '../index/mod.ts';
import { type JournalPosition, journalFiles } from '../journal/mod.ts';

/**
 * Returns a counter of the journal files that are not in the index yet. It watches the manifest, so each call
 * of `count` gives the current number while a crawl runs.
 */
export function watchBacklog(
  journal: Directory,
  manifests: ManifestStore,
  log: Log,
): { count(): number; stop(): void } {
  let indexed: JournalPosition = {};
  let failure = '';
  const onFailure = (error: unknown) => {
    if (messageOf(error) !== failure) log.error('manifest not read', { why: messageOf(error) });
    failure = messageOf(error);
  };
  const stop = manifests.watch((manifest) => {
    indexed = manifest.journal;
  }, onFailure);
  return { count: () => journalFiles(journal, indexed).length, stop };
}
