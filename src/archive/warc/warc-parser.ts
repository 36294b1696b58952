/**
 * Finds WARC records in a stream of bytes from any writer, also if it is damaged.
 *
 *   push(bytes)* -> records, each as soon as it is complete -> end()
 *
 * The parser never throws because of the content. Bytes that are not a record are counted and skipped up to the
 * next line `WARC/1.0`. A record with a wrong length is recognised by the bytes after it: if neither an empty
 * line nor the end of the stream follows, and another record begins inside the record, the outer record is
 * dropped, and reading continues at the inner record.
 *
 * A record too large for memory is skipped by its length. If the stream allows random access (a plain file),
 * the end of the record is read first, and a length that does not lead to the end of a record is rejected. In
 * a file with one compressed member per record, the reader calls `interrupt` if a new record begins where the
 * current one should continue. Bytes inside a record with a correct length are never taken for records:
 * otherwise the author of a page could forge captures of other sites.
 */

export interface WarcRecord {
  /** The record type in lower case: `response`. */
  type: string;
  /** The URL of the record, without the angle brackets that some writers add. */
  targetUri: string;
  /** The time of the record in milliseconds since 1970; NaN if its field is missing or invalid. */
  date: number;
  /** For each field name in lower case, the value. Only the first value of a repeated field is kept. */
  fields: ReadonlyMap<string, string>;
  block: Buffer;
}

/** A record and its byte range in the stream, which includes the empty lines after the record. */
export interface PlacedRecord {
  record: WarcRecord;
  start: number;
  end: number;
}

export interface WarcDamage {
  /** The number of damaged sections: bytes that are not records, and truncated records. */
  damaged: number;
  damagedBytes: number;
  tooLarge: number;
}

const MAX_HEAD = 64 * 1024;
/** The size limit of a compressed piece, and of the block of a record, that is read into memory. */
export const MAX_IN_MEMORY = 64 * 1024 * 1024;
/** The number of bytes after a record that are needed to check that the record ends there. */
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
   * Chunks received after `#pending`. They are joined to it when there are `#wanted` bytes, so that each byte
   * is copied once.
   */
  #later: Buffer[] = [];
  #laterBytes = 0;
  /** The number of bytes received, including pending ones. */
  #received = 0;
  /** The number of bytes of a skipped block that have not arrived yet. */
  #toSkip = 0;
  /** True after bytes that are not a record. Further such bytes count as the same damaged section. */
  #inDamage = false;
  /** The number of pending bytes that are needed before parsing is tried again. */
  #wanted = 0;
  readonly #maxBlock: number;
  readonly #bytesAt: ((offset: number) => Buffer | null) | null;

  /**
   * Records with a block larger than `maxBlock` are skipped. `bytesAt`, if given, reads a few bytes at any
   * offset of the stream; it it returns fewer bytes near the end of the stream, and null after the end.
   */
  constructor(maxBlock = MAX_IN_MEMORY, bytesAt: ((offset: number) => Buffer | null) | null = null) {
    this.#maxBlock = maxBlock;
    this.#bytesAt = bytesAt;
  }

  get received(): number {
    return this.#received;
  }

  /** True if the stream has the beginning of a record but not yet its end. */
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

  /** Ends the stream and returns the records in the pending bytes. */
  end(): PlacedRecord[] {
    this.#join();
    const records = this.#drain(true);
    this.interrupt();
    return records;
  }

  /** Reports a gap in the stream. If a record has begun before the gap, it is lost. */
  interrupt(): void {
    this.#join();
    this.#skipLineEnds();
    // The end of the stream shows that this large record had a wrong length. It counts as damage, not as too
    // large.
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
      if (!this.#findMagic(isEnd)) return records;
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
    // The two line ends after a record count as a part of the record, so that the end of a record is the start
    // of the next one.
    if (this.#pending.subarray(0, CRLF_CRLF.length).equals(CRLF_CRLF)) this.#advance(CRLF_CRLF.length);
    return toRecord(fields, block);
  }

  /**
   * Returns true if a record of the given length would end where a record can end, or if this cannot be
   * checked.
   */
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

  /**
   * Skips to the next `WARC/1.…` line, which looks like the start of a record. Returns false if none has
   * arrived yet. Directly after a record, any `WARC/` is a start; after damage, the whole line is checked, also
   * if its bytes arrive later.
   */
  #findMagic(isEnd: boolean): boolean {
    for (let from = 0; ; ) {
      const found = this.#pending.indexOf(MAGIC, from);
      if (found < 0) {
        const kept = Math.min(this.#pending.length, MAGIC.length - 1);
        const lost = this.#pending.length - kept;
        if (lost > 0) this.#drop(lost);
        return false;
      }
      if (found === 0 && !this.#inDamage) return true;
      const begins = beginsRecord(this.#pending, found);
      if (begins !== false) {
        if (found > 0) this.#drop(found);
        return begins === true || isEnd;
      }
      from = found + 1;
    }
  }
}

/** Returns whether a line such as `WARC/1.0` begins at `at`; null if there are too few bytes to decide. */
function beginsRecord(bytes: Buffer, at: number): boolean | null {
  const opening = bytes.toString('latin1', at, at + MAX_VERSION_LINE);
  if (opening.length < MAX_VERSION_LINE) return null;
  return /^WARC\/\d\.\d+\r?\n/.test(opening);
}

/** Returns the length of the head of a record including its empty line; 0 if there is no empty line. */
function headLength(bytes: Buffer): number {
  const limit = bytes.subarray(0, MAX_HEAD);
  const windows = limit.indexOf(CRLF_CRLF);
  const unix = limit.indexOf(LF_LF);
  if (windows >= 0 && (unix < 0 || windows < unix)) return windows + CRLF_CRLF.length;
  return unix < 0 ? 0 : unix + LF_LF.length;
}

/**
 * Parses the fields of a record. The keys of the result are field names in lower case. A line that begins with
 * white space continues the field before it.
 */
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

/** Parses a time such as `2026-01-02T03:04:05.678Z`. The fraction may have any number of digits. */
export function warcDate(text: string): number {
  return Date.parse(text.replace(/(\.\d{3})\d+Z$/, '$1Z'));
}

/**
 * Returns true if an empty line, the next record or the end of the stream follows, as after every complete
 * record.
 */
function isRecordEnd(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes[0] === CR || bytes[0] === LF || MAGIC.indexOf(bytes) === 0;
}

/** Returns the offset at which another record begins inside a block; negative if there is none. */
function innerRecord(block: Buffer): number {
  for (let at = block.indexOf('\nWARC/1.'); at >= 0; at = block.indexOf('\nWARC/1.', at + 1)) {
    if (beginsWithRecord(block.subarray(at + 1))) return at + 1;
  }
  return -1;
}

export function beginsWithRecord(bytes: Buffer): boolean {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return false;
  const head = bytes.toString('latin1', 0, MAX_HEAD);
  return /^WARC\/1\.\d\r?\n(?:[^\r\n]+\r?\n)*?WARC-Type:/i.test(head);
}
