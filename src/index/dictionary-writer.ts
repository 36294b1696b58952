/** Writes the term dictionary of a segment; see dictionary-format.ts for the bytes. */
import { ByteWriter } from '../base/mod.ts';
import { SHORT_LENGTH, TERMS_PER_BLOCK, type TermEntry } from './dictionary-format.ts';

export class DictionaryWriter {
  readonly #blocks = new ByteWriter(64 * 1024);
  readonly #samples = new ByteWriter();
  #termCount = 0;
  #blockCount = 0;
  #blockAt = 0;
  #previous = '';

  get termCount(): number {
    return this.#termCount;
  }

  /** Terms must ascend; the callers sort or merge them. */
  add(entry: TermEntry): void {
    const blocks = this.#blocks;
    if (this.#termCount % TERMS_PER_BLOCK === 0) {
      this.#startBlock(entry);
    } else {
      const shared = sharedUnits(this.#previous, entry.term);
      blocks.varint(shared);
      blocks.text(entry.term.slice(shared));
    }
    blocks.varint(entry.docCount);
    this.#writeLengths(entry);
    this.#previous = entry.term;
    this.#termCount++;
  }

  /** The section of the file. */
  blocks(): Buffer {
    return this.#blocks.view();
  }

  /** The part of the tables: a count of blocks, then first term and byte length of each. */
  writeSamples(out: ByteWriter): void {
    out.varint(this.#blockCount);
    if (this.#blockCount > 0) this.#samples.varint(this.#blocks.length - this.#blockAt);
    out.raw(this.#samples.view());
  }

  #writeLengths({ postingsBytes, positionBytes }: TermEntry): void {
    const isShort = postingsBytes < SHORT_LENGTH && positionBytes < SHORT_LENGTH;
    const both = isShort ? SHORT_LENGTH * postingsBytes + positionBytes : 0;
    this.#blocks.u8(both);
    if (both > 0) return;
    this.#blocks.varint(postingsBytes);
    this.#blocks.varint(positionBytes);
  }

  #startBlock(first: TermEntry): void {
    if (this.#blockCount > 0) this.#samples.varint(this.#blocks.length - this.#blockAt);
    this.#samples.text(first.term);
    this.#blockAt = this.#blocks.length;
    this.#blockCount++;
    this.#blocks.varint(first.postingsAt);
  }
}

function sharedUnits(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < limit && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  const last = b.charCodeAt(shared - 1);
  return last >= 0xd800 && last < 0xdc00 ? shared - 1 : shared;
}
