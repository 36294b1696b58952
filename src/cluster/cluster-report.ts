/**
 * Reads the state of a whole cluster from PostgreSQL, for `gyre status`: members, coordinator, vnodes, shards and the
 * crawl. It changes nothing, and reads a schema that is older than this program: a column that the schema lacks
 * is null (`to_jsonb(row) ->> 'column'`).
 */
import type { CrawlCounts, Problem, ReasonCount } from '../crawl/mod.ts';
import { type CanonicalUrl, fingerprint, VNODES } from '../url/mod.ts';
import { type DamagedBatch, listDamagedBatches } from './captures/mod.ts';
import { readClusterIdentity } from './cluster-identity.ts';
import { readClusterControl } from './control/mod.ts';
import { PostgresCrawlState } from './crawl-state/mod.ts';
import type { ClusterDatabase } from './database.ts';
import { readSchemaVersion } from './migrations.ts';
import { postgresManifestStore } from './postgres-manifest-store.ts';
import { shardIndexName, shardOf } from './shards/mod.ts';
import { VnodeOwner } from './vnode-owner.ts';

/** Nodes whose leases expired longer ago are left out. Their rows are removed later (control/dead-nodes.ts). */
const SHOWN_MS = 10 * 60_000;
const PROBLEMS = 10;

export interface ClusterReport {
  name: string;
  schemaVersion: number;
  coordinator: {
    /** Null if no node holds the lease. */
    node: string | null;
    epoch: number;
  };
  nodes: NodeReport[];
  vnodes: {
    count: number;
    /** Vnodes without a live owner. */
    free: number;
    /** Vnodes that their live owner has to give to another node. */
    moving: number;
  };
  shards: ShardReport[];
  /** Batches whose journal objects are damaged or missing: index nodes read no later batch of their writers. */
  damaged: DamagedBatch[];
  crawl: CrawlReport;
}

export interface NodeReport {
  node: string;
  roles: string[];
  weight: number;
  /** The version of Gyre; null if the node runs a version that does not report it. */
  version: string | null;
  /** The time until the lease ends; negative if it has expired. */
  leaseMs: number;
  /** The address of a search node; null for other nodes. */
  address: string | null;
  vnodes: number;
  shards: number;
}

interface ShardReport {
  shard: number;
  /** The index node that owns the shard; null if no live node owns it. */
  owner: string | null;
  epoch: number;
  documents: number;
  segments: number;
  /** Batches of the journal that are not in the index of the shard yet. */
  lag: { batches: number; records: number };
  /** The reason why the shard cannot be indexed; null if there is none. */
  problem: string | null;
}

interface CrawlReport extends CrawlCounts {
  isPaused: boolean;
  answers: ReasonCount[];
  problems: Problem[];
}

/** Reads the state of the cluster. Rejects with `cluster-differs` if the database has another cluster than `wanted`. */
export async function readClusterReport(
  sql: ClusterDatabase,
  wanted: { name: string; shards: number },
): Promise<ClusterReport> {
  const { name } = await readClusterIdentity(sql, wanted);
  const [schema, coordinator, nodes, vnodes, shards, damaged, crawl] = await Promise.all([
    readSchemaVersion(sql),
    readCoordinator(sql),
    readNodes(sql),
    readVnodes(sql),
    readShards(sql),
    listDamagedBatches(sql),
    readCrawl(sql),
  ]);
  return { name, schemaVersion: schema!.version, coordinator, nodes, vnodes, shards, damaged, crawl };
}

async function readCoordinator(sql: ClusterDatabase): Promise<ClusterReport['coordinator']> {
  const [row] = await sql<ClusterReport['coordinator'][]>`
    select case when lease_until > clock_timestamp() then node end as node, epoch from gyre.coordinator`;
  return row!;
}

async function readNodes(sql: ClusterDatabase): Promise<NodeReport[]> {
  const rows = await sql<NodeReport[]>`
    select n.node, n.roles, n.weight, to_jsonb(n) ->> 'version' as version,
      (extract(epoch from n.lease_until - clock_timestamp()) * 1000)::float8 as "leaseMs",
      (select address from gyre.search_nodes s where s.node = n.node) as address,
      (select count(*)::int from gyre.vnodes v where v.owner = n.node) as vnodes,
      (select count(*)::int from gyre.shards s where s.owner = n.node) as shards
    from gyre.nodes n where n.lease_until > clock_timestamp() - ${SHOWN_MS} * interval '1 ms' order by n.node`;
  return [...rows];
}

async function readVnodes(sql: ClusterDatabase): Promise<ClusterReport['vnodes']> {
  const [row] = await sql<ClusterReport['vnodes'][]>`
    select count(*)::int as count, count(*) filter (where n.node is null)::int as free,
      count(*) filter (where n.node is not null and v.wanted is distinct from v.owner)::int as moving
    from gyre.vnodes v left join gyre.nodes n on n.node = v.owner and n.lease_until > clock_timestamp()`;
  return row!;
}

async function readShards(sql: ClusterDatabase): Promise<ShardReport[]> {
  const rows = await sql<Pick<ShardReport, 'shard' | 'owner' | 'epoch' | 'problem'>[]>`
    select s.shard, n.node as owner, s.epoch, to_jsonb(s) ->> 'problem' as problem from gyre.shards s
    left join gyre.nodes n on n.node = s.owner and n.lease_until > clock_timestamp() order by s.shard`;
  return await Promise.all(
    rows.map(async (row) => {
      const { segments, journal } = await postgresManifestStore(sql, shardIndexName(row.shard)).read();
      const documents = segments.reduce((sum, { docs, deleted }) => sum + docs - deleted, 0);
      const lag = await readLag(sql, journal);
      return { ...row, documents, segments: segments.length, lag };
    }),
  );
}

/** Returns the number of batches of captures that the index of a URL's shard has not read yet. */
export async function readUnindexedBatches(
  sql: ClusterDatabase,
  shards: number,
  url: CanonicalUrl,
): Promise<number> {
  const shard = shardOf(fingerprint(url), shards);
  const { journal } = await postgresManifestStore(sql, shardIndexName(shard)).read();
  return (await readLag(sql, journal)).batches;
}

/** Counts the batches with journal records after a position in the journal. */
async function readLag(
  sql: ClusterDatabase,
  position: Readonly<Record<string, number>>,
): Promise<ShardReport['lag']> {
  const [row] = await sql<ShardReport['lag'][]>`
    select count(*)::int as batches, coalesce(sum(b.records), 0)::float8 as records
    from gyre.journal_writers w join gyre.capture_batches b on b.writer = w.number
    where b.journal_bytes > 0
      and b.number > coalesce((${JSON.stringify(position)}::text::json ->> ('n' || w.number))::int, 0)`;
  return row!;
}

/**
 * Reads the state of the crawl over all vnodes, with the code of a node that holds all of them. Nothing is
 * written.
 */
async function readCrawl(sql: ClusterDatabase): Promise<CrawlReport> {
  const state = new PostgresCrawlState(sql, new VnodeOwner(sql, 'status', 0));
  await state.hold(Array.from({ length: VNODES }, (_, vnode) => ({ vnode, epoch: 0 })));
  const [{ isPaused }, counts, answers, problems] = await Promise.all([
    readClusterControl(sql),
    state.counts(),
    state.answers(),
    state.problems(PROBLEMS),
  ]);
  return { isPaused, ...counts, answers, problems };
}
