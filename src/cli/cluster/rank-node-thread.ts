/** Entry point of the thread in which a rank node works on one ranking until it is finished; see rank-role.ts. */
import { openDirectory, serveChannel } from '../../base/mod.ts';
import {
  copyJournal,
  openDatabase,
  openS3BlobStore,
  rankAsNode,
  removeOldRankings,
  whileServicesHeal,
  withWaiting,
} from '../../cluster/mod.ts';
import { stderrLog } from '../output.ts';
import type { Config } from '../settings/mod.ts';
import type { ClusterFile } from './cluster-file.ts';

/** The part of the memory limit for the tiles of the graph. Tiles that do not fit are read again in every iteration. */
const TILES_SHARE = 1 / 4;

export interface RankThreadRequest {
  cluster: ClusterFile;
  config: Config;
  node: string;
}

serveChannel<RankThreadRequest, void>({
  handle: async ({ cluster, config, node }) => {
    const log = stderrLog(config);
    // This signal is never aborted: when the node stops, the role ends the whole thread.
    const waiting = { log, signal: new AbortController().signal };
    const directory = openDirectory(config.data).directory('ranks');
    const openBlobs = async (prefix: string) => {
      const store = await whileServicesHeal(() => openS3BlobStore({ ...cluster.s3, prefix }), waiting);
      return withWaiting(store, waiting);
    };
    const [journal, blobs] = [await openBlobs('journal/'), await openBlobs('ranks/')];
    const database = await whileServicesHeal(() => openDatabase(cluster.postgresql), waiting);
    try {
      await rankAsNode(database, node, {
        blobs,
        scratch: directory.directory('scratch'),
        journalOf: (writer) =>
          whileServicesHeal(() => copyJournal(database, journal, directory, writer, log), waiting),
        tileBytes: Math.floor(config.memoryBytes * TILES_SHARE),
        log,
        waiting,
      });
      await whileServicesHeal(() => removeOldRankings(database, blobs), waiting);
    } finally {
      await database.end({ timeout: 1 });
    }
  },
});
