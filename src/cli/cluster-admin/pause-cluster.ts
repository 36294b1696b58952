/** `gyre pause --cluster FILE` and `gyre resume --cluster FILE`, from any machine that reaches PostgreSQL. */
import { setCrawlPaused } from '../../cluster/mod.ts';
import { clusterCommandFor } from '../advice.ts';
import { print } from '../output.ts';
import { withCluster } from './with-cluster.ts';

/** Pauses or resumes the crawl of a cluster. All its crawl nodes obey within seconds. */
export async function pauseCluster(file: string, isPaused: boolean): Promise<void> {
  await withCluster(file, async (database, { name }) => {
    const isNew = await setCrawlPaused(database, isPaused);
    print(`cluster ${name}: ${describe(isPaused, isNew, file)}`);
  });
}

function describe(isPaused: boolean, isNew: boolean, file: string): string {
  if (!isPaused) return isNew ? 'the crawl continues' : 'the crawl was not paused';
  const resume = `${clusterCommandFor('resume', file)} continues it`;
  return isNew
    ? `the crawl is paused: its nodes send no new requests after a few seconds; ${resume}`
    : `the crawl is already paused; ${resume}`;
}
