/**
 * Standing queries and the pages that they found, in `standing.db`. Any process may open it at any time.
 *
 * One transaction has the pages that a part of the journal had, what the queries found in them, and the messages for
 * webhooks. So a process that is killed loses none of them, and repeats none.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { DAY_MS, type Directory, UsageError } from '../base/mod.ts';
import type { JournalPosition } from '../journal/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { FOUND_COLUMNS, type StandingPage, standingPageOf } from './found-page.ts';
import type { NewStandingQuery, Webhook } from './standing-query.ts';
import { hasStanding, openStandingDatabase, withTransaction } from './standing-schema.ts';

export interface StandingQuery {
  id: number;
  name: string;
  query: string;
  newOnly: boolean;
  /** The index position at which it was saved: pages of later journal files count. */
  since: JournalPosition;
  /** The secret in the address of its feeds. */
  feed: string;
  /** True if a searcher saved it, not an operator. */
  isSearchers: boolean;
  createdAt: number;
  webhook: Webhook | null;
  /** The reason why the webhook is no longer called; null if it is. */
  stopped: string | null;
}

/** A page of the journal that was read before. `textKey` is null if searches could never find it. */
export interface KnownPage {
  textKey: bigint | null;
  fetchedAt: number;
}

/** How far the journal is read. */
export interface Progress {
  /** The first file of the generation of the journal. */
  first: number;
  position: JournalPosition;
  /** The latest time of a fetch that was read. */
  newestMs: number;
  /** After a rebuild of the journal: up to this position, only fetches after `floorMs` count as new. */
  floor: JournalPosition;
  floorMs: number;
}

/** The changes that a step of the search for new pages stores together. */
export interface FoundStep {
  pages: ReadonlyMap<bigint, KnownPage>;
  /** The pages that searches no longer find. */
  gone: readonly bigint[];
  found: readonly { query: number; pages: readonly Omit<StandingPage, 'id' | 'foundAt'>[] }[];
  progress: Progress;
}

/** The number of pages that are kept for each query. */
const KEPT_PAGES = 1000;
/** A searcher's query ends if its feeds were not read for this time. */
const UNREAD_MS = 90 * DAY_MS;
const SECRET_BYTES = 24;

export class StandingStore {
  readonly deliveries: DeliveryQueue;
  readonly #database: DatabaseSync;

  /** Opens the store; creates it if it does not exist. */
  constructor(root: Directory) {
    this.#database = openStandingDatabase(root);
    this.deliveries = new DeliveryQueue(this.#database);
  }

  close(): void {
    this.#database.close();
  }

  list(): StandingQuery[] {
    return this.#all('SELECT * FROM query ORDER BY name').map(queryOf);
  }

  find(name: string): StandingQuery {
    const [row] = this.#all('SELECT * FROM query WHERE name = ?', name);
    if (row) return queryOf(row);
    throw new UsageError('no-query', `there is no standing query "${name}": gyre standing lists them`);
  }

  /**
   * Saves a query. `indexed` returns the journal position of the index; it is called while no other process can search
   * for new pages, so that none is missed. `limit` is the maximum number of queries of searchers; null for a query of
   * an operator.
   */
  add(
    { name, query, newOnly, webhook }: NewStandingQuery,
    { indexed, now, limit = null }: { indexed: () => JournalPosition; now: number; limit?: number | null },
  ): StandingQuery & { own: string | null } {
    const own = limit === null ? null : newSecret();
    return withTransaction(this.#database, () => {
      if (limit !== null) this.#makeRoom(limit, now);
      if (this.#all('SELECT 1 FROM query WHERE name = ?', name).length > 0)
        throw new UsageError('name-used', `there is a standing query "${name}" already: choose another name`);
      const values = [name, query, newOnly ? 1 : 0, JSON.stringify(indexed()), newSecret(), own, now, now];
      this.#run(
        `INSERT INTO query (name, query, new_only, since, feed, own, created_at, read_at, hook_url, hook_secret)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...values,
        webhook?.url ?? null,
        webhook?.secret ?? null,
      );
      return { ...this.find(name), own };
    });
  }

  remove(name: string): void {
    this.find(name);
    this.#run('DELETE FROM query WHERE name = ?', name);
  }

  /** Returns the query whose feeds have this secret in their address, and notes that they were read. */
  readFeed(secret: string, now: number): StandingQuery | null {
    const [row] = this.#all('SELECT * FROM query WHERE feed = ?', secret);
    if (!row) return null;
    if (now - Number(row.read_at) > DAY_MS)
      this.#run('UPDATE query SET read_at = ? WHERE id = ?', now, row.id!);
    return queryOf(row);
  }

  /** Returns the query of the searcher who knows this secret. */
  findOwn(secret: string): StandingQuery | null {
    const [row] = this.#all('SELECT * FROM query WHERE own = ?', secret);
    return row ? queryOf(row) : null;
  }

  /** Returns the last pages that a query found, the newest first. */
  newest(query: number, limit: number): StandingPage[] {
    return this.#all(
      `SELECT ${FOUND_COLUMNS} FROM found WHERE query = ? ORDER BY id DESC LIMIT ?`,
      query,
      limit,
    ).map(standingPageOf);
  }

  /** Returns the number of kept pages of a query, and the time of the last one; 0 if there is none. */
  countOf(query: number): { pages: number; lastAt: number } {
    const [row] = this.#all(
      'SELECT count(*) AS pages, max(found_at) AS last FROM found WHERE query = ?',
      query,
    );
    return { pages: Number(row!.pages), lastAt: Number(row!.last ?? 0) };
  }

  /** Returns the pages that no digest had yet, oldest first, and the id to note when a digest has them. */
  forDigest(query: number): { pages: StandingPage[]; lastId: number } {
    const rows = this.#all(
      `SELECT ${FOUND_COLUMNS} FROM found WHERE query = ?1 AND id > (SELECT digest_to FROM query WHERE id = ?1) ORDER BY id`,
      query,
    );
    return { pages: rows.map(standingPageOf), lastId: Number(rows.at(-1)?.id ?? 0) };
  }

  markDigest(query: number, lastId: number): void {
    this.#run('UPDATE query SET digest_to = max(digest_to, ?) WHERE id = ?', lastId, query);
  }

  /** Calls a webhook again that was stopped, and puts its parked messages back into the queue. Returns their number. */
  resumeWebhook(query: number, now: number): number {
    return withTransaction(this.#database, () => {
      this.#run('UPDATE query SET hook_stopped = NULL WHERE id = ?', query);
      return this.deliveries.retryParked(query, now);
    });
  }

  readProgress(): Progress | null {
    const [row] = this.#all("SELECT value FROM mark WHERE name = 'progress'");
    return row ? JSON.parse(String(row.value)) : null;
  }

  writeProgress(progress: Progress): void {
    this.#run("INSERT OR REPLACE INTO mark VALUES ('progress', ?)", JSON.stringify(progress));
  }

  /** Begins to read a rebuilt journal. Queries do not depend on positions in the old one. */
  beginGeneration(progress: Progress): void {
    withTransaction(this.#database, () => {
      this.#run("UPDATE query SET since = '{}'");
      this.writeProgress(progress);
    });
  }

  knownPage(key: bigint): KnownPage | null {
    const statement = this.#database.prepare('SELECT text_key, fetched_at FROM page WHERE fingerprint = ?');
    statement.setReadBigInts(true);
    const row = statement.get(key);
    return row ? { textKey: row.text_key as bigint | null, fetchedAt: Number(row.fetched_at) } : null;
  }

  /** Returns true if another page has or had the same title and text. */
  hasText(textKey: bigint, besides: bigint): boolean {
    return (
      this.#all('SELECT 1 FROM page WHERE text_key = ? AND fingerprint <> ? LIMIT 1', textKey, besides)
        .length > 0
    );
  }

  /** Stores a step of the search for new pages, all of it or nothing. */
  commit({ pages, gone, found, progress }: FoundStep, now: number): void {
    withTransaction(this.#database, () => {
      for (const key of gone) this.#run('DELETE FROM found WHERE fingerprint = ?', key);
      for (const [key, { textKey, fetchedAt }] of pages)
        this.#run('INSERT OR REPLACE INTO page VALUES (?, ?, ?)', key, textKey, fetchedAt);
      for (const { query, pages: matches } of found) this.#addFound(query, matches, now);
      this.deliveries.dropEmpty();
      this.writeProgress(progress);
    });
  }

  /** Deletes what was found at the URLs for which `isRemoved` returns true. Returns the number of entries. */
  removePages(isRemoved: (url: CanonicalUrl) => boolean): number {
    return withTransaction(this.#database, () => {
      const urls = this.#all('SELECT DISTINCT url FROM found').map(({ url }) => String(url) as CanonicalUrl);
      let count = 0;
      for (const url of urls.filter(isRemoved)) {
        count += this.#run('DELETE FROM found WHERE url = ?', url);
        this.#run('DELETE FROM page WHERE fingerprint = ?', fingerprint(url));
      }
      this.deliveries.dropEmpty();
      return count;
    });
  }

  #addFound(query: number, pages: FoundStep['found'][number]['pages'], now: number): void {
    const [row] = this.#all('SELECT hook_url, hook_stopped FROM query WHERE id = ?', query);
    // The query was removed while the search ran.
    if (!row) return;
    const delivering = row.hook_url !== null && row.hook_stopped === null;
    const deliveryFor = delivering ? this.deliveries.grouping(query, now) : () => null;
    for (const { change, url, title, snippet, fetchedAt } of pages) {
      this.#run(
        `INSERT INTO found (uid, query, change, fingerprint, url, title, snippet, fetched_at, found_at, delivery)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[randomUUID(), query, change, fingerprint(url as CanonicalUrl), url, title, snippet],
        ...[fetchedAt, now, deliveryFor()],
      );
    }
    // Pages that wait for their webhook stay until their message is delivered or parked.
    this.#run(
      `DELETE FROM found WHERE query = ?1 AND id <=
         (SELECT id FROM found WHERE query = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_PAGES})
         AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.id = found.delivery AND state = 'waiting')`,
      query,
    );
  }

  /** Deletes the queries of searchers whose feeds are not read; throws if too many are left. */
  #makeRoom(limit: number, now: number): void {
    this.#run('DELETE FROM query WHERE own IS NOT NULL AND read_at < ?', now - UNREAD_MS);
    const [row] = this.#all('SELECT count(*) AS count FROM query WHERE own IS NOT NULL');
    if (Number(row!.count) >= limit)
      throw new UsageError('too-many-queries', 'this engine keeps no more saved searches: try again later');
  }

  #all(sql: string, ...values: Value[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[];
  }

  #run(sql: string, ...values: Value[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }
}

type Value = SQLOutputValue;
type Row = Record<string, SQLOutputValue>;

/** Calls `use` with the store of a data directory, and closes it. Returns null if there is none. */
export function withStore<Result>(root: Directory, use: (store: StandingStore) => Result): Result | null {
  if (!hasStanding(root)) return null;
  const store = new StandingStore(root);
  try {
    return use(store);
  } finally {
    store.close();
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function queryOf(row: Row): StandingQuery {
  const url = row.hook_url as string | null;
  return {
    id: Number(row.id),
    name: String(row.name),
    query: String(row.query),
    newOnly: row.new_only === 1,
    since: JSON.parse(String(row.since)),
    feed: String(row.feed),
    isSearchers: row.own !== null,
    createdAt: Number(row.created_at),
    webhook: url === null ? null : { url, secret: String(row.hook_secret) },
    stopped: row.hook_stopped as string | null,
  };
}
