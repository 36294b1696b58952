/**
 * The objects of a PDF by their number.
 *
 * The table at the end that says where each object lies is not used: it is wrong so often that every
 * reader needs a way to do without, and that way, to look for `7 0 obj` from the beginning to the
 * end, is quick. A later object of the same number replaces an earlier one, which is how
 * changes to a file are written. Objects inside object streams count as standing where their stream does.
 *
 * What may be unpacked is bounded by a budget for the whole document.
 */
import { Decryptor } from './pdf-crypt.ts';
import { unpack } from './pdf-filters.ts';
import { type Dictionary, Keyword, Name, Reference, type Value, ValueReader } from './pdf-values.ts';

export interface Stream {
  dictionary: Dictionary;
  /** As in the file. */
  data: Buffer;
  /** Of the object that it is, for which it may be encrypted. */
  number: number;
  generation: number;
}

type PdfObject = Value | Stream;

interface Place {
  at: number;
  generation: number;
  /** The value itself, if it came out of an object stream. */
  value?: Value;
}

const MAX_UNPACKED = 128 * 1024 * 1024;
const GLANCE_BYTES = 500;
const OBJ = Buffer.from('obj');
const END_STREAM = Buffer.from('endstream');
const NOTHING: Dictionary = new Map();

export class PdfDocument {
  readonly #source: Buffer;
  readonly #places = new Map<number, Place>();
  readonly #loaded = new Map<number, PdfObject>();
  #budget = MAX_UNPACKED;
  /** Bytes that may be searched for the ends of streams whose length is wrong. */
  #searchBudget: number;
  #decryptor: Decryptor | null = null;
  readonly trailer: Dictionary;
  /** Needs a password that we do not have, or a scheme that we do not know. */
  readonly isLocked: boolean;

  constructor(source: Buffer) {
    this.#source = source;
    this.#searchBudget = 8 * source.length;
    this.#findObjects();
    this.trailer = this.#findTrailer();
    const encryption = this.dictionaryOf(this.trailer.get('Encrypt'));
    if (encryption.size > 0) {
      this.#decryptor = Decryptor.open(encryption, this.listOf(this.trailer.get('ID')), (value) =>
        this.resolve(value),
      );
    }
    this.isLocked = encryption.size > 0 && this.#decryptor === null;
    this.#loaded.clear();
    if (!this.isLocked) this.#openObjectStreams();
  }

  /** The value itself, wherever it was written. A stream gives its dictionary. */
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

  /** The unpacked bytes of a stream; null if there is none or it is an image. */
  bytesOf(value: Value | undefined): Buffer | null {
    const object = this.#follow(value);
    return isStream(object) ? this.#unpacked(object) : null;
  }

  /** All objects, for documents that have lost their root. */
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
    // Entered before it is read, so that a length which refers to its own stream ends.
    this.#loaded.set(number, null);
    const object = place ? (place.value ?? this.#readObject(number, place)) : null;
    this.#loaded.set(number, object);
    return object;
  }

  #readObject(number: number, { at, generation }: Place): PdfObject {
    const reader = new ValueReader(this.#source, at);
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
    if (this.#searchBudget <= 0) return from;
    const found = this.#source.indexOf(END_STREAM, from);
    const end = found < 0 ? this.#source.length : found;
    this.#searchBudget -= end - from;
    return end;
  }

  #unpacked({ dictionary, data, number, generation }: Stream): Buffer | null {
    const filters = listed(this.resolve(dictionary.get('Filter') ?? dictionary.get('F')));
    const parameters = listed(this.resolve(dictionary.get('DecodeParms') ?? dictionary.get('DP')));
    const isPlain = this.nameOf(dictionary.get('Type')) === 'XRef';
    let bytes: Buffer | null =
      this.#decryptor && !isPlain ? this.#decryptor.bytes(data, number, generation) : data;
    for (const [i, filter] of filters.entries()) {
      if (bytes === null) return null;
      bytes = unpack(this.nameOf(filter), bytes, this.dictionaryOf(parameters[i]), this.#budget);
      this.#budget -= bytes?.length ?? 0;
      if (this.#budget <= 0) return null;
    }
    return bytes;
  }

  /** Every `7 0 obj`; the last of a number counts. */
  #findObjects(): void {
    const source = this.#source;
    for (let at = source.indexOf(OBJ); at >= 0; at = source.indexOf(OBJ, at + 3)) {
      const head = /(?:^|[^\d])(\d{1,10})\s{1,4}(\d{1,5})\s{0,4}$/.exec(
        source.toString('latin1', Math.max(0, at - 25), at),
      );
      if (!head) continue;
      const number = Number(head[1]);
      this.#places.delete(number);
      this.#places.set(number, { at: at + 3, generation: Number(head[2]) });
    }
  }

  /** The last trailer that names a root, else the last cross-reference stream that does. */
  #findTrailer(): Dictionary {
    const source = this.#source;
    let searches = 0;
    for (
      let at = source.lastIndexOf('trailer');
      at >= 0 && searches++ < 20;
      at = source.lastIndexOf('trailer', at - 1)
    ) {
      const value = new ValueReader(source, at + 7).read();
      if (value instanceof Map && value.has('Root')) return value;
      if (at === 0) break;
    }
    let found: Dictionary = new Map();
    for (const [number, place] of this.#places) {
      if (!this.#mentions(place, 'XRef')) continue;
      const dictionary = this.dictionaryOf(new Reference(number));
      if (dictionary.has('Root')) found = dictionary;
    }
    return found;
  }

  /** Whether an object may be of this type, at a glance: most are never read at all. */
  #mentions({ at }: Place, type: string): boolean {
    return this.#source.subarray(at, at + GLANCE_BYTES).includes(type);
  }

  #openObjectStreams(): void {
    for (const [number, place] of [...this.#places]) {
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
    const index = new ValueReader(bytes, 0, first);
    for (let i = 0; i < count; i++) {
      const number = index.read();
      const offset = index.read();
      if (typeof number !== 'number' || typeof offset !== 'number') return;
      const known = this.#places.get(number);
      if (known && known.at > streamAt) continue;
      const value = new ValueReader(bytes, first + offset).read();
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
