/** Starts nodes of a cluster as processes, on real services. Each test has its own database, queues and bucket. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type BlobStore, type Directory, openDirectory, silentLog } from '../../src/base/mod.ts';
import { brokerUrl, createCluster } from '../../src/cluster/links/test-broker.fixture.ts';
import {
  type ClusterDatabase,
  openDatabase,
  openS3BlobStore,
  openShardBlobs,
} from '../../src/cluster/mod.ts';
import { postgresManifestStore } from '../../src/cluster/postgres-manifest-store.ts';
import { shardIndexName } from '../../src/cluster/shards/shard-place.ts';
import { bucketAccess, createBucket } from '../../src/cluster/test-bucket.fixture.ts';
import { createDatabase } from '../../src/cluster/test-database.fixture.ts';
import { CachedSegments, filesOf, readManifest, writeManifest } from '../../src/index/mod.ts';
import { type Finished, Gyre, temporaryDirectory } from './gyre.ts';

export interface TestCluster {
  /** The path of the cluster file. */
  file: string;
  shards: number;
  database: ClusterDatabase;
  nodes: readonly Gyre[];
  /** Starts a node and waits until it has joined. It is killed after the test. */
  start(roles: string, flags?: readonly string[], place?: NodePlace): Promise<Gyre>;
  /** Opens the objects of the bucket whose names begin with `prefix`. */
  openBlobs(prefix: string): Promise<BlobStore>;
  /** Publishes a local index as the index of a shard, as an index node does. */
  publish(shard: number, index: Directory): Promise<void>;
  /** Writes a changed copy of the cluster file and returns its path. */
  changedFile(changes: Record<string, unknown>): string;
  /** Runs a node with a changed cluster file, and waits until it ends. */
  refused(roles: string, changes: Record<string, unknown>): Promise<Finished>;
  /** Copies the published index of a shard to a local directory. */
  openShard(shard: number): Promise<Directory>;
}

/** The settings of a node that differ from the other nodes: where it runs, and its cluster file. */
export interface NodePlace {
  environment?: Record<string, string>;
  /** A command that runs the node, such as `ip netns exec NAME`. */
  launcher?: readonly string[];
  /** Changes of the cluster file, for example other addresses of the services. */
  changes?: Record<string, unknown>;
}

export interface TestClusterOptions {
  seeds: readonly string[];
  shards?: number;
  crawl?: Record<string, unknown>;
  /** The number of search nodes that have each shard; 2 by default. */
  replicas?: number;
  /** The address of the S3 server; by default the server of the tests. */
  endpoint?: string;
}

/** The secret of the messages between gateways and search nodes. */
export const SECRET = 'the secret of a test cluster';

const ENVIRONMENT = { GYRE_MEANING_MODEL: 'off' };

export async function createTestCluster(
  context: TestContext,
  { seeds, shards = 2, crawl = {}, replicas = 2, endpoint = bucketAccess.endpoint }: TestClusterOptions,
): Promise<TestCluster> {
  const root = temporaryDirectory(context);
  const postgresql = await createDatabase(context);
  const bucket = await createBucket(context);
  // Only the two keys are copied, because the client of S3 has added fields to the credentials.
  const { accessKeyId, secretAccessKey } = bucketAccess.credentials;
  const s3 = { bucket, endpoint, accessKeyId, secretAccessKey };
  const reachable = { resolve: { '*.test': '127.0.0.1' }, allowAddresses: ['127.0.0.0/8'] };
  const settings = {
    contact: 'https://example.org/bot',
    crawl: { scope: 'host', domains: ['test'], revisit: 'off', ...reachable, ...crawl },
  };
  const name = createCluster(context);
  const file = join(root, 'cluster.json');
  const search = { secret: SECRET, replicas };
  const values = { name, postgresql, rabbitmq: brokerUrl, s3, shards, search, seeds, settings };
  writeFileSync(file, JSON.stringify(values));
  let changedFiles = 0;
  const changedFile = (changes: Record<string, unknown>) => {
    const path = join(root, `changed-${changedFiles++}.json`);
    const merged = { ...values, ...changes, s3: { ...s3, ...(changes.s3 as object) } };
    writeFileSync(path, JSON.stringify(merged));
    return path;
  };
  const database = await openDatabase(postgresql);
  context.after(() => database.end({ timeout: 0 }));
  const openBlobs = (prefix: string) => openS3BlobStore({ ...bucketAccess, bucket, prefix });
  const nodes: Gyre[] = [];
  context.after(() => Promise.all(nodes.map((node) => node.kill('SIGKILL'))));
  return {
    file,
    shards,
    database,
    nodes,
    async start(roles, flags = [], { environment, launcher, changes } = {}) {
      const data = join(root, `node-${nodes.length}`);
      const own = changes === undefined ? file : changedFile(changes);
      const args = ['node', '--cluster', own, '--roles', roles, '--data', data, ...flags];
      const node = new Gyre(args, { ...ENVIRONMENT, ...environment }, launcher);
      nodes.push(node);
      await node.told(/joined cluster/);
      return node;
    },
    openBlobs,
    changedFile,
    async publish(shard, index) {
      const store = postgresManifestStore(database, shardIndexName(shard));
      const next = readManifest(index);
      const blobs = await openShardBlobs(openBlobs, shard);
      for (const file of filesOf(next)) await blobs.put(file, index.read(file));
      if (!(await store.compareAndSwap(await store.read(), next)))
        throw new Error('the manifest has changed');
    },
    async refused(roles, changes) {
      const changed = changedFile(changes);
      const args = ['node', '--cluster', changed, '--roles', roles, '--data', join(root, 'refused')];
      const node = new Gyre(args, ENVIRONMENT);
      nodes.push(node);
      return await node.ended();
    },
    async openShard(shard) {
      const directory = openDirectory(join(root, `shard-${shard}`));
      const manifest = await postgresManifestStore(database, shardIndexName(shard)).read();
      await new CachedSegments(await openShardBlobs(openBlobs, shard), directory, { log: silentLog }).bring(
        manifest,
      );
      writeManifest(directory, manifest);
      return directory;
    },
  };
}

/**
 * Creates a user of PostgreSQL with the grants of docs/cluster.md and no others. The schema exists already. Returns the URL
 * for this user, its name, and a function that drops it.
 */
export async function openLimitedUser({ database }: TestCluster) {
  const [name, password] = [`node_${randomBytes(4).toString('hex')}`, randomBytes(8).toString('hex')];
  const { host, port, database: path } = database.options;
  const text = readFileSync(join(import.meta.dirname, '../../docs/cluster.md'), 'utf8');
  const grants = /-- The grants of a node\n([^`]+)/.exec(text)![1]!;
  await database.unsafe(`create role ${name} login password '${password}'`);
  await database.unsafe(
    grants.replaceAll('gyre_node', name).replaceAll('database gyre', `database "${path}"`),
  );
  const url = `postgres://${name}:${password}@${host[0]}:${port[0]}/${path}`;
  return { url, role: name, drop: () => database.unsafe(`drop owned by ${name}; drop role ${name}`) };
}
