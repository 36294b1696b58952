/**
 * Documents in memory on their way to a segment.
 *
 * The words lie in the gathering kernel, a number and a place each; see word-gatherer.ts. When the segment is
 * written, each different word is stemmed once and grouped with others under its term, see word-groups.ts; a counting
 * sort over the documents in their final order then brings each term's words together, already ascending.
 */
import type { Directory } from '../base/mod.ts';
import { stemmingOf } from '../text/mod.ts';
import { Breather } from './breather.ts';
import type { DocId, DocumentRow, IndexDocument } from './document.ts';
import { Field } from './fields.ts';
import { MAX_FORMS, orderForms } from './forms.ts';
import { PostingsWriter } from './postings-writer.ts';
import { SegmentWriter } from './segment-writer.ts';
import { type StoredPlace, StoredRecords } from './stored-records.ts';
import { MAX_SORTED_DOCS, WordGatherer } from './word-gatherer.ts';
import { FORM_SHIFT, groupWords, otherTermsOf, type WordGroups } from './word-groups.ts';

/** Unused positions between title, text and URL: no phrase spans them. */
const FIELD_GAP = 16;
/** How documents and forms share a number while they are sorted. */
const DOC_MASK = MAX_SORTED_DOCS - 1;

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
    const isFull = this.#words.isFull || this.docCount >= MAX_SORTED_DOCS;
    return isFull ? Number.POSITIVE_INFINITY : this.#words.sizeBytes + this.#stored.sizeBytes;
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
    const { fingerprint, host, urlDepth, type = '', day = 0, quality = 0 } = document;
    const { language } = document.stored;
    const stemming = stemmingOf(language);
    const length = endWord - firstWord;
    const row = { fingerprint, host, length, titleLength, urlDepth, stemming, language, type, day, quality };
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
    const words = this.#words;
    const stemmings = [...new Set(documents.map(({ row }) => row.stemming))];
    const table = Uint32Array.from(
      documents.flatMap(({ firstWord, endWord, row }) => [
        firstWord,
        endWord,
        stemmings.indexOf(row.stemming),
      ]),
    );
    const groups = groupWords(words, words.countWords(table, stemmings.length), stemmings);
    const order = words.inOrder(groups.texts);
    const { ends, pairs } = words.sort(table, groups.targets, groups.words, groups.totals);
    const list = new PostingsWriter();
    for (const term of order) {
      const start = ends[term]! - groups.totals[term]!;
      if (start === ends[term]!) continue;
      const gathered = groups.forms.get(term);
      const names = gathered
        ? encodeForms(list, groups.texts[term]!, gathered, pairs, start, ends[term]!)
        : null;
      if (!gathered) encodeTerm(list, pairs, start, ends[term]!);
      writer.addTerm(groups.texts[term]!, list, names);
      if (breather.isDue) await breather.breathe();
    }
    addWords(writer, order, groups);
  }
}

/** The words that are not their own term, each with its terms. */
function addWords(writer: SegmentWriter, order: Uint32Array, groups: WordGroups): void {
  for (const number of order) {
    const word = groups.texts[number]!;
    for (const term of otherTermsOf(groups, number).sort()) writer.addWord({ word, term });
  }
}

/** A term that is its own only form. */
function encodeTerm(list: PostingsWriter, pairs: Uint32Array, start: number, end: number): void {
  list.start(1);
  for (let at = start; at < end; ) {
    const doc: DocId = pairs[2 * at]!;
    for (; at < end && pairs[2 * at] === doc; at++) list.addPlace(pairs[2 * at + 1]!, 0);
    list.add(doc);
  }
}

/** A term with the forms that were gathered; returns them as they were numbered. */
function encodeForms(
  list: PostingsWriter,
  term: string,
  gathered: readonly string[],
  pairs: Uint32Array,
  start: number,
  end: number,
): readonly string[] | null {
  const { names, numbers } = orderForms(term, gathered, countForms(pairs, start, end));
  list.start(names?.length ?? 1);
  for (let at = start; at < end; ) {
    const doc: DocId = pairs[2 * at]! & DOC_MASK;
    for (; at < end && (pairs[2 * at]! & DOC_MASK) === doc; at++) {
      list.addPlace(pairs[2 * at + 1]!, numbers[pairs[2 * at]! >>> FORM_SHIFT]!);
    }
    list.add(doc);
  }
  return names;
}

const formDocs = new Uint32Array(MAX_FORMS);
const lastDocs = new Int32Array(MAX_FORMS);

/** In how many documents each form is; valid until the next call. */
function countForms(pairs: Uint32Array, start: number, end: number): Uint32Array {
  formDocs.fill(0);
  lastDocs.fill(-1);
  for (let at = start; at < end; at++) {
    const form = pairs[2 * at]! >>> FORM_SHIFT;
    const doc = pairs[2 * at]! & DOC_MASK;
    if (lastDocs[form] === doc) continue;
    lastDocs[form] = doc;
    formDocs[form]!++;
  }
  return formDocs;
}

function sortedBy<T>(items: T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}
