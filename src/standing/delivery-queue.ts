/**
 * The messages for webhooks.
 *
 *   found pages -> waiting -> delivered
 *                     |  `--> waiting again, later (an attempt failed)
 *                     `-----> parked (too many attempts, or the failure lasts) -> waiting (retryParked)
 *
 * The messages of a query are sent in their order: while one waits, those after it wait too. An attempt is counted before
 * it begins, so a process that is killed in each attempt does not try for ever. A message whose process was killed
 * after the receiver accepted it is sent again with the same id.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { FOUND_COLUMNS, type StandingPage, standingPageOf } from './found-page.ts';

export interface Delivery {
  id: number;
  /** The UUID that every attempt has. */
  uid: string;
  query: number;
  createdAt: number;
  /** The number of attempts, with the present one. */
  attempts: number;
  pages: StandingPage[];
}

/** The state of the messages of a query, for operators. */
interface DeliveryCounts {
  waiting: number;
  parked: number;
  delivered: number;
  /** The problem of the message that was tried last; null if it was delivered. */
  problem: string | null;
  /** The time of the next attempt; null if no message waits. */
  nextAt: number | null;
}

const PAGES_PER_MESSAGE = 50;
/** The number of delivered messages that are remembered for each query. */
const KEPT_DELIVERED = 20;

export class DeliveryQueue {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns a function that gives each next page of a query the id of a message. */
  grouping(query: number, now: number): () => number {
    let [message, room] = [0, 0];
    return () => {
      if (room === 0) {
        const sql = 'INSERT INTO delivery (uid, query, due_at, created_at) VALUES (?, ?, ?, ?)';
        message = Number(this.#database.prepare(sql).run(randomUUID(), query, now, now).lastInsertRowid);
        room = PAGES_PER_MESSAGE;
      }
      room--;
      return message;
    };
  }

  /** Returns the queries whose first waiting message is due. */
  due(now: number): number[] {
    const sql = `SELECT delivery.query AS query FROM delivery JOIN query ON query.id = delivery.query
      WHERE delivery.id IN (SELECT min(id) FROM delivery WHERE state = 'waiting' GROUP BY query)
      AND due_at <= ? AND hook_url IS NOT NULL AND hook_stopped IS NULL`;
    return this.#database
      .prepare(sql)
      .all(now)
      .map(({ query }) => Number(query));
  }

  /**
   * Begins an attempt to send the first waiting message of a query: counts it, and makes it due again at `nextAt(n)`
   * after n attempts. Returns null if no message waits.
   */
  begin(query: number, nextAt: (attempts: number) => number): Delivery | null {
    const first = "SELECT * FROM delivery WHERE query = ? AND state = 'waiting' ORDER BY id LIMIT 1";
    const row = this.#database.prepare(first).get(query);
    if (!row) return null;
    const attempts = Number(row.attempts) + 1;
    this.#run(
      'UPDATE delivery SET attempts = ?, due_at = ? WHERE id = ?',
      attempts,
      nextAt(attempts),
      row.id!,
    );
    const pages = this.#database
      .prepare(`SELECT ${FOUND_COLUMNS} FROM found WHERE delivery = ? ORDER BY id`)
      .all(row.id!);
    return {
      id: Number(row.id),
      uid: String(row.uid),
      query,
      createdAt: Number(row.created_at),
      attempts,
      pages: pages.map(standingPageOf),
    };
  }

  delivered({ id, query }: Delivery, now: number): void {
    this.#run(
      "UPDATE delivery SET state = 'delivered', settled_at = ?, problem = NULL WHERE id = ?",
      now,
      id,
    );
    const old = `SELECT id FROM delivery WHERE query = ? AND state = 'delivered' ORDER BY id DESC LIMIT -1 OFFSET ${KEPT_DELIVERED}`;
    this.#run(`DELETE FROM delivery WHERE id IN (${old})`, query);
  }

  /** Notes a failed attempt. `dueAt` is the time of the next one, or null to park the message. */
  failed({ id }: Delivery, problem: string, dueAt: number | null, now: number): void {
    if (dueAt !== null)
      this.#run('UPDATE delivery SET due_at = ?, problem = ? WHERE id = ?', dueAt, problem, id);
    else
      this.#run(
        "UPDATE delivery SET state = 'parked', settled_at = ?, problem = ? WHERE id = ?",
        ...[now, problem, id],
      );
  }

  /** Stops the webhook of a query, and parks all of its waiting messages. */
  stop(query: number, problem: string, now: number): void {
    this.#run('UPDATE query SET hook_stopped = ? WHERE id = ?', problem, query);
    this.#run(
      "UPDATE delivery SET state = 'parked', settled_at = ?, problem = ? WHERE query = ? AND state = 'waiting'",
      ...[now, problem, query],
    );
  }

  /** Makes the parked messages of a query wait again, with all of their attempts. Returns their number. */
  retryParked(query: number, now: number): number {
    return this.#run(
      "UPDATE delivery SET state = 'waiting', attempts = 0, due_at = ?, settled_at = NULL WHERE query = ? AND state = 'parked'",
      ...[now, query],
    );
  }

  /** Deletes the messages that have lost all of their pages, because these are gone or removed. */
  dropEmpty(): void {
    this.#run(
      "DELETE FROM delivery WHERE state <> 'delivered' AND NOT EXISTS (SELECT 1 FROM found WHERE found.delivery = delivery.id)",
    );
  }

  drop({ id }: Delivery): void {
    this.#run('DELETE FROM delivery WHERE id = ?', id);
  }

  countsOf(query: number): DeliveryCounts {
    const counts = this.#database
      .prepare('SELECT state, count(*) AS count FROM delivery WHERE query = ? GROUP BY state')
      .all(query);
    const countOf = (state: string) => Number(counts.find((row) => row.state === state)?.count ?? 0);
    const last = this.#database
      .prepare('SELECT problem FROM delivery WHERE query = ? AND attempts > 0 ORDER BY id DESC LIMIT 1')
      .get(query);
    const first = this.#database
      .prepare("SELECT due_at FROM delivery WHERE query = ? AND state = 'waiting' ORDER BY id LIMIT 1")
      .get(query);
    return {
      ...{ waiting: countOf('waiting'), parked: countOf('parked'), delivered: countOf('delivered') },
      problem: (last?.problem as string | null | undefined) ?? null,
      nextAt: first ? Number(first.due_at) : null,
    };
  }

  #run(sql: string, ...values: SQLOutputValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }
}
