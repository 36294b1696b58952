/** Texts in the form of the lexicon file: all bytes one after another, and the end offset of each text. */
import { startOf } from '../columns.ts';

export interface TextColumn {
  ends: Uint32Array;
  bytes: Buffer;
}

export function textColumn(texts: readonly string[]): TextColumn {
  const all = texts.join('');
  const bytes = Buffer.from(all);
  const ends = new Uint32Array(texts.length);
  const isOneByteEach = bytes.length === all.length;
  let end = 0;
  for (let at = 0; at < texts.length; at++) {
    end += isOneByteEach ? texts[at]!.length : Buffer.byteLength(texts[at]!);
    ends[at] = end;
  }
  return { ends, bytes };
}

export function textAt({ ends, bytes }: TextColumn, at: number): string {
  return bytes.toString('utf8', startOf(ends, at), ends[at]!);
}

/** Copies texts from other columns to a new one, without decoding them. */
export class TextColumnWriter {
  readonly #ends: Uint32Array;
  readonly #bytes: Buffer;
  #count = 0;

  /** Creates a writer for at most `count` texts that have at most `bytes` bytes together. */
  constructor(count: number, bytes: number) {
    this.#ends = new Uint32Array(count);
    this.#bytes = Buffer.allocUnsafe(bytes);
  }

  /** Adds a copy of text number `at` of the column `source`. */
  copy({ ends, bytes }: TextColumn, at: number): void {
    const from = startOf(ends, at);
    const to = startOf(this.#ends, this.#count);
    this.#bytes.set(bytes.subarray(from, ends[at]!), to);
    this.#ends[this.#count++] = to + ends[at]! - from;
  }

  finish(): TextColumn {
    const ends = this.#ends.subarray(0, this.#count);
    return { ends, bytes: this.#bytes.subarray(0, startOf(ends, this.#count)) };
  }
}
