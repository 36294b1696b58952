/** The command `gyre node`, which runs a node of a cluster. */
import { UsageError } from '../../base/mod.ts';
import {
  checkClusterIdentity,
  explainDatabaseError,
  grantToNodes,
  type ListenAddress,
  openDatabase,
} from '../../cluster/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { onInterrupt } from '../interrupts.ts';
import { print, stderrLog, tell } from '../output.ts';
import { type Config, loadConfig } from '../settings/mod.ts';
import { type ClusterFile, readClusterFile } from './cluster-file.ts';
import { runNode } from './node.ts';
import { parseRoles, ROLE_NAMES } from './roles.ts';

const DEFAULT_LISTEN = '127.0.0.1:4100';

export const nodeCommand: Command = {
  name: 'node',
  positionals: '',
  summary:
    'Runs a node of a cluster on PostgreSQL, RabbitMQ and S3 until it is stopped. Nodes may join and leave at any time. --data is a local directory for copies, which each node has for itself',
  examples: [
    'gyre node --cluster cluster.json --roles crawl,index',
    'gyre node --cluster cluster.json --prepare gyre_node',
  ],
  settings: ['host', 'port'],
  flags: [
    { name: 'cluster', kind: 'string', value: 'FILE', help: 'the cluster file (docs/cluster.md)' },
    { name: 'roles', kind: 'string', value: 'LIST', help: `some of ${ROLE_NAMES.join(', ')} (all)` },
    {
      name: 'listen',
      kind: 'string',
      value: 'HOST:PORT',
      help: `address of the role search, which gateways must reach (${DEFAULT_LISTEN})`,
    },
    {
      name: 'health',
      kind: 'string',
      value: 'HOST:PORT',
      help: 'address of /healthz, /readyz and /metrics, for a node of any role (none)',
    },
    {
      name: 'prepare',
      kind: 'string',
      value: 'USER',
      help: 'create or upgrade the tables, as their owner, give this user of PostgreSQL the grants of a node, and end',
    },
    { name: 'weight', kind: 'string', value: 'N', help: 'share of the work, compared with other nodes (1)' },
  ],
  leastMemory: '384Mi',
  run: node,
};

async function node({ flags }: Invocation): Promise<void> {
  if (typeof flags.cluster !== 'string')
    throw new UsageError('bad-option', 'missing --cluster FILE; see gyre node --help');
  const cluster = readClusterFile(flags.cluster, process.env);
  if (typeof flags.prepare === 'string') return await prepare(cluster, flags.prepare);
  const configOf = settingsReader(cluster, flags);
  const config = configOf(cluster.settings);
  const roles = parseRoles(typeof flags.roles === 'string' ? flags.roles : ROLE_NAMES.join(','));
  const stopping = new AbortController();
  const off = onInterrupt(() => {
    tell('stopping: work in progress is finished; Ctrl-C again ends at once');
    stopping.abort();
  });
  const onJoined = (name: string) => tell(`joined cluster ${cluster.name} as ${name}: ${roles.join(', ')}`);
  const weight = parseWeight(flags.weight);
  try {
    await runNode({
      cluster,
      config,
      configOf,
      roles,
      weight,
      listen: parseAddress('listen', flags.listen ?? DEFAULT_LISTEN),
      health: flags.health === undefined ? null : parseAddress('health', flags.health),
      log: stderrLog(config),
      signal: stopping.signal,
      onJoined,
    });
  } finally {
    off();
  }
}

/** Creates or upgrades the schema, and gives `user` the grants of a node. */
async function prepare(cluster: ClusterFile, user: string): Promise<void> {
  const database = await openDatabase(cluster.postgresql);
  try {
    await checkClusterIdentity(database, cluster);
    await grantToNodes(database, user);
  } catch (error) {
    throw explainDatabaseError(error);
  } finally {
    await database.end({ timeout: 1 });
  }
  print(`the tables of the cluster ${cluster.name} are up to date, and ${user} has the grants of a node`);
}

/** Returns a function that converts the settings of a cluster file to a configuration. Flags override settings. */
export function settingsReader(
  { file }: ClusterFile,
  flags: Invocation['flags'],
): (settings: unknown) => Config {
  const place = `${file}: settings`;
  return (values) =>
    loadConfig({ flags, environment: process.env, file: undefined, part: { values, place } });
}

function parseWeight(flag: string | boolean | undefined): number {
  const weight = flag === undefined ? 1 : Number(flag);
  if (weight > 0 && weight <= 100) return weight;
  throw new UsageError('bad-option', `--weight: expected a number up to 100, got "${flag}"`);
}

function parseAddress(name: string, flag: string | boolean): ListenAddress {
  const [, host, port] = /^(\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(String(flag)) ?? [];
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  throw new UsageError('bad-option', `--${name}: expected HOST:PORT, got "${flag}"`);
}
