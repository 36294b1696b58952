/** Opens the database of a cluster for one command. */
import {
  type ClusterDatabase,
  explainDatabaseError,
  openExistingDatabase,
  readClusterIdentity,
} from '../../cluster/mod.ts';
import { type ClusterFile, readClusterFile } from '../cluster/cluster-file.ts';

/** Runs `use` with the database of the cluster. Rejects if it has another cluster than the file. */
export async function withCluster(
  file: string,
  use: (database: ClusterDatabase, cluster: ClusterFile) => Promise<void>,
): Promise<void> {
  const cluster = readClusterFile(file, process.env);
  const database = await openExistingDatabase(cluster.postgresql);
  try {
    await readClusterIdentity(database, cluster);
    await use(database, cluster);
  } catch (error) {
    throw explainDatabaseError(error);
  } finally {
    await database.end({ timeout: 1 });
  }
}
