import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Returns a prepared statement for an SQL text. */
export type Statements = (sql: string) => StatementSync;

/** Returns a function that prepares each SQL text once per database. */
export function statementsOf(database: DatabaseSync): Statements {
  const known = new Map<string, StatementSync>();
  return (sql) => {
    const statement = known.get(sql) ?? database.prepare(sql);
    known.set(sql, statement);
    return statement;
  };
}
