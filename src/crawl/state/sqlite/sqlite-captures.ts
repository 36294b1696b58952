/**
 * Reads and writes the tables of captures and contents: the last response of each URL, the time at which the
 * URL is due again, and the owner of each body.
 */
import type { ContentOwner, CrawlBatch, LastCapture, SketchEntry, UrlResult, Woken } from '../crawl-state.ts';
import { captureOfRow } from '../stored-rows.ts';
import type { Statements } from './sqlite-statements.ts';

const CAPTURE_COLUMNS = `summary, etag, last_modified AS lastModified, robots_tag AS robotsTag, digest,
  payload_digest AS payloadDigest, archived_at AS archivedAt, is_document AS isDocument, sketch,
  gone_count AS goneCount, interval_ms AS intervalMs, due_at AS dueAt`;

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

  /** Shifts the revisit times of all URLs. */
  moveTimes(byMs: number): void {
    this.#statements('UPDATE capture SET due_at = max(1, due_at + ?) WHERE due_at > 0').run(byMs);
  }

  write(results: readonly UrlResult[]): void {
    const write = this.#statements(
      'INSERT OR REPLACE INTO capture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    for (const { fingerprint, last } of results) {
      if (!last) continue;
      write.run(
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
      );
    }
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
