/** Builds text and marks from strings, for formats other than HTML. */

import type { Mark, MarkKind, Page, Range } from '../page.ts';
import { cut, foldSpace } from './folding.ts';

export class ComposedText {
  readonly #blocks: string[] = [];
  readonly #marks: Mark[] = [];
  readonly #limit: number;
  #length = 0;

  /** `limit` is the maximum length of the text in UTF-16 units. Text after it is cut. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#length >= this.#limit;
  }

  /**
   * Folds the white space of a block, adds it to the text and returns its range; null if the block is empty.
   * Kind 0 is plain text.
   */
  addBlock(raw: string, kind: MarkKind | 0 = 0): Range | null {
    if (this.isFull) return null;
    const start = this.#length === 0 ? 0 : this.#length + 1;
    const block = foldSpace(cut(raw, 2 * this.#limit), this.#limit - start);
    if (block === '') return null;
    this.#blocks.push(block);
    this.#length = start + block.length;
    if (kind !== 0) this.#marks.push({ start, end: this.#length, kind });
    return [start, this.#length];
  }

  finish(): Pick<Page, 'text' | 'marks'> {
    return { text: this.#blocks.join('\n'), marks: this.#marks };
  }
}
