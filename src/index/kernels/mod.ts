/**
 * WebAssembly kernels of the index and their memory. `assembly/` has the AssemblyScript sources; `npm run
 * build:kernels` compiles them.
 */

export { type EncodeCalls, ENCODER_BYTES, EncodeKernel, MAX_PLACES } from './encode-kernel.ts';
export { KernelHeap } from './kernel-heap.ts';
export {
  ALL_FORMS,
  DOCS_PER_SEARCH,
  type ListRange,
  MAX_KERNEL_FORMS,
  MAX_KERNEL_LISTS,
  MAX_KERNEL_MATCHES,
  MAX_KERNEL_SLOTS,
  type PhraseSlot,
  POSITIONS_BYTES,
  Scratch,
  SearchKernel,
} from './search-kernel.ts';
export { VectorKernel } from './vector-kernel.ts';
