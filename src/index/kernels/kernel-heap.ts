/** Allocates the memory of the search kernel after its scratch: sequentially, and freed all at once. */
import type { SearchKernel } from './search-kernel.ts';

export class KernelHeap {
  readonly #kernel: SearchKernel;
  #end: number;

  constructor(kernel: SearchKernel, start: number) {
    this.#kernel = kernel;
    this.#end = start;
  }

  /** The address of the next allocation. */
  get end(): number {
    return this.#end;
  }

  /** Returns the address of `bytes` bytes, a multiple of 16. They are not cleared. */
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

  /** Like `take`, but the memory is valid only until the next `take` or `borrow`. */
  borrow(bytes: number): number {
    this.#kernel.reserve(this.#end + bytes);
    return this.#end;
  }

  /** Frees everything from `end` on. */
  releaseTo(end: number): void {
    this.#end = end;
  }
}
