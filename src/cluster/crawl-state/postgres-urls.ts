/** Reads and writes the table of URLs: every known URL and the outcome of its last visit. */
import {
  answersOf,
  checkStoredUrl,
  checkUrlOfHost,
  decodeVerb,
  encodeUrlReason,
  type Problem,
  problemOfRow,
  type ReadyUrl,
  type ReasonCount,
  type StoredCount,
  type UrlResult,
} from '../../crawl/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import type { HeldVnodes } from './held-vnodes.ts';
import { jsonRows, lastOfEach } from '../json-rows.ts';

/** Names the database in the error message about a damaged row. */
export const PLACE = { name: 'PostgreSQL, schema gyre', advice: 'restore the database from a backup' };

/** The stored reasons of URLs that a URL rule refused. */
const BY_URL_RULE = '{"code":"url-rule"%';

type ReadyRow = Omit<ReadyUrl, 'fingerprint' | 'verb' | 'relevance'> & {
  fingerprint: string;
  verb: number;
  relevance: number;
};

export class PostgresUrls {
  readonly #sql: ClusterDatabase;
  readonly #held: HeldVnodes;

  constructor(sql: ClusterDatabase, held: HeldVnodes) {
    this.#sql = sql;
    this.#held = held;
  }

  async ready(origin: string, limit: number): Promise<ReadyUrl[]> {
    const rows = await this.#sql<ReadyRow[]>`
      select u.url, u.fingerprint, u.depth, u.attempts, u.relevance,
        case when u.found > coalesce(rules.since, 0) then u.verb else 0 end as verb
      from gyre.crawl_hosts h left join gyre.crawl_rules rules using (vnode)
        join gyre.crawl_urls u on u.host = h.number and u.state = 'ready'
      where h.origin = ${origin} order by u.relevance desc, u.depth, u.found limit ${limit}`;
    return rows.map(({ fingerprint, verb, relevance, ...row }) => ({
      ...row,
      ...(relevance > 0 && { relevance }),
      fingerprint: checkUrlOfHost(row.url, BigInt(fingerprint), origin, PLACE),
      verb: decodeVerb(verb),
    }));
  }

  async byFingerprint(fingerprint: bigint): Promise<CanonicalUrl | null> {
    const [row] = await this.#sql<{ url: CanonicalUrl }[]>`
      select url from gyre.crawl_urls where fingerprint = ${String(fingerprint)}`;
    if (!row) return null;
    checkStoredUrl(row.url, fingerprint, PLACE);
    return row.url;
  }

  async fingerprints(after: bigint | null, limit: number): Promise<bigint[]> {
    const start = after === null ? this.#sql`` : this.#sql`and fingerprint > ${String(after)}`;
    const rows = await this.#sql<{ fingerprint: string }[]>`
      select fingerprint from gyre.crawl_urls where vnode = any (${this.#held.numbers}::int[]) ${start}
      order by fingerprint limit ${limit}`;
    return rows.map(({ fingerprint }) => BigInt(fingerprint));
  }

  async write(tx: Transaction, results: readonly UrlResult[]): Promise<void> {
    if (results.length === 0) return;
    const rows = lastOfEach(results, ({ fingerprint }) => fingerprint).map((result) => {
      const { fingerprint, state, attempts, status, reason, fetchedAt } = result;
      return { fingerprint, state, attempts, status, reason: encodeUrlReason(reason), fetchedAt };
    });
    const columns =
      'fingerprint bigint, state text, attempts int, status smallint, reason text, "fetchedAt" bigint';
    const changed = await tx<{ vnode: number }[]>`
      update gyre.crawl_urls u set state = r.state, attempts = r.attempts, status = r.status, reason = r.reason,
        fetched_at = r."fetchedAt"
      from ${jsonRows(tx, rows, columns)} where u.fingerprint = r.fingerprint returning u.vnode`;
    this.#held.check(changed);
  }

  /** Sets the URL rules that decide about URLs from now on, and reopens what other rules refused. */
  async useRules(tx: Transaction, key: string): Promise<void> {
    const changed = await tx<{ vnode: number }[]>`
      insert into gyre.crawl_rules as rules (vnode, key, since)
      select vnode, ${key}, (select nextval('gyre.crawl_commits')) * ${COMMIT_NUMBERS}
      from unnest(${this.#held.numbers}::int[]) as held (vnode) order by vnode
      on conflict (vnode) do update set key = excluded.key, since = excluded.since where rules.key <> excluded.key
      returning vnode`;
    const refusing = await tx<{ vnode: number }[]>`
      select distinct vnode from gyre.crawl_counts
      where vnode = any (${changed.map(({ vnode }) => vnode)}::int[])
        and counted = 'refused' and reason like ${BY_URL_RULE} and count > 0`;
    if (refusing.length === 0) return;
    await tx`
      update gyre.crawl_urls set state = 'ready', attempts = 0
      where vnode = any (${refusing.map(({ vnode }) => vnode)}::int[])
        and state = 'refused' and reason like ${BY_URL_RULE}`;
  }

  async answers(): Promise<ReasonCount[]> {
    const held = this.#held.numbers;
    const outcomes = await this.#sql<StoredCount[]>`
      select reason, sum(count)::float8 as count from gyre.crawl_counts
      where vnode = any (${held}::int[]) and counted = 'done' group by reason`;
    const aliases = await this.#sql<StoredCount[]>`
      select v.kind as reason, count(*)::float8 as count
      from gyre.crawl_verdicts v join gyre.crawl_urls u using (fingerprint)
      where v.vnode = any (${held}::int[]) and u.state = 'done' and u.reason = 'page' group by v.kind`;
    return answersOf(outcomes, aliases);
  }

  async problems(limit: number): Promise<Problem[]> {
    const held = this.#held.numbers;
    const rows = await this.#sql<(StoredCount & { parked: string })[]>`
      select reason, parked, sum(count)::float8 as count from (
        select reason, '' as parked, count from gyre.crawl_counts
        where vnode = any (${held}::int[]) and counted in ('refused', 'failed') and count > 0
        union all
        select '', parked_reason, 1 from gyre.crawl_hosts
        where vnode = any (${held}::int[]) and parked_until is not null) as problems
      group by reason, parked order by count desc, reason collate "C", parked collate "C" limit ${limit}`;
    return rows.map(problemOfRow);
  }
}

/** The numbers that one commit has for its URLs, in order of discovery. */
export const COMMIT_NUMBERS = 2 ** 20;
