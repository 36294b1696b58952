/**
 * The tables of the crawl state in PostgreSQL. They have the columns of `crawl.db` (sqlite-schema.ts), and every row
 * has the vnode of its host, so that a node reads and writes only the rows of its vnodes.
 *
 *   crawl_hosts     an origin; `number` is its place in the order of discovery
 *   crawl_domains   the hosts of a registrable domain in one vnode; a host group can divide a domain
 *   crawl_urls      every known URL and its outcome
 *   crawl_captures  the last response of a URL
 *   crawl_contents  the URL that owns a body; the digest is unique in the whole cluster
 *   crawl_notes, crawl_verdicts, crawl_sketches, crawl_claims    knowledge about hosts and pages
 *   crawl_counts    number of URLs by state and reason, and of hosts (`host`)
 *   crawl_rules     the URL rules that decided about the URLs of a vnode after the number `since`
 *   crawl_marks     the valid lengths of the files of a node; the only table by node, because its files stay with it
 *
 * Times are milliseconds since 1970. `found` orders the URLs by discovery: the number of the commit, from the sequence
 * `crawl_commits`, times 2^20, plus the place in the commit. Triggers update the counts and `has_work` when the state
 * of URLs changes; they run once per statement. `parked_until` is a generated column, so that the index of parked
 * hosts does not change with every request: PostgreSQL then updates the row without touching any index.
 */
export const CRAWL_STATE_SCHEMA = `
  create sequence gyre.crawl_commits;
  create table gyre.crawl_domains (
    name text not null,
    vnode smallint not null,
    hosts integer not null,
    admitted integer not null,
    proven integer not null default 0,
    fetched bigint not null default 0,
    useful bigint not null default 0,
    linked_from bytea not null default '',
    primary key (name, vnode)
  );
  create index crawl_domains_held_back on gyre.crawl_domains (name, vnode) where hosts > admitted;
  create table gyre.crawl_hosts (
    number bigint generated always as identity primary key,
    origin text not null unique,
    vnode smallint not null,
    domain text not null,
    is_held_back boolean not null,
    next_fetch_at bigint not null default 0,
    delay_ms bigint not null default 0,
    robots_kind text,
    robots_body bytea,
    robots_expires_at bigint,
    failures integer not null default 0,
    parked_reason text not null default '',
    parked_until bigint generated always as (case when parked_reason <> '' then next_fetch_at end) stored,
    wait_reason text not null default '',
    address text not null default '',
    known integer not null default 0,
    links integer not null default 0,
    fetched integer not null default 0,
    useful integer not null default 0,
    has_work boolean not null default false,
    front smallint not null default 0,
    icon text not null default '',
    is_icon_wanted boolean not null default false
  ) with (fillfactor = 70);
  create index crawl_hosts_front on gyre.crawl_hosts (front, number, vnode)
    where has_work and parked_reason = '' and not is_held_back;
  create index crawl_hosts_parked on gyre.crawl_hosts (parked_until, vnode) where parked_until is not null;
  create index crawl_hosts_held_back on gyre.crawl_hosts (domain, vnode, front desc, number) where is_held_back;
  create table gyre.crawl_urls (
    fingerprint bigint primary key,
    found bigint not null,
    fetched_at bigint not null default 0,
    host bigint not null,
    depth integer not null,
    attempts integer not null default 0,
    vnode smallint not null,
    status smallint not null default 0,
    verb smallint not null,
    state text not null default 'ready',
    url text not null,
    reason text not null default ''
  );
  create index crawl_urls_ready on gyre.crawl_urls (host, depth, found) where state = 'ready';
  create table gyre.crawl_captures (
    fingerprint bigint primary key,
    vnode smallint not null,
    is_document boolean not null,
    gone_count integer not null,
    archived_at bigint not null,
    interval_ms bigint not null,
    due_at bigint not null,
    sketch bigint,
    summary text not null,
    etag text not null,
    last_modified text not null,
    robots_tag text not null,
    digest text not null,
    payload_digest text not null
  );
  create index crawl_captures_due on gyre.crawl_captures (due_at, vnode) where due_at > 0;
  create table gyre.crawl_contents (
    digest text primary key,
    vnode smallint not null,
    url text not null,
    fetched_at bigint not null,
    payload_digest text not null
  );
  create table gyre.crawl_notes (
    kind text not null,
    origin text not null,
    vnode smallint not null,
    value text not null,
    noted_at bigint not null,
    primary key (kind, origin)
  );
  create table gyre.crawl_verdicts (
    fingerprint bigint primary key,
    vnode smallint not null,
    url text not null,
    kind text not null,
    of_fingerprint bigint,
    of_url text
  );
  create index crawl_verdicts_of on gyre.crawl_verdicts (of_fingerprint) where of_fingerprint is not null;
  create table gyre.crawl_sketches (
    fingerprint bigint primary key,
    vnode smallint not null,
    entry bigint not null
  );
  create table gyre.crawl_claims (
    fingerprint bigint primary key,
    vnode smallint not null,
    url text not null,
    target text not null
  );
  create table gyre.crawl_counts (
    vnode smallint not null,
    counted text not null,
    reason text not null,
    count bigint not null,
    primary key (vnode, counted, reason)
  );
  create table gyre.crawl_rules (
    vnode smallint primary key,
    key text not null,
    since bigint not null
  );
  create table gyre.crawl_marks (
    node text primary key,
    marks text,
    committed_at bigint
  );

  create function gyre.count_new_urls() returns trigger language plpgsql as $$
  begin
    insert into gyre.crawl_counts as c (vnode, counted, reason, count)
      select vnode, state, '', count(*) from new_urls group by vnode, state order by vnode, state
      on conflict (vnode, counted, reason) do update set count = c.count + excluded.count;
    return null;
  end $$;
  create trigger count_new after insert on gyre.crawl_urls referencing new table as new_urls
    for each statement execute function gyre.count_new_urls();

  create function gyre.count_changed_urls() returns trigger language plpgsql as $$
  begin
    insert into gyre.crawl_counts as c (vnode, counted, reason, count)
      select vnode, state, case when state = 'ready' then '' else reason end as why, sum(change)
      from (select vnode, state, reason, -1 as change from old_urls
        union all select vnode, state, reason, 1 from new_urls) as changes
      group by vnode, state, why having sum(change) <> 0 order by vnode, state, why
      on conflict (vnode, counted, reason) do update set count = c.count + excluded.count;
    update gyre.crawl_hosts set has_work = true
      where not has_work and number in (select host from new_urls where state = 'ready');
    return null;
  end $$;
  create trigger count_changed after update on gyre.crawl_urls
    referencing old table as old_urls new table as new_urls
    for each statement execute function gyre.count_changed_urls();
`;

/** The history of the visits of each URL, and the price of visits of each node. Older programs leave them empty. */
export const VISIT_HISTORY_SCHEMA = `
  alter table gyre.crawl_captures
    add column history text not null default '',
    add column hinted_at bigint not null default 0;
  alter table gyre.crawl_marks add column schedule text;
`;

/** The relevance of each URL to the topic of the crawl. Older programs leave it 0, which means unknown. */
export const RELEVANCE_SCHEMA = `
  alter table gyre.crawl_urls add column relevance smallint not null default 0;
  drop index gyre.crawl_urls_ready;
  create index crawl_urls_ready on gyre.crawl_urls (host, relevance desc, depth, found) where state = 'ready';
`;
