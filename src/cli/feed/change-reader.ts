/**
 * Reads the changes after a cursor from the journal, in the order of its files. Only files that the reader does not know
 * are read, a limited number of records for each request.
 *
 * The events of the list of removals come first. Records of removed pages are skipped, whatever the journal still has.
 */
import { existsSync } from 'node:fs';
import { type Directory, UsageError } from '../../base/mod.ts';
import {
  advance,
  cursorAfter,
  cursorAt,
  isRead,
  type JournalRecord,
  journalFiles,
  positionOfCursor,
  readJournal,
} from '../../journal/mod.ts';
import type { ChangeBatch, ChangeRequest } from '../../serve/mod.ts';
import { type RemovalList, type RemovedUrls, readRemovals, removedBy } from '../removals/mod.ts';
import { eventOfRecord, eventOfRemoval } from './change-events.ts';
import { type FeedCursor, formatCursor, keyOfRecord, type PlaceInFile, parseCursor } from './feed-cursor.ts';

/** The maximum number of records, and of bytes of events, that one request reads. */
const MAX_RECORDS = 5_000;
const MAX_BYTES = 1024 * 1024;
/** The maximum number of files that stay open for readers that stopped within them. */
const MAX_OPEN = 4;

const NOTHING_READ: FeedCursor = { journal: '', revision: 0, within: null };

interface OpenFile {
  records: Iterator<JournalRecord>;
  /** Number of records that were read. */
  count: number;
}

interface ReaderOptions {
  root: Directory;
  journal: Directory;
  now(): number;
}

export class ChangeReader {
  readonly #options: ReaderOptions;
  /** The files in which a reader stopped, by its cursor. */
  readonly #open = new Map<string, OpenFile>();
  #settled = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Returns the cursor after everything. It changes whenever there is something new to read. */
  tip(): string {
    const { journal, root } = this.#options;
    return tipOf(journal, filesOf(journal), readRemovals(root));
  }

  /** Throws a UsageError that says from where to start again if the cursor is not valid. */
  read({ cursor, limit, hasRecords }: ChangeRequest): ChangeBatch {
    const { journal, root, now } = this.#options;
    const list = readRemovals(root);
    this.#forgetPurged(list);
    const files = filesOf(journal);
    const tip = tipOf(journal, files, list);
    if (cursor === 'now') return { events: [], cursor: tip, tip, more: false };
    // A reader without a cursor has no pages, so it gets no removals of the past.
    const from = cursor === null ? { ...NOTHING_READ, revision: list.revision } : parseCursor(cursor);
    let position = cursor === null ? {} : positionOfCursor(journal, from.journal, files);
    if (from.revision > list.revision) throw unknownCursor(cursor!);
    const walk = new Walk(
      { ...from, journal: cursorAt(journal, position) },
      { limit, hasRecords, now: now() },
    );
    walk.addRemovals(list);
    const removed = removedBy(list);
    for (const file of files) {
      if (isRead(position, file)) continue;
      if (walk.isFull || !this.#readFile(file, walk, removed)) break;
      position = advance(position, file);
      walk.finished(cursorAt(journal, position));
    }
    const { events, cursor: next } = walk.result;
    return { events, cursor: next, tip, more: next !== tip };
  }

  /** Open files may still have records that a purge has deleted. */
  #forgetPurged({ settled }: RemovalList): void {
    if (settled !== this.#settled) this.#open.clear();
    this.#settled = settled;
  }

  /** Reads a file until its end, and returns true; or until the walk is full. */
  #readFile(file: string, walk: Walk, removed: RemovedUrls): boolean {
    const { within } = walk.cursor;
    const place = within?.file === file ? within : null;
    const open =
      (place && this.#takeOpen(walk.result.cursor)) ?? openFile(this.#options.journal, file, place);
    for (;;) {
      if (walk.isFull) {
        this.#keepOpen(walk.result.cursor, open);
        return false;
      }
      const next = open.records.next();
      if (next.done) return true;
      open.count++;
      walk.add(next.value, { file, count: open.count, key: keyOfRecord(next.value) }, removed);
    }
  }

  #takeOpen(cursor: string): OpenFile | undefined {
    const open = this.#open.get(cursor);
    this.#open.delete(cursor);
    return open;
  }

  #keepOpen(cursor: string, open: OpenFile): void {
    this.#open.set(cursor, open);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MAX_OPEN) return;
      this.#open.delete(oldest);
    }
  }
}

interface WalkLimits {
  limit: number;
  hasRecords: boolean;
  now: number;
}

/** The events of one request, and the cursor after them. */
class Walk {
  readonly #limits: WalkLimits;
  readonly #events: ChangeBatch['events'] = [];
  #cursor: FeedCursor;
  #bytes = 0;
  #records = 0;

  constructor(cursor: FeedCursor, limits: WalkLimits) {
    this.#cursor = cursor;
    this.#limits = limits;
  }

  get cursor(): FeedCursor {
    return this.#cursor;
  }

  get isFull(): boolean {
    return (
      this.#events.length >= this.#limits.limit || this.#bytes >= MAX_BYTES || this.#records >= MAX_RECORDS
    );
  }

  get result(): Pick<ChangeBatch, 'events' | 'cursor'> {
    return { events: this.#events, cursor: formatCursor(this.#cursor) };
  }

  /** Adds the removals after the cursor. Those of one revision come together, because a cursor cannot separate them. */
  addRemovals({ rules, revision }: RemovalList): void {
    const unknown = rules.filter((rule) => (rule.revision ?? 0) > this.#cursor.revision);
    const sorted = unknown.toSorted((a, b) => a.revision! - b.revision!);
    for (const [at, rule] of sorted.entries()) {
      const isFirst = sorted[at - 1]?.revision !== rule.revision;
      const isLast = sorted[at + 1]?.revision !== rule.revision;
      if (isFirst && this.isFull) return;
      if (isLast) this.#cursor = { ...this.#cursor, revision: rule.revision! };
      this.#push(eventOfRemoval(rule));
    }
    this.#cursor = { ...this.#cursor, revision };
  }

  add(record: JournalRecord, place: PlaceInFile, removed: RemovedUrls): void {
    this.#records++;
    this.#cursor = { ...this.#cursor, within: place };
    const event = removed.matches(record.url) ? null : eventOfRecord(record, this.#limits);
    if (event) this.#push(event);
  }

  finished(journal: string): void {
    this.#cursor = { ...this.#cursor, journal, within: null };
  }

  #push(event: ChangeBatch['events'][number]['event']): void {
    this.#bytes += JSON.stringify(event).length;
    this.#events.push({ cursor: formatCursor(this.#cursor), event });
  }
}

/** Opens a file after a place in it. */
function openFile(journal: Directory, file: string, place: PlaceInFile | null): OpenFile {
  const count = place ? countBefore(journal, place) : 0;
  const records = readJournal(journal, file);
  for (let at = 0; at < count; at++) records.next();
  return { records, count };
}

/**
 * Returns how many records of the file the reader has read. A purge may have deleted some of them, so the last one is
 * found by its key; 0 if it is gone.
 */
function countBefore(journal: Directory, { file, count, key }: PlaceInFile): number {
  let at = 0;
  let found = 0;
  for (const record of readJournal(journal, file)) {
    if (at++ >= count) break;
    if (keyOfRecord(record) === key) found = at;
  }
  return found;
}

/** Returns the finished files; none before the first crawl. */
function filesOf(journal: Directory): string[] {
  return existsSync(journal.path) ? journalFiles(journal) : [];
}

function tipOf(journal: Directory, files: readonly string[], { revision }: RemovalList): string {
  return formatCursor({ journal: cursorAfter(journal, files), revision, within: null });
}

function unknownCursor(cursor: string): UsageError {
  const restart = 'start again without a cursor, which gives everything and a new cursor';
  return new UsageError('unknown-cursor', `the cursor ${cursor} is not one of this data: ${restart}`);
}
