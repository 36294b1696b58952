/**
 * A set of documents of one segment, as a bitmap, such as its deleted documents. On disk, the deleted documents
 * are a sealed file (magic GYD1), `seg-00000007.del-00000012`, named after the generation that wrote it and
 * never changed. Its body is:
 *
 *   docCount   u32     as in the segment
 *   bits       u8[]    document n is bit n % 8, from the lowest, of byte n / 8
 *
 * If documents 0 and 8 of nine are deleted, the file is  47 59 44 31  01 00 00 00  09 00 00 00  01 01  1D 3A 80
 * 07.
 */
import { CorruptError, type Directory, type FileKind, readSealed, writeSealed } from '../../base/mod.ts';
import type { DocId } from '../document.ts';

const KIND: FileKind = { magic: 'GYD1', version: 1 };

export class DocSet {
  readonly #bits: Uint8Array;
  readonly #docCount: number;
  #size = 0;

  constructor(docCount: number, bits: Uint8Array = new Uint8Array((docCount + 7) >> 3)) {
    this.#docCount = docCount;
    this.#bits = bits;
    for (const byte of bits) this.#size += bitsIn(byte);
  }

  get size(): number {
    return this.#size;
  }

  has(doc: DocId): boolean {
    return (this.#bits[doc >> 3]! & (1 << (doc & 7))) !== 0;
  }

  /** Returns the documents of the set, ascending. */
  toArray(): DocId[] {
    const docs: DocId[] = [];
    for (let doc = 0; docs.length < this.#size; doc++) if (this.has(doc)) docs.push(doc);
    return docs;
  }

  /** Adds a document. Returns true if it was not in the set before. */
  add(doc: DocId): boolean {
    if (this.has(doc)) return false;
    this.#bits[doc >> 3]! |= 1 << (doc & 7);
    this.#size++;
    return true;
  }

  /** Returns a copy of the bitmap, for another thread. */
  toBytes(): Uint8Array {
    return this.#bits.slice();
  }

  copyTo(bytes: Uint8Array): void {
    bytes.set(this.#bits);
  }

  write(directory: Directory, name: string): void {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(this.#docCount);
    writeSealed(directory, name, KIND, Buffer.concat([head, this.#bits]));
  }
}

export function readDocSet(directory: Directory, name: string, docCount: number): DocSet {
  const body = readSealed(directory, name, KIND);
  const bytes = 4 + ((docCount + 7) >> 3);
  if (body.length !== bytes) throw new CorruptError(name, body.length, `a body of ${bytes} bytes`, 'the end');
  if (body.readUInt32LE() !== docCount) {
    throw new CorruptError(name, 8, `${docCount} documents`, `${body.readUInt32LE()}`);
  }
  return new DocSet(docCount, Uint8Array.from(body.subarray(4)));
}

function bitsIn(byte: number): number {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) count++;
  return count;
}
