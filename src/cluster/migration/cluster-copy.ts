/** Reads the crawl of a stopped cluster, to copy it to a data directory. Nothing in the cluster changes. */
import { type BlobStore, UsageError } from '../../base/mod.ts';
import type { StateRowSource } from '../../crawl/mod.ts';
import { journalObject } from '../captures/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { ServiceError } from '../service-error.ts';
import { postgresStateRows } from './postgres-rows.ts';

/** The name of the node that fills a cluster. No other node has it, because other names end with random digits. */
export const MIGRATION = 'migration';

/** A committed batch of captures, in the order of the commits. */
interface CopyBatch {
  cursor: string;
  /** The name of its WARC object; null if it has none. */
  warc: string | null;
  /** The name of its journal object; null if it has none. */
  journal: string | null;
}

interface BatchRow {
  cursor: string;
  node: string;
  batch: number;
  warc: string | null;
  warcBytes: number;
  /** The name of its journal object if it was replaced; null otherwise. */
  journal: string | null;
  journalBytes: number;
}

/** Returns committed batches after a cursor; the empty string starts at the first. */
async function readCopyBatches(sql: ClusterDatabase, after: string, limit: number): Promise<CopyBatch[]> {
  const [at = '-infinity', writer = '0', number = '0'] = after === '' ? [] : after.split('|');
  const rows = await sql<BatchRow[]>`
    select committed_at || '|' || writer || '|' || number as cursor, node, batch, warc,
      to_jsonb(b) ->> 'journal' as journal,
      warc_bytes::float8 as "warcBytes", journal_bytes::float8 as "journalBytes"
    from gyre.capture_batches b
    where (committed_at, writer, number) > (${at}::text::timestamptz, ${writer}::text::int, ${number}::text::int)
    order by committed_at, writer, number limit ${limit}`;
  return rows.map(({ cursor, node, batch, warc, journal, warcBytes, journalBytes }) => ({
    cursor,
    warc: warcBytes > 0 ? warc : null,
    journal: journalBytes > 0 ? (journal ?? journalObject({ node, batch })) : null,
  }));
}

/** The crawl of a stopped cluster. */
export class ClusterCopy {
  readonly #sql: ClusterDatabase;
  readonly #archive: BlobStore;
  readonly #journal: BlobStore;
  readonly rows: StateRowSource;

  constructor(sql: ClusterDatabase, archive: BlobStore, journal: BlobStore) {
    this.#sql = sql;
    this.#archive = archive;
    this.#journal = journal;
    this.rows = postgresStateRows(sql);
  }

  /** Returns a text that changes when the crawl changes. */
  async version(): Promise<string> {
    const [row] = await this.#sql<{ version: string }[]>`
      select c.name || ' with ' || (select count(*) from gyre.capture_batches) || ' batches and '
        || (select coalesce(sum(count), 0) from gyre.crawl_counts where counted <> 'host') || ' URLs' as version
      from gyre.cluster c`;
    return row!.version;
  }

  async countBatches(): Promise<number> {
    const [row] = await this.#sql<
      { count: number }[]
    >`select count(*)::int as count from gyre.capture_batches`;
    return row!.count;
  }

  batches(after: string, limit: number): Promise<CopyBatch[]> {
    return readCopyBatches(this.#sql, after, limit);
  }

  async objects({ warc, journal }: CopyBatch): Promise<{ warc: Buffer | null; journal: Buffer | null }> {
    const [warcBytes, journalBytes] = await Promise.all([
      warc === null ? null : this.#archive.get(warc),
      journal === null ? null : this.#journal.get(journal),
    ]);
    return { warc: warcBytes, journal: journalBytes };
  }
}

/** Rejects if nodes of the cluster are alive. They would change the crawl while it is copied. */
export async function refuseLiveNodes(sql: ClusterDatabase): Promise<void> {
  const [row] = await sql<{ nodes: number }[]>`
    select count(*)::int as nodes from gyre.nodes where lease_until > clock_timestamp()`;
  if (row!.nodes === 0) return;
  throw new UsageError(
    'cluster-runs',
    `${row!.nodes} nodes of the cluster are running: stop them with gyre stop --cluster FILE, and try again after 6 s`,
  );
}

/** Rejects if a migration into the cluster is unfinished. */
export async function refuseUnfinishedMigration(sql: ClusterDatabase): Promise<void> {
  const [row] = await sql`select from gyre.crawl_marks where node = ${MIGRATION}`;
  if (!row) return;
  throw new ServiceError(
    'migration-unfinished',
    'postgresql',
    false,
    'a migration into this cluster is unfinished: run the same gyre migrate --to FILE again, which continues it',
  );
}
