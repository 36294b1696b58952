/**
 * Allocates memory in the search kernel, at addresses after the kernel's scratch area. Allocations follow one
 * another. They are freed together, from a given address to the end.
 */
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

  /** Allocates `bytes` bytes and returns their address, a multiple of 16. The memory is not cleared. */
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

  /** Allocates temporary memory, which is valid only until the next call of `take` or `borrow`. */
  borrow(bytes: number): number {
    this.#kernel.reserve(this.#end + bytes);
    return this.#end;
  }

  /** Frees all memory from the address `end` on. */
  releaseTo(end: number): void {
    this.#end = end;
  }
}
