/**
 * Runs transactions. A transaction whose connection was lost is over: none of its later statements may run.
 *
 * The client does not ensure this. After a lost connection it still sends the statements of the transaction,
 * and its own rollback, on the object of that connection. If there is no new connection yet, the client ends
 * the process (https://github.com/porsager/postgres/issues/1208). If there is a new connection, the statements
 * run outside of their transaction, or in the transaction of another caller: a node that was stopped in a
 * transaction would write without its fence. Therefore this module rejects a lost transaction and never
 * continues its function.
 */
import type { ClusterDatabase, Transaction } from './database.ts';

/** Runs `work` in a transaction. Commits if its promise is fulfilled, and rolls back if it is rejected. */
export async function inTransaction<Result>(
  sql: ClusterDatabase,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  try {
    const committed = await sql.begin(async (tx) => {
      try {
        return { result: await work(untilOver(tx, () => isOver)) };
      } catch (error) {
        // The client rejects the transaction when the connection is closed. Until then it must not send a rollback.
        if (isOver || isConnectionLost(error)) return await never<{ result: Result }>();
        throw error;
      }
    });
    return (committed as { result: Result }).result;
  } finally {
    isOver = true;
  }
}

/** Returns the transaction as an object that runs no statement after the transaction is over. */
function untilOver(tx: Transaction, isOver: () => boolean): Transaction {
  return new Proxy(tx, {
    apply: (target, self, values) => (isOver() ? never() : Reflect.apply(target, self, values)),
  });
}

/** Returns true if the server or the network has ended the connection. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('severity' in error) return error.severity === 'FATAL' || error.severity === 'PANIC';
  return 'code' in error && /^(?:CONNECTION_|E[A-Z]+$)/.test(String(error.code));
}

function never<Result>(): Promise<Result> {
  return new Promise(() => {});
}
