/**
 * Encodes the postings of one term after the other; postings-format.ts describes the bytes. A kernel does the
 * work, see encode-kernel.ts. Its windows hold most lists completely; the output of longer lists is collected
 * here.
 */
import { ByteWriter } from '../../base/mod.ts';
import type { DocId } from '../document.ts';
import { ENCODER_BYTES, EncodeKernel, MAX_PLACES } from '../kernels/mod.ts';

const PAGE_BYTES = 65536;
/** A buffer that grew beyond this size is not kept for the next list. */
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
   * Uses the given kernel, which must be in the memory that has the pairs for `addPairs`, or creates a
   * kernel.
   */
  constructor(kernel: EncodeKernel = ownKernel()) {
    this.#kernel = kernel;
    this.#places = kernel.places;
  }

  get docCount(): number {
    return this.#kernel.docCount;
  }

  /** Returns the number of documents that have a form of the term. */
  docCountOf(form: number): number {
    return this.#formCount === 1 ? this.docCount : this.#kernel.formDocs[form]!;
  }

  /** Returns the number of documents in these pairs for each form; valid until the writer is used again. */
  countForms(from: number, end: number): Uint32Array {
    this.#kernel.calls.countForms(from, end);
    return this.#kernel.formDocs;
  }

  /**
   * Starts the next term, which has `formCount` forms. `numbers[form]` is the form number to write for a form in the
   * pairs that `addPairs` receives.
   */
  start(formCount: number, numbers?: Uint8Array): void {
    this.#formCount = formCount;
    if (numbers) this.#kernel.setFormNumbers(numbers);
    this.#kernel.calls.start(formCount);
    this.clear();
  }

  /** Forgets the previous term. Call it instead of `start` if the kernel has started the next term by itself. */
  clear(): void {
    this.#postings = cleared(this.#postings);
    this.#positions = cleared(this.#positions);
  }

  /** Appends pairs of document and place, as sort-tokens.ts lays them out in the memory of the kernel. */
  addPairs(from: number, end: number): void {
    for (let at = from; at < end; ) {
      at = this.#kernel.calls.addPairs(at, end);
      if (at < end) this.#takeOut();
    }
  }

  /** Adds a place of `doc`. Documents must ascend, and places must ascend within each document. */
  addPlace(doc: DocId, place: number, form: number): void {
    if (this.#placeCount === MAX_PLACES) this.#handOver(false);
    this.#doc = doc;
    this.#places[2 * this.#placeCount] = place;
    this.#places[2 * this.#placeCount++ + 1] = form;
  }

  /**
   * Ends the document of the last place. Its frequency is `weight`, or if that is 0, the sum of the weights
   * of the fields of its places.
   */
  endDocument(weight = 0): void {
    this.#handOver(true, weight);
  }

  /** Ends the list. The sizes and the copy methods are then valid until the next `start`. */
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
