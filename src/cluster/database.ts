/**
 * Connects to PostgreSQL and brings its schema up to date.
 *
 * All times in the database come from the clock of its server, so the clocks of the nodes may differ.
 *
 * A node that is stopped in a transaction holds row locks. PostgreSQL ends such a transaction after
 * IDLE_TRANSACTION_MS, so a stopped node delays the others but never blocks them.
 */
import postgres from 'postgres';
import { messageOf, systemCode } from '../base/mod.ts';
import { checkSchema, migrate } from './migrations.ts';
import { ServiceError } from './service-error.ts';

/** A pool of connections to PostgreSQL, whose schema `gyre` has the state of a cluster. */
export type ClusterDatabase = postgres.Sql;

/** A transaction in progress. */
export type Transaction = postgres.TransactionSql;

const CONNECT_SECONDS = 5;
const IDLE_TRANSACTION_MS = 5_000;
const MAX_CONNECTIONS = 8;

/** The codes of PostgreSQL for wrong credentials. */
const REFUSED = new Set(['28000', '28P01']);
const UNKNOWN_DATABASE = '3D000';
const NO_PERMISSION = '42501';
const NO_TABLE = '42P01';
const LOCK_TIMEOUT = '55P03';
const GRANTS =
  'a node needs usage of the schema "gyre", select, insert, update and delete on all its tables, and usage, select and update on all its sequences (docs/cluster.md, "Least privilege"); grant them as the owner';
/**
 * Matches the error codes of a lost connection: from the client, from the network, and from PostgreSQL for lost
 * connections (08), for missing memory, disk space or connections (53), for a shutdown (57P) and for an idle
 * transaction (25P03).
 */
const LOST = /^(?:CONNECT|ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|08...|53...|57P..|25P03)/;

/**
 * Connects to `url` and applies missing migrations. Rejects with a `ServiceError` if the server is unreachable,
 * refuses the user, or has a schema that this version of Gyre cannot use. The caller ends the pool.
 */
export async function openDatabase(url: string): Promise<ClusterDatabase> {
  return await connect(url, migrate);
}

/**
 * Connects to the database of a cluster and leaves its schema unchanged, for commands that do not run a node.
 * Rejects as `openDatabase` does, and with `no-cluster` if no node has made the schema. The schema can be older
 * than this program.
 */
export async function openExistingDatabase(url: string): Promise<ClusterDatabase> {
  return await connect(url, checkSchema);
}

async function connect(url: string, prepare: typeof checkSchema): Promise<ClusterDatabase> {
  const sql = postgres(url, {
    max: MAX_CONNECTIONS,
    connect_timeout: CONNECT_SECONDS,
    onnotice: () => {},
    connection: { application_name: 'gyre', idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS },
  });
  try {
    const problem = await prepare(sql);
    if (problem === null) return sql;
    throw new ServiceError(
      'schema-version',
      'postgresql',
      false,
      `${placeOf(url)} has schema version ${problem.version}, which needs a Gyre with schema version ${problem.oldestProgram} or later; this Gyre has ${problem.program}: upgrade Gyre on this node`,
    );
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw explain(error, url);
  }
}

/**
 * Converts an error of a statement to a `ServiceError` if the connection was lost or the server cannot work at the
 * moment. Other errors are returned unchanged. If a commit failed like this, it may have taken effect.
 */
export function explainLostService(error: unknown, sql: ClusterDatabase): unknown {
  if (!isLost(error)) return error;
  const { host, port, user, database } = sql.options;
  return explain(error, `postgres://${user}@${host[0]}:${port[0]}/${database}`);
}

/**
 * Converts an error of a statement to a `ServiceError` if the connection was lost, or PostgreSQL refuses the user or a
 * statement. Other errors are returned unchanged. Needs no pool of connections, because the errors of the client name the
 * server.
 */
export function explainDatabaseError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const code = systemCode(error);
  const why = messageOf(error);
  const fail = (name: string, canHeal: boolean, message: string) =>
    new ServiceError(name, 'postgresql', canHeal, message, { cause: error });
  if (isLost(error))
    return fail(
      'service-unreachable',
      true,
      `PostgreSQL is unreachable (${why}): check that the server runs and that the host and port of the postgres:// URL are correct`,
    );
  if (code === NO_PERMISSION)
    return fail('service-refused', false, `PostgreSQL does not allow a statement (${why}): ${GRANTS}`);
  if (code === NO_TABLE)
    return fail(
      'service-refused',
      false,
      `PostgreSQL lacks a table (${why}): expected the whole schema "gyre"; restore the database, or name an empty one for a new cluster`,
    );
  if (REFUSED.has(code))
    return fail(
      'service-refused',
      false,
      `PostgreSQL refuses the user (${why}): expected a valid user name and password in the postgres:// URL; correct the URL or the password`,
    );
  return error;
}

/** Returns the error as a `ServiceError` if a service refuses the node, so that waiting does not help; null otherwise. */
export function refusalIn(raw: unknown): ServiceError | null {
  const error = explainDatabaseError(raw);
  return error instanceof ServiceError && !error.canHeal ? error : null;
}

/** Returns true for an error that the client or PostgreSQL reports when a connection is lost or refused. */
function isLost(error: unknown): boolean {
  return LOST.test(systemCode(error));
}

/** Converts an error of the client to one that names the service and the remedy. */
function explain(error: unknown, url: string): unknown {
  if (error instanceof ServiceError) return error;
  const place = placeOf(url);
  const { username, pathname } = new URL(url);
  const code = systemCode(error);
  const fail = (name: string, canHeal: boolean, message: string) =>
    new ServiceError(name, 'postgresql', canHeal, message, { cause: error });
  if (REFUSED.has(code))
    return fail(
      'service-refused',
      false,
      `${place} refuses the user "${username}": expected a valid user name and password in the postgres:// URL, got "${messageOf(error)}"; correct the URL or the password`,
    );
  if (code === UNKNOWN_DATABASE)
    return fail(
      'no-database',
      false,
      `${place} has no database "${pathname.slice(1)}": create it with createdb, or correct the postgres:// URL`,
    );
  if (code === NO_PERMISSION)
    return fail(
      'service-refused',
      false,
      `${place} does not allow the user "${username}" what it needs (${messageOf(error)}): to create or upgrade the schema "gyre", a user needs CREATE on the database, or must own it; on a schema that is up to date, ${GRANTS}`,
    );
  if (code === LOCK_TIMEOUT)
    return fail(
      'service-busy',
      true,
      `${place}: another node has been migrating the schema for too long; wait for it, or end it and try again`,
    );
  return fail(
    'service-unreachable',
    true,
    `${place} is unreachable (${code || messageOf(error)}): check that the server runs and that the host and port of the postgres:// URL are correct`,
  );
}

/** Returns the name of the server without the password. */
function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `PostgreSQL at ${hostname}:${port || 5432}`;
}
