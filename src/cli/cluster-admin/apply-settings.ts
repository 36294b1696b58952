/**
 * The command `gyre apply`: gives the seeds and crawl settings of a cluster file to all nodes of a running cluster. They
 * also hold for nodes that start later, until the next `gyre apply`.
 */
import { UsageError } from '../../base/mod.ts';
import { changeLiveSettings, type LiveSettings } from '../../cluster/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readClusterFile } from '../cluster/cluster-file.ts';
import { applySettings } from '../cluster/live-settings.ts';
import { print } from '../output.ts';
import { loadConfig } from '../settings/mod.ts';
import { withCluster } from './with-cluster.ts';

export const applyCommand: Command = {
  name: 'apply',
  positionals: '',
  summary: 'Gives the seeds and crawl settings of a cluster file to all nodes of the running cluster',
  examples: ['gyre apply --cluster cluster.json'],
  settings: [],
  flags: [{ name: 'cluster', kind: 'string', value: 'FILE', help: 'the cluster file (docs/cluster.md)' }],
  run: apply,
};

async function apply({ flags }: Invocation): Promise<void> {
  const file = flags.cluster;
  if (typeof file !== 'string')
    throw new UsageError('bad-option', 'missing --cluster FILE; see gyre apply --help');
  const cluster = readClusterFile(file, process.env);
  const { crawl = {} } = cluster.settings as { crawl?: LiveSettings['crawl'] };
  const live = { seeds: cluster.seedLines, crawl };
  const configOf = (values: unknown) =>
    loadConfig({ flags, environment: {}, file: undefined, part: { values, place: `${file}: settings` } });
  applySettings({ cluster, configOf }, live);
  await withCluster(file, async (database, { name }) => {
    const isNew = await changeLiveSettings(database, live);
    print(
      `cluster ${name}: ${isNew ? 'all nodes use these settings within 5 s' : 'these settings are in use already'}`,
    );
  });
}
