/**
 * Reads and writes the tables of crawl knowledge: notes, verdicts and claims. Look-ups by key see the rows of all
 * nodes, because a page may be an alias of a page of another node. Scans see the held vnodes.
 */
import {
  type CanonicalClaim,
  type Discovered,
  decodeUrlReason,
  type FindingsBatch,
  type HostNote,
  type IdentityVerdict,
  type NoteKind,
  type Outcome,
  type VerdictKind,
} from '../../crawl/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import type { HeldVnodes } from './held-vnodes.ts';
import { anyKey, jsonRows } from '../json-rows.ts';
import { ownSketch } from './sketch-numbers.ts';

const NOTE_COLUMNS = 'origin, kind, value, noted_at::float8 as "notedAt"';
const VERDICT_COLUMNS = 'url, kind, of_url as "of"';

interface OutcomeRow {
  fingerprint: string;
  state: Outcome['state'];
  reason: string;
  verdict: VerdictKind | null;
}

export class PostgresFindings {
  readonly #sql: ClusterDatabase;
  readonly #held: HeldVnodes;
  readonly #firstSketch: number;

  constructor(sql: ClusterDatabase, held: HeldVnodes, firstSketch: number) {
    this.#sql = sql;
    this.#held = held;
    this.#firstSketch = firstSketch;
  }

  async notesOf(origins: Iterable<string>, kind: NoteKind): Promise<HostNote[]> {
    return [
      ...(await this.#sql<HostNote[]>`select ${this.#sql.unsafe(NOTE_COLUMNS)} from gyre.crawl_notes
      where kind = ${kind} and origin = any (${[...origins]}::text[])`),
    ];
  }

  async notes(kind: NoteKind): Promise<HostNote[]> {
    return [
      ...(await this.#sql<HostNote[]>`select ${this.#sql.unsafe(NOTE_COLUMNS)} from gyre.crawl_notes
      where kind = ${kind} and vnode = any (${this.#held.numbers}::int[]) order by origin collate "C"`),
    ];
  }

  async sketchesOf(keys: Iterable<bigint>): Promise<Map<bigint, number>> {
    const rows = await this.#sql<{ fingerprint: string; entry: number }[]>`
      select fingerprint, entry::float8 from gyre.crawl_sketches where fingerprint = ${anyKey(this.#sql, keys)}`;
    const entries = rows.map(
      ({ fingerprint, entry }) => [BigInt(fingerprint), ownSketch(entry, this.#firstSketch)] as const,
    );
    return new Map(entries.filter((pair): pair is readonly [bigint, number] => pair[1] !== null));
  }

  async outcomesOf(keys: Iterable<bigint>): Promise<Map<bigint, Outcome>> {
    const rows = await this.#sql<OutcomeRow[]>`
      select u.fingerprint, u.state, u.reason, v.kind as verdict
      from gyre.crawl_urls u left join gyre.crawl_verdicts v using (fingerprint)
      where u.fingerprint = ${anyKey(this.#sql, keys)}`;
    return new Map(
      rows.map(({ fingerprint, state, reason, verdict }) => [
        BigInt(fingerprint),
        { state, reason: decodeUrlReason(reason), verdict },
      ]),
    );
  }

  async claims(after: bigint | null, limit: number): Promise<CanonicalClaim[]> {
    return [
      ...(await this.#sql<CanonicalClaim[]>`
      select url, target from gyre.crawl_claims where ${this.#heldAfter(after)} order by fingerprint limit ${limit}`),
    ];
  }

  async namesOf(url: CanonicalUrl): Promise<IdentityVerdict[]> {
    return [
      ...(await this.#sql<IdentityVerdict[]>`select ${this.#sql.unsafe(VERDICT_COLUMNS)}
      from gyre.crawl_verdicts where of_fingerprint = ${String(fingerprint(url))} order by url collate "C"`),
    ];
  }

  async verdictOf(url: CanonicalUrl): Promise<IdentityVerdict | null> {
    const [row] = await this.#sql<IdentityVerdict[]>`select ${this.#sql.unsafe(VERDICT_COLUMNS)}
      from gyre.crawl_verdicts where fingerprint = ${String(fingerprint(url))}`;
    return row ?? null;
  }

  async verdicts(after: bigint | null, limit: number): Promise<IdentityVerdict[]> {
    return [
      ...(await this.#sql<IdentityVerdict[]>`select ${this.#sql.unsafe(VERDICT_COLUMNS)}
      from gyre.crawl_verdicts where ${this.#heldAfter(after)} order by fingerprint limit ${limit}`),
    ];
  }

  async verdictCounts(): Promise<{ kind: VerdictKind; count: number }[]> {
    return [
      ...(await this.#sql<{ kind: VerdictKind; count: number }[]>`
      select kind, count(*)::float8 as count from gyre.crawl_verdicts
      where vnode = any (${this.#held.numbers}::int[]) group by kind order by count desc, kind collate "C"`),
    ];
  }

  /** Writes the findings of a commit, without the sketches. Returns the URLs that became ready again. */
  async write(tx: Transaction, batch: FindingsBatch): Promise<Discovered[]> {
    await this.#writeNotes(tx, batch);
    await this.#writeVerdicts(tx, batch);
    await this.#writeClaims(tx, batch);
    return await this.#reopen(tx, batch);
  }

  async #writeNotes(tx: Transaction, { notes }: FindingsBatch): Promise<void> {
    const rows = Array.from(notes.values(), ({ kind, origin, value, notedAt }) => {
      const vnode = this.#held.vnodeOfOrigin(origin);
      return { kind, origin, vnode, value, notedAt: Math.round(notedAt) };
    });
    if (rows.length === 0) return;
    const columns = 'kind text, origin text, vnode smallint, value text, "notedAt" bigint';
    await tx`insert into gyre.crawl_notes (kind, origin, vnode, value, noted_at)
      select kind, origin, vnode, value, "notedAt" from ${jsonRows(tx, rows, columns)} order by kind, origin
      on conflict (kind, origin) do update set value = excluded.value, noted_at = excluded.noted_at`;
  }

  async #writeVerdicts(tx: Transaction, { verdicts }: FindingsBatch): Promise<void> {
    await this.#remove(tx, 'gyre.crawl_verdicts', verdicts);
    const rows = [...verdicts].flatMap(([key, verdict]) => {
      if (verdict === null) return [];
      const { url, kind, of } = verdict;
      const vnode = this.#held.vnodeOf(url);
      return [{ fingerprint: key, vnode, url, kind, ofKey: of && fingerprint(of), ofUrl: of }];
    });
    if (rows.length === 0) return;
    const columns = 'fingerprint bigint, vnode smallint, url text, kind text, "ofKey" bigint, "ofUrl" text';
    await tx`insert into gyre.crawl_verdicts (fingerprint, vnode, url, kind, of_fingerprint, of_url)
      select fingerprint, vnode, url, kind, "ofKey", "ofUrl" from ${jsonRows(tx, rows, columns)}
      order by fingerprint
      on conflict (fingerprint) do update set url = excluded.url, kind = excluded.kind,
        of_fingerprint = excluded.of_fingerprint, of_url = excluded.of_url`;
  }

  async #writeClaims(tx: Transaction, { claims }: FindingsBatch): Promise<void> {
    await this.#remove(tx, 'gyre.crawl_claims', claims);
    const rows = [...claims].flatMap(([key, claim]) =>
      claim === null ? [] : [{ fingerprint: key, vnode: this.#held.vnodeOf(claim.url), ...claim }],
    );
    if (rows.length === 0) return;
    await tx`insert into gyre.crawl_claims (fingerprint, vnode, url, target)
      select fingerprint, vnode, url, target
      from ${jsonRows(tx, rows, 'fingerprint bigint, vnode smallint, url text, target text')} order by fingerprint
      on conflict (fingerprint) do update set url = excluded.url, target = excluded.target`;
  }

  /** Deletes the rows of keys without a value. */
  async #remove(tx: Transaction, table: string, values: ReadonlyMap<bigint, unknown>): Promise<void> {
    const keys = [...values].flatMap(([key, value]) => (value === null ? [String(key)] : []));
    if (keys.length === 0) return;
    const changed = await tx<{ vnode: number }[]>`
      delete from ${tx.unsafe(table)} where fingerprint = any (${keys}::bigint[]) returning vnode`;
    this.#held.check(changed);
  }

  async #reopen(tx: Transaction, { reopened }: FindingsBatch): Promise<Discovered[]> {
    if (reopened.size === 0) return [];
    const rows = await tx<{ url: CanonicalUrl; fingerprint: string; depth: number; vnode: number }[]>`
      update gyre.crawl_urls set state = 'ready', reason = ''
      where fingerprint = any (${Array.from(reopened, String)}::bigint[]) and state = 'refused'
      returning url, fingerprint, depth, vnode`;
    this.#held.check(rows);
    return rows.map(({ url, fingerprint, depth }) => ({ url, fingerprint: BigInt(fingerprint), depth }));
  }

  /** Returns the SQL condition of a scan over the held vnodes that continues after a key. */
  #heldAfter(after: bigint | null) {
    const start = after === null ? this.#sql`` : this.#sql`and fingerprint > ${String(after)}`;
    return this.#sql`vnode = any (${this.#held.numbers}::int[]) ${start}`;
  }
}
