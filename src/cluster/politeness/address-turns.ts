/**
 * Makes crawl nodes take turns with IP addresses, because hosts of several nodes may have the same address.
 *
 *   free --take--> turn of a node, TURN_MS, extended while it is used --expired, or another node waits--> free
 *
 * Only the node whose turn it is sends requests to the address, and obeys the delay there as a single process does. The
 * next node starts `delayMs` after the end of the last turn. A node that waits is noted in the row: the turn is then not
 * extended, and the waiting node comes next. So with k nodes each gets every k-th turn.
 *
 * Cost: an address is asked for about once in TURN_MS / 2 while it is used, and everything that is asked for within
 * ASK_MS is one statement. A robots.txt or an icon on a host of another node also needs the turn of its address, so it
 * is never requested at the same time as a page of its owner.
 *
 * All times are those of the database server.
 */
import type { AddressTurns } from '../../crawl/mod.ts';
import { type Clock, type Log, messageOf } from '../../base/mod.ts';
import type { ClusterDatabase } from '../database.ts';

/**
 *   address_turns   from version 11
 *     network       an IPv4 address, or the first 64 bits of an IPv6 address
 *     node          the node whose turn it is; from `starts_at` to `until_at`, in milliseconds since 1970
 *     waiting       another node that asked for the address meanwhile, or null
 */
export const ADDRESS_TURNS_SCHEMA = `
  create table gyre.address_turns (
    network text primary key,
    node text not null,
    starts_at bigint not null,
    until_at bigint not null,
    waiting text
  ) with (fillfactor = 70);
`;

const TURN_MS = 5_000;
/** The part of a turn at its end in which no request starts, because a request may wait for its connection. */
const MARGIN = 0.2;
/** After a turn, only the waiting node may take the address for this part of TURN_MS; after that, every node may. */
const PRECEDENCE = 0.2;
/** Requests for turns are collected for this time, and then sent in one statement. */
const ASK_MS = 20;
/** The time after which a refused node asks again. */
const RETRY_MS = 250;
const MAX_TURNS = 100_000;

interface Turn {
  /** The time from which requests may start, and the time from which they may not. */
  startsAt: number;
  endsAt: number;
  /** The time from which the node asks again. */
  askAt: number;
}

interface TurnRow {
  network: string;
  isMine: boolean;
  startsAt: number;
  untilAt: number;
}

interface AddressTurnsOptions {
  sql: ClusterDatabase;
  node: string;
  /** The least time between requests of two nodes to one address. */
  delayMs: number;
  /** The time of the database server. */
  clock: Clock;
  log: Log;
  /** The length of a turn; TURN_MS by default. */
  turnMs?: number;
}

export class PostgresAddressTurns implements AddressTurns {
  readonly #options: AddressTurnsOptions;
  readonly #turns = new Map<string, Turn>();
  /** The networks that the next statement asks for. */
  #wanted = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #isAsking = false;
  #isClosed = false;
  readonly #turnMs: number;
  readonly #marginMs: number;

  constructor(options: AddressTurnsOptions) {
    this.#options = options;
    this.#turnMs = options.turnMs ?? TURN_MS;
    this.#marginMs = Math.round(this.#turnMs * MARGIN);
  }

  opensAt(network: string): number {
    const now = this.#options.clock.now();
    const turn = this.#turns.get(network);
    if (turn && now < turn.endsAt) {
      if (now >= turn.askAt) this.#ask(network);
      return turn.startsAt;
    }
    this.#ask(network);
    return now + ASK_MS;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #ask(network: string): void {
    this.#wanted.add(network);
    this.#askSoon();
  }

  #askSoon(): void {
    if (this.#timer || this.#isAsking || this.#isClosed || this.#wanted.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#take();
    }, ASK_MS);
  }

  /** Asks for all wanted networks. If the database is away, no request starts after the turns that this node has. */
  async #take(): Promise<void> {
    const { log } = this.#options;
    const networks = [...this.#wanted].sort();
    this.#wanted = new Set();
    this.#isAsking = true;
    try {
      for (const row of await this.#readTurns(networks)) this.#keep(row);
    } catch (error) {
      log.debug('turns of addresses not read', { reason: messageOf(error) });
    } finally {
      this.#isAsking = false;
      this.#askSoon();
    }
  }

  #keep({ network, isMine, startsAt, untilAt }: TurnRow): void {
    const { clock } = this.#options;
    if (this.#turns.size >= MAX_TURNS) this.#forgetEnded();
    this.#turns.set(network, isMine ? this.#turnUntil(startsAt, untilAt) : refusedAt(clock.now()));
  }

  /** Returns a turn of this node. If it was not extended, another node waits, and asking again has no use before its end. */
  #turnUntil(startsAt: number, untilAt: number): Turn {
    const endsAt = untilAt - this.#marginMs;
    const middle = untilAt - this.#turnMs / 2;
    return { startsAt, endsAt, askAt: middle > this.#options.clock.now() ? middle : endsAt };
  }

  #forgetEnded(): void {
    const now = this.#options.clock.now();
    for (const [network, { endsAt }] of this.#turns) if (endsAt <= now) this.#turns.delete(network);
  }

  async #readTurns(networks: readonly string[]): Promise<TurnRow[]> {
    const { sql, node, delayMs } = this.#options;
    // `excluded.starts_at` is the present time. A turn is taken or extended if it is free, or if this node has it and no
    // other node waits for it.
    return await sql<TurnRow[]>`
      with clock as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now)
      insert into gyre.address_turns as t (network, node, starts_at, until_at)
      select network, ${node}, now, now + ${this.#turnMs}::bigint from unnest(${[...networks]}::text[]) as network, clock
      order by network
      on conflict (network) do update set (node, starts_at, until_at, waiting) = (
        select case when mine then excluded.node else t.node end,
          case when mine and t.node <> excluded.node
            then greatest(excluded.starts_at, t.until_at + ${delayMs}::bigint) else t.starts_at end,
          case when mine then excluded.until_at else t.until_at end,
          case when mine then null when t.node <> excluded.node then coalesce(t.waiting, excluded.node) else t.waiting end
        from (select (t.node = excluded.node or t.until_at <= excluded.starts_at)
          and (t.waiting is null or t.waiting = excluded.node
            or t.until_at + ${Math.round(this.#turnMs * PRECEDENCE)}::bigint <= excluded.starts_at) as mine) as decision)
      returning network, starts_at::float8 as "startsAt", until_at::float8 as "untilAt",
        node = ${node} and until_at > (select now from clock) + ${this.#marginMs}::bigint as "isMine"`;
  }
}

/** Returns a turn that is over when it starts: hosts of the address wait, and then the node asks again. */
function refusedAt(now: number): Turn {
  const retryAt = now + RETRY_MS;
  return { startsAt: retryAt, endsAt: retryAt, askAt: retryAt };
}

/** Removes turns that ended long ago. */
export async function removeOldTurns(sql: ClusterDatabase, olderThanMs: number): Promise<void> {
  await sql`delete from gyre.address_turns
    where until_at < extract(epoch from clock_timestamp()) * 1000 - ${olderThanMs}::float8`;
}
