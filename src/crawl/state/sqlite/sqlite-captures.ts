/**
 * Reads and writes the tables of captures and contents: the last response of each URL, the time at which the
 * URL is due again, and the owner of each body.
 */
import { fingerprintRange } from '../../../url/mod.ts';
import type {
  ChangeHint,
  ContentOwner,
  CrawlBatch,
  LastCapture,
  MovedPage,
  SketchEntry,
  UrlResult,
  Woken,
} from '../crawl-state.ts';
import { captureOfRow, storedHistory } from '../stored-rows.ts';
import type { Statements } from './sqlite-statements.ts';

const CAPTURE_COLUMNS = `summary, etag, last_modified AS lastModified, robots_tag AS robotsTag, digest,
  payload_digest AS payloadDigest, archived_at AS archivedAt, is_document AS isDocument, sketch,
  gone_count AS goneCount, interval_ms AS intervalMs, due_at AS dueAt, history, hinted_at AS hintedAt`;

/** Reads and writes the tables `capture` and `content`. Methods that write must run within a transaction. */
export class SqliteCaptures {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  ofUrl(fingerprint: bigint): LastCapture | null {
    const row = this.#statements(`SELECT ${CAPTURE_COLUMNS} FROM capture WHERE fingerprint = ?`).get(
      fingerprint,
    );
    return row ? captureOfRow(row) : null;
  }

  ownerOf(digest: string): ContentOwner | null {
    const sql =
      'SELECT url, fetched_at AS fetchedAt, payload_digest AS payloadDigest FROM content WHERE digest = ?';
    return (this.#statements(sql).get(digest) as unknown as ContentOwner | undefined) ?? null;
  }

  wakeDue(now: number, limit: number): Woken {
    const due = this.#statements(
      'SELECT fingerprint FROM capture WHERE due_at > 0 AND due_at <= ? ORDER BY due_at LIMIT ?',
    );
    due.setReadBigInts(true);
    const rows = due.all(now, limit);
    const { origins } = this.wake(rows.map(({ fingerprint }) => fingerprint as bigint));
    return { origins, count: rows.length };
  }

  wake(fingerprints: readonly bigint[]): Woken {
    const wake = this.#statements(
      `UPDATE url SET state = 'ready', attempts = 0 WHERE fingerprint = ? AND state <> 'ready' RETURNING host`,
    );
    const rest = this.#statements('UPDATE capture SET due_at = 0 WHERE fingerprint = ?');
    const originOfHost = this.#statements('SELECT origin FROM host WHERE id = ?');
    const origins = new Set<string>();
    let count = 0;
    for (const fingerprint of fingerprints) {
      const woken = wake.get(fingerprint);
      rest.run(fingerprint);
      if (!woken) continue;
      count++;
      origins.add(originOfHost.get(woken.host!)!.origin as string);
    }
    return { origins: [...origins], count };
  }

  wakeHosts(origins: readonly string[]): Woken {
    const idOf = this.#statements('SELECT id FROM host WHERE origin = ?');
    const ofHost = `fingerprint BETWEEN ? AND ? AND host = ? AND state <> 'ready' AND reason <> 'removed'`;
    const rest = this.#statements(
      `UPDATE capture SET due_at = 0 WHERE due_at > 0 AND fingerprint IN (SELECT fingerprint FROM url WHERE ${ofHost})`,
    );
    const wake = this.#statements(`UPDATE url SET state = 'ready', attempts = 0 WHERE ${ofHost}`);
    const woken: string[] = [];
    let count = 0;
    for (const origin of origins) {
      const host = idOf.get(origin);
      if (!host) continue;
      const range = [...fingerprintRange(origin), host.id as number] as const;
      rest.run(...range);
      const { changes } = wake.run(...range);
      if (changes > 0) woken.push(origin);
      count += Number(changes);
    }
    return { origins: woken, count };
  }

  /** Shifts the revisit times of all URLs. */
  moveTimes(byMs: number): void {
    this.#statements('UPDATE capture SET due_at = max(1, due_at + ?) WHERE due_at > 0').run(byMs);
  }

  write(results: readonly UrlResult[]): void {
    for (const { fingerprint, last } of results) if (last) this.#write('REPLACE', fingerprint, last);
  }

  /** Gives histories to the URLs of moved pages, unless they have been fetched. */
  writeMoved(moved: readonly MovedPage[]): void {
    const isKnown = this.#statements('SELECT 1 FROM url WHERE fingerprint = ?');
    for (const { to, last } of moved) if (isKnown.get(to)) this.#write('IGNORE', to, last);
  }

  /** Keeps what sitemaps and feeds say about pages that have not been visited since. */
  hint(hints: readonly ChangeHint[], now: number): void {
    const hint = this.#statements(`UPDATE capture SET hinted_at = ?,
        due_at = iif(? AND due_at > ?, ?, due_at)
      WHERE fingerprint = ? AND (SELECT fetched_at FROM url WHERE url.fingerprint = capture.fingerprint) < ?`);
    for (const { fingerprint, modifiedAt, isTrusted } of hints)
      hint.run(Math.round(modifiedAt), Number(isTrusted), now, now, fingerprint, Math.round(modifiedAt));
  }

  #write(onConflict: 'REPLACE' | 'IGNORE', fingerprint: bigint, last: LastCapture): void {
    this.#statements(`INSERT OR ${onConflict} INTO capture (fingerprint, summary, etag, last_modified, robots_tag,
      digest, payload_digest, archived_at, is_document, sketch, gone_count, interval_ms, due_at, history, hinted_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
      fingerprint,
      JSON.stringify(last.summary),
      last.etag,
      last.lastModified,
      last.robotsTag,
      last.digest,
      last.payloadDigest,
      last.archivedAt,
      Number(last.isDocument),
      last.sketch,
      last.goneCount,
      Math.round(last.intervalMs),
      Math.round(last.dueAt),
      storedHistory(last),
      Math.round(last.hintedAt),
    );
  }

  writeContents(batch: Pick<CrawlBatch, 'contents' | 'released'>): void {
    const release = this.#statements('DELETE FROM content WHERE digest = ? AND url = ?');
    for (const [digest, url] of batch.released ?? []) release.run(digest, url);
    const insert = this.#statements('INSERT OR IGNORE INTO content VALUES (?, ?, ?, ?)');
    for (const [digest, owner] of batch.contents) {
      insert.run(digest, owner.url, owner.fetchedAt, owner.payloadDigest);
    }
  }

  replaceSketches(entries: ReadonlyMap<bigint, SketchEntry>): void {
    const keep = this.#statements('INSERT INTO sketch VALUES (?, ?)');
    const own = this.#statements('UPDATE capture SET sketch = ? WHERE fingerprint = ?');
    this.#statements('DELETE FROM sketch').run();
    this.#statements('UPDATE capture SET sketch = NULL WHERE sketch IS NOT NULL').run();
    for (const [fingerprint, { entry, isOwn }] of entries) {
      keep.run(fingerprint, entry);
      if (isOwn) own.run(entry, fingerprint);
    }
  }
}
