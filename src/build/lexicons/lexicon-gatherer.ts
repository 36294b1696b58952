/**
 * Gathers the lexicon of a segment from the stored records of its documents: the words and word pairs of titles
 * and of the first part of the texts, and titles and headings as phrases.
 *
 * The lexicon depends only on the stored records. Therefore the same documents give the same lexicon when a
 * segment is written, when a merge subtracts deleted documents, and when a damaged lexicon is written again.
 */
import {
  DocumentKind,
  decodeRecord,
  Field,
  isHiddenType,
  kindOf,
  type StoredDocument,
  WordGatherer,
} from '../../index/mod.ts';
import {
  COUNTED_TEXT,
  type LexiconColumns,
  listWords,
  MAX_PAIRS,
  nameOfTitle,
  PairCounter,
  PhraseUse,
  phraseOfText,
  phraseColumns,
  phraseOfTitle,
  TITLE_COUNT,
  textColumn,
  USE_BITS,
} from '../../lexicon/mod.ts';

/** The lowest heading level that is suggested: `h1` and `h2` are, `h3` to `h6` are not. */
const LOWEST_LEVEL = 2;

export class LexiconGatherer {
  /**
   * The kernel that splits texts into words. It is null until the first document is added, because its set-up
   * takes a millisecond.
   */
  #gatherer: WordGatherer | null = null;
  #counts = new Float64Array(1024);
  #total = 0;
  readonly #pairs = new PairCounter();
  #phrases = new Map<string, { key: string; text: string; usedBy: number[] }>();
  #urls: string[] = [];

  /**
   * Adds the next document of the segment. Skips feeds, because their words come from other pages, and pages
   * that the family filter may hide, so that their words are never suggested. `type` is the document's type,
   * such as `html/news`. `file` is used in error messages only.
   */
  add(record: Uint8Array, type: string, file: string): void {
    const document = decodeRecord(record, file);
    const doc = this.#urls.length;
    this.#urls.push(document.url);
    if (kindOf(type) === DocumentKind.feed || isHiddenType(type, 'strict')) return;
    this.#addWords(document);
    this.#addTitle(document.title, doc);
    this.#addHeadings(document, doc);
  }

  get #words(): WordGatherer {
    this.#gatherer ??= new WordGatherer();
    return this.#gatherer;
  }

  /** Returns the lexicon of the added documents, and starts a new, empty one. */
  finish(): LexiconColumns {
    const texts = this.#words.texts();
    const order = this.#words.inOrder();
    const { words, counts, newNumbers } = listWords((number) => texts[number]!, this.#counts, order);
    const pairs = this.#pairs.finish(newNumbers, words.length, MAX_PAIRS);
    const rows = [...this.#phrases.values()];
    for (const { usedBy } of rows) if (usedBy.length > 1) usedBy.sort((a, b) => a - b);
    const [phrases, urls] = [phraseColumns(rows), textColumn(this.#urls)];
    const lexicon = { total: this.#total, words, counts, ...pairs, phrases, urls };
    this.clear();
    return lexicon;
  }

  clear(): void {
    this.#gatherer?.clear();
    this.#counts.fill(0);
    this.#total = 0;
    this.#pairs.clear();
    this.#phrases = new Map();
    this.#urls = [];
  }

  #addWords({ title, text }: StoredDocument): void {
    this.#count(title, TITLE_COUNT);
    this.#count(text.slice(0, COUNTED_TEXT), 1);
  }

  /** Counts the words and word pairs of a text. Pairs do not cross line breaks. */
  #count(text: string, weight: number): void {
    const words = this.#words;
    words.startDocument();
    words.add(text, 0, Field.body, []);
    this.#makeRoom(words.termCount);
    const counts = this.#counts;
    const pairs = this.#pairs;
    let total = 0;
    let last = -1;
    words.takeWords((word, isAdjacent) => {
      counts[word]! += weight;
      total += weight;
      if (isAdjacent && last >= 0) pairs.add(last, word, weight);
      last = word;
    });
    this.#total += total;
  }

  #makeRoom(words: number): void {
    if (words <= this.#counts.length) return;
    const counts = new Float64Array(2 * words);
    counts.set(this.#counts);
    this.#counts = counts;
  }

  /** Adds the title and, if it ends with a site name, also the title without it. */
  #addTitle(title: string, doc: number): void {
    const name = nameOfTitle(title);
    const phrase = phraseOfTitle(name);
    if (phrase && phrase.key !== '')
      this.#use(phrase, doc, PhraseUse.name | (phrase.isSuggested ? PhraseUse.title : 0));
    if (name === title) return;
    const whole = phraseOfTitle(title);
    if (whole?.isSuggested) this.#use(whole, doc, PhraseUse.title);
  }

  #addHeadings(
    { text, headings = [], maxSnippet = Number.POSITIVE_INFINITY }: StoredDocument,
    doc: number,
  ): void {
    for (const { level, start, end } of headings) {
      if (level > LOWEST_LEVEL || end - start > maxSnippet) continue;
      const phrase = phraseOfText(text.slice(start, end));
      if (phrase) this.#use(phrase, doc, PhraseUse.heading);
    }
  }

  #use({ key, text }: { key: string; text: string }, doc: number, bits: number): void {
    const use = (doc << USE_BITS) | bits;
    const known = this.#phrases.get(key);
    if (known) known.usedBy.push(use);
    else this.#phrases.set(key, { key, text, usedBy: [use] });
  }
}
