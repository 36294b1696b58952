/**
 * Documents in memory on their way to a segment.
 *
 * The words lie in the gathering kernel, a term and a place each; see word-gatherer.ts. When the segment is
 * written, a counting sort by term over the documents in their final order brings each term's words together,
 * already ascending.
 */
import type { Directory } from '../base/mod.ts';
import { Breather } from './breather.ts';
import type { DocId, DocumentRow, IndexDocument } from './document.ts';
import { Field } from './fields.ts';
import { PostingsWriter } from './postings-writer.ts';
import { SegmentWriter } from './segment-writer.ts';
import { type StoredPlace, StoredRecords } from './stored-records.ts';
import { WordGatherer } from './word-gatherer.ts';

/** Unused positions between title, text and URL: no phrase spans them. */
const FIELD_GAP = 16;

interface Buffered {
  url: string;
  row: DocumentRow;
  stored: StoredPlace;
  firstWord: number;
  endWord: number;
}

export class SegmentBuffer {
  readonly #words = new WordGatherer();
  readonly #documents = new Map<bigint, Buffered>();
  readonly #stored = new StoredRecords();

  get docCount(): number {
    return this.#documents.size;
  }

  /** About what the buffer takes in memory, or will while it is written. */
  get sizeBytes(): number {
    return this.#words.isFull ? Number.POSITIVE_INFINITY : this.#words.sizeBytes + this.#stored.sizeBytes;
  }

  /** Replaces an earlier document of the same URL. */
  add(document: IndexDocument): void {
    const words = this.#words;
    const firstWord = words.wordCount;
    const titleEnd = words.add(document.title, 0, Field.title, []);
    const titleLength = words.wordCount - firstWord;
    const textEnd = words.add(document.text, titleEnd + FIELD_GAP, Field.body, document.stretches);
    words.add(document.urlText, textEnd + FIELD_GAP, Field.url, []);
    const endWord = words.wordCount;
    const { fingerprint, host, urlDepth } = document;
    const row = { fingerprint, host, length: endWord - firstWord, titleLength, urlDepth };
    const stored = this.#stored.add(document.stored);
    this.#documents.set(fingerprint, { url: document.stored.url, row, stored, firstWord, endWord });
  }

  remove(fingerprint: bigint): boolean {
    return this.#documents.delete(fingerprint);
  }

  clear(): void {
    this.#words.clear();
    this.#documents.clear();
    this.#stored.clear();
  }

  /** Writes all documents in ascending order of `orderKey` of their URL. The buffer stays as it is. */
  async write(
    directory: Directory,
    name: string,
    orderKey: (url: string) => string,
    signal?: AbortSignal,
  ): Promise<void> {
    const documents = sortedBy([...this.#documents.values()], ({ url }) => orderKey(url));
    const writer = new SegmentWriter(directory, name);
    try {
      const breather = new Breather(signal);
      for (const { stored, row } of documents) {
        writer.addDocument(this.#stored.record(stored), row);
        if (breather.isDue) await breather.breathe();
      }
      await this.#writeTerms(writer, documents, breather);
      await writer.finish();
    } catch (error) {
      writer.abandon();
      throw error;
    }
  }

  async #writeTerms(writer: SegmentWriter, documents: Buffered[], breather: Breather): Promise<void> {
    const ranges = Uint32Array.from(documents.flatMap(({ firstWord, endWord }) => [firstWord, endWord]));
    const { ids, terms } = this.#words.termsInOrder();
    const { ends, pairs } = this.#words.sort(ranges);
    const list = new PostingsWriter();
    for (const [at, id] of ids.entries()) {
      const start = id === 0 ? 0 : ends[id - 1]!;
      if (start === ends[id]!) continue;
      encodeTerm(list, pairs, start, ends[id]!);
      writer.addTerm(terms[at]!, list);
      if (breather.isDue) await breather.breathe();
    }
  }
}

function encodeTerm(list: PostingsWriter, pairs: Uint32Array, start: number, end: number): void {
  for (let at = start; at < end; ) {
    const doc: DocId = pairs[2 * at]!;
    for (; at < end && pairs[2 * at] === doc; at++) list.addPlace(pairs[2 * at + 1]!);
    list.add(doc);
  }
}

function sortedBy<T>(items: T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}
