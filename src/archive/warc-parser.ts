/**
 * Finds WARC records in a stream of bytes, whoever wrote it and whatever happened to it since.
 *
 *   push(bytes)* -> records, each as soon as it is whole -> end()
 *
 * Content never makes it throw. What is no record is skipped up to the next `WARC/1.0` at the end of a line,
 * and counted. A record whose length is wrong shows itself by what follows it: if there is neither an
 * empty line nor the end, and another record begins inside, then it had swallowed that one and is dropped.
 */

/** One record, with the fields that every reader asks for. */
export interface WarcRecord {
  /** In lower case: `response`. */
  type: string;
  /** Without the angle brackets that some writers put around it. */
  targetUri: string;
  /** Milliseconds since 1970; NaN if the field is missing or no date. */
  date: number;
  /** By their names in lower case; of a repeated field the first. */
  fields: ReadonlyMap<string, string>;
  block: Buffer;
}

/** A record and the bytes of the stream that it took, the empty lines behind it included. */
export interface PlacedRecord {
  record: WarcRecord;
  start: number;
  end: number;
}

export interface WarcDamage {
  /** Stretches that were no records, and records that were cut short. */
  damaged: number;
  damagedBytes: number;
  /** Records too large to be held in memory. */
  tooLarge: number;
}

const MAX_HEAD = 64 * 1024;
/** How much of a file is held in memory at once. */
export const MAX_IN_MEMORY = 64 * 1024 * 1024;
const MAX_VERSION_LINE = 12;
const MAGIC = Buffer.from('WARC/');
const CRLF_CRLF = Buffer.from('\r\n\r\n');
const LF_LF = Buffer.from('\n\n');
const LF = 0x0a;
const CR = 0x0d;

export class WarcParser {
  readonly damage: WarcDamage = { damaged: 0, damagedBytes: 0, tooLarge: 0 };
  #pending: Buffer = Buffer.alloc(0);
  /** Bytes that came, those pending included. */
  #received = 0;
  /** Bytes of a block that is passed over. */
  #toSkip = 0;
  /** The last thing seen was no record: more of the same is the same damage. */
  #inDamage = false;
  /** How many pending bytes are needed before it is worth looking again. */
  #wanted = 0;
  readonly #maxBlock: number;

  /** A larger block than this is passed over. */
  constructor(maxBlock = MAX_IN_MEMORY) {
    this.#maxBlock = maxBlock;
  }

  get received(): number {
    return this.#received;
  }

  push(bytes: Buffer): PlacedRecord[] {
    this.#received += bytes.length;
    let rest = bytes;
    if (this.#toSkip > 0) {
      const skipped = Math.min(this.#toSkip, rest.length);
      this.#toSkip -= skipped;
      rest = rest.subarray(skipped);
    }
    this.#pending = this.#pending.length === 0 ? rest : Buffer.concat([this.#pending, rest]);
    return this.#pending.length < this.#wanted ? [] : this.#drain(false);
  }

  /** The stream is at its end: what is pending is all there is. */
  end(): PlacedRecord[] {
    const records = this.#drain(true);
    this.interrupt();
    return records;
  }

  /** Bytes are missing here: a record that had begun is lost. */
  interrupt(): void {
    this.#skipLineEnds();
    if (this.#pending.length > 0 || this.#toSkip > 0) this.#lose(this.#pending.length);
    this.#pending = Buffer.alloc(0);
    this.#toSkip = 0;
    this.#wanted = 0;
    this.#inDamage = false;
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
    if (length > this.#maxBlock) return this.#passOver(head + length);
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
    // The two line ends belong to the record, so that its place is where the next one begins.
    if (this.#pending.subarray(0, CRLF_CRLF.length).equals(CRLF_CRLF)) this.#advance(CRLF_CRLF.length);
    return toRecord(fields, block);
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

  /** Moves to where the next record seems to begin; false if it has not come yet. */
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

/** As far as can be seen: `WARC/1.0` alone on what is left of its line. */
function beginsRecord(bytes: Buffer, at: number): boolean {
  const opening = bytes.toString('latin1', at, at + MAX_VERSION_LINE);
  return opening.length < MAX_VERSION_LINE || /^WARC\/\d\.\d+\r?\n/.test(opening);
}

/** Of the lines up to the empty one and with it; 0 if that is not there. */
function headLength(bytes: Buffer): number {
  const limit = bytes.subarray(0, MAX_HEAD);
  const windows = limit.indexOf(CRLF_CRLF);
  const unix = limit.indexOf(LF_LF);
  if (windows >= 0 && (unix < 0 || windows < unix)) return windows + CRLF_CRLF.length;
  return unix < 0 ? 0 : unix + LF_LF.length;
}

/** Names in lower case. A line that begins with white space continues the one before. */
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

/** `2026-01-02T03:04:05.678Z`, with a fraction of any length. */
export function warcDate(text: string): number {
  return Date.parse(text.replace(/(\.\d{3})\d+Z$/, '$1Z'));
}

/** An empty line, the next record or the end of the stream. */
function isRecordEnd(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes[0] === CR || bytes[0] === LF || MAGIC.indexOf(bytes) === 0;
}

/** Where in a block another record begins; negative if none does. */
function innerRecord(block: Buffer): number {
  for (let at = block.indexOf('\nWARC/1.'); at >= 0; at = block.indexOf('\nWARC/1.', at + 1)) {
    const head = block.subarray(at + 1, at + 1 + MAX_HEAD).toString('latin1');
    if (/^WARC\/1\.\d\r?\n(?:[^\r\n]+\r?\n)*?WARC-Type:/i.test(head)) return at + 1;
  }
  return -1;
}
