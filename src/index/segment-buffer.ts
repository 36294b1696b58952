/**
 * Documents in memory on their way to a segment.
 *
 * Every word becomes two numbers, its term and its place, appended to two arrays: no object per word
 * and no list per term. When the segment is written, a counting sort by term over the documents in
 * their final order brings each term's occurrences together, already ascending.
 */
import type { Directory } from '../base/mod.ts';
import { tokenize } from '../text/mod.ts';
import { Breather } from './breather.ts';
import type { DocId, IndexDocument } from './document.ts';
import { FIELD_WEIGHTS, Field, fieldOf, placeOf } from './fields.ts';
import { PostingsWriter } from './postings-writer.ts';
import { SegmentWriter } from './segment-writer.ts';
import { fieldAt } from './stretches.ts';

/** Unused positions between title, text and URL, and between blocks of text: no phrase spans them. */
const FIELD_GAP = 16;
const BLOCK_GAP = 8;

interface Buffered {
  document: IndexDocument;
  firstToken: number;
  endToken: number;
  titleLength: number;
}

export class SegmentBuffer {
  readonly #terms = new Map<string, number>();
  readonly #documents = new Map<bigint, Buffered>();
  #tokenTerms = new Uint32Array(1 << 16);
  #tokenPlaces = new Uint32Array(1 << 16);
  #tokenCount = 0;
  #textLength = 0;

  get docCount(): number {
    return this.#documents.size;
  }

  /** About what the buffer takes in memory. */
  get sizeBytes(): number {
    return 8 * this.#tokenCount + 2 * this.#textLength + 100 * this.#terms.size;
  }

  /** Replaces an earlier document of the same URL. */
  add(document: IndexDocument): void {
    const firstToken = this.#tokenCount;
    const titleEnd = this.#addWords(document.title, 0, () => Field.title);
    const titleLength = this.#tokenCount - firstToken;
    const textEnd = this.#addWords(document.text, titleEnd + FIELD_GAP, fieldAt(document.stretches));
    this.#addWords(document.urlText, textEnd + FIELD_GAP, () => Field.url);
    const endToken = this.#tokenCount;
    this.#textLength += document.text.length;
    this.#documents.set(document.fingerprint, { document, firstToken, endToken, titleLength });
  }

  remove(fingerprint: bigint): boolean {
    return this.#documents.delete(fingerprint);
  }

  clear(): void {
    this.#terms.clear();
    this.#documents.clear();
    this.#tokenCount = 0;
    this.#textLength = 0;
  }

  /** Writes all documents in ascending order of `orderKey` of their URL. The buffer stays as it is. */
  async write(
    directory: Directory,
    name: string,
    orderKey: (url: string) => string,
    signal?: AbortSignal,
  ): Promise<void> {
    const documents = sortedBy([...this.#documents.values()], ({ document }) =>
      orderKey(document.stored.url),
    );
    const writer = new SegmentWriter(directory, name);
    try {
      const breather = new Breather(signal);
      for (const buffered of documents) {
        addDocument(writer, buffered);
        if (breather.isDue) await breather.breathe();
      }
      await this.#writeTerms(writer, documents, breather);
      await writer.finish();
    } catch (error) {
      writer.abandon();
      throw error;
    }
  }

  /** Returns the position after the last word. */
  #addWords(text: string, from: number, fieldOfWord: (start: number) => Field): number {
    let position = from;
    let lastEnd = 0;
    tokenize(text, (term, start, end) => {
      if (hasNewline(text, lastEnd, start)) position += BLOCK_GAP;
      this.#addToken(term, placeOf(position++, fieldOfWord(start)));
      lastEnd = end;
    });
    return position;
  }

  #addToken(term: string, place: number): void {
    let id = this.#terms.get(term);
    if (id === undefined) {
      id = this.#terms.size;
      this.#terms.set(term, id);
    }
    if (this.#tokenCount === this.#tokenTerms.length) {
      this.#tokenTerms = doubled(this.#tokenTerms);
      this.#tokenPlaces = doubled(this.#tokenPlaces);
    }
    this.#tokenTerms[this.#tokenCount] = id;
    this.#tokenPlaces[this.#tokenCount++] = place;
  }

  async #writeTerms(writer: SegmentWriter, documents: Buffered[], breather: Breather): Promise<void> {
    const { ends, docs, places } = this.#sortTokens(documents);
    const list = new PostingsWriter();
    for (const term of [...this.#terms.keys()].sort()) {
      const id = this.#terms.get(term)!;
      const start = id === 0 ? 0 : ends[id - 1]!;
      if (start === ends[id]!) continue;
      encodeTerm(list, docs.subarray(start, ends[id]!), places.subarray(start, ends[id]!));
      writer.addTerm(term, list);
      if (breather.isDue) await breather.breathe();
    }
  }

  /** Brings tokens into order of term, document, place; `ends[id]` is where the tokens of a term end. */
  #sortTokens(documents: Buffered[]): { ends: Uint32Array; docs: Uint32Array; places: Uint32Array } {
    const starts = new Uint32Array(this.#terms.size + 1);
    for (const { firstToken, endToken } of documents) {
      for (let at = firstToken; at < endToken; at++) starts[this.#tokenTerms[at]! + 1]!++;
    }
    for (let id = 1; id < starts.length; id++) starts[id]! += starts[id - 1]!;
    const docs = new Uint32Array(starts.at(-1)!);
    const places = new Uint32Array(docs.length);
    for (const [doc, { firstToken, endToken }] of documents.entries()) {
      for (let at = firstToken; at < endToken; at++) {
        const slot = starts[this.#tokenTerms[at]!]!++;
        docs[slot] = doc;
        places[slot] = this.#tokenPlaces[at]!;
      }
    }
    return { ends: starts, docs, places };
  }
}

function addDocument(writer: SegmentWriter, buffered: Buffered): void {
  const { document, firstToken, endToken, titleLength } = buffered;
  writer.addDocument(document.stored, {
    fingerprint: document.fingerprint,
    host: document.host,
    length: endToken - firstToken,
    titleLength,
    urlDepth: document.urlDepth,
  });
}

function encodeTerm(list: PostingsWriter, docs: Uint32Array, places: Uint32Array): void {
  for (let at = 0; at < docs.length; ) {
    const doc: DocId = docs[at]!;
    let frequency = 0;
    let last = 0;
    for (; at < docs.length && docs[at] === doc; at++) {
      const place = places[at]!;
      list.positions.varint(place - last);
      last = place & ~7;
      frequency += FIELD_WEIGHTS[fieldOf(place)]!;
    }
    list.add(doc, frequency);
  }
}

function hasNewline(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 10) return true;
  return false;
}

function doubled(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(column.length * 2);
  grown.set(column);
  return grown;
}

function sortedBy<T>(items: T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}
