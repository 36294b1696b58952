/** Starts nodes of a cluster as processes, on real services. Each test has its own database, queues and bucket. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Directory, openDirectory, silentLog } from '../../src/base/mod.ts';
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
  start(roles: string, flags?: readonly string[]): Promise<Gyre>;
  /** Publishes a local index as that of a shard, as an index node does. */
  publish(shard: number, index: Directory): Promise<void>;
  /** Runs a node with changes of the cluster file, and waits until it ends. */
  refused(roles: string, changes: Record<string, unknown>): Promise<Finished>;
  /** Copies the published index of a shard to a local directory. */
  openShard(shard: number): Promise<Directory>;
}

export interface TestClusterOptions {
  seeds: readonly string[];
  shards?: number;
  crawl?: Record<string, unknown>;
}

const ENVIRONMENT = { GYRE_MEANING_MODEL: 'off' };

export async function createTestCluster(
  context: TestContext,
  { seeds, shards = 2, crawl = {} }: TestClusterOptions,
): Promise<TestCluster> {
  const root = temporaryDirectory(context);
  const postgresql = await createDatabase(context);
  const bucket = await createBucket(context);
  const { endpoint, credentials } = bucketAccess;
  // The client of S3 has added fields to the credentials.
  const { accessKeyId, secretAccessKey } = credentials;
  const s3 = { bucket, endpoint, accessKeyId, secretAccessKey };
  const reachable = { resolve: { '*.test': '127.0.0.1' }, allowAddresses: ['127.0.0.0/8'] };
  const settings = {
    contact: 'https://example.org/bot',
    crawl: { scope: 'host', domains: ['test'], revisit: 'off', ...reachable, ...crawl },
  };
  const name = createCluster(context);
  const file = join(root, 'cluster.json');
  const search = { secret: 'the secret of a test cluster', replicas: 2 };
  const values = { name, postgresql, rabbitmq: brokerUrl, s3, shards, search, seeds, settings };
  writeFileSync(file, JSON.stringify(values));
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
    async start(roles, flags = []) {
      const data = join(root, `node-${nodes.length}`);
      const args = ['node', '--cluster', file, '--roles', roles, '--data', data, ...flags];
      const node = new Gyre(args, ENVIRONMENT);
      nodes.push(node);
      await node.told(/joined cluster/);
      return node;
    },
    async publish(shard, index) {
      const store = postgresManifestStore(database, shardIndexName(shard));
      const next = readManifest(index);
      const blobs = await openShardBlobs(openBlobs, shard);
      for (const file of filesOf(next)) await blobs.put(file, index.read(file));
      if (!(await store.compareAndSwap(await store.read(), next)))
        throw new Error('the manifest has changed');
    },
    async refused(roles, changes) {
      const changed = join(root, 'changed.json');
      const s3Changes = changes.s3 as object | undefined;
      writeFileSync(changed, JSON.stringify({ ...values, ...changes, s3: { ...s3, ...s3Changes } }));
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
