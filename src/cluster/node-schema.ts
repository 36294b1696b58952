/**
 * The tables that `gyre node` needs in addition to those of the crawl state.
 *
 *   cluster          name and number of index shards of the cluster that uses this database; from version 8 the pause of
 *                    its crawl, and from version 10 the other columns of control/cluster-control.ts
 *   shards           planned owner, owner and epoch of each index shard, like `vnodes` for the crawl; from version 6
 *                    the ranking that was applied to all its pages, and from version 15 why no node can index it
 *   journal_writers  the journal writers, each used by one live crawl node at a time
 *   capture_batches  every committed batch of captures; its objects are in S3 (captures/capture-objects.ts). From version
 *                    9 with the name of its WARC object, from version 15 with the SHA-256 of its journal object and what is
 *                    wrong with that object
 *   captures         from version 9, the places of all captures by the fingerprint of their URL (captures/capture-index.ts).
 *                    `at` is the time as in CDXJ files, 14 digits
 *     sketch_ranges    the ranges of sketch entries (crawl-state/sketch-numbers.ts); range 0 belongs to older nodes
 *   retired_blobs    objects that the index no longer lists, with the time when they were retired
 *
 * A journal writer outlives its node: a later node continues its numbers. So the position of an index in the journal
 * has one entry per node that runs at the same time, not one per process that ever ran.
 */
export const NODE_SCHEMA = `
  create table gyre.cluster (
    is_only boolean primary key default true check (is_only),
    name text not null,
    shards integer not null
  );
  create table gyre.shards (
    shard integer primary key,
    owner text,
    wanted text,
    epoch integer not null default 0
  );
  create table gyre.journal_writers (
    number integer primary key,
    node text not null unique
  );
  create table gyre.capture_batches (
    writer integer not null,
    number integer not null,
    node text not null,
    batch integer not null,
    warc_bytes bigint not null,
    journal_bytes bigint not null,
    records integer not null,
    committed_at timestamptz not null default clock_timestamp(),
    primary key (writer, number),
    unique (node, batch)
  );
  create sequence gyre.sketch_ranges maxvalue 2000000;
  create table gyre.retired_blobs (
    name text primary key,
    retired_at timestamptz not null default clock_timestamp()
  );
`;

/** The index of captures (captures/capture-index.ts). A capture of an older node has no row, so it is not found. */
export const CAPTURE_INDEX_SCHEMA = `
  alter table gyre.capture_batches add column warc text;
  create table gyre.captures (
    key bigint not null,
    at bigint not null,
    start integer not null,
    length integer not null,
    number integer not null,
    writer smallint not null,
    status smallint not null,
    mime text not null,
    digest text not null
  );
  create index captures_key on gyre.captures (key, at desc);
`;

/** The pause of the crawl, and the schema version that adds it. */
export const CRAWL_PAUSE_VERSION = 8;
export const CRAWL_PAUSE_SCHEMA =
  'alter table gyre.cluster add column is_paused boolean not null default false;';

/** The other columns of control/cluster-control.ts, and the schema version that adds them. */
export const CONTROL_VERSION = 10;
export const CONTROL_SCHEMA = `
  alter table gyre.cluster
    add column stops integer not null default 0,
    add column revision integer not null default 0,
    add column seeds jsonb,
    add column crawl jsonb;
`;

/** The removals and the audit log (control/removals.ts), and the names of purged journal objects (captures/purge-captures.ts). */
export const REMOVED_PAGES_SCHEMA = `
  create table gyre.removals (
    kind text not null,
    value text not null,
    removed_at bigint not null,
    because text,
    purge text not null,
    primary key (kind, value)
  );
  create table gyre.audit_log (
    number bigint generated always as identity primary key,
    entry text not null
  );
  alter table gyre.cluster
    add column removals integer not null default 0,
    add column removals_settled integer not null default 0,
    add column removals_allowed integer not null default 0;
  alter table gyre.shards add column removals integer not null default 0;
  alter table gyre.capture_batches add column journal text;
`;

/** The digests and problems of journal objects (captures/damaged-batches.ts), and the schema version that adds them. */
export const DAMAGE_VERSION = 15;
/**
 * A program that does not know the digest changes the name of an object, after a purge, and leaves the digest of the old
 * object. The trigger then removes it.
 */
export const DAMAGE_SCHEMA = `
  alter table gyre.capture_batches add column journal_digest text, add column problem text;
  create index capture_batches_problem on gyre.capture_batches (writer, number) where problem is not null;
  alter table gyre.shards add column problem text;
  create function gyre.forget_journal_digest() returns trigger language plpgsql as $$
  begin
    new.journal_digest = null;
    return new;
  end $$;
  create trigger forget_digest before update of journal on gyre.capture_batches for each row
    when (new.journal is distinct from old.journal
      and new.journal_digest is not distinct from old.journal_digest)
    execute function gyre.forget_journal_digest();
`;
