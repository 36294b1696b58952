/**
 * Provides the objects of a PDF by their number.
 *
 * The cross-reference table at the end of the file is not used, because it is often wrong. Instead, the whole
 * file is searched for objects (`7 0 obj`), which is fast. A later object of the same number replaces an
 * earlier one, as in incremental updates. For this rule, an object inside an object stream has the position
 * of the stream.
 *
 * A stream costs its decompressed size each time it is requested, even if decompression fails.
 */
import type { WorkBudget } from '../../base/mod.ts';
import { Decryptor } from './pdf-crypt.ts';
import { unpackStream } from './pdf-filters.ts';
import { type Dictionary, Keyword, Name, Reference, type Value, ValueReader } from './pdf-values.ts';

interface Stream {
  dictionary: Dictionary;
  /** The bytes of the stream as they are in the file. */
  data: Buffer;
  /** `number` and `generation` identify the object and are part of its encryption key. */
  number: number;
  generation: number;
}

type PdfObject = Value | Stream;

interface Place {
  at: number;
  generation: number;
  /** The value of an object from an object stream. Other objects are read from the file. */
  value?: Value;
}

/**
 * The maximum depth of loads inside loads. Loading an object may require another one, such as the length of a
 * stream. Honest files need one or two levels.
 */
const MAX_NESTED_LOADS = 30;
/**
 * The steps of the work budget that a stream costs each time it is requested, and again for each of its
 * filters.
 */
const STREAM_STEPS = 4;
const FILTER_STEPS = 50;
/** The number of bytes that a search for a keyword reads in one step of the work budget. */
const SEARCHED_BYTES_A_STEP = 256;
const GLANCE_BYTES = 500;
const OBJ = Buffer.from('obj');
const TRAILER = 'trailer';
const MAX_TRAILERS = 20;
const END_STREAM = Buffer.from('endstream');
const NOTHING: Dictionary = new Map();

export class PdfDocument {
  readonly #source: Buffer;
  readonly #places = new Map<number, Place>();
  readonly #loaded = new Map<number, PdfObject>();
  #nestedLoads = 0;
  #decryptor: Decryptor | null = null;
  readonly budget: WorkBudget;
  readonly trailer: Dictionary;
  /** True if the file needs a password, or uses an encryption scheme that is not supported. */
  readonly isLocked: boolean;

  constructor(source: Buffer, budget: WorkBudget) {
    this.#source = source;
    this.budget = budget;
    this.#findObjects();
    this.trailer = this.#findTrailer();
    const encryption = this.dictionaryOf(this.trailer.get('Encrypt'));
    if (encryption.size > 0) {
      const id = this.listOf(this.trailer.get('ID'));
      this.#decryptor = Decryptor.open(encryption, id, budget, (value) => this.resolve(value));
    }
    this.isLocked = encryption.size > 0 && this.#decryptor === null;
    this.#loaded.clear();
    if (!this.isLocked) this.#openObjectStreams();
  }

  /** Follows references until it finds a value. For a stream, returns its dictionary. */
  resolve(value: Value | undefined): Value {
    const object = this.#follow(value);
    return isStream(object) ? object.dictionary : object;
  }

  dictionaryOf(value: Value | undefined): Dictionary {
    const resolved = this.resolve(value);
    return resolved instanceof Map ? resolved : NOTHING;
  }

  listOf(value: Value | undefined): Value[] {
    const resolved = this.resolve(value);
    return Array.isArray(resolved) ? resolved : [];
  }

  nameOf(value: Value | undefined): string {
    const resolved = this.resolve(value);
    return resolved instanceof Name ? resolved.text : '';
  }

  numberOf(value: Value | undefined, fallback: number): number {
    const resolved = this.resolve(value);
    return typeof resolved === 'number' ? resolved : fallback;
  }

  stringOf(value: Value | undefined): string {
    const resolved = this.resolve(value);
    return typeof resolved === 'string' ? resolved : '';
  }

  /** Returns the decompressed bytes of a stream; null if the value is not a stream or is an image. */
  bytesOf(value: Value | undefined): Buffer | null {
    const object = this.#follow(value);
    return isStream(object) ? this.#unpacked(object) : null;
  }

  /** Yields all dictionaries of the file, for documents without a valid root. */
  *dictionaries(): Generator<Dictionary> {
    for (const number of this.#places.keys()) {
      const value = this.resolve(new Reference(number));
      if (value instanceof Map) yield value;
    }
  }

  #follow(value: Value | undefined): PdfObject {
    let object: PdfObject = value ?? null;
    for (let hops = 0; object instanceof Reference && hops < 20; hops++) object = this.#load(object.number);
    return object instanceof Reference ? null : object;
  }

  #load(number: number): PdfObject {
    const known = this.#loaded.get(number);
    if (known !== undefined) return known;
    const place = this.#places.get(number);
    if (!place || this.#nestedLoads === MAX_NESTED_LOADS) return null;
    // Set before the object is read, so that a stream whose length refers to the stream itself does not loop.
    this.#loaded.set(number, null);
    this.#nestedLoads++;
    const object = place.value === undefined ? this.#readObject(number, place) : place.value;
    this.#nestedLoads--;
    this.#loaded.set(number, object);
    return object;
  }

  #readObject(number: number, { at, generation }: Place): PdfObject {
    const reader = new ValueReader(this.#source, this.budget, at);
    const value = reader.read();
    if (value instanceof Map) {
      const next = reader.at;
      const keyword = reader.read();
      if (keyword instanceof Keyword && keyword.text === 'stream') {
        const data = this.#streamData(value, reader.at);
        return {
          dictionary: this.#decrypted(value, number, generation) as Dictionary,
          data,
          number,
          generation,
        };
      }
      reader.at = next;
    }
    return value instanceof Keyword ? null : this.#decrypted(value, number, generation);
  }

  #decrypted(value: Value, number: number, generation: number): Value {
    return this.#decryptor ? this.#decryptor.value(value, number, generation) : value;
  }

  #streamData(dictionary: Dictionary, after: number): Buffer {
    const source = this.#source;
    let from = after;
    if (source[from] === 13) from++;
    if (source[from] === 10) from++;
    const length = this.numberOf(dictionary.get('Length'), -1);
    const to = from + length;
    const isRight = length >= 0 && to <= source.length && source.subarray(to, to + 20).includes(END_STREAM);
    return source.subarray(from, isRight ? to : this.#searchEnd(from));
  }

  #searchEnd(from: number): number {
    if (this.budget.isSpent) return from;
    const found = this.#source.indexOf(END_STREAM, from);
    const end = found < 0 ? this.#source.length : found;
    this.budget.step((end - from) / SEARCHED_BYTES_A_STEP);
    return end;
  }

  #unpacked({ dictionary, data, number, generation }: Stream): Buffer | null {
    const filters = listed(this.resolve(dictionary.get('Filter') ?? dictionary.get('F')));
    const parameters = listed(this.resolve(dictionary.get('DecodeParms') ?? dictionary.get('DP')));
    const isPlain = this.nameOf(dictionary.get('Type')) === 'XRef';
    if (!this.budget.decode(data.length) || !this.budget.step(STREAM_STEPS)) return null;
    let bytes: Buffer | null =
      this.#decryptor && !isPlain ? this.#decryptor.bytes(data, number, generation) : data;
    for (const [i, filter] of filters.entries()) {
      if (bytes === null || !this.budget.step(FILTER_STEPS)) return null;
      bytes = unpackStream(this.nameOf(filter), bytes, this.dictionaryOf(parameters[i]), this.budget);
    }
    return bytes;
  }

  /** Finds the start of every object (`7 0 obj`) in the file. The last object of each number counts. */
  #findObjects(): void {
    const source = this.#source;
    for (let at = source.indexOf(OBJ); at >= 0 && this.budget.step(); at = source.indexOf(OBJ, at + 3)) {
      const head = /(?:^|[^\d])(\d{1,10})\s{1,4}(\d{1,5})\s{0,4}$/.exec(
        source.toString('latin1', Math.max(0, at - 25), at),
      );
      if (!head) continue;
      const number = Number(head[1]);
      this.budget.keep();
      this.#places.delete(number);
      this.#places.set(number, { at: at + 3, generation: Number(head[2]) });
    }
  }

  /**
   * Returns the last trailer that names a root. Without one, returns the last cross-reference stream that
   * names a root.
   */
  #findTrailer(): Dictionary {
    const source = this.#source;
    let end = source.length;
    let searches = 0;
    for (let at = source.lastIndexOf(TRAILER); at >= 0 && searches++ < MAX_TRAILERS; ) {
      const value = new ValueReader(source, this.budget, at + TRAILER.length, end).read();
      if (value instanceof Map && value.has('Root')) return value;
      end = at;
      at = at === 0 ? -1 : source.lastIndexOf(TRAILER, at - 1);
    }
    let found: Dictionary = new Map();
    for (const [number, place] of this.#places) {
      if (!this.budget.step()) break;
      if (!this.#mentions(place, 'XRef')) continue;
      const dictionary = this.dictionaryOf(new Reference(number));
      if (dictionary.has('Root')) found = dictionary;
    }
    return found;
  }

  /** Tests quickly whether an object may have the given type. Most objects are never read. */
  #mentions({ at }: Place, type: string): boolean {
    return this.#source.subarray(at, at + GLANCE_BYTES).includes(type);
  }

  #openObjectStreams(): void {
    for (const [number, place] of [...this.#places]) {
      if (!this.budget.step()) return;
      if (!this.#mentions(place, 'ObjStm')) continue;
      const object = this.#load(number);
      if (!isStream(object) || this.nameOf(object.dictionary.get('Type')) !== 'ObjStm') continue;
      const bytes = this.#unpacked(object);
      if (bytes) this.#openObjectStream(bytes, object.dictionary, place.at);
    }
  }

  #openObjectStream(bytes: Buffer, dictionary: Dictionary, streamAt: number): void {
    const first = this.numberOf(dictionary.get('First'), 0);
    const count = Math.min(this.numberOf(dictionary.get('N'), 0), bytes.length);
    const index = new ValueReader(bytes, this.budget, 0, first);
    for (let i = 0; i < count; i++) {
      const number = index.read();
      const offset = index.read();
      if (typeof number !== 'number' || typeof offset !== 'number') return;
      const known = this.#places.get(number);
      if (known && known.at > streamAt) continue;
      if (!this.budget.keep()) return;
      const value = new ValueReader(bytes, this.budget, first + offset).read();
      this.#places.set(number, {
        at: streamAt,
        generation: 0,
        value: value instanceof Keyword ? null : value,
      });
      this.#loaded.delete(number);
    }
  }
}

function isStream(object: PdfObject): object is Stream {
  return object !== null && typeof object === 'object' && 'data' in object;
}

function listed(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  return value === null ? [] : [value];
}
