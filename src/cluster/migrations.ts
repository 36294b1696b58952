/**
 * The versions of the schema `gyre` in PostgreSQL.
 *
 * Every node applies the migrations that are missing when it starts. During a rolling upgrade, nodes of the
 * previous version continue to work on the new schema: a migration states the oldest program that can use the
 * schema after it (`oldestProgram`, the schema version which that program was written for). An older program is
 * refused. Therefore a migration first adds columns and tables, and a later version removes the old ones.
 *
 * One transaction applies all missing migrations under an advisory lock, so if several new nodes start
 * together, one of them migrates and the others wait.
 */
import type { Sql } from 'postgres';
import { CRAWL_STATE_SCHEMA, RELEVANCE_SCHEMA, VISIT_HISTORY_SCHEMA } from './crawl-state-schema.ts';
import type { Transaction } from './database.ts';
import {
  CAPTURE_INDEX_SCHEMA,
  CONTROL_SCHEMA,
  CONTROL_VERSION,
  CRAWL_PAUSE_SCHEMA,
  CRAWL_PAUSE_VERSION,
  DAMAGE_SCHEMA,
  DAMAGE_VERSION,
  NODE_SCHEMA,
  REMOVED_PAGES_SCHEMA,
} from './node-schema.ts';
import { ADDRESS_TURNS_SCHEMA } from './politeness/mod.ts';
import { RANK_JOBS_SCHEMA, RANKED_JOURNAL_SCHEMA } from './rank-jobs-schema.ts';
import { SEARCH_NODES_SCHEMA } from './search/mod.ts';
import { ServiceError } from './service-error.ts';
import { inTransaction } from './transaction.ts';

interface Migration {
  version: number;
  oldestProgram: number;
  statements: string;
}

interface SchemaVersion {
  version: number;
  oldestProgram: number;
}

/** Returned if the schema is newer than this program and does not permit programs of this version. */
interface SchemaProblem extends SchemaVersion {
  program: number;
}

/** A random number that identifies the advisory lock. */
const LOCK = 1_738_291_046;
const LOCK_TIMEOUT = '10s';
const NO_CLUSTER =
  'the database has no cluster yet: the first gyre node creates it; or correct the postgres:// URL of the cluster file';

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    oldestProgram: 1,
    statements: `
      create table gyre.manifests (
        name text primary key,
        id text not null,
        generation bigint not null,
        body text not null
      );
      create table gyre.nodes (
        node text primary key,
        roles text[] not null,
        weight double precision not null check (weight > 0),
        lease_until timestamptz not null
      );
      create table gyre.coordinator (
        is_only boolean primary key default true check (is_only),
        node text,
        epoch integer not null,
        lease_until timestamptz not null
      );
      insert into gyre.coordinator (node, epoch, lease_until) values (null, 0, '-infinity');
      create table gyre.vnodes (
        vnode integer primary key check (vnode between 0 and 255),
        owner text,
        wanted text,
        epoch integer not null default 0
      );
      insert into gyre.vnodes (vnode) select generate_series(0, 255);
    `,
  },
  { version: 2, oldestProgram: 1, statements: CRAWL_STATE_SCHEMA },
  { version: 3, oldestProgram: 1, statements: NODE_SCHEMA },
  { version: 4, oldestProgram: 1, statements: SEARCH_NODES_SCHEMA },
  { version: 5, oldestProgram: 1, statements: RANK_JOBS_SCHEMA },
  { version: 6, oldestProgram: 1, statements: RANKED_JOURNAL_SCHEMA },
  // The version of Gyre of each node, for `gyre status`.
  { version: 7, oldestProgram: 1, statements: 'alter table gyre.nodes add column version text;' },
  { version: CRAWL_PAUSE_VERSION, oldestProgram: 1, statements: CRAWL_PAUSE_SCHEMA },
  { version: 9, oldestProgram: 1, statements: CAPTURE_INDEX_SCHEMA },
  { version: CONTROL_VERSION, oldestProgram: 1, statements: CONTROL_SCHEMA },
  { version: 11, oldestProgram: 1, statements: ADDRESS_TURNS_SCHEMA },
  { version: 12, oldestProgram: 1, statements: REMOVED_PAGES_SCHEMA },
  { version: 13, oldestProgram: 1, statements: VISIT_HISTORY_SCHEMA },
  { version: 14, oldestProgram: 1, statements: RELEVANCE_SCHEMA },
  { version: DAMAGE_VERSION, oldestProgram: 1, statements: DAMAGE_SCHEMA },
];

/** The schema version that this program was written for. */
export const CLUSTER_SCHEMA_VERSION = MIGRATIONS.at(-1)!.version;

/**
 * Applies missing migrations. Returns the problem if the schema is too new for this program; null if it can be
 * used. `migrations` ends with the version that this program was written for.
 */
export async function migrate(
  sql: Sql,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<SchemaProblem | null> {
  const program = migrations.at(-1)!.version;
  // A user without the permission to create tables can run nodes on a schema that is up to date.
  const present = await readVersionIfAny(sql);
  if (present && present.version >= program)
    return present.oldestProgram > program ? { ...present, program } : null;
  return await inTransaction(sql, async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await tx`create schema if not exists gyre`;
    await tx`create table if not exists gyre.migrations (
      version integer primary key, oldest_program integer not null, applied_at timestamptz not null default now())`;
    const last = await readSchemaVersion(tx);
    if (last && last.oldestProgram > program) return { ...last, program };
    for (const { version, oldestProgram, statements } of migrations) {
      if (last && version <= last.version) continue;
      await tx.unsafe(statements);
      await tx`insert into gyre.migrations (version, oldest_program) values (${version}, ${oldestProgram})`;
    }
    return null;
  });
}

/** Returns the problem if the schema is too new for this program; null if it can be used. Changes nothing. */
export async function checkSchema(sql: Sql): Promise<SchemaProblem | null> {
  const last = await readVersionIfAny(sql);
  if (!last) throw new ServiceError('no-cluster', 'postgresql', false, NO_CLUSTER);
  return last.oldestProgram > CLUSTER_SCHEMA_VERSION ? { ...last, program: CLUSTER_SCHEMA_VERSION } : null;
}

/** Returns the version of the schema; null if there is no schema yet. */
async function readVersionIfAny(sql: Sql): Promise<SchemaVersion | null> {
  const [found] = await sql`select to_regclass('gyre.migrations') as name`;
  return found!.name === null ? null : await readSchemaVersion(sql);
}

/** Returns the version of the schema, with the oldest program that can use it; null before the first migration. */
export async function readSchemaVersion(sql: Sql | Transaction): Promise<SchemaVersion | null> {
  const [last] = await sql<SchemaVersion[]>`
    select version, oldest_program as "oldestProgram" from gyre.migrations order by version desc limit 1`;
  return last ?? null;
}
