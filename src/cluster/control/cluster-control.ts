/**
 * The control of a cluster, in the row of the table `cluster`:
 *
 *   is_paused   true while the crawl is paused
 *   stops       the number of requests to stop the whole cluster; a node ends when it has increased since the node joined
 *   revision    the number of changes of the live settings
 *   seeds       the live seeds; null before the first change
 *   crawl       the live settings of the crawl, as in a cluster file; null before the first change
 *
 * Reading works with older schemas, too: what a schema lacks was never changed.
 */
import { CONTROL_VERSION, CRAWL_PAUSE_VERSION } from '../node-schema.ts';
import type { ClusterDatabase } from '../database.ts';
import { readSchemaVersion } from '../migrations.ts';
import { ServiceError } from '../service-error.ts';

interface ClusterControl {
  isPaused: boolean;
  /** The number of requests to stop the whole cluster. */
  stops: number;
  /** A number that changes when crawls must start again: with other live settings, or with URLs that may be crawled again. */
  revision: number;
}

/** Seeds and settings that replace those of the cluster files of all crawl nodes. */
export interface LiveSettings {
  seeds: readonly string[];
  /** The section `crawl` of the settings, as in a cluster file. */
  crawl: Readonly<Record<string, unknown>>;
}

export async function readClusterControl(sql: ClusterDatabase): Promise<ClusterControl> {
  const [row] = await sql<ClusterControl[]>`
    select coalesce((to_jsonb(c) ->> 'is_paused')::boolean, false) as "isPaused",
      coalesce((to_jsonb(c) ->> 'stops')::int, 0) as stops,
      coalesce((to_jsonb(c) ->> 'revision')::int, 0)
        + coalesce((to_jsonb(c) ->> 'removals_allowed')::int, 0) as revision
    from gyre.cluster c`;
  return row ?? { isPaused: false, stops: 0, revision: 0 };
}

/** Returns the live settings; null if they were never changed. */
export async function readLiveSettings(sql: ClusterDatabase): Promise<LiveSettings | null> {
  const [row] = await sql<{ live: LiveSettings | null }[]>`
    select case when (to_jsonb(c) ->> 'revision')::int > 0
      then jsonb_build_object('seeds', to_jsonb(c) -> 'seeds', 'crawl', to_jsonb(c) -> 'crawl') end as live
    from gyre.cluster c`;
  return row?.live ?? null;
}

/** Pauses or resumes the crawl. Returns false if it was in this state already. */
export async function setCrawlPaused(sql: ClusterDatabase, isPaused: boolean): Promise<boolean> {
  await requireVersion(sql, CRAWL_PAUSE_VERSION, 'paused');
  const changed = await sql`
    update gyre.cluster set is_paused = ${isPaused} where is_paused <> ${isPaused} returning name`;
  return changed.length > 0;
}

/** Asks all nodes that run now to stop. Returns their number. */
export async function stopCluster(sql: ClusterDatabase): Promise<number> {
  await requireVersion(sql, CONTROL_VERSION, 'stopped');
  await sql`update gyre.cluster set stops = stops + 1`;
  const [row] = await sql<{ nodes: number }[]>`
    select count(*)::int as nodes from gyre.nodes where lease_until > clock_timestamp()`;
  return row!.nodes;
}

/** Replaces the live settings. Returns false if they were the same. The caller has checked them. */
export async function changeLiveSettings(
  sql: ClusterDatabase,
  { seeds, crawl }: LiveSettings,
): Promise<boolean> {
  await requireVersion(sql, CONTROL_VERSION, 'given other settings');
  const changed = await sql`
    update gyre.cluster set revision = revision + 1, seeds = ${JSON.stringify(seeds)}::text::jsonb,
      crawl = ${JSON.stringify(crawl)}::text::jsonb
    where seeds is distinct from ${JSON.stringify(seeds)}::text::jsonb
      or crawl is distinct from ${JSON.stringify(crawl)}::text::jsonb returning revision`;
  return changed.length > 0;
}

async function requireVersion(sql: ClusterDatabase, least: number, what: string): Promise<void> {
  const { version = 0 } = (await readSchemaVersion(sql)) ?? {};
  if (version >= least) return;
  throw new ServiceError(
    'schema-version',
    'postgresql',
    false,
    `the nodes of the cluster cannot be ${what}: expected schema version ${least} or later, got ${version}; upgrade the nodes`,
  );
}
