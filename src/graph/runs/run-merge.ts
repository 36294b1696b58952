/**
 * Reads several runs as one: all their URLs in one sorted list, and the newest record of each URL.
 *
 * The URLs are merged once, with one frame of each run in memory. This gives every URL a merged number, and every run a
 * table from its own URL numbers to the merged numbers. Afterwards the records can be read any number of times. The
 * tables take four bytes for every URL of every run.
 */
import { Heap } from '../../base/mod.ts';
import { compareVersions } from '../../journal/mod.ts';
import { compareLocality, type LocalUrl, type RunRecord } from './run-format.ts';
import type { RunFile } from './run-reader.ts';

interface UrlCursor {
  /** The index of the list in which the cursor moves. */
  list: number;
  urls: Iterator<LocalUrl>;
  head: LocalUrl;
  /** The number of the cursor's current URL within its list. */
  local: number;
}

interface RecordCursor {
  run: number;
  records: Iterator<RunRecord>;
  head: RunRecord;
}

export class MergedRuns {
  readonly #runs: readonly RunFile[];
  /** For each run, an array that maps the number of a URL in that run to its merged number. */
  readonly #numbers: Uint32Array[];
  #urlCount = 0;

  /**
   * `runs` must have the runs of each writer in order from the oldest to the newest. Calls `onUrl` for every
   * URL in the order of the merged numbers, which start at 0.
   */
  constructor(runs: readonly RunFile[], onUrl: (url: LocalUrl) => void) {
    this.#runs = runs;
    this.#numbers = runs.map((run) => new Uint32Array(run.urlCount));
    this.#numberUrls(onUrl);
  }

  get urlCount(): number {
    return this.#urlCount;
  }

  /** Yields the newest record of each URL in the order of URLs. All URLs in a record are merged numbers. */
  *records(withTexts: boolean): Generator<RunRecord> {
    const heap = new Heap<RecordCursor>(
      (a, b) => a.head.url < b.head.url || (a.head.url === b.head.url && this.#isNewer(a, b)),
    );
    this.#runs.forEach((run, at) => {
      const records = this.#renumbered(run, at, withTexts);
      const first = records.next();
      if (!first.done) heap.push({ run: at, records, head: first.value });
    });
    let last = -1;
    for (let cursor = heap.peek(); cursor; cursor = heap.peek()) {
      if (cursor.head.url !== last) yield cursor.head;
      last = cursor.head.url;
      const { value, done } = cursor.records.next();
      if (done) heap.pop();
      else heap.replaceTop({ ...cursor, head: value });
    }
  }

  /** Yields every URL in order. This merges the URLs of all runs once more. */
  *urls(): Generator<LocalUrl> {
    let last = '';
    for (const { head } of this.#mergeUrls()) {
      if (head.url !== last) yield head;
      last = head.url;
    }
  }

  #numberUrls(onUrl: (url: LocalUrl) => void): void {
    let last = '';
    for (const { head, list, local } of this.#mergeUrls()) {
      if (head.url !== last) {
        onUrl(head);
        this.#urlCount++;
        last = head.url;
      }
      this.#numbers[list]![local] = this.#urlCount - 1;
    }
  }

  #mergeUrls(): Generator<UrlCursor> {
    return mergeUrls(this.#runs.map((run) => run.urls()));
  }

  #isNewer(a: RecordCursor, b: RecordCursor): boolean {
    const versionOf = ({ head: { fetchedAt, epoch }, run }: RecordCursor) => {
      return { fetchedAt, epoch, writer: this.#runs[run]!.writer };
    };
    return (compareVersions(versionOf(a), versionOf(b)) || a.run - b.run) > 0;
  }

  *#renumbered(run: RunFile, at: number, withTexts: boolean): Generator<RunRecord> {
    const numbers = this.#numbers[at]!;
    for (const record of run.records(withTexts)) {
      yield {
        ...record,
        url: numbers[record.url]!,
        aliasOf: record.aliasOf < 0 ? -1 : numbers[record.aliasOf]!,
        targets: record.targets.map((target) => numbers[target]!),
      };
    }
  }
}

/** Yields the URLs of sorted lists in order. A URL that several lists contain comes several times in a row. */
export function* mergeUrls(lists: readonly Iterator<LocalUrl>[]): Generator<UrlCursor> {
  const heap = new Heap<UrlCursor>((a, b) => compareLocality(a.head, b.head) < 0);
  lists.forEach((urls, list) => {
    const first = urls.next();
    if (!first.done) heap.push({ list, urls, head: first.value, local: 0 });
  });
  for (let cursor = heap.peek(); cursor; cursor = heap.peek()) {
    yield cursor;
    const { value, done } = cursor.urls.next();
    if (done) heap.pop();
    else heap.replaceTop({ ...cursor, head: value, local: cursor.local + 1 });
  }
}
