/**
 * Encodes the postings of one term after the other; see postings-format.ts for the bytes. The work is done in a kernel,
 * see encode-kernel.ts: its windows hold most lists, what is longer is gathered here.
 */
import { ByteWriter } from '../base/mod.ts';
import type { DocId } from './document.ts';
import { ENCODER_BYTES, EncodeKernel, MAX_PLACES } from './encode-kernel.ts';

const PAGE_BYTES = 65536;
/** What grew beyond this for a long list is not kept for the next. */
const KEPT_BYTES = 1024 * 1024;

export class PostingsWriter {
  readonly #kernel: EncodeKernel;
  #postings = new ByteWriter();
  #positions = new ByteWriter();
  readonly #places: Uint32Array;
  #placeCount = 0;
  #doc = 0;
  #formCount = 1;

  /** With a kernel in the memory where the pairs are that `addPairs` takes, or with one of its own. */
  constructor(kernel: EncodeKernel = ownKernel()) {
    this.#kernel = kernel;
    this.#places = kernel.places;
  }

  get docCount(): number {
    return this.#kernel.docCount;
  }

  /** In how many documents a form of the term is. */
  docCountOf(form: number): number {
    return this.#formCount === 1 ? this.docCount : this.#kernel.formDocs[form]!;
  }

  /** Per form, in how many documents of these pairs it is; valid until the writer is used again. */
  countForms(from: number, end: number): Uint32Array {
    this.#kernel.calls.countForms(from, end);
    return this.#kernel.formDocs;
  }

  /** Makes ready for the next term, which has so many forms; `numbers` has those of the forms in pairs. */
  start(formCount: number, numbers?: Uint8Array): void {
    this.#formCount = formCount;
    if (numbers) this.#kernel.setFormNumbers(numbers);
    this.#kernel.calls.start(formCount);
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

  /** A place of `doc`; documents ascend, and places within each. */
  addPlace(doc: DocId, place: number, form: number): void {
    if (this.#placeCount === MAX_PLACES) this.#handOver(false);
    this.#doc = doc;
    this.#places[2 * this.#placeCount] = place;
    this.#places[2 * this.#placeCount++ + 1] = form;
  }

  /** Ends the document of the last place. It weighs what the fields of its places do, unless told otherwise. */
  endDocument(weight = 0): void {
    this.#handOver(true, weight);
  }

  /** Ends the list; what follows is about all of it, until the next `start`. */
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
