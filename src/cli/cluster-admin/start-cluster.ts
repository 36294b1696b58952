/**
 * `gyre up --cluster FILE`: a whole cluster in one process, for a first try on one machine. It is an ordinary node with all
 * roles, so other nodes can join it later.
 *
 * A node waits for services that are away. This command checks all services first and names those that cannot be used,
 * because on a first try they were probably never started.
 */
import { randomBytes } from 'node:crypto';
import { messageOf, UsageError } from '../../base/mod.ts';
import { type ClusterDatabase, type ClusterReport, readClusterReport } from '../../cluster/mod.ts';
import { clusterCommandFor } from '../advice.ts';
import type { Invocation } from '../arguments.ts';
import { type ClusterFile, readClusterFile } from '../cluster/cluster-file.ts';
import { runNode } from '../cluster/node.ts';
import { settingsReader } from '../cluster/node-command.ts';
import { ROLE_NAMES } from '../cluster/roles.ts';
import { findUnusableServices } from '../cluster-facts/mod.ts';
import { onInterrupt, STOPPING, stopped } from '../interrupts.ts';
import { counted, ProgressLine, print, stderrLog, tell } from '../output.ts';

const PROGRESS_MS = 1_000;
/** The address of the role `search`, at any free port: only the gateway of this process uses it. */
const LISTEN = { host: '127.0.0.1', port: 0 };

export async function startWholeCluster(
  file: string,
  { flags, positionals }: Pick<Invocation, 'flags' | 'positionals'>,
): Promise<void> {
  const given = positionals[0] ?? flags.seeds;
  if (given !== undefined)
    throw new UsageError(
      'bad-option',
      `"${given}": a cluster has its seeds in its file; add it to "seeds" in ${file}`,
    );
  const cluster = withSecret(readClusterFile(file, process.env));
  const configOf = settingsReader(cluster, flags);
  const config = configOf(cluster.settings);
  await checkServices(cluster);
  if (cluster.seeds.length === 0) tell(`${file} has no "seeds": the crawl begins when you add some`);
  const stopping = new AbortController();
  const progress = new ClusterProgress(cluster);
  const off = onInterrupt(() => {
    progress.end();
    tell(STOPPING);
    stopping.abort();
  });
  try {
    await runNode({
      cluster,
      config,
      configOf,
      roles: ROLE_NAMES,
      weight: 1,
      listen: LISTEN,
      health: null,
      log: stderrLog(config),
      signal: stopping.signal,
      onJoined: (_, database) => progress.begin(database),
    });
  } finally {
    progress.end();
    off();
  }
  tell(stopped(clusterCommandFor('up', file)));
}

/** Returns the cluster with a secret. If the file has none, it is new in each process, so no other node can search. */
function withSecret(cluster: ClusterFile): ClusterFile {
  const secret = cluster.search.secret ?? randomBytes(32).toString('base64url');
  return { ...cluster, search: { ...cluster.search, secret, replicas: 1 } };
}

async function checkServices(cluster: ClusterFile): Promise<void> {
  const problems = await findUnusableServices(cluster);
  if (problems.length === 0) return;
  const list = problems.map((problem) => `\n  - ${problem}`).join('');
  throw new UsageError(
    'services-missing',
    `${counted(problems.length, 'service')} of ${cluster.file} cannot be used:${list}\nA cluster needs PostgreSQL, RabbitMQ and S3; deploy/compose.yaml starts all three. Without them, gyre up SEED runs the engine on this machine`,
  );
}

/** Shows the progress of the crawl and of the index, and announces once that all pages can be found. */
class ClusterProgress {
  readonly #cluster: ClusterFile;
  readonly #line = new ProgressLine();
  #timer: NodeJS.Timeout | undefined;
  #announced = '';
  #isEnded = false;

  constructor(cluster: ClusterFile) {
    this.#cluster = cluster;
  }

  begin(database: ClusterDatabase): void {
    const { file, name } = this.#cluster;
    tell(`cluster ${name} runs in this process; ${clusterCommandFor('status', file)} shows it`);
    this.#planNext(database);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#line.clear();
  }

  #planNext(database: ClusterDatabase): void {
    if (this.#isEnded) return;
    this.#timer = setTimeout(async () => {
      try {
        this.#show(await readClusterReport(database, this.#cluster));
      } catch (error) {
        // The node logs that the database is away. The progress continues when it is back.
        this.#line.show(`progress unknown: ${messageOf(error)}`);
      }
      this.#planNext(database);
    }, PROGRESS_MS);
  }

  #show({ crawl, shards }: ClusterReport): void {
    if (this.#isEnded) return;
    const documents = shards.reduce((sum, shard) => sum + shard.documents, 0);
    const isIndexed = shards.every(({ lag }) => lag.batches === 0);
    if (crawl.isPaused || crawl.ready > 0 || crawl.done === 0 || !isIndexed) {
      const state = crawl.isPaused ? 'paused' : `${crawl.done} fetched, ${crawl.ready} queued`;
      this.#line.show(`${state}; ${documents} indexed`);
      return;
    }
    this.#line.clear();
    const announcement = `ready: ${counted(documents, 'document')} (Ctrl-C ends)`;
    if (announcement !== this.#announced) print(announcement);
    this.#announced = announcement;
  }
}
