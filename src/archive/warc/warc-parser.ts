/**
 * Finds WARC records in a stream of bytes from any writer, also if it is damaged.
 *
 *   push(bytes)* -> records, each as soon as it is complete -> end()
 *
 * Content never makes it throw. Bytes that are no record are skipped up to the next `WARC/1.0` at the end of a
 * line, and counted. A record with a wrong length is recognised by the bytes after it: if there is neither an
 * empty line nor the end, and another record begins inside it, the record is dropped and reading continues at
 * the inner one.
 *
 * A record too large for memory is skipped by its length. If the stream allows random access (a plain file),
 * the end of the record is read first, and a length that does not lead to the end of a record is rejected. In a
 * file of compressed members the reader calls `interrupt` when a record begins with a member. Bytes inside a
 * record with a correct length are never taken for records: otherwise the author of a page could forge captures
 * of other sites.
 */

/** One record, with the fields that every reader needs. */
export interface WarcRecord {
  /** In lower case: `response`. */
  type: string;
  /** Without the angle brackets that some writers add. */
  targetUri: string;
  /** Milliseconds since 1970; NaN if the field is missing or invalid. */
  date: number;
  /** By names in lower case; the first value of a repeated field. */
  fields: ReadonlyMap<string, string>;
  block: Buffer;
}

/** A record and its byte range in the stream, including the empty lines after it. */
export interface PlacedRecord {
  record: WarcRecord;
  start: number;
  end: number;
}

export interface WarcDamage {
  /** Sections that are not records, and truncated records. */
  damaged: number;
  damagedBytes: number;
  /** Records too large for memory. */
  tooLarge: number;
}

const MAX_HEAD = 64 * 1024;
/** The maximum number of bytes of a file in memory. */
export const MAX_IN_MEMORY = 64 * 1024 * 1024;
/** The number of bytes after a record that show if it ends there. */
export const RECORD_END_BYTES = 4;
const MAX_VERSION_LINE = 12;
const MAGIC = Buffer.from('WARC/');
const CRLF_CRLF = Buffer.from('\r\n\r\n');
const LF_LF = Buffer.from('\n\n');
const LF = 0x0a;
const CR = 0x0d;

export class WarcParser {
  readonly damage: WarcDamage = { damaged: 0, damagedBytes: 0, tooLarge: 0 };
  #pending: Buffer = Buffer.alloc(0);
  /**
   * Pending chunks after `#pending`. They are joined when `#wanted` bytes are there, so that each is copied
   * once.
   */
  #later: Buffer[] = [];
  #laterBytes = 0;
  /** Number of bytes received, including those pending. */
  #received = 0;
  /** Remaining bytes of a block that is being skipped. */
  #toSkip = 0;
  /** True after bytes that were not a record: more such bytes count as the same damage. */
  #inDamage = false;
  /** The number of pending bytes needed before parsing is tried again. */
  #wanted = 0;
  readonly #maxBlock: number;
  readonly #bytesAt: ((offset: number) => Buffer | null) | null;

  /**
   * Blocks larger than `maxBlock` are skipped. `bytesAt` reads a few bytes at any offset of the stream: fewer
   * near its end, null after it.
   */
  constructor(maxBlock = MAX_IN_MEMORY, bytesAt: ((offset: number) => Buffer | null) | null = null) {
    this.#maxBlock = maxBlock;
    this.#bytesAt = bytesAt;
  }

  get received(): number {
    return this.#received;
  }

  /** True if a record has begun that is not complete yet. */
  get isInRecord(): boolean {
    return this.#toSkip > 0 || this.#pending.length > 0;
  }

  push(bytes: Buffer): PlacedRecord[] {
    this.#received += bytes.length;
    let rest = bytes;
    if (this.#toSkip > 0) {
      const skipped = Math.min(this.#toSkip, rest.length);
      this.#toSkip -= skipped;
      rest = rest.subarray(skipped);
    }
    this.#later.push(rest);
    this.#laterBytes += rest.length;
    if (this.#pending.length + this.#laterBytes < this.#wanted) return [];
    this.#join();
    return this.#drain(false);
  }

  /** Ends the stream: no bytes follow the pending ones. */
  end(): PlacedRecord[] {
    this.#join();
    const records = this.#drain(true);
    this.interrupt();
    return records;
  }

  /** Marks a gap in the stream: a record that had begun is lost. */
  interrupt(): void {
    this.#join();
    this.#skipLineEnds();
    // A large record that never ends had a wrong length and does not count as too large.
    if (this.#toSkip > 0) this.damage.tooLarge--;
    if (this.#pending.length > 0 || this.#toSkip > 0) this.#lose(this.#pending.length);
    this.#pending = Buffer.alloc(0);
    this.#toSkip = 0;
    this.#wanted = 0;
    this.#inDamage = false;
  }

  #join(): void {
    if (this.#laterBytes > 0) {
      const [only] = this.#later;
      const isAlone = this.#pending.length === 0 && this.#later.length === 1;
      this.#pending = isAlone ? only! : Buffer.concat([this.#pending, ...this.#later]);
    }
    this.#later = [];
    this.#laterBytes = 0;
  }

  #drain(isEnd: boolean): PlacedRecord[] {
    const records: PlacedRecord[] = [];
    this.#wanted = 0;
    for (;;) {
      this.#skipLineEnds();
      if (!this.#findMagic()) return records;
      const start = this.#received - this.#pending.length;
      const step = this.#next(isEnd);
      if (step === 'wait') return records;
      if (step === 'damage') continue;
      records.push({ record: step, start, end: this.#received - this.#pending.length });
    }
  }

  #next(isEnd: boolean): WarcRecord | 'wait' | 'damage' {
    const head = headLength(this.#pending);
    if (head === 0) {
      if (this.#pending.length <= MAX_HEAD && !isEnd) return 'wait';
      return this.#drop(MAGIC.length);
    }
    const fields = parseFields(this.#pending.subarray(0, head));
    const length = Number(fields.get('content-length') ?? Number.NaN);
    if (!Number.isSafeInteger(length) || length < 0) return this.#drop(head);
    if (length > this.#maxBlock) {
      return this.#leadsToEnd(head + length) ? this.#passOver(head + length) : this.#drop(head);
    }
    if (this.#pending.length < head + length + CRLF_CRLF.length && !isEnd) {
      this.#wanted = head + length + CRLF_CRLF.length;
      return 'wait';
    }
    if (this.#pending.length < head + length) return this.#drop(head);
    return this.#take(head, length, fields);
  }

  #take(head: number, length: number, fields: Map<string, string>): WarcRecord | 'damage' {
    const end = head + length;
    if (!isRecordEnd(this.#pending.subarray(end, end + CRLF_CRLF.length))) {
      const swallowed = innerRecord(this.#pending.subarray(head, end));
      if (swallowed >= 0) return this.#drop(head + swallowed);
    }
    const block = this.#pending.subarray(head, end);
    this.#pending = this.#pending.subarray(end);
    this.#inDamage = false;
    // The two line ends belong to the record, so that its end is the start of the next one.
    if (this.#pending.subarray(0, CRLF_CRLF.length).equals(CRLF_CRLF)) this.#advance(CRLF_CRLF.length);
    return toRecord(fields, block);
  }

  /** Returns true if a record of this length may end where it claims, or if that cannot be checked. */
  #leadsToEnd(length: number): boolean {
    if (!this.#bytesAt) return true;
    const after = this.#bytesAt(this.#received - this.#pending.length + length);
    return after !== null && isRecordEnd(after);
  }

  #passOver(length: number): 'damage' {
    this.damage.tooLarge++;
    const pending = Math.min(length, this.#pending.length);
    this.#advance(pending);
    this.#toSkip = length - pending;
    return 'damage';
  }

  #drop(count: number): 'damage' {
    this.#lose(count);
    this.#advance(count);
    return 'damage';
  }

  #lose(count: number): void {
    if (!this.#inDamage) this.damage.damaged++;
    this.damage.damagedBytes += count;
    this.#inDamage = true;
  }

  #advance(count: number): void {
    this.#pending = this.#pending.subarray(count);
  }

  #skipLineEnds(): void {
    let at = 0;
    while (this.#pending[at] === CR || this.#pending[at] === LF) at++;
    this.#advance(at);
  }

  /** Advances to the apparent start of the next record; returns false if there is none yet. */
  #findMagic(): boolean {
    for (let from = 0; ; ) {
      const found = this.#pending.indexOf(MAGIC, from);
      if (found < 0) {
        const kept = Math.min(this.#pending.length, MAGIC.length - 1);
        const lost = this.#pending.length - kept;
        if (lost > 0) this.#drop(lost);
        return false;
      }
      if (found === 0 || beginsRecord(this.#pending, found)) {
        if (found > 0) this.#drop(found);
        return true;
      }
      from = found + 1;
    }
  }
}

/** Returns true if a line such as `WARC/1.0` begins at `at`, or if there are too few bytes to decide. */
function beginsRecord(bytes: Buffer, at: number): boolean {
  const opening = bytes.toString('latin1', at, at + MAX_VERSION_LINE);
  return opening.length < MAX_VERSION_LINE || /^WARC\/\d\.\d+\r?\n/.test(opening);
}

/** Returns the length of the head including the empty line; 0 if there is no empty line. */
function headLength(bytes: Buffer): number {
  const limit = bytes.subarray(0, MAX_HEAD);
  const windows = limit.indexOf(CRLF_CRLF);
  const unix = limit.indexOf(LF_LF);
  if (windows >= 0 && (unix < 0 || windows < unix)) return windows + CRLF_CRLF.length;
  return unix < 0 ? 0 : unix + LF_LF.length;
}

/** Names are lower-cased. A line that begins with white space continues the one before. */
function parseFields(head: Buffer): Map<string, string> {
  const fields = new Map<string, string>();
  const text = head.toString('utf8').replace(/\r?\n[ \t]+/g, ' ');
  for (const line of text.split(/\r?\n/).slice(1)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

function toRecord(fields: ReadonlyMap<string, string>, block: Buffer): WarcRecord {
  return {
    type: (fields.get('warc-type') ?? '').toLowerCase(),
    targetUri: (fields.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1'),
    date: warcDate(fields.get('warc-date') ?? ''),
    fields,
    block,
  };
}

/** Parses `2026-01-02T03:04:05.678Z`, with a fraction of any length. */
export function warcDate(text: string): number {
  return Date.parse(text.replace(/(\.\d{3})\d+Z$/, '$1Z'));
}

/** True for an empty line, the next record or the end of the stream. */
function isRecordEnd(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes[0] === CR || bytes[0] === LF || MAGIC.indexOf(bytes) === 0;
}

/** Returns the offset of another record inside a block; negative if there is none. */
function innerRecord(block: Buffer): number {
  for (let at = block.indexOf('\nWARC/1.'); at >= 0; at = block.indexOf('\nWARC/1.', at + 1)) {
    if (beginsWithRecord(block.subarray(at + 1))) return at + 1;
  }
  return -1;
}

/** Returns true if the bytes begin with the head of a record. */
export function beginsWithRecord(bytes: Buffer): boolean {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return false;
  const head = bytes.toString('latin1', 0, MAX_HEAD);
  return /^WARC\/1\.\d\r?\n(?:[^\r\n]+\r?\n)*?WARC-Type:/i.test(head);
}
