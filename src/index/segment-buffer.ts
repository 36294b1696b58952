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
import { orderForms, renumber } from './forms.ts';
import { PostingsWriter } from './postings-writer.ts';
import { SegmentWriter } from './segment-writer.ts';
import { MAX_SORTED_DOCS, WordGatherer } from './word-gatherer.ts';
import { FORM_SHIFT, groupWords, type WordGroups } from './word-groups.ts';

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
      const text = groups.texts[term]!;
      const found = pairs.subarray(2 * start, 2 * ends[term]!);
      const gathered = groups.forms.get(term) ?? [text];
      const forms =
        gathered.length > 1 ? orderForms(text, countForms(found, gathered)) : ownForms(text, gathered);
      list.start(forms?.length ?? 1);
      encodeTerm(list, found, renumber(gathered, forms));
      writer.addTerm(text, list, forms);
      if (breather.isDue) await breather.breathe();
    }
    addWords(writer, order, groups);
  }
}

/** The words that are not their own term, each with its terms. */
function addWords(writer: SegmentWriter, order: Uint32Array, { texts, termsOf }: WordGroups): void {
  for (const number of order) {
    const terms = termsOf.get(number)?.map((term) => texts[term]!) ?? [];
    for (const term of terms.sort()) writer.addWord({ word: texts[number]!, term });
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

function ownForms(term: string, [only]: readonly string[]): string[] | null {
  return only === term ? null : [only!];
}

/** In how many documents each form is. */
function countForms(pairs: Uint32Array, names: readonly string[]): Map<string, number> {
  const counts = new Uint32Array(names.length);
  const lastDocs = new Int32Array(names.length).fill(-1);
  for (let at = 0; at < pairs.length; at += 2) {
    const form = pairs[at]! >>> FORM_SHIFT;
    const doc = pairs[at]! & DOC_MASK;
    if (lastDocs[form] === doc) continue;
    lastDocs[form] = doc;
    counts[form]!++;
  }
  return new Map(names.map((name, form) => [name, counts[form]!]));
}

/** `forms` has the number to write for each that was gathered. */
function encodeTerm(list: PostingsWriter, pairs: Uint32Array, forms: Uint32Array): void {
  for (let at = 0; at < pairs.length; ) {
    const doc: DocId = pairs[at]! & DOC_MASK;
    for (; at < pairs.length && (pairs[at]! & DOC_MASK) === doc; at += 2) {
      list.addPlace(pairs[at + 1]!, forms[pairs[at]! >>> FORM_SHIFT]!);
    }
    list.add(doc);
  }
}

function sortedBy<T>(items: T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}
