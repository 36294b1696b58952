import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Returns the prepared statement of this SQL text. */
export type Statements = (sql: string) => StatementSync;

/** Prepares each statement of a database once. All tables of the database share the result. */
export function statementsOf(database: DatabaseSync): Statements {
  const known = new Map<string, StatementSync>();
  return (sql) => {
    const statement = known.get(sql) ?? database.prepare(sql);
    known.set(sql, statement);
    return statement;
  };
}
