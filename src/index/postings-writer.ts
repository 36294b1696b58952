/** Encodes the postings of one term after the other; see postings-format.ts for the bytes. */
import { ByteWriter } from '../base/mod.ts';
import type { DocId } from './document.ts';
import { FIELD_WEIGHTS, FREQUENCY_UNIT, fieldOf, LEAST_WEIGHT, positionOf } from './fields.ts';
import { MAX_FORMS } from './forms.ts';
import { packBlock } from './packing.ts';
import { PositionsWriter } from './positions-writer.ts';
import { POSTINGS_BLOCK } from './postings-format.ts';

export class PostingsWriter {
  readonly #positions = new PositionsWriter();
  readonly #postings = new ByteWriter();
  readonly #body = new ByteWriter();
  readonly #gaps = new Uint32Array(POSTINGS_BLOCK);
  readonly #frequencies = new Uint32Array(POSTINGS_BLOCK);
  readonly #counts = new Uint32Array(POSTINGS_BLOCK);
  #inBlock = 0;
  #docCount = 0;
  #lastDoc = -1;
  #lastOfBlock = -1;
  #isMixed = false;
  #frequency = 0;
  #placeCount = 0;
  #lastPosition = 0;
  #placesInBlock = 0;
  #placesAt = 0;
  #placesBefore = 0;

  readonly #formDocs = new Uint32Array(MAX_FORMS);
  /** Per form: how many documents there were with its latest one. */
  readonly #formSeen = new Uint32Array(MAX_FORMS);
  #formCount = 1;

  get docCount(): number {
    return this.#docCount;
  }

  /** In how many documents a form of the term is. */
  docCountOf(form: number): number {
    return this.#formCount === 1 ? this.#docCount : this.#formDocs[form]!;
  }

  /** Makes ready for the next term, which has so many forms. */
  start(formCount: number): void {
    this.#formCount = formCount;
    this.#formDocs.fill(0, 0, formCount);
    this.#formSeen.fill(0, 0, formCount);
    this.#positions.start(formCount > 1);
    this.#postings.clear();
    this.#inBlock = 0;
    this.#docCount = 0;
    this.#lastDoc = -1;
    this.#lastOfBlock = -1;
    this.#isMixed = false;
    this.#placesInBlock = 0;
    this.#placesAt = 0;
    this.#placesBefore = 0;
  }

  /** A place of the document that is added next; places ascend. It weighs what its field does, unless told otherwise. */
  addPlace(place: number, form: number, weight = FIELD_WEIGHTS[fieldOf(place)]!): void {
    const position = positionOf(place);
    const field = fieldOf(place);
    this.#positions.add(position - this.#lastPosition, field, form);
    if (this.#formCount > 1 && this.#formSeen[form] !== this.#docCount + 1) {
      this.#formSeen[form] = this.#docCount + 1;
      this.#formDocs[form]!++;
    }
    this.#lastPosition = position;
    this.#frequency += weight;
    this.#placeCount++;
  }

  /** Appends a document with the places since the last one. Documents must ascend; callers walk them in order. */
  add(doc: DocId): void {
    const at = this.#inBlock++;
    this.#gaps[at] = doc - this.#lastDoc - 1;
    this.#frequencies[at] = this.#frequency - 1;
    this.#counts[at] = this.#placeCount - 1;
    if (this.#frequency !== FREQUENCY_UNIT * this.#placeCount) this.#isMixed = true;
    this.#placesInBlock += this.#placeCount;
    this.#lastDoc = doc;
    this.#docCount++;
    this.#frequency = 0;
    this.#placeCount = 0;
    this.#lastPosition = 0;
    if (this.#inBlock === POSTINGS_BLOCK) this.#endBlock();
  }

  /** The encoded postings of all documents added; valid until `start`. */
  finish(): { postings: Buffer; positions: Buffer } {
    if (this.#inBlock > 0) this.#writeLastBlock();
    return { postings: this.#postings.view(), positions: this.#positions.finish() };
  }

  #endBlock(): void {
    const body = this.#body;
    body.clear();
    packBlock(this.#gaps, body);
    if (this.#isMixed) packBlock(this.#frequencies, body);
    packBlock(this.#counts, body);
    const out = this.#postings;
    out.varint(this.#lastDoc - this.#lastOfBlock);
    out.varint(2 * body.length + (this.#isMixed ? 1 : 0));
    out.varint(this.#placesInBlock);
    this.#writePlacesStep();
    out.raw(body.view());
    this.#lastOfBlock = this.#lastDoc;
    this.#inBlock = 0;
    this.#isMixed = false;
    this.#placesInBlock = 0;
    this.#placesAt = this.#positions.blockAt;
  }

  #writePlacesStep(): void {
    this.#postings.varint(this.#placesAt - this.#placesBefore);
    this.#placesBefore = this.#placesAt;
  }

  #writeLastBlock(): void {
    if (this.#docCount > this.#inBlock) this.#writePlacesStep();
    for (let i = 0; i < this.#inBlock; i++) {
      const places = this.#counts[i]! + 1;
      const frequency = this.#frequencies[i]! + 1;
      const isOneWord = places === 1 && frequency === FREQUENCY_UNIT;
      this.#postings.varint(2 * this.#gaps[i]! + (isOneWord ? 0 : 1));
      if (isOneWord) continue;
      this.#postings.varint(places - 1);
      this.#postings.varint(frequency - LEAST_WEIGHT * places);
    }
  }
}
