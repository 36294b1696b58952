/** Memory of the search kernel behind its scratch: handed out from one end, given back all at once. */
import type { SearchKernel } from './search-kernel.ts';

export class KernelHeap {
  readonly #kernel: SearchKernel;
  #end: number;

  constructor(kernel: SearchKernel, start: number) {
    this.#kernel = kernel;
    this.#end = start;
  }

  /** Where the next piece will begin. */
  get end(): number {
    return this.#end;
  }

  /** The position of so many bytes, a multiple of 16. They hold whatever was there before. */
  take(bytes: number): number {
    const at = this.#end;
    this.#end = Math.ceil((at + bytes) / 16) * 16;
    this.#kernel.reserve(this.#end);
    return at;
  }

  takeZeros(bytes: number): number {
    const at = this.take(bytes);
    new Uint8Array(this.#kernel.buffer, at, bytes).fill(0);
    return at;
  }

  /** The same, but only until something else is taken or borrowed. */
  borrow(bytes: number): number {
    this.#kernel.reserve(this.#end + bytes);
    return this.#end;
  }

  /** Everything from `end` on is free again. */
  releaseTo(end: number): void {
    this.#end = end;
  }
}
