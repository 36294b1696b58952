/**
 * The state of a whole cluster, for `gyre status --cluster FILE` and the admin API of gateways.
 *
 * All services are asked at once. A service that cannot be used becomes a problem, and the answers of the others are shown.
 */
import {
  askOpenShards,
  type ClusterDatabase,
  type ClusterReport,
  explainDatabaseError,
  messageKey,
  type OpenShards,
  openExistingDatabase,
  openS3BlobStore,
  type QueueDepths,
  readClusterReport,
  readQueueDepths,
  type S3Options,
  ServiceError,
} from '../../cluster/mod.ts';
import { describeProblem, describeUrlReason } from '../../crawl/mod.ts';
import { findProblems } from './status-problems.ts';

/** The part of a cluster file that is needed to ask the services. */
export interface ClusterPlace {
  file: string;
  name: string;
  postgresql: string;
  rabbitmq: string;
  s3: Omit<S3Options, 'prefix'>;
  shards: number;
  search: { secret: string | null; replicas: number };
}

/** The answers of the services about the cluster. */
export interface ClusterFacts {
  /** The path of the cluster file, for advice. */
  file: string;
  /** The name of the cluster. */
  name: string;
  /** The number of replicas that each shard should have; null if the cluster file has no secret for searching. */
  replicas: number | null;
  /** From PostgreSQL; null if it cannot be used. */
  report: ClusterReport | null;
  /** From RabbitMQ; null if it cannot be used. */
  queues: QueueDepths | null;
  /** From the search nodes; empty without PostgreSQL, which has their addresses, or without the secret. */
  searchNodes: OpenShards[];
  /** Why services cannot be used, a sentence each. */
  failures: string[];
}

/**
 * Error codes that end the command: the database has no cluster, a cluster with another name than the cluster file says,
 * or a schema that this program does not know.
 */
const FATAL = new Set(['cluster-differs', 'no-cluster', 'schema-version']);

/**
 * Asks all services. `database` is an open connection to PostgreSQL; without it, one is opened. Rejects with
 * one of the FATAL errors if the database has no cluster that can be shown.
 */
export async function gatherFacts(cluster: ClusterPlace, database?: ClusterDatabase): Promise<ClusterFacts> {
  const { file, name, rabbitmq, s3, search } = cluster;
  const failures: string[] = [];
  const ask = async <Result>(asking: Promise<Result>): Promise<Result | null> => {
    try {
      return await asking;
    } catch (raw) {
      const error = explainDatabaseError(raw);
      if (!(error instanceof ServiceError) || FATAL.has(error.code)) throw error;
      failures.push(error.message);
      return null;
    }
  };
  const [report, queues] = await Promise.all([
    ask(database ? readClusterReport(database, cluster) : askDatabase(cluster)),
    ask(readQueueDepths(rabbitmq, name)),
    ask(openS3BlobStore({ ...s3, prefix: '' })),
  ]);
  const members = (report?.nodes ?? []).flatMap(({ node, address, weight, leaseMs }) =>
    address !== null && leaseMs > 0 ? [{ node, address, weight }] : [],
  );
  const searchNodes = search.secret === null ? [] : await askOpenShards(members, messageKey(search.secret));
  const replicas = search.secret === null ? null : search.replicas;
  return { file, name, replicas, report, queues, searchNodes, failures: failures.sort() };
}

/**
 * Returns why services cannot be used, a sentence for each, in the order of the cluster file. A database without a cluster
 * can be used: the first node creates the cluster.
 */
export async function findUnusableServices({
  postgresql,
  rabbitmq,
  s3,
  name,
}: ClusterPlace): Promise<string[]> {
  const database = async () => await (await openExistingDatabase(postgresql)).end({ timeout: 1 });
  const asked = await Promise.allSettled([
    database(),
    readQueueDepths(rabbitmq, name),
    openS3BlobStore({ ...s3, prefix: '' }),
  ]);
  return asked.flatMap((result) => {
    if (result.status === 'fulfilled') return [];
    const error: unknown = explainDatabaseError(result.reason);
    if (!(error instanceof ServiceError)) throw error;
    return error.code === 'no-cluster' ? [] : [error.message];
  });
}

async function askDatabase(cluster: ClusterPlace): Promise<ClusterReport> {
  const database = await openExistingDatabase(cluster.postgresql);
  try {
    return await readClusterReport(database, cluster);
  } finally {
    await database.end({ timeout: 1 });
  }
}

/** Returns the facts as the API and `--json` show them. */
export function factsAsJson(facts: ClusterFacts): object {
  const { name, replicas, report, queues, searchNodes } = facts;
  const { crawl, ...rest } = report ?? {};
  return {
    name,
    problems: findProblems(facts),
    ...rest,
    crawl: crawl && {
      ...crawl,
      answers: crawl.answers.map(({ reason, count }) => ({ reason: describeUrlReason(reason), count })),
      problems: crawl.problems.map((problem) => ({ reason: describeProblem(problem), count: problem.count })),
    },
    queues,
    replicas,
    searchNodes,
  };
}
