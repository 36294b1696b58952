/**
 * Grants a user of PostgreSQL what a node needs on a schema that exists, and no more: docs/cluster.md, "Least privilege".
 * Only the owner of the schema may do this.
 */
import { systemCode, UsageError } from '../../base/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { inTransaction } from '../transaction.ts';

const NO_ROLE = '42704';
const TABLES = 'select, insert, update, delete on';
const SEQUENCES = 'usage, select, update on';

/** Grants also hold for tables that a later version of the owner adds. */
export async function grantToNodes(sql: ClusterDatabase, user: string): Promise<void> {
  try {
    await inTransaction(sql, async (tx) => {
      const [row] = await tx<{ role: string; database: string }[]>`
        select quote_ident(${user}) as role, quote_ident(current_database()) as database`;
      const { role, database } = row!;
      await tx.unsafe(`grant connect on database ${database} to ${role};
        grant usage on schema gyre to ${role};
        grant ${TABLES} all tables in schema gyre to ${role};
        grant ${SEQUENCES} all sequences in schema gyre to ${role};
        alter default privileges in schema gyre grant ${TABLES} tables to ${role};
        alter default privileges in schema gyre grant ${SEQUENCES} sequences to ${role}`);
    });
  } catch (error) {
    if (systemCode(error) !== NO_ROLE) throw error;
    throw new UsageError(
      'no-role',
      `PostgreSQL has no user "${user}": create it with create role ${user} login password '...', and try again`,
      { cause: error },
    );
  }
}
