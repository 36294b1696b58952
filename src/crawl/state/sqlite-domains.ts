/**
 * Registrable domains in `crawl.db`: the counts that determine their budgets, and their held-back hosts.
 *
 *   host.domain      the domain of the host
 *   host.held_back   1 while its domain has no room for it: the frontier does not see the host
 *   domain           counts over the hosts of a domain; triggers update `fetched`, `useful` and `proven`
 *
 * `linked_from` estimates how many other domains link to this one. It is a set of 512 bits; the name of each
 * linking domain sets one bit. The share of bits that are still 0 gives the number of names (linear counting,
 * Whang et al. 1990): exact for a few, within a tenth up to a thousand, and at most 3,194, when all bits but
 * one are set.
 */
import { hashLanes } from '../../base/mod.ts';
import type { DomainRow, HostBudget } from './crawl-state.ts';
import type { Statements } from './sqlite-statements.ts';

/** Number of useful pages from which a host counts as proven. */
const PROVEN_PAGES = 4;
const BITMAP_BYTES = 64;
const BITS = BITMAP_BYTES * 8;
/** Maximum number of held-back hosts stored per domain; further hosts are dropped. */
const MAX_HELD_BACK = 10_000;
/** Number of domains checked in one `admit`; the next call continues after them. */
const DOMAINS_PAGE = 256;

/** The function `registrable_domain(origin)` in this SQL is provided by `upgradeSchema`. */
export const DOMAINS_SCHEMA = `
  CREATE TABLE domain (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    hosts INTEGER NOT NULL DEFAULT 0,
    admitted INTEGER NOT NULL DEFAULT 0,
    proven INTEGER NOT NULL DEFAULT 0,
    fetched INTEGER NOT NULL DEFAULT 0,
    useful INTEGER NOT NULL DEFAULT 0,
    linked_from BLOB NOT NULL DEFAULT x''
  ) STRICT;
  CREATE INDEX domain_held_back ON domain (id) WHERE hosts > admitted;
  ALTER TABLE host ADD COLUMN domain INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN held_back INTEGER NOT NULL DEFAULT 0;
  INSERT INTO domain (name, hosts, admitted, proven, fetched, useful)
    SELECT registrable_domain(origin), count(*), count(*), sum(useful >= ${PROVEN_PAGES}), sum(fetched), sum(useful)
    FROM host GROUP BY 1;
  UPDATE host SET domain = (SELECT domain.id FROM domain WHERE name = registrable_domain(origin));
  CREATE INDEX host_held_back ON host (domain, id) WHERE held_back = 1;
  DROP INDEX host_front;
  CREATE INDEX host_front ON host (front, id) WHERE work = 1 AND set_aside = '' AND held_back = 0;
  CREATE TRIGGER host_pages AFTER UPDATE OF fetched, useful ON host
    WHEN old.fetched <> new.fetched OR old.useful <> new.useful BEGIN
    UPDATE domain SET fetched = fetched + new.fetched - old.fetched, useful = useful + new.useful - old.useful,
      proven = proven + (new.useful >= ${PROVEN_PAGES}) - (old.useful >= ${PROVEN_PAGES}) WHERE id = new.domain;
  END;
`;

const COLUMNS = 'id, name, hosts, admitted, proven, fetched, useful, linked_from AS linkedFrom';

/**
 * Domain of a new host, and whether the host is held back; null if the host is dropped, because its domain has too
 * many held-back hosts.
 */
type HostPlace = { domain: number; isHeldBack: boolean } | null;

/** A domain with its id in the table. */
interface StoredDomain extends DomainRow {
  id: number;
}

const NO_HOSTS = { hosts: 0, admitted: 0, provenHosts: 0, fetched: 0, useful: 0, linkingDomains: 0 };

export class SqliteDomains {
  readonly #statements: Statements;
  #after = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  byName(name: string): StoredDomain | null {
    const row = this.#statements(`SELECT ${COLUMNS} FROM domain WHERE name = ?`).get(name);
    return row ? toDomain(row) : null;
  }

  get isHoldingBack(): boolean {
    return this.#statements('SELECT 1 FROM domain WHERE hosts > admitted LIMIT 1').get() !== undefined;
  }

  /** Returns domains with held-back hosts, those with the most held-back hosts first. */
  heldBack(limit: number): StoredDomain[] {
    const sql = `SELECT ${COLUMNS} FROM domain WHERE hosts > admitted ORDER BY hosts - admitted DESC LIMIT ?`;
    return this.#statements(sql).all(limit).map(toDomain);
  }

  /** Returns the origin of one held-back host of the domain, as an example. */
  exampleOf({ id }: StoredDomain): string {
    const sql = 'SELECT origin FROM host WHERE domain = ? AND held_back = 1 LIMIT 1';
    return (this.#statements(sql).get(id)?.origin as string | undefined) ?? '';
  }

  /** Counts a new host and decides whether its domain has room for it. Must run within a transaction. */
  addHost(name: string, origin: string, budgetOf: HostBudget): HostPlace {
    const known = this.byName(name);
    const domain = known ?? { name, ...NO_HOSTS };
    const isHeldBack = domain.admitted >= budgetOf(domain, origin);
    if (isHeldBack && domain.hosts - domain.admitted >= MAX_HELD_BACK) return null;
    const admitted = Number(!isHeldBack);
    if (!known) return { domain: this.#create(name, admitted), isHeldBack };
    this.#statements('UPDATE domain SET hosts = hosts + 1, admitted = admitted + ? WHERE id = ?').run(
      admitted,
      known.id,
    );
    return { domain: known.id, isHeldBack };
  }

  /** Records that these other domains link to the domain. Must run within a transaction. */
  link(name: string, linkingDomains: Iterable<string>): void {
    const row = this.#statements('SELECT id, linked_from AS linkedFrom FROM domain WHERE name = ?').get(name);
    if (!row) return;
    const bits = new Uint8Array(BITMAP_BYTES);
    bits.set(row.linkedFrom as Uint8Array);
    let isChanged = false;
    for (const linking of linkingDomains) {
      const bit = hashLanes(linking)[0] % BITS;
      const mask = 1 << (bit & 7);
      isChanged ||= (bits[bit >> 3]! & mask) === 0;
      bits[bit >> 3]! |= mask;
    }
    if (isChanged) this.#statements('UPDATE domain SET linked_from = ? WHERE id = ?').run(bits, row.id!);
  }

  /** Admits held-back hosts whose domains now have room, and returns their number. Must run within a transaction. */
  admit(budgetOf: HostBudget): number {
    const sql = `SELECT ${COLUMNS} FROM domain WHERE hosts > admitted AND id > ? ORDER BY id LIMIT ?`;
    const domains = this.#statements(sql).all(this.#after, DOMAINS_PAGE).map(toDomain);
    this.#after = domains.length < DOMAINS_PAGE ? 0 : domains.at(-1)!.id;
    return domains.reduce((sum, domain) => sum + this.#admitOf(domain, budgetOf(domain)), 0);
  }

  /** Admits held-back hosts of a domain. Hosts that are linked from other domains come first. */
  #admitOf({ id, admitted }: StoredDomain, hostBudget: number): number {
    if (admitted >= hostBudget) return 0;
    const room = Math.min(hostBudget - admitted, Number.MAX_SAFE_INTEGER);
    const { changes } = this.#statements(`UPDATE host SET held_back = 0 WHERE id IN
      (SELECT id FROM host WHERE domain = ? AND held_back = 1 ORDER BY front DESC, id LIMIT ?)`).run(
      id,
      room,
    );
    this.#statements('UPDATE domain SET admitted = admitted + ? WHERE id = ?').run(changes, id);
    return Number(changes);
  }

  /** Adds a domain with its first host, and returns the id of the domain. */
  #create(name: string, admitted: number): number {
    const insert = this.#statements('INSERT INTO domain (name, hosts, admitted) VALUES (?, 1, ?)');
    return Number(insert.run(name, admitted).lastInsertRowid);
  }
}

function toDomain(row: Record<string, unknown>): StoredDomain {
  const { proven, linkedFrom, ...counts } = row;
  return {
    ...counts,
    provenHosts: proven,
    linkingDomains: countOf(linkedFrom as Uint8Array),
  } as StoredDomain;
}

function countOf(bits: Uint8Array): number {
  let zeros = BITS;
  for (const byte of bits) for (let rest = byte; rest > 0; rest &= rest - 1) zeros--;
  return Math.round(BITS * Math.log(BITS / Math.max(1, zeros)));
}
