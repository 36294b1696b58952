/**
 * The pause of the whole crawl: a column of the row of the cluster, which every crawl node reads twice a
 * second. Therefore a pause also holds for nodes that start later, until it is ended.
 */
import { CRAWL_PAUSE_VERSION } from '../crawl-state-schema.ts';
import type { ClusterDatabase } from '../database.ts';
import { readSchemaVersion } from '../migrations.ts';
import { ServiceError } from '../service-error.ts';

/** Returns true if the crawl is paused. Also reads schemas without the column. */
export async function isCrawlPaused(sql: ClusterDatabase): Promise<boolean> {
  const [row] = await sql<{ paused: string | null }[]>`
    select to_jsonb(c) ->> 'is_paused' as paused from gyre.cluster c`;
  return row?.paused === 'true';
}

/** Pauses or resumes the crawl. Returns false if it was in this state already. */
export async function setCrawlPaused(sql: ClusterDatabase, isPaused: boolean): Promise<boolean> {
  const { version = 0 } = (await readSchemaVersion(sql)) ?? {};
  if (version < CRAWL_PAUSE_VERSION)
    throw new ServiceError(
      'schema-version',
      'postgresql',
      false,
      `the nodes of the cluster cannot be paused: expected schema version ${CRAWL_PAUSE_VERSION} or later, got ${version}; upgrade the nodes`,
    );
  const changed = await sql`
    update gyre.cluster set is_paused = ${isPaused} where is_paused <> ${isPaused} returning name`;
  return changed.length > 0;
}
