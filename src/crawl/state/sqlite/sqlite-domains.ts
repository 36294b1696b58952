/**
 * Registrable domains in `crawl.db`: the counts that determine their budgets, and their held-back hosts.
 *
 *   host.domain      the domain of the host
 *   host.held_back   1 while its domain has no room for it: the frontier does not see the host
 *   domain           counts over the hosts of a domain; triggers update `fetched`, `useful` and `proven`
 *
 * `linked_from` is the set of linking domains (domain-counts.ts).
 */
import type { DomainRow, HostBudget } from '../crawl-state.ts';
import {
  addLinkingDomains,
  countLinkingDomains,
  DOMAINS_PAGE,
  newDomain,
  PROVEN_PAGES,
  placeHost,
  roomForHosts,
} from '../domain-counts.ts';
import type { Statements } from './sqlite-statements.ts';

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

  /** Returns domains with held-back hosts. Domains with the most held-back hosts come first. */
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
  addHost(name: string, origin: string, hostBudget: HostBudget | undefined): HostPlace {
    const known = this.byName(name);
    const place = placeHost(known ?? newDomain(name), origin, hostBudget);
    if (place === 'dropped') return null;
    const isHeldBack = place === 'held-back';
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
    const bits = addLinkingDomains(row.linkedFrom as Uint8Array, linkingDomains);
    if (bits) this.#statements('UPDATE domain SET linked_from = ? WHERE id = ?').run(bits, row.id!);
  }

  /** Admits held-back hosts whose domains now have room, and returns their number. Must run within a transaction. */
  admit(budgetOf: HostBudget): number {
    const sql = `SELECT ${COLUMNS} FROM domain WHERE hosts > admitted AND id > ? ORDER BY id LIMIT ?`;
    const domains = this.#statements(sql).all(this.#after, DOMAINS_PAGE).map(toDomain);
    this.#after = domains.length < DOMAINS_PAGE ? 0 : domains.at(-1)!.id;
    return domains.reduce((sum, domain) => sum + this.#admitOf(domain, budgetOf(domain)), 0);
  }

  /** Admits held-back hosts of a domain. Hosts that are linked from other domains come first. */
  #admitOf(domain: StoredDomain, hostBudget: number): number {
    const room = roomForHosts(domain, hostBudget);
    if (room === 0) return 0;
    const { id } = domain;
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
    linkingDomains: countLinkingDomains(linkedFrom as Uint8Array),
  } as StoredDomain;
}
