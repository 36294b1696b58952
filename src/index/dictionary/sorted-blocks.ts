/**
 * Stores sorted strings, each with a payload, in blocks of 32. The dictionary and the words of a segment use
 * this format. The strings ascend by UTF-16 units (JavaScript's `<`). Per string:
 *
 *   string    as its difference from the string before it; left out for the first string of a block
 *   payload   as the user of the format defines it
 *
 * The difference of a string from another string is
 *
 *   lengths   u8       if both are less than 16 and not both 0: 16 * shared + restBytes;
 *                      otherwise 00, then shared varint, restBytes varint
 *   rest      u8[]     the string after the common prefix, as UTF-8
 *
 * where `shared` is the number of UTF-16 units in their common prefix (never half a surrogate pair). So `nodes`
 * after `node` is  41 73.
 *
 * The segment's tables have the number of blocks (varint), then the first string and the byte length of every
 * block. They are held in memory: a look-up is a binary search in them and at most one read of one block.
 */
import { ByteReader, ByteWriter, type RandomFile } from '../../base/mod.ts';
import { isAscii } from '../../text/mod.ts';

const STRINGS_PER_BLOCK = 32;
/**
 * A section of at most this many bytes stays in memory after its first use. A look-up searches all segments,
 * and most segments are small.
 */
const HELD_BYTES = 1024 * 1024;
/** The number of bytes that are read at once when a whole section is read. */
const READ_BYTES = 256 * 1024;
/** If two lengths are both below this number, they are stored in one byte, four bits each. */
const SHORT = 16;

/** Strings with payloads, in blocks that a kernel has encoded, to be appended to a section. */
export interface EncodedStrings {
  blocks: Uint8Array;
  samples: Uint8Array;
  /** The number of strings in the section after these strings are appended. */
  count: number;
  /** The byte offset of the last block in the section. */
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
   * Adds a string and returns `out`, to which the caller then writes the payload. `isFirst` is true for the
   * first string of a block. Strings must be added in ascending order.
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

  /**
   * Appends strings that a kernel has encoded. A section is written either by this method or by `add`, not by
   * both.
   */
  append({ blocks, samples, count, blockAt }: EncodedStrings): void {
    this.#blocks.raw(blocks);
    this.#samples.raw(samples);
    this.#count = count;
    this.#blockCount = Math.ceil(count / STRINGS_PER_BLOCK);
    this.#blockAt = blockAt;
  }

  blocks(): Buffer {
    return this.#blocks.view();
  }

  /**
   * Writes the number of blocks and the first string and length of each block, for the tables that are held in
   * memory.
   */
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

/** Decodes the payload of a string. `isFirst` is true for the first string of a block. */
type DecodePayload<Entry> = (text: string, reader: ByteReader, isFirst: boolean) => Entry;

/** Skips the payload of a string. `isFirst` is true for the first string of a block. */
type SkipPayload = (reader: ByteReader, isFirst: boolean) => void;

export class SortedBlocksReader<Entry> {
  readonly #file: RandomFile;
  readonly #count: number;
  readonly #decode: DecodePayload<Entry>;
  readonly #skip: SkipPayload;
  readonly #firsts: string[] = [];
  /** The file offset of each block, and the end of the last block. */
  readonly #offsets: number[];
  /**
   * The number of the block that was searched last, whose bytes are kept. Consecutive look-ups often need the
   * same block.
   */
  #lastBlock = -1;
  #lastBytes: Buffer = Buffer.alloc(0);
  /** The bytes of the whole section, if it is small and was read before; otherwise null. */
  #held: Buffer | null = null;

  /**
   * Opens a section of sorted strings. Reads the first string and the length of each block from `tables`, and
   * leaves `tables` positioned after them.
   */
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

  /**
   * Returns the number of the block that may contain `text`: the last block whose first string is not greater
   * than `text`. Returns -1 if `text` is less than all strings.
   */
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
   * Returns the entry of a string, or null. The other strings of the block are not decoded. Each string is
   * stored with the length of the prefix that it shares with the string before it; from this length the method
   * knows whether the string can be `text`, and only then compares its bytes.
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
          // This string is greater than the wanted one, and so are all later strings of the block.
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

  /** Yields the strings that are not ASCII. Blocks with only ASCII strings are skipped. */
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

  /**
   * If all strings of the block are ASCII, skips the block and returns true. Otherwise returns false and leaves
   * the reader where it was.
   */
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

/**
 * The string that a look-up searches for. It is compared as UTF-8 bytes, but prefix lengths are stored in
 * UTF-16 units, so this class converts between the two.
 */
class WantedText {
  readonly bytes: Buffer;
  /**
   * For each UTF-16 unit of the string, the number of UTF-8 bytes before it. All bytes of a surrogate pair
   * belong to its first unit. Null if all characters are ASCII.
   */
  readonly #offsets: readonly number[] | null;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.#offsets = this.bytes.length === text.length ? null : byteOffsets(text);
  }

  byteOf(unit: number): number {
    return this.#offsets ? this.#offsets[unit]! : unit;
  }

  /** Returns the number of UTF-16 units in the first `bytes` bytes of the string. */
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

/** Writes `text` as its difference from `known`: the length of their common prefix, and the rest of `text`. */
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
 * Returns the UTF-8 length of the text from index `from` on. Avoids a call of `Buffer.byteLength` for ASCII
 * text, which is the usual case.
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

/** Skips a string that is stored as a difference. Returns true if its stored bytes are all ASCII. */
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
