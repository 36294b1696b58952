/** `gyre pause --cluster FILE` and `gyre resume --cluster FILE`, from any machine that reaches PostgreSQL. */
import {
  explainConnection,
  openExistingDatabase,
  readClusterIdentity,
  setCrawlPaused,
} from '../../cluster/mod.ts';
import { clusterCommandFor } from '../advice.ts';
import { print } from '../output.ts';
import { readClusterFile } from '../cluster/cluster-file.ts';

/** Pauses or resumes the crawl of a cluster. All its crawl nodes obey within seconds. */
export async function pauseCluster(file: string, isPaused: boolean): Promise<void> {
  const cluster = readClusterFile(file, process.env);
  const database = await openExistingDatabase(cluster.postgresql);
  try {
    await readClusterIdentity(database, cluster);
    const isNew = await setCrawlPaused(database, isPaused);
    print(`cluster ${cluster.name}: ${describe(isPaused, isNew, file)}`);
  } catch (error) {
    throw explainConnection(error);
  } finally {
    await database.end({ timeout: 1 });
  }
}

function describe(isPaused: boolean, isNew: boolean, file: string): string {
  if (!isPaused) return isNew ? 'the crawl continues' : 'the crawl was not paused';
  const resume = `${clusterCommandFor('resume', file)} continues it`;
  return isNew
    ? `the crawl is paused: its nodes send no new requests after a few seconds; ${resume}`
    : `the crawl is already paused; ${resume}`;
}
