/**
 * `gyre build --cluster FILE`: repairs what index nodes need. They build the index by themselves, so there is nothing else
 * to do for a cluster.
 */
import { UsageError } from '../../base/mod.ts';
import { resetDamagedShards } from '../../cluster/mod.ts';
import type { Invocation } from '../arguments.ts';
import { settingsReader } from '../cluster/node-command.ts';
import { counted, print, printJson, stderrLog } from '../output.ts';
import { readingPlanOf, readLimitOf } from '../sessions/crawl-session.ts';
import { type RebuiltBatch, rebuildClusterJournal } from './rebuild-journal.ts';
import { withCluster } from './with-cluster.ts';

export async function buildCluster(file: string, { flags }: Pick<Invocation, 'flags'>): Promise<void> {
  if (!flags['from-archive'] && !flags.rebuild)
    throw new UsageError(
      'bad-option',
      'index nodes build the index of a cluster: expected --from-archive, which repairs its journal, or --rebuild, which indexes damaged shards again',
    );
  await withCluster(file, async (database, cluster) => {
    const config = settingsReader(cluster, flags)(cluster.settings);
    const batches = flags['from-archive']
      ? await rebuildClusterJournal(database, cluster, {
          reading: readingPlanOf(config, cluster),
          limitMs: readLimitOf(config),
          log: stderrLog(config),
        })
      : [];
    const shards = flags.rebuild ? await resetDamagedShards(database) : [];
    if (batches.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
    if (flags.json) return printJson({ batches, shards });
    if (flags['from-archive']) {
      if (batches.length === 0) print('no journal object is damaged');
      for (const batch of batches) print(told(batch));
    }
    if (flags.rebuild)
      print(
        shards.length === 0
          ? 'no shard is damaged'
          : `${counted(shards.length, 'shard')} (${shards.join(', ')}) will be indexed again; until then, searches find fewer of their pages`,
      );
  });
}

function told({ object, outcome, expected, records, reason }: RebuiltBatch): string {
  if (outcome === 'whole') return `journal/${object} is whole again`;
  if (outcome === 'failed')
    return `journal/${object} was not rebuilt: ${reason}; restore one of both objects from a version or a copy of the bucket`;
  const lost = expected - records;
  const rest =
    lost > 0 ? `; ${counted(lost, 'record')} without a capture, such as aliases, are left out` : '';
  return `journal/${object} rebuilt from the archive with ${counted(records, 'record')}${rest}`;
}
