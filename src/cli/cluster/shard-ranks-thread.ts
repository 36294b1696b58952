/**
 * Entry point of the thread that applies a ranking to the local index of a shard. Applying takes seconds of
 * uninterrupted work, and the main thread must be free to renew the lease of the node.
 */
import { directoryAt, openDirectory, serveChannel } from '../../base/mod.ts';
import { applyRanks } from '../../build/mod.ts';
import { openRankedParts } from '../../graph/mod.ts';
import { stderrLog } from '../output.ts';
import type { Config } from '../settings/mod.ts';

export interface ApplyRequest {
  config: Config;
  /** The path of the index, which no other thread has open for writing. */
  index: string;
  /** The paths of the copies of the ranking, one for each part. */
  parts: readonly string[];
  nodeCount: number;
  /** The file for the names of the pages of the shard: the path of its directory, and its name. */
  words: { directory: string; part: string };
}

serveChannel<ApplyRequest, void>({
  handle: ({ config, index, parts, nodeCount, words }) => {
    const tables = openRankedParts(parts.map(directoryAt), nodeCount);
    if (tables === null) return;
    try {
      const names = { directory: openDirectory(words.directory), part: words.part };
      applyRanks({ index: openDirectory(index), words: names }, tables, stderrLog(config));
    } finally {
      tables.close();
    }
  },
});
