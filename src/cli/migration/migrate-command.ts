/** The command `gyre migrate`. */
import { UsageError } from '../../base/mod.ts';
import { clusterCommandFor, commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readClusterFile } from '../cluster/cluster-file.ts';
import { settingsReader } from '../cluster/node-command.ts';
import { print } from '../output.ts';
import { copyFromCluster } from './from-cluster.ts';
import { copyToCluster } from './to-cluster.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  positionals: '',
  summary:
    'Copies the crawl of the data directory into an empty cluster, or that of a stopped cluster to an empty data directory. Nothing is fetched again. An interrupted copy continues when the command is repeated',
  examples: ['gyre migrate --to cluster.json', 'gyre migrate --from cluster.json --data data'],
  settings: [],
  flags: [
    {
      name: 'to',
      kind: 'string',
      value: 'FILE',
      help: 'copy into the cluster of this file (docs/cluster.md)',
    },
    { name: 'from', kind: 'string', value: 'FILE', help: 'copy from the cluster of this file' },
  ],
  run: migrate,
};

async function migrate({ config, flags }: Invocation): Promise<void> {
  const { to, from } = flags;
  if ((typeof to === 'string') === (typeof from === 'string'))
    throw new UsageError('bad-option', 'expected either --to FILE or --from FILE; see gyre migrate --help');
  const file = String(to ?? from);
  const cluster = readClusterFile(file, process.env);
  const configOf = settingsReader(cluster, flags);
  const { archive } = config;
  if (to !== undefined) {
    await copyToCluster(config.data, archive, { cluster, configOf });
    print(
      `the crawl of ${config.data} is in cluster ${cluster.name}; ${clusterCommandFor('node', file)} continues it`,
    );
  } else {
    await copyFromCluster(config.data, archive, { cluster, configOf });
    print(
      `the crawl of cluster ${cluster.name} is in ${config.data}; ${commandFor('up', config.data)} continues it`,
    );
  }
}
