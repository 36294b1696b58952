/**
 * Holds documents in memory until they are written as a segment.
 *
 * The words are in the memory of the gathering kernel, most of them in two bytes (word-gatherer.ts). When the
 * segment is written, each distinct word is stemmed once and grouped with the other words of its term
 * (word-groups.ts). A counting sort then orders the occurrences by term and document, for some terms at a time
 * (word-sorter.ts). Last, the terms are written to the segment (term-writer.ts).
 */
import type { Directory } from '../../base/mod.ts';
import { stemmingOf, titleKeyOf, tokenize } from '../../text/mod.ts';
import type { DocumentRow, IndexDocument } from '../document.ts';
import { Field } from '../fields.ts';
import { TimeSlice } from '../merging/mod.ts';
import { SegmentWriter } from '../segment/mod.ts';
import { NO_SIGNATURE } from '../signature.ts';
import { type StoredPlace, StoredRecords } from '../stored/mod.ts';
import { MAX_SORTED_DOCS, WordGatherer } from './word-gatherer.ts';

/**
 * Number of unused positions between title, text and URL of a document, so that no phrase spans two of them.
 */
const FIELD_GAP = 16;

interface Buffered {
  url: string;
  row: DocumentRow;
  stored: StoredPlace;
  tokensAt: number;
  tokensEnd: number;
}

export class SegmentBuffer {
  readonly #words = new WordGatherer();
  readonly #documents = new Map<bigint, Buffered>();
  readonly #stored = new StoredRecords();

  get docCount(): number {
    return this.#documents.size;
  }

  /** The approximate memory of the buffer in bytes, including the memory needed to write the segment. */
  get sizeBytes(): number {
    const isFull = this.#words.isFull || this.docCount >= MAX_SORTED_DOCS;
    return isFull ? Number.POSITIVE_INFINITY : this.#words.sizeBytes + this.#stored.sizeBytes;
  }

  /** Adds a document. It replaces an earlier document of the buffer with the same URL. */
  add(document: IndexDocument): void {
    const words = this.#words;
    const firstWord = words.wordCount;
    const tokensAt = words.tokensEnd;
    words.startDocument();
    const titleEnd = words.add(document.title, 0, Field.title, []);
    const titleLength = words.wordCount - firstWord;
    const subject = subjectOf(document);
    const textEnd = words.add(document.text, titleEnd + FIELD_GAP, Field.body, document.fieldRanges);
    const contentStart = Math.max(0, words.contentStart);
    const isStored = document.stored.text === document.text;
    const stored = this.#stored.add(document.stored, isStored ? words.lastText : null);
    const nameLength = this.#addUrl(document, textEnd + FIELD_GAP);
    const { tokensEnd } = words;
    const { fingerprint, host, urlDepth, type = '', day = 0, quality = 0, isEntry = false } = document;
    const { signature = NO_SIGNATURE, urlFit = 0, translationKey = 0 } = document;
    const { language } = document.stored;
    const stemming = stemmingOf(language);
    const length = words.wordCount - firstWord;
    const titleKey = titleKeyOf(document.title);
    const sizes = { length, titleLength, ...subject, titleKey, contentStart, nameLength, urlDepth };
    const kind = { stemming, language, type, day, quality, isEntry };
    const row = { fingerprint, host, ...sizes, ...kind, signature, urlFit, translationKey };
    this.#documents.set(fingerprint, { url: document.stored.url, row, stored, tokensAt, tokensEnd });
  }

  /** Adds the words of the URL. Returns the number of words in the last segment of its path. */
  #addUrl({ urlText, urlName }: IndexDocument, from: number): number {
    const { start, end } = urlName ?? { start: urlText.length, end: urlText.length };
    const fieldRanges = [
      { start: 0, end: start, field: Field.url },
      { start, end, field: Field.name },
      { start: end, end: urlText.length, field: Field.url },
    ];
    this.#words.add(
      urlText,
      from,
      Field.url,
      fieldRanges.filter((stretch) => stretch.end > stretch.start),
    );
    let nameLength = 0;
    tokenize(urlText.slice(start, end), () => nameLength++);
    return nameLength;
  }

  remove(fingerprint: bigint): boolean {
    return this.#documents.delete(fingerprint);
  }

  clear(): void {
    this.#words.clear();
    this.#documents.clear();
    this.#stored.clear();
  }

  /**
   * Writes all documents as a segment, in ascending order of `orderKey` of their URLs. Does not change the
   * buffer. `onRecord` is called for each document, in the order of document numbers, with its stored record
   * and its type; the record is valid during the call only.
   */
  async write(
    directory: Directory,
    name: string,
    orderKey: (url: string) => string,
    signal?: AbortSignal,
    onRecord: (record: Uint8Array, type: string) => void = () => {},
  ): Promise<void> {
    const documents = sortedBy([...this.#documents.values()], ({ url }) => orderKey(url));
    const writer = new SegmentWriter(directory, name);
    try {
      const timeSlice = new TimeSlice(signal);
      for (const { stored, row } of documents) {
        const record = this.#stored.record(stored);
        writer.addDocument(record, row);
        onRecord(record, row.type);
        if (timeSlice.isDue) await timeSlice.pause();
      }
      await this.#writeTerms(writer, documents, timeSlice);
      await writer.finish();
    } catch (error) {
      writer.abandon();
      throw error;
    }
  }

  async #writeTerms(writer: SegmentWriter, documents: Buffered[], timeSlice: TimeSlice): Promise<void> {
    const words = this.#words;
    const stemmings = [...new Set(documents.map(({ row }) => row.stemming))];
    const table = Uint32Array.from(
      documents.flatMap(({ tokensAt, tokensEnd, row }) => [
        tokensAt,
        tokensEnd,
        stemmings.indexOf(row.stemming),
      ]),
    );
    const groups = words.groupWords(table, stemmings);
    const terms = words.newTermWriter(groups, words.newSorter(groups));
    const { length } = groups.order;
    for (let at = 0; at < length; ) {
      at = terms.writeTerms(writer, at);
      if (timeSlice.isDue) await timeSlice.pause();
    }
    terms.startWords();
    for (let at = 0; at < length; ) {
      at = terms.writeWords(writer, at);
      if (timeSlice.isDue) await timeSlice.pause();
    }
  }
}

/**
 * Returns the number of words of the title before its subject (the words that name the page), and the number of
 * words and of letters of the subject.
 */
function subjectOf({
  title,
  titleSubject,
}: IndexDocument): Pick<DocumentRow, 'subjectStart' | 'subjectLength' | 'subjectSize'> {
  const { start, end } = titleSubject ?? { start: 0, end: title.length };
  let subjectStart = 0;
  let subjectLength = 0;
  let subjectSize = 0;
  tokenize(title, (_, from, to) => {
    if (from < start) subjectStart++;
    else if (from < end) {
      subjectLength++;
      subjectSize += to - from;
    }
  });
  return { subjectStart, subjectLength, subjectSize };
}

function sortedBy<T>(items: T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}
