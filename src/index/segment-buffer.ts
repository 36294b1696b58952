/**
 * Documents in memory on their way to a segment.
 *
 * The words lie in the gathering kernel, a term and a place each; see word-gatherer.ts. When the segment is
 * written, a counting sort by term over the documents in their final order brings each term's words together,
 * already ascending.
 */
import type { Directory } from '../base/mod.ts';
import { Breather } from './breather.ts';
import type { DocId, IndexDocument } from './document.ts';
import { Field } from './fields.ts';
import { PostingsWriter } from './postings-writer.ts';
import { SegmentWriter } from './segment-writer.ts';
import { WordGatherer } from './word-gatherer.ts';

/** Unused positions between title, text and URL: no phrase spans them. */
const FIELD_GAP = 16;

interface Buffered {
  document: IndexDocument;
  firstWord: number;
  endWord: number;
  titleLength: number;
}

export class SegmentBuffer {
  readonly #words = new WordGatherer();
  readonly #documents = new Map<bigint, Buffered>();
  #textLength = 0;

  get docCount(): number {
    return this.#documents.size;
  }

  /** About what the buffer takes in memory, or will while it is written. */
  get sizeBytes(): number {
    return this.#words.isFull ? Number.POSITIVE_INFINITY : this.#words.sizeBytes + 2 * this.#textLength;
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
    this.#textLength += document.text.length;
    this.#documents.set(document.fingerprint, { document, firstWord, endWord, titleLength });
  }

  remove(fingerprint: bigint): boolean {
    return this.#documents.delete(fingerprint);
  }

  clear(): void {
    this.#words.clear();
    this.#documents.clear();
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

function addDocument(writer: SegmentWriter, buffered: Buffered): void {
  const { document, firstWord, endWord, titleLength } = buffered;
  writer.addDocument(document.stored, {
    fingerprint: document.fingerprint,
    host: document.host,
    length: endWord - firstWord,
    titleLength,
    urlDepth: document.urlDepth,
    language: document.stored.language,
    type: document.type ?? '',
    day: document.day ?? 0,
  });
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
