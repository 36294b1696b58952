/**
 * Sorted strings with a payload each, in blocks of 32. The dictionary and the words of a segment have this
 * form. The strings ascend by UTF-16 units (JavaScript's `<`). Per string:
 *
 *   string    as its difference from the string before; not for the first of a block
 *   payload
 *
 * The difference of a string from another string is
 *
 *   lengths   u8       16 * shared + restBytes, if both are less than 16 and not both 0
 *             00, then shared varint, restBytes varint, if not
 *   rest      u8[]     UTF-8
 *
 * where `shared` is the number of UTF-16 units in their common prefix (never half a surrogate pair). So
 * `nodes` after `node` is  41 73.
 *
 * The segment's tables have the number of blocks (varint), then the first string and the byte length of every
 * block. They are held in memory: a look-up is a binary search in them and at most one read of one block.
 */
import { ByteReader, ByteWriter, type RandomFile } from '../../base/mod.ts';
import { isAscii } from '../../text/mod.ts';

const STRINGS_PER_BLOCK = 32;
/**
 * A section up to this size stays in memory after its first use. A look-up searches all segments, and most
 * segments are small.
 */
const HELD_BYTES = 1024 * 1024;
/** The number of bytes that are read at once when a whole section is read. */
const READ_BYTES = 256 * 1024;
/** Lengths below this fit into half a byte. */
const SHORT = 16;

/** Strings and payloads that a kernel has encoded, as the next bytes of a section. */
export interface EncodedStrings {
  blocks: Uint8Array;
  samples: Uint8Array;
  /** Number of strings of the section so far. */
  count: number;
  /** Offset of the last block in the section. */
  blockAt: number;
}

export class SortedBlocksWriter {
  readonly #blocks = new ByteWriter(64 * 1024);
  readonly #samples = new ByteWriter();
  #count = 0;
  #blockCount = 0;
  #blockAt = 0;
  #previous = '';

  get count(): number {
    return this.#count;
  }

  /**
   * Adds a string; the payload is then to be written to `out`. `isFirst` is true for the first string of a
   * block. Strings must be added in ascending order; the callers sort or merge them.
   */
  add(text: string): { out: ByteWriter; isFirst: boolean } {
    const isFirst = this.#count++ % STRINGS_PER_BLOCK === 0;
    if (isFirst) {
      this.#startBlock(text);
    } else {
      writeDifference(this.#blocks, this.#previous, text);
    }
    this.#previous = text;
    return { out: this.#blocks, isFirst };
  }

  /** Appends encoded strings. A section is written either by this method or by `add`. */
  append({ blocks, samples, count, blockAt }: EncodedStrings): void {
    this.#blocks.raw(blocks);
    this.#samples.raw(samples);
    this.#count = count;
    this.#blockCount = Math.ceil(count / STRINGS_PER_BLOCK);
    this.#blockAt = blockAt;
  }

  /** Returns the bytes of the section. */
  blocks(): Buffer {
    return this.#blocks.view();
  }

  /** Writes the number of blocks and the samples to the tables. */
  writeSamples(out: ByteWriter): void {
    out.varint(this.#blockCount);
    if (this.#blockCount > 0) this.#samples.varint(this.#blocks.length - this.#blockAt);
    out.raw(this.#samples.view());
  }

  #startBlock(first: string): void {
    if (this.#blockCount > 0) this.#samples.varint(this.#blocks.length - this.#blockAt);
    this.#samples.text(first);
    this.#blockAt = this.#blocks.length;
    this.#blockCount++;
  }
}

/** Reads a payload; `isFirst` is true for the first string of a block. */
type DecodePayload<Entry> = (text: string, reader: ByteReader, isFirst: boolean) => Entry;

/** Skips a payload. */
type SkipPayload = (reader: ByteReader, isFirst: boolean) => void;

export class SortedBlocksReader<Entry> {
  readonly #file: RandomFile;
  readonly #count: number;
  readonly #decode: DecodePayload<Entry>;
  readonly #skip: SkipPayload;
  readonly #firsts: string[] = [];
  /** File offset of each block, and of the end of the last. */
  readonly #offsets: number[];
  /** The block that was searched last; consecutive look-ups often hit neighbours. */
  #lastBlock = -1;
  #lastBytes: Buffer = Buffer.alloc(0);
  /** The whole section, if it is small and was read before. */
  #held: Buffer | null = null;

  /** Reads the samples from `tables` and leaves it positioned after them. */
  constructor(
    file: RandomFile,
    at: number,
    count: number,
    tables: ByteReader,
    payload: { decode: DecodePayload<Entry>; skip: SkipPayload },
  ) {
    this.#file = file;
    this.#count = count;
    this.#decode = payload.decode;
    this.#skip = payload.skip;
    this.#offsets = [at];
    const blockCount = tables.varint();
    for (let block = 0; block < blockCount; block++) {
      this.#firsts.push(tables.text());
      this.#offsets.push(this.#offsets[block]! + tables.varint());
    }
  }

  get blockCount(): number {
    return this.#firsts.length;
  }

  /** Returns the last block whose first string is not greater than `text`, or -1 if all are greater. */
  blockOf(text: string): number {
    let low = 0;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#firsts[middle]! <= text) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /**
   * Finds the entry of a string, or null. Other strings of the block are not decoded: the length of the shared prefix
   * shows whether a string can equal the wanted one, and its bytes are compared only if it can.
   */
  find(text: string): Entry | null {
    const block = this.blockOf(text);
    if (block < 0) return null;
    const reader = this.#readerOf(block);
    const wanted = new WantedText(text);
    const count = this.#countIn(block);
    let isFound = this.#firsts[block] === text;
    let equalUnits = sharedUnits(this.#firsts[block]!, text);
    for (let i = 0; i < count; i++) {
      if (i > 0) {
        const both = reader.u8();
        const shared = both === 0 ? reader.varint() : both >> 4;
        const restBytes = both === 0 ? reader.varint() : both % SHORT;
        isFound = false;
        if (shared > equalUnits) reader.skip(restBytes);
        else {
          const from = wanted.byteOf(shared);
          const equalBytes = reader.skipEqual(wanted.bytes, from, restBytes);
          // The string is greater than the wanted one, and so are all after it.
          if (equalBytes === 0 && shared < equalUnits) return null;
          isFound = equalBytes === restBytes && from + restBytes === wanted.bytes.length;
          equalUnits = wanted.unitsIn(from + equalBytes);
        }
      }
      if (isFound) return this.#decode(text, reader, i === 0);
      this.#skip(reader, i === 0);
    }
    return null;
  }

  *entries(block: number): Generator<Entry> {
    const reader = this.#readerOf(block);
    const count = this.#countIn(block);
    let text = this.#firsts[block]!;
    for (let i = 0; i < count; i++) {
      if (i > 0) text = readDifference(reader, text);
      yield this.#decode(text, reader, i === 0);
    }
  }

  /** Yields the strings that are not ASCII. Only blocks with such strings are decoded. */
  *otherThanAscii(): Generator<string> {
    for (let block = 0; block < this.blockCount; ) {
      const start = this.#offsets[block]!;
      let end = block + 1;
      while (end < this.blockCount && this.#offsets[end + 1]! - start <= READ_BYTES) end++;
      const reader = new ByteReader(this.#file.read(start, this.#offsets[end]! - start), this.#file.name);
      for (; block < end; block++)
        if (!this.#isAscii(block, reader))
          for (const text of this.#stringsOf(block, reader)) if (!isAscii(text)) yield text;
    }
  }

  /** Returns true and skips the block if all of its strings are ASCII; otherwise returns false and reads nothing. */
  #isAscii(block: number, reader: ByteReader): boolean {
    const { at } = reader;
    let isAll = isAscii(this.#firsts[block]!);
    for (let i = 0; isAll && i < this.#countIn(block); i++) {
      if (i > 0) isAll = skipDifference(reader);
      this.#skip(reader, i === 0);
    }
    if (!isAll) reader.at = at;
    return isAll;
  }

  *#stringsOf(block: number, reader: ByteReader): Generator<string> {
    let text = this.#firsts[block]!;
    for (let i = 0; i < this.#countIn(block); i++) {
      if (i > 0) text = readDifference(reader, text);
      this.#skip(reader, i === 0);
      yield text;
    }
  }

  #readerOf(block: number): ByteReader {
    if (block !== this.#lastBlock) {
      this.#lastBytes = this.#read(this.#offsets[block]!, this.#offsets[block + 1]!);
      this.#lastBlock = block;
    }
    return new ByteReader(this.#lastBytes, this.#file.name);
  }

  #read(from: number, to: number): Buffer {
    const start = this.#offsets[0]!;
    const sizeBytes = this.#offsets.at(-1)! - start;
    if (sizeBytes > HELD_BYTES) return this.#file.read(from, to - from);
    this.#held ??= this.#file.read(start, sizeBytes);
    return this.#held.subarray(from - start, to - start);
  }

  #countIn(block: number): number {
    return Math.min(STRINGS_PER_BLOCK, this.#count - block * STRINGS_PER_BLOCK);
  }
}

/** A string that is compared in UTF-8, while lengths of prefixes are counted in UTF-16 units. */
class WantedText {
  readonly bytes: Buffer;
  /** Per unit, the number of bytes before it; null if all characters are ASCII. A pair of surrogates counts at its first unit. */
  readonly #offsets: readonly number[] | null;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.#offsets = this.bytes.length === text.length ? null : byteOffsets(text);
  }

  byteOf(unit: number): number {
    return this.#offsets ? this.#offsets[unit]! : unit;
  }

  /** Returns the number of units of the characters that are within the first `bytes` bytes. */
  unitsIn(bytes: number): number {
    if (!this.#offsets) return bytes;
    let units = 0;
    while (units + 1 < this.#offsets.length && this.#offsets[units + 1]! <= bytes) units++;
    return units;
  }
}

function byteOffsets(text: string): number[] {
  const offsets = [0];
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    for (let unit = 0; unit < character.length; unit++) offsets.push(bytes);
  }
  return offsets;
}

/** Appends the difference of `text` from `known`. */
export function writeDifference(out: ByteWriter, known: string, text: string): void {
  const shared = sharedUnits(known, text);
  const restBytes = bytesFrom(text, shared);
  const isShort = shared < SHORT && restBytes < SHORT;
  const both = isShort ? SHORT * shared + restBytes : 0;
  out.u8(both);
  if (both === 0) {
    out.varint(shared);
    out.varint(restBytes);
  }
  out.utf8(text, restBytes, shared);
}

/**
 * Returns the UTF-8 length of the text from `from` on. Most texts are ASCII, and need no call of
 * `Buffer.byteLength`.
 */
function bytesFrom(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text.charCodeAt(i) >= 0x80) return Buffer.byteLength(text.slice(from));
  }
  return text.length - from;
}

export function readDifference(reader: ByteReader, known: string): string {
  const both = reader.u8();
  const shared = both === 0 ? reader.varint() : Math.floor(both / SHORT);
  const restBytes = both === 0 ? reader.varint() : both % SHORT;
  return known.slice(0, shared) + reader.utf8(restBytes);
}

/** Skips a difference; returns true if its rest is ASCII. */
export function skipDifference(reader: ByteReader): boolean {
  const both = reader.u8();
  if (both === 0) reader.varint();
  return reader.skipAscii(both === 0 ? reader.varint() : both % SHORT);
}

function sharedUnits(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < limit && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  const last = b.charCodeAt(shared - 1);
  return last >= 0xd800 && last < 0xdc00 ? shared - 1 : shared;
}
