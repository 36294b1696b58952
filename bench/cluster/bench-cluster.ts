/** A cluster for benchmarks, on the servers of `scripts/services`: a new database and bucket, and nodes as processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import postgres from 'postgres';
import { type ClusterDatabase, openDatabase } from '../../src/cluster/mod.ts';

const GYRE = join(import.meta.dirname, '..', '..', 'bin', 'gyre');

export interface BenchCluster {
  database: ClusterDatabase;
  /** Starts a crawl node. */
  startNode(): Promise<ChildProcess>;
  /** Returns the number of URLs that were fetched, and of URLs that are still to be fetched. */
  progress(): Promise<{ done: number; ready: number; owners: number }>;
  close(): Promise<void>;
}

/** Creates a cluster whose crawl has these seeds and settings. Its files are in `directory`. */
export async function createBenchCluster(
  directory: string,
  { seeds, settings }: { seeds: readonly string[]; settings: object },
): Promise<BenchCluster> {
  const { TEST_POSTGRES_URL, TEST_RABBITMQ_URL, TEST_S3_URL } = process.env;
  if (!TEST_POSTGRES_URL || !TEST_RABBITMQ_URL || !TEST_S3_URL)
    throw new Error('run this with scripts/services run postgresql rabbitmq s3 -- …');
  const name = `bench-${randomBytes(4).toString('hex')}`;
  const admin = postgres(TEST_POSTGRES_URL, { max: 1 });
  await admin.unsafe(`create database "${name}"`);
  const url = new URL(TEST_POSTGRES_URL);
  url.pathname = `/${name}`;
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'cluster.json');
  const s3 = await createBucket(TEST_S3_URL, name);
  const values = { name, postgresql: url.href, rabbitmq: TEST_RABBITMQ_URL, s3, seeds, settings };
  writeFileSync(file, JSON.stringify(values));
  const database = await openDatabase(url.href);
  const nodes: ChildProcess[] = [];
  return {
    database,
    async startNode() {
      const data = join(directory, `node-${nodes.length}`);
      const args = [GYRE, 'node', '--cluster', file, '--roles', 'crawl', '--data', data];
      const node = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore'] });
      nodes.push(node);
      return node;
    },
    async progress() {
      const [row] = await database<{ done: number; ready: number; owners: number }[]>`
        select coalesce(sum(count) filter (where counted = 'done'), 0)::int as done,
          coalesce(sum(count) filter (where counted = 'ready'), 0)::int as ready,
          (select count(distinct owner)::int from gyre.vnodes) as owners
        from gyre.crawl_counts`;
      return row!;
    },
    async close() {
      await Promise.all(nodes.map(endNode));
      await database.end({ timeout: 1 });
      await admin.unsafe(`drop database "${name}" with (force)`);
      await admin.end();
    },
  };
}

/** Ends a node as a supervisor does, so that it leaves the cluster. */
async function endNode(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const closed = once(node, 'close');
  node.kill('SIGTERM');
  await closed;
}

async function createBucket(server: string, bucket: string) {
  const { origin, username: accessKeyId, password: secretAccessKey } = new URL(server);
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint: origin, region: 'us-east-1', credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { bucket, endpoint: origin, accessKeyId, secretAccessKey };
}
