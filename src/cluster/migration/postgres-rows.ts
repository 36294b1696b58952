/** Reads and writes all rows of the crawl state in PostgreSQL, to copy it from a data directory and back. */
import { PROVEN_PAGES, type StateRow, type StateRowSource, type StateTable } from '../../crawl/mod.ts';
import { type CanonicalUrl, domainOfOrigin, type HostGroup, hostOf, partitionOf } from '../../url/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import { jsonRows } from '../json-rows.ts';

/** Rules that decided in all vnodes have one key. If vnodes have several, no decision is copied. */
const RULES_KEY = `select case when count(distinct key) = 1 and count(*) = 256 then min(key) end as key,
  coalesce(max(since), 0)::float8 as since from gyre.crawl_rules`;

const FIRST_KEY = String(-(2n ** 63n));
const AFTER_KEY = 'where fingerprint > $1::bigint order by fingerprint limit $2';

/** For each table, the statement that reads its rows after a cursor, and the cursor before the first row. */
const READ: Record<StateTable, { first: string; sql: string }> = {
  host: {
    first: '0',
    sql: `select number::text as cursor, origin, next_fetch_at::float8, delay_ms::float8, robots_kind,
        encode(robots_body, 'hex') as robots_body, robots_expires_at::float8, failures, parked_reason, wait_reason, address,
        known, links, fetched, useful, has_work::int as work, front, icon, is_icon_wanted::int as icon_wanted,
        is_held_back::int as held_back
      from gyre.crawl_hosts where number > $1::bigint order by number limit $2`,
  },
  url: {
    first: FIRST_KEY,
    sql: `select u.fingerprint::text as cursor, u.url, h.origin, u.depth, u.found::float8,
        case when u.found > coalesce(r.since, 0) then u.verb else 0 end as verb, u.state, u.attempts, u.status, u.reason,
        u.fetched_at::float8, u.relevance
      from gyre.crawl_urls u join gyre.crawl_hosts h on h.number = u.host left join gyre.crawl_rules r on r.vnode = u.vnode
      where u.fingerprint > $1::bigint order by u.fingerprint limit $2`,
  },
  capture: {
    first: FIRST_KEY,
    sql: `select fingerprint::text as cursor, summary, etag, last_modified, robots_tag, digest, payload_digest,
        archived_at::float8, is_document::int, gone_count, interval_ms::float8, due_at::float8, history,
        hinted_at::float8
      from gyre.crawl_captures ${AFTER_KEY}`,
  },
  content: {
    first: '',
    sql: `select digest as cursor, url, fetched_at::float8, payload_digest from gyre.crawl_contents
      where digest > $1 order by digest limit $2`,
  },
  note: {
    first: '',
    sql: `select kind || ' ' || origin as cursor, kind, origin, value, noted_at::float8 from gyre.crawl_notes
      where kind || ' ' || origin > $1 order by 1 limit $2`,
  },
  verdict: {
    first: FIRST_KEY,
    sql: `select fingerprint::text as cursor, url, kind, of_fingerprint::text, of_url from gyre.crawl_verdicts ${AFTER_KEY}`,
  },
  claim: {
    first: FIRST_KEY,
    sql: `select fingerprint::text as cursor, url, target from gyre.crawl_claims ${AFTER_KEY}`,
  },
  // A host group can divide a domain among vnodes. One row is enough: their linking domains are nearly the same.
  domain: {
    first: '',
    sql: `select name as cursor, min(encode(linked_from, 'hex')) as linked_from from gyre.crawl_domains
      where name > $1 and linked_from <> '' group by name order by name limit $2`,
  },
};

const CAPTURE_COLUMNS = `cursor bigint, summary text, etag text, last_modified text, robots_tag text, digest text,
  payload_digest text, archived_at bigint, is_document int, gone_count int, interval_ms bigint, due_at bigint,
  history text, hinted_at bigint`;
const HOST_COLUMNS = `origin text, vnode smallint, domain text, next_fetch_at bigint, delay_ms bigint, robots_kind text,
  robots_body text, robots_expires_at bigint, failures int, parked_reason text, wait_reason text, address text, known int,
  links int, fetched int, useful int, work int, front smallint, icon text, icon_wanted int, held_back int`;
const URL_COLUMNS = `cursor bigint, url text, origin text, depth int, found bigint, verb smallint, state text, attempts int,
  status smallint, reason text, fetched_at bigint, relevance smallint`;

export function postgresStateRows(sql: ClusterDatabase): StateRowSource {
  return {
    async rows(table, after, limit) {
      const { first, sql: text } = READ[table];
      return [...(await sql.unsafe<StateRow[]>(text, [after === '' ? first : after, limit]))];
    },
    async rulesKey() {
      const [row] = await sql.unsafe<{ key: string | null }[]>(RULES_KEY);
      return row!.key;
    },
  };
}

/** Inserts rows of a table. `groups` are the host groups of the cluster, which decide about the vnodes of hosts. */
export async function insertStateRows(
  tx: Transaction,
  table: StateTable,
  rows: readonly StateRow[],
  groups: readonly HostGroup[],
): Promise<void> {
  if (rows.length > 0) await INSERT[table](tx, rows, groups);
}

type Insert = (tx: Transaction, rows: readonly StateRow[], groups: readonly HostGroup[]) => Promise<unknown>;

const INSERT: Record<StateTable, Insert> = {
  host: (tx, rows, groups) => {
    const placed = rows.map((row) => {
      const origin = String(row.origin);
      return { ...row, vnode: vnodeOf(`${origin}/`, groups), domain: domainOfOrigin(origin) };
    });
    return tx`insert into gyre.crawl_hosts (origin, vnode, domain, is_held_back, next_fetch_at, delay_ms, robots_kind,
        robots_body, robots_expires_at, failures, parked_reason, wait_reason, address, known, links, fetched, useful,
        has_work, front, icon, is_icon_wanted)
      select origin, vnode, domain, held_back = 1, next_fetch_at, delay_ms, robots_kind, decode(robots_body, 'hex'),
        robots_expires_at, failures, parked_reason, wait_reason, address, known, links, fetched, useful, work = 1, front,
        icon, icon_wanted = 1
      from ${jsonRows(tx, placed, HOST_COLUMNS)}`;
  },
  url: (tx, rows) =>
    tx`insert into gyre.crawl_urls (fingerprint, found, fetched_at, host, depth, attempts, vnode, status, verb, state, url,
        reason, relevance)
      select r.cursor, r.found, r.fetched_at, h.number, r.depth, r.attempts, h.vnode, r.status, r.verb, r.state, r.url,
        r.reason, r.relevance
      from ${jsonRows(tx, rows, URL_COLUMNS)} join gyre.crawl_hosts h using (origin) order by r.cursor`,
  capture: (tx, rows) =>
    tx`insert into gyre.crawl_captures (fingerprint, vnode, is_document, gone_count, archived_at, interval_ms, due_at,
        hinted_at, summary, etag, last_modified, robots_tag, digest, payload_digest, history)
      select r.cursor, u.vnode, r.is_document = 1, r.gone_count, r.archived_at, r.interval_ms, r.due_at, r.hinted_at, r.summary,
        r.etag, r.last_modified, r.robots_tag, r.digest, r.payload_digest, r.history
      from ${jsonRows(tx, rows, CAPTURE_COLUMNS)} join gyre.crawl_urls u on u.fingerprint = r.cursor order by r.cursor`,
  content: (tx, rows, groups) =>
    tx`insert into gyre.crawl_contents (digest, vnode, url, fetched_at, payload_digest)
      select cursor, vnode, url, fetched_at, payload_digest from ${jsonRows(
        tx,
        withVnodes(rows, groups),
        'cursor text, vnode smallint, url text, fetched_at bigint, payload_digest text',
      )}`,
  note: (tx, rows, groups) =>
    tx`insert into gyre.crawl_notes (kind, origin, vnode, value, noted_at)
      select kind, origin, vnode, value, noted_at from ${jsonRows(
        tx,
        rows.map((row) => ({ ...row, vnode: vnodeOf(`${row.origin}/`, groups) })),
        'kind text, origin text, vnode smallint, value text, noted_at bigint',
      )}`,
  verdict: (tx, rows, groups) =>
    tx`insert into gyre.crawl_verdicts (fingerprint, vnode, url, kind, of_fingerprint, of_url)
      select cursor, vnode, url, kind, of_fingerprint, of_url from ${jsonRows(
        tx,
        withVnodes(rows, groups),
        'cursor bigint, vnode smallint, url text, kind text, of_fingerprint bigint, of_url text',
      )}`,
  claim: (tx, rows, groups) =>
    tx`insert into gyre.crawl_claims (fingerprint, vnode, url, target)
      select cursor, vnode, url, target from ${jsonRows(
        tx,
        withVnodes(rows, groups),
        'cursor bigint, vnode smallint, url text, target text',
      )}`,
  domain: (tx, rows) =>
    tx`insert into gyre.crawl_domains (name, vnode, hosts, admitted, linked_from)
      select r.cursor, h.vnode, 0, 0, decode(r.linked_from, 'hex')
      from ${jsonRows(tx, rows, 'cursor text, linked_from text')}
        join (select distinct domain, vnode from gyre.crawl_hosts) h on h.domain = r.cursor`,
};

/** Computes what is derived from the rows: counts, the numbers of later URLs, and the valid decisions of URL rules. */
export async function finishStateRows(tx: Transaction, rulesKey: string | null): Promise<void> {
  await tx`insert into gyre.crawl_domains as d (name, vnode, hosts, admitted, proven, fetched, useful)
    select domain, vnode, count(*), count(*) filter (where not is_held_back),
      count(*) filter (where useful >= ${PROVEN_PAGES}), sum(fetched), sum(useful)
    from gyre.crawl_hosts group by domain, vnode order by domain, vnode
    on conflict (name, vnode) do update set hosts = excluded.hosts, admitted = excluded.admitted, proven = excluded.proven,
      fetched = excluded.fetched, useful = excluded.useful`;
  await tx`delete from gyre.crawl_counts`;
  await tx`insert into gyre.crawl_counts (vnode, counted, reason, count)
    select vnode, state, case when state = 'ready' then '' else reason end as why, count(*)
    from gyre.crawl_urls group by vnode, state, why
    union all select vnode, 'host', '', count(*) from gyre.crawl_hosts group by vnode`;
  await tx`select setval('gyre.crawl_commits', (select coalesce(max(found), 0) / ${2 ** 20}::bigint + 1 from gyre.crawl_urls))`;
  if (rulesKey !== null)
    await tx`insert into gyre.crawl_rules (vnode, key, since) select generate_series(0, 255), ${rulesKey}, 0`;
}

function withVnodes(rows: readonly StateRow[], groups: readonly HostGroup[]) {
  return rows.map((row) => ({ ...row, vnode: vnodeOf(String(row.url), groups) }));
}

function vnodeOf(url: string, groups: readonly HostGroup[]): number {
  return partitionOf(hostOf(url as CanonicalUrl), groups);
}
