/**
 * Lists the hosts of a crawl for its operator, sorted and filtered, also while the crawl runs.
 *
 * The numbers of queued and failed URLs of a host are counted in one scan of all URLs, into a temporary table of this
 * connection. A scan of a million URLs takes about half a second, so a count is used again for at least COUNT_MS and for
 * 100 times as long as it took.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock, Directory } from '../../../base/mod.ts';
import type { CanonicalUrl } from '../../../url/mod.ts';
import type { HostRow } from '../crawl-state.ts';
import { hostOfRow } from '../stored-rows.ts';
import { HOST_COLUMNS } from './sqlite-hosts.ts';
import { STATE_FILE } from './sqlite-schema.ts';
import { openCrawlState } from './sqlite-state.ts';
import { type Statements, statementsOf } from './sqlite-statements.ts';

const COUNT_MS = 1_000;
const COUNT_FACTOR = 100;

/** The SQL of each order. Hosts that are equal are in the order of their names. */
const ORDERS = {
  host: 'origin',
  pages: 'useful DESC',
  queued: 'queued DESC',
  errors: 'failed DESC',
  delay: 'delay_ms DESC',
  next: 'CASE WHEN queued = 0 THEN 1 ELSE 0 END, next_fetch_at',
} as const;

/** The condition of each choice of hosts. */
const CHOICES = {
  all: '1',
  queued: 'queued > 0',
  waiting: `queued > 0 AND (wait_reason <> '' OR parked_reason <> '' OR held_back = 1)`,
  errors: 'failed > 0',
  traps: `origin IN (SELECT origin FROM host_note WHERE kind = 'traps')`,
} as const;

type HostOrder = keyof typeof ORDERS;
type HostChoice = keyof typeof CHOICES;

export interface HostQuery {
  /** Part of the origin; the empty text selects all hosts. */
  text: string;
  choice: HostChoice;
  order: HostOrder;
  offset: number;
  limit: number;
}

/** Numbers of URLs of a host. */
interface HostCounts {
  known: number;
  queued: number;
  failed: number;
  refused: number;
}

export interface ListedHost {
  host: HostRow;
  counts: HostCounts;
}

interface HostPage {
  /** Number of hosts that the query selects, on all pages. */
  total: number;
  hosts: ListedHost[];
}

export class HostList {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #clock: Clock;
  #countedUntil = 0;

  constructor(directory: Directory, clock: Clock) {
    // Opening the state upgrades a database of an older format.
    openCrawlState(directory, { readOnly: true }).close();
    this.#database = new DatabaseSync(join(directory.path, STATE_FILE), { readOnly: true, timeout: 5000 });
    this.#statements = statementsOf(this.#database);
    this.#clock = clock;
    this.#database.exec(`PRAGMA temp_store = MEMORY;
      CREATE TEMP TABLE host_count (host INTEGER PRIMARY KEY, queued INTEGER, failed INTEGER, refused INTEGER)`);
  }

  list({ text, choice, order, offset, limit }: HostQuery): HostPage {
    this.#count();
    const from = `FROM host LEFT JOIN temp.host_count ON host_count.host = host.id
      WHERE (? = '' OR instr(origin, ?) > 0) AND ${CHOICES[choice]}`;
    const wanted = text.toLowerCase();
    const total = this.#statements(`SELECT count(*) AS total ${from}`).get(wanted, wanted)!.total as number;
    const sql = `SELECT ${COLUMNS} ${from} ORDER BY ${ORDERS[order]}, origin LIMIT ? OFFSET ?`;
    const rows = this.#statements(sql).all(wanted, wanted, limit, offset);
    return { total, hosts: rows.map(listedHost) };
  }

  find(origin: string): ListedHost | null {
    this.#count();
    const sql = `SELECT ${COLUMNS} FROM host LEFT JOIN temp.host_count ON host_count.host = host.id WHERE origin = ?`;
    const row = this.#statements(sql).get(origin);
    return row ? listedHost(row) : null;
  }

  /** Returns the number of hosts with work by their stored reasons to wait and to be parked; '' for none. */
  waits(): { waitReason: string; parkedReason: string; isHeldBack: boolean; count: number }[] {
    const sql = `SELECT json_extract(nullif(wait_reason, ''), '$.code') AS waits,
        json_extract(nullif(parked_reason, ''), '$.code') AS parked, held_back AS heldBack, count(*) AS count
      FROM host WHERE work = 1 GROUP BY waits, parked, held_back ORDER BY count DESC`;
    return this.#statements(sql)
      .all()
      .map(({ waits, parked, heldBack, count }) => ({
        waitReason: (waits as string | null) ?? '',
        parkedReason: (parked as string | null) ?? '',
        isHeldBack: Boolean(heldBack),
        count: count as number,
      }));
  }

  /** Yields all known URLs with their depths. The order has no meaning. */
  *urls(): Generator<{ url: CanonicalUrl; depth: number }> {
    yield* this.#database.prepare('SELECT url, depth FROM url').iterate() as unknown as Iterable<{
      url: CanonicalUrl;
      depth: number;
    }>;
  }

  close(): void {
    this.#database.close();
  }

  #count(): void {
    const startedAt = this.#clock.now();
    if (startedAt < this.#countedUntil) return;
    this.#database.exec(`DELETE FROM temp.host_count;
      INSERT INTO temp.host_count SELECT host, sum(state = 'ready'), sum(state = 'failed'), sum(state = 'refused')
        FROM main.url GROUP BY host`);
    const tookMs = this.#clock.now() - startedAt;
    this.#countedUntil = startedAt + tookMs + Math.max(COUNT_MS, COUNT_FACTOR * tookMs);
  }
}

const COLUMNS = `${HOST_COLUMNS}, known, coalesce(queued, 0) AS queued, coalesce(failed, 0) AS failed,
  coalesce(refused, 0) AS refused`;

function listedHost(row: Record<string, unknown>): ListedHost {
  const { known, queued, failed, refused, ...host } = row;
  const counts = { known, queued, failed, refused } as unknown as HostCounts;
  return { host: hostOfRow(host), counts };
}
