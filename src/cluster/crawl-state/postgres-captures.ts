/**
 * Reads and writes the tables of captures, contents and sketches: the last response of each URL, the time at which
 * the URL is due again, and the owner of each body.
 *
 * A content has one owner in the whole cluster: the first transaction that inserts its digest. The row has the
 * vnode of the owner. A node may also release a content that a URL of another node owns, if it knows this.
 */
import {
  type ChangeHint,
  type ContentOwner,
  type CrawlBatch,
  captureOfRow,
  type LastCapture,
  type MovedPage,
  type SketchEntry,
  storedHistory,
  type UrlResult,
  type Woken,
} from '../../crawl/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import type { HeldVnodes } from './held-vnodes.ts';
import { jsonRows, lastOfEach } from '../json-rows.ts';
import { ownSketch, storedSketch } from './sketch-numbers.ts';

const WRITTEN = `fingerprint bigint, summary text, etag text, "lastModified" text, "robotsTag" text, digest text,
  "payloadDigest" text, "archivedAt" bigint, "isDocument" boolean, sketch bigint, "goneCount" int,
  "intervalMs" bigint, "dueAt" bigint, history text, "hintedAt" bigint`;

export class PostgresCaptures {
  readonly #sql: ClusterDatabase;
  readonly #held: HeldVnodes;
  readonly #firstSketch: number;

  constructor(sql: ClusterDatabase, held: HeldVnodes, firstSketch: number) {
    this.#sql = sql;
    this.#held = held;
    this.#firstSketch = firstSketch;
  }

  async ofUrl(fingerprint: bigint): Promise<LastCapture | null> {
    const [row] = await this.#sql`
      select summary, etag, last_modified as "lastModified", robots_tag as "robotsTag", digest,
        payload_digest as "payloadDigest", archived_at::float8 as "archivedAt", is_document as "isDocument",
        sketch::float8, gone_count as "goneCount", interval_ms::float8 as "intervalMs", due_at::float8 as "dueAt",
        history, hinted_at::float8 as "hintedAt"
      from gyre.crawl_captures where fingerprint = ${String(fingerprint)}`;
    if (!row) return null;
    const capture = captureOfRow(row);
    return { ...capture, sketch: ownSketch(capture.sketch, this.#firstSketch) };
  }

  async ownerOf(digest: string): Promise<ContentOwner | null> {
    const [row] = await this.#sql<ContentOwner[]>`
      select url, fetched_at::float8 as "fetchedAt", payload_digest as "payloadDigest" from gyre.crawl_contents
      where digest = ${digest}`;
    return row ?? null;
  }

  async wakeDue(tx: Transaction, now: number, limit: number): Promise<Woken> {
    const [woken] = await tx<Woken[]>`
      with due as (
        select fingerprint from gyre.crawl_captures
        where due_at > 0 and due_at <= ${now}::float8 and vnode = any (${this.#held.numbers}::int[])
        order by due_at limit ${limit}
      ), planned as (
        update gyre.crawl_captures c set due_at = 0 from due where c.fingerprint = due.fingerprint
      ), woken as (
        update gyre.crawl_urls u set state = 'ready', attempts = 0 from due where u.fingerprint = due.fingerprint
        returning u.host
      )
      select array(select h.origin from gyre.crawl_hosts h where h.number in (select host from woken)) as origins,
        (select count(*)::int from due) as count`;
    return { origins: woken!.origins, count: woken!.count };
  }

  async wake(tx: Transaction, fingerprints: readonly bigint[]): Promise<Woken> {
    const [woken] = await tx<Woken[]>`
      with planned as (
        update gyre.crawl_captures set due_at = 0
        where fingerprint = any (${fingerprints.map(String)}::bigint[])
          and vnode = any (${this.#held.numbers}::int[])
      ), woken as (
        update gyre.crawl_urls set state = 'ready', attempts = 0
        where fingerprint = any (${fingerprints.map(String)}::bigint[]) and state <> 'ready'
          and vnode = any (${this.#held.numbers}::int[])
        returning host
      )
      select array(select h.origin from gyre.crawl_hosts h where h.number in (select host from woken)) as origins,
        (select count(*)::int from woken) as count`;
    return { origins: woken!.origins, count: woken!.count };
  }

  async wakeHosts(tx: Transaction, origins: readonly string[]): Promise<Woken> {
    const [woken] = await tx<Woken[]>`
      with hosts as (
        select number, origin from gyre.crawl_hosts
        where origin = any (${[...origins]}::text[]) and vnode = any (${this.#held.numbers}::int[])
      ), woken as (
        update gyre.crawl_urls u set state = 'ready', attempts = 0 from hosts
        where u.host = hosts.number and u.state <> 'ready' and u.reason <> 'removed'
        returning u.fingerprint, u.host
      ), planned as (
        update gyre.crawl_captures c set due_at = 0 from woken where c.fingerprint = woken.fingerprint
      )
      select array(select origin from hosts where number in (select host from woken)) as origins,
        (select count(*)::int from woken) as count`;
    return { origins: woken!.origins, count: woken!.count };
  }

  /** Shifts the revisit times of all URLs of the held vnodes. */
  async moveTimes(tx: Transaction, byMs: number): Promise<void> {
    await tx`update gyre.crawl_captures set due_at = greatest(1, due_at + ${byMs}::bigint)
      where due_at > 0 and vnode = any (${this.#held.numbers}::int[])`;
  }

  async write(tx: Transaction, results: readonly UrlResult[]): Promise<void> {
    const captured = results.flatMap(({ fingerprint, last }) => (last ? [{ fingerprint, ...last }] : []));
    if (captured.length === 0) return;
    const rows = lastOfEach(captured, ({ fingerprint }) => fingerprint).map((last) => this.#rowOf(last));
    const changed = await tx<{ vnode: number }[]>`
      insert into gyre.crawl_captures as c (fingerprint, vnode, summary, etag, last_modified, robots_tag, digest,
        payload_digest, archived_at, is_document, sketch, gone_count, interval_ms, due_at, history, hinted_at)
      select fingerprint, u.vnode, r.summary, r.etag, r."lastModified", r."robotsTag", r.digest, r."payloadDigest",
        r."archivedAt", r."isDocument", r.sketch, r."goneCount", r."intervalMs", r."dueAt", r.history, r."hintedAt"
      from ${jsonRows(tx, rows, WRITTEN)} join gyre.crawl_urls u using (fingerprint)
      on conflict (fingerprint) do update set summary = excluded.summary, etag = excluded.etag,
        last_modified = excluded.last_modified, robots_tag = excluded.robots_tag, digest = excluded.digest,
        payload_digest = excluded.payload_digest, archived_at = excluded.archived_at,
        is_document = excluded.is_document, sketch = excluded.sketch, gone_count = excluded.gone_count,
        interval_ms = excluded.interval_ms, due_at = excluded.due_at, history = excluded.history,
        hinted_at = excluded.hinted_at
      returning c.vnode`;
    this.#held.check(changed);
  }

  /** Gives histories to the URLs of moved pages, unless they have been fetched or belong to another node. */
  async writeMoved(tx: Transaction, moved: readonly MovedPage[]): Promise<void> {
    if (moved.length === 0) return;
    const rows = lastOfEach(moved, ({ to }) => to).map(({ to, last }) =>
      this.#rowOf({ fingerprint: to, ...last }),
    );
    await tx`
      insert into gyre.crawl_captures (fingerprint, vnode, summary, etag, last_modified, robots_tag, digest,
        payload_digest, archived_at, is_document, sketch, gone_count, interval_ms, due_at, history, hinted_at)
      select fingerprint, u.vnode, r.summary, r.etag, r."lastModified", r."robotsTag", r.digest, r."payloadDigest",
        r."archivedAt", r."isDocument", r.sketch, r."goneCount", r."intervalMs", r."dueAt", r.history, r."hintedAt"
      from ${jsonRows(tx, rows, WRITTEN)} join gyre.crawl_urls u using (fingerprint)
      where u.vnode = any (${this.#held.numbers}::int[]) on conflict (fingerprint) do nothing`;
  }

  /** Keeps what sitemaps and feeds say about pages of the held vnodes that have not been visited since. */
  async hint(tx: Transaction, hints: readonly ChangeHint[], now: number): Promise<void> {
    if (hints.length === 0) return;
    const rows = lastOfEach(hints, ({ fingerprint }) => fingerprint).map((hint) => {
      return { ...hint, modifiedAt: Math.round(hint.modifiedAt) };
    });
    await tx`
      update gyre.crawl_captures c set hinted_at = r."modifiedAt",
        due_at = case when r."isTrusted" then least(c.due_at, ${now}::bigint) else c.due_at end
      from ${jsonRows(tx, rows, 'fingerprint bigint, "modifiedAt" bigint, "isTrusted" boolean')}
        join gyre.crawl_urls u using (fingerprint)
      where c.fingerprint = r.fingerprint and u.fetched_at < r."modifiedAt"
        and c.vnode = any (${this.#held.numbers}::int[])`;
  }

  #rowOf(last: LastCapture & { fingerprint: bigint }) {
    return {
      ...last,
      summary: JSON.stringify(last.summary),
      history: storedHistory(last),
      sketch: storedSketch(last.sketch, this.#firstSketch),
      intervalMs: Math.round(last.intervalMs),
      dueAt: Math.round(last.dueAt),
      hintedAt: Math.round(last.hintedAt),
    };
  }

  async writeContents(tx: Transaction, batch: Pick<CrawlBatch, 'contents' | 'released'>): Promise<void> {
    const released = Array.from(batch.released ?? [], ([digest, url]) => ({ digest, url }));
    if (released.length > 0)
      await tx`delete from gyre.crawl_contents c using ${jsonRows(tx, released, 'digest text, url text')}
        where c.digest = r.digest and c.url = r.url`;
    const rows = Array.from(batch.contents, ([digest, { url, fetchedAt, payloadDigest }]) => {
      return { digest, vnode: this.#held.vnodeOf(url), url, fetchedAt, payloadDigest };
    });
    if (rows.length === 0) return;
    const columns = 'digest text, vnode smallint, url text, "fetchedAt" bigint, "payloadDigest" text';
    await tx`insert into gyre.crawl_contents (digest, vnode, url, fetched_at, payload_digest)
      select digest, vnode, url, "fetchedAt", "payloadDigest" from ${jsonRows(tx, rows, columns)} order by digest
      on conflict (digest) do nothing`;
  }

  /** Replaces the sketch entries of the held vnodes. */
  async replaceSketches(tx: Transaction, entries: ReadonlyMap<bigint, SketchEntry>): Promise<void> {
    const held = this.#held.numbers;
    await tx`delete from gyre.crawl_sketches where vnode = any (${held}::int[])`;
    await tx`update gyre.crawl_captures set sketch = null
      where sketch is not null and vnode = any (${held}::int[])`;
    await this.writeSketches(
      tx,
      Array.from(entries, ([key, { entry }]) => [key, entry]),
    );
    const rows = Array.from(entries, ([fingerprint, { entry, isOwn }]) => {
      return { fingerprint, entry: storedSketch(entry, this.#firstSketch), isOwn };
    });
    await tx`update gyre.crawl_captures c set sketch = r.entry
      from ${jsonRows(tx, rows, 'fingerprint bigint, entry bigint, "isOwn" boolean')}
      where c.fingerprint = r.fingerprint and r."isOwn" and c.vnode = any (${held}::int[])`;
  }

  /** Writes sketch entries of known URLs. */
  async writeSketches(tx: Transaction, entries: Iterable<readonly [bigint, number]>): Promise<void> {
    const rows = lastOfEach(entries, ([key]) => key).map(([fingerprint, entry]) => {
      return { fingerprint, entry: storedSketch(entry, this.#firstSketch) };
    });
    if (rows.length === 0) return;
    const changed = await tx<{ vnode: number }[]>`
      insert into gyre.crawl_sketches as s (fingerprint, vnode, entry)
      select fingerprint, u.vnode, r.entry from ${jsonRows(tx, rows, 'fingerprint bigint, entry bigint')}
        join gyre.crawl_urls u using (fingerprint)
      on conflict (fingerprint) do update set entry = excluded.entry returning s.vnode`;
    this.#held.check(changed);
  }
}
