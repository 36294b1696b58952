/**
 * Documents in memory on their way to a segment.
 *
 * The words lie in the gathering kernel, a number and a place each; see word-gatherer.ts. When the segment is
 * written, each different word is stemmed once and grouped with others under its term, see word-groups.ts; a counting
 * sort over the documents in their final order then brings each term's words together, already ascending.
 */
import type { Directory } from '../base/mod.ts';
import { type Stemming, stemmingOf } from '../text/mod.ts';
import { Breather } from './breather.ts';
import type { DocId, IndexDocument } from './document.ts';
import { Field } from './fields.ts';
import { MAX_FORMS, orderForms } from './forms.ts';
import { PostingsWriter } from './postings-writer.ts';
import { SegmentWriter } from './segment-writer.ts';
import { MAX_SORTED_DOCS, WordGatherer } from './word-gatherer.ts';
import { FORM_SHIFT, groupWords, otherTermsOf, type WordGroups } from './word-groups.ts';

/** Unused positions between title, text and URL: no phrase spans them. */
const FIELD_GAP = 16;
/** How documents and forms share a number while they are sorted. */
const DOC_MASK = MAX_SORTED_DOCS - 1;

interface Buffered {
  document: IndexDocument;
  firstWord: number;
  endWord: number;
  titleLength: number;
  stemming: Stemming;
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
    const isFull = this.#words.isFull || this.docCount >= MAX_SORTED_DOCS;
    return isFull ? Number.POSITIVE_INFINITY : this.#words.sizeBytes + 2 * this.#textLength;
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
    const stemming = stemmingOf(document.stored.language);
    this.#documents.set(document.fingerprint, { document, firstWord, endWord, titleLength, stemming });
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
    const words = this.#words;
    const stemmings = [...new Set(documents.map(({ stemming }) => stemming))];
    const table = Uint32Array.from(
      documents.flatMap(({ firstWord, endWord, stemming }) => [
        firstWord,
        endWord,
        stemmings.indexOf(stemming),
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

function addDocument(writer: SegmentWriter, buffered: Buffered): void {
  const { document, firstWord, endWord, titleLength, stemming } = buffered;
  writer.addDocument(document.stored, {
    fingerprint: document.fingerprint,
    host: document.host,
    length: endWord - firstWord,
    titleLength,
    urlDepth: document.urlDepth,
    stemming,
  });
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
