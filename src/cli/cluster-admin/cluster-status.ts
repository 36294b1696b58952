/**
 * The state of a whole cluster, for `gyre status --cluster FILE`, from any machine that reaches its services. It does
 * not join the cluster and changes nothing.
 *
 * All services are asked at once. A service that cannot be used is reported as a problem, and the answers of
 * the other services are still shown.
 */
import {
  askOpenShards,
  type ClusterReport,
  explainConnection,
  messageKey,
  type OpenShards,
  openExistingDatabase,
  openS3BlobStore,
  type QueueDepths,
  readClusterReport,
  readQueueDepths,
  ServiceError,
} from '../../cluster/mod.ts';
import { describeProblem, describeUrlReason } from '../../crawl/mod.ts';
import { print, printJson } from '../output.ts';
import { type ClusterFile, readClusterFile } from '../cluster/cluster-file.ts';
import { findProblems } from './status-problems.ts';
import { statusLines } from './status-text.ts';

/** The answers of the services about the cluster. */
export interface ClusterFacts {
  /** The path of the cluster file, for advice. */
  file: string;
  /** The name of the cluster. */
  name: string;
  /** The number of replicas that each shard should have; null if the cluster file has no secret for searching. */
  replicas: number | null;
  /** The report from PostgreSQL; null if PostgreSQL cannot be used. */
  report: ClusterReport | null;
  /** The depths of the queues in RabbitMQ; null if RabbitMQ cannot be used. */
  queues: QueueDepths | null;
  /**
   * The shards that the search nodes have open. Empty if PostgreSQL, which has the addresses of the nodes,
   * cannot be used, or if the cluster file has no secret.
   */
  searchNodes: OpenShards[];
  /** The reasons why services cannot be used, one sentence each. */
  failures: string[];
}

/**
 * The codes of errors after which nothing can be shown: there is no cluster, or the database belongs to another
 * cluster than the file names.
 */
const FATAL = new Set(['cluster-differs', 'no-cluster', 'schema-version']);

export async function showClusterStatus(file: string, asJson: boolean): Promise<void> {
  const facts = await gatherFacts(readClusterFile(file, process.env));
  if (asJson) return printJson(toJson(facts));
  const width = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  for (const line of statusLines(facts, width)) print(line);
}

async function gatherFacts(cluster: ClusterFile): Promise<ClusterFacts> {
  const { file, name, rabbitmq, s3, search } = cluster;
  const failures: string[] = [];
  const ask = async <Result>(asking: Promise<Result>): Promise<Result | null> => {
    try {
      return await asking;
    } catch (raw) {
      const error = explainConnection(raw);
      if (!(error instanceof ServiceError) || FATAL.has(error.code)) throw error;
      failures.push(error.message);
      return null;
    }
  };
  const [report, queues] = await Promise.all([
    ask(askDatabase(cluster)),
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

async function askDatabase(cluster: ClusterFile): Promise<ClusterReport> {
  const database = await openExistingDatabase(cluster.postgresql);
  try {
    return await readClusterReport(database, cluster);
  } finally {
    await database.end({ timeout: 1 });
  }
}

function toJson(facts: ClusterFacts): unknown {
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
