/**
 * The pages that the operator has removed from a cluster, and the audit log of its operators.
 *
 *   removals          the rules, as in `removed.json` of a data directory
 *   audit_log         a row for each action of an operator, as a line in `audit.log`
 *   cluster.removals  the number of changes of the rules; `cluster.removals_settled` is the last one that the crawl state
 *                     and the archive reflect. Nodes poll the first number
 *   shards.removals   the last change that the published index of a shard reflects
 *
 * A rule is never lost: the node that settles a change stores its number last, so after a crash another node repeats it.
 */
import type { ClusterDatabase, Transaction } from '../database.ts';
import { inTransaction } from '../transaction.ts';

interface StoredRule {
  kind: 'url' | 'prefix' | 'host';
  value: string;
  removedAt: number;
  because?: string;
  purge: 'no' | 'pending' | 'done';
}

interface StoredRemovals {
  /** The number of changes. */
  revision: number;
  /** The last change that all data reflect: crawl state, archive, and every shard. */
  settled: number;
  rules: readonly StoredRule[];
}

/** Returns the number of changes, with one statement. */
export async function readRemovalRevision(sql: ClusterDatabase): Promise<number> {
  const [row] = await sql<{ removals: number }[]>`select removals from gyre.cluster`;
  return row?.removals ?? 0;
}

export async function readClusterRemovals(sql: ClusterDatabase | Transaction): Promise<StoredRemovals> {
  const [row] = await sql<{ revision: number; settled: number; rules: StoredRule[] | null }[]>`
    select c.removals as revision,
      least(c.removals_settled, (select min(s.removals) from gyre.shards s)) as settled,
      (select json_agg(json_strip_nulls(json_build_object('kind', r.kind, 'value', r.value, 'removedAt', r.removed_at,
        'because', r.because, 'purge', r.purge)) order by r.removed_at, r.kind, r.value) from gyre.removals r) as rules
    from gyre.cluster c`;
  return row
    ? { ...row, settled: row.settled ?? 0, rules: row.rules ?? [] }
    : { revision: 0, settled: 0, rules: [] };
}

/**
 * Changes the rules in one transaction. `change` also returns the number of changes, as of `removed.json`, which is
 * stored. Nodes that change the rules at the same time wait for each other.
 */
export async function changeClusterRemovals<List extends StoredRemovals>(
  sql: ClusterDatabase,
  change: (list: StoredRemovals) => List,
): Promise<List> {
  return await inTransaction(sql, async (tx) => {
    await tx`select 1 from gyre.cluster for update`;
    const before = await readClusterRemovals(tx);
    const list = change(before);
    const rows = list.rules.map(({ because = null, ...rule }) => ({ ...rule, because }));
    await tx`delete from gyre.removals`;
    await tx`insert into gyre.removals (kind, value, removed_at, because, purge)
      select kind, value, "removedAt", because, purge from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as r (kind text, value text, "removedAt" bigint, because text, purge text)`;
    await tx`update gyre.cluster set removals = ${list.revision}`;
    return list;
  });
}

/** Stores that the crawl state and the archive reflect a change. `purged` are the rules whose pages were purged. */
export async function markRemovalsSettled(
  sql: ClusterDatabase,
  { revision, allowed }: { revision: number; allowed: number },
  purged: readonly { kind: string; value: string }[],
): Promise<void> {
  const keys = JSON.stringify(purged.map(({ kind, value }) => ({ kind, value })));
  await inTransaction(sql, async (tx) => {
    await tx`update gyre.removals r set purge = 'done'
      from json_to_recordset(${keys}::text::json) as p (kind text, value text)
      where r.kind = p.kind and r.value = p.value`;
    // If URLs may be crawled again, all crawls start again, so that they find these URLs.
    await tx`update gyre.cluster set removals_settled = greatest(removals_settled, ${revision}),
      removals_allowed = removals_allowed + ${allowed > 0 ? 1 : 0}`;
  });
}

/** Returns the last change that the crawl state and the archive reflect. */
export async function readSettledRevision(sql: ClusterDatabase): Promise<number> {
  const [row] = await sql<{ settled: number }[]>`select removals_settled as settled from gyre.cluster`;
  return row?.settled ?? 0;
}

/** Returns the last change that the published index of a shard reflects. */
export async function readShardRemovals(sql: ClusterDatabase, shard: number): Promise<number> {
  const [row] = await sql<{ removals: number }[]>`select removals from gyre.shards where shard = ${shard}`;
  return row?.removals ?? 0;
}

/** Appends an action to the audit log. `entry` is a line of JSON. */
export async function appendClusterAudit(sql: ClusterDatabase, entry: string): Promise<void> {
  await sql`insert into gyre.audit_log (entry) values (${entry})`;
}

/** Returns the last lines of the audit log, the newest first. */
export async function readClusterAudit(sql: ClusterDatabase, limit: number): Promise<string[]> {
  const rows = await sql<{ entry: string }[]>`
    select entry from gyre.audit_log order by number desc limit ${limit}`;
  return rows.map(({ entry }) => entry);
}
