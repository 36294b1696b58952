/**
 * Encodes the postings of one term after the other; postings-format.ts describes the bytes. A kernel does the
 * encoding (encode-kernel.ts). Most lists fit into its output windows; the output of longer lists is collected
 * in buffers here.
 */
import { ByteWriter } from '../../base/mod.ts';
import type { DocId } from '../document.ts';
import { ENCODER_BYTES, EncodeKernel, MAX_PLACES } from '../kernels/mod.ts';

const PAGE_BYTES = 65536;
/** A buffer that has grown to more bytes than this is not reused for the next postings list. */
const KEPT_BYTES = 1024 * 1024;

export class PostingsWriter {
  readonly #kernel: EncodeKernel;
  #postings = new ByteWriter();
  #positions = new ByteWriter();
  readonly #places: Uint32Array;
  #placeCount = 0;
  #doc = 0;
  #formCount = 1;

  /**
   * Uses the given kernel, or creates one. For `addPairs`, the kernel must run in the memory that contains the
   * occurrences.
   */
  constructor(kernel: EncodeKernel = ownKernel()) {
    this.#kernel = kernel;
    this.#places = kernel.places;
  }

  get docCount(): number {
    return this.#kernel.docCount;
  }

  /** Returns the number of documents in which the current term occurs in this form. */
  docCountOf(form: number): number {
    return this.#formCount === 1 ? this.docCount : this.#kernel.formDocs[form]!;
  }

  /**
   * Returns, for each form of the term, the number of documents with this form among the occurrences at the
   * addresses `from` to `end`. The result is valid until the writer is used again.
   */
  countForms(from: number, end: number): Uint32Array {
    this.#kernel.calls.countForms(from, end);
    return this.#kernel.formDocs;
  }

  /**
   * Starts the next term, which has `formCount` forms. `numbers` maps the temporary form numbers in the input
   * of `addPairs` to the form numbers that are written.
   */
  start(formCount: number, numbers?: Uint8Array): void {
    this.#formCount = formCount;
    if (numbers) this.#kernel.setFormNumbers(numbers);
    this.#kernel.calls.start(formCount);
    this.clear();
  }

  /**
   * Discards the previous term. Call this instead of `start` if the kernel has already started the next term.
   */
  clear(): void {
    this.#postings = cleared(this.#postings);
    this.#positions = cleared(this.#positions);
  }

  /**
   * Adds the occurrences at the addresses `from` to `end` of the kernel's memory.
   * assembly/indexing/sort-tokens.ts describes their format.
   */
  addPairs(from: number, end: number): void {
    for (let at = from; at < end; ) {
      at = this.#kernel.calls.addPairs(at, end);
      if (at < end) this.#takeOut();
    }
  }

  /**
   * Adds an occurrence of the term in `doc`. Documents must ascend, and so must the places within a document.
   */
  addPlace(doc: DocId, place: number, form: number): void {
    if (this.#placeCount === MAX_PLACES) this.#handOver(false);
    this.#doc = doc;
    this.#places[2 * this.#placeCount] = place;
    this.#places[2 * this.#placeCount++ + 1] = form;
  }

  /**
   * Ends the current document. Its frequency is `weight` or, if that is 0, the sum of the field weights of its
   * occurrences.
   */
  endDocument(weight = 0): void {
    this.#handOver(true, weight);
  }

  /**
   * Ends the postings list. After this call and until the next `start`, the sizes are valid and the copy
   * methods may be called.
   */
  finish(): void {
    this.#kernel.calls.finish();
  }

  get postingsBytes(): number {
    return this.#postings.length + this.#kernel.postingsBytes;
  }

  get positionBytes(): number {
    return this.#positions.length + this.#kernel.positionBytes;
  }

  copyPostings(out: ByteWriter): void {
    if (this.#postings.length > 0) out.raw(this.#postings.view());
    this.#kernel.copyPostings(out);
  }

  copyPositions(out: ByteWriter): void {
    if (this.#positions.length > 0) out.raw(this.#positions.view());
    this.#kernel.copyPositions(out);
  }

  #handOver(isWhole: boolean, weight = 0): void {
    const from = this.#kernel.placesAt;
    const end = from + 8 * this.#placeCount;
    for (let at = from; at < end; ) {
      at = this.#kernel.calls.addPlaces(this.#doc, at, end, isWhole ? 1 : 0, weight);
      if (at < end) this.#takeOut();
    }
    this.#placeCount = 0;
  }

  #takeOut(): void {
    this.#kernel.copyPostings(this.#postings);
    this.#kernel.copyPositions(this.#positions);
    this.#kernel.calls.taken();
  }
}

function ownKernel(): EncodeKernel {
  const pages = 1 + Math.ceil(ENCODER_BYTES / PAGE_BYTES);
  return new EncodeKernel(new WebAssembly.Memory({ initial: pages, maximum: 65536 }), PAGE_BYTES);
}

function cleared(writer: ByteWriter): ByteWriter {
  if (writer.capacity > KEPT_BYTES) return new ByteWriter();
  writer.clear();
  return writer;
}
