/**
 * Applies the operator's removals to the crawl state of a cluster, like crawl/state/sqlite/sqlite-removals.ts to `crawl.db`:
 * removed URLs become `refused` and lose what was learned from their responses; allowed URLs and the aliases of removed
 * ones become ready again. Applying them again changes nothing.
 *
 * This needs no vnode: the crawl nodes request no removed URL, whatever its state is, so a row that a node writes at the
 * same time has the same outcome later.
 */
import type { CanonicalUrl } from '../../url/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { inTransaction } from '../transaction.ts';

/** The removed URLs. `mayMatch` returns false for a host without removed URLs. */
interface RemovedUrlSet {
  matches(url: CanonicalUrl): boolean;
  mayMatch(host: string): boolean;
}

const REMOVED = 'removed';
/** The maximum number of rows of a host that are read at once. */
const ROWS = 20_000;

interface UrlRow {
  fingerprint: string;
  url: CanonicalUrl;
}

/** Returns the fingerprints of all known URLs that are removed. Reads only the URLs of hosts that may have one. */
export async function findRemovedKeys(sql: ClusterDatabase, removed: RemovedUrlSet): Promise<bigint[]> {
  const hosts = await sql<{ number: string; origin: string }[]>`select number, origin from gyre.crawl_hosts`;
  const keys: bigint[] = [];
  for (const { number } of hosts.filter(({ origin }) => removed.mayMatch(new URL(origin).hostname))) {
    for (let after: string | null = null; ; ) {
      const rows: UrlRow[] = await sql<UrlRow[]>`select fingerprint, url from gyre.crawl_urls
        where host = ${number} and (${after}::bigint is null or fingerprint > ${after}::bigint)
        order by fingerprint limit ${ROWS}`;
      for (const { url, fingerprint } of rows) if (removed.matches(url)) keys.push(BigInt(fingerprint));
      if (rows.length < ROWS) break;
      after = rows.at(-1)!.fingerprint;
    }
  }
  return keys;
}

/** Applies the removals. `keys` are the fingerprints of all removed URLs. Returns how many URLs of each kind changed. */
export async function applyClusterRemovals(
  sql: ClusterDatabase,
  removed: RemovedUrlSet,
  keys: readonly bigint[],
): Promise<{ urls: number; allowed: number; reopened: number }> {
  const gone = keys.map(String);
  const known = await sql<UrlRow[]>`select fingerprint, url from gyre.crawl_urls
    where state = 'refused' and reason = ${REMOVED}`;
  const again = known.filter(({ url }) => !removed.matches(url)).map(({ fingerprint }) => fingerprint);
  return await inTransaction(sql, async (tx) => {
    const reopened = await tx<{ fingerprint: string }[]>`select fingerprint from gyre.crawl_verdicts
      where of_fingerprint = any (${gone}::bigint[]) and not fingerprint = any (${gone}::bigint[])`;
    const aliases = reopened.map(({ fingerprint }) => fingerprint);
    const forgotten = [...gone, ...aliases];
    for (const table of ['crawl_captures', 'crawl_verdicts'])
      await tx`delete from gyre.${tx(table)} where fingerprint = any (${forgotten}::bigint[])`;
    for (const table of ['crawl_claims', 'crawl_sketches'])
      await tx`delete from gyre.${tx(table)} where fingerprint = any (${gone}::bigint[])`;
    await tx`delete from gyre.crawl_contents where url in (
      select url from gyre.crawl_urls where fingerprint = any (${gone}::bigint[]))`;
    const urls = await tx`update gyre.crawl_urls
      set state = 'refused', attempts = 0, status = 0, reason = ${REMOVED}, fetched_at = 0
      where fingerprint = any (${gone}::bigint[]) and reason <> ${REMOVED} returning 1`;
    const ready = [...aliases, ...again];
    await tx`update gyre.crawl_urls set state = 'ready', attempts = 0, reason = ''
      where fingerprint = any (${ready}::bigint[])`;
    return { urls: urls.length, allowed: again.length, reopened: aliases.length };
  });
}
