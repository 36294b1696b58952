/**
 * What people may be typing, gathered from what is in the index: phrases to suggest, a vocabulary to correct by, words
 * that mean the same.
 *
 *   journal (newest file first) -> pages that are live in the index -> titles, headings, words
 *   anchors of the link graph   -> what others call them            -> phrases, synonyms
 *
 * Takes the journal rather than the segments, since headings and whole words (not stems) are there. A page that was
 * fetched often is in many files; the first record met, which is of its newest file, counts and the others do not.
 *
 * All files are made anew each time, at the cost of reading the journal once. The caller holds the lock of the index.
 */
import { journalFiles, type PageRecord, readJournal } from '../archive/mod.ts';
import { CorruptError, type Directory, type Log, messageOf } from '../base/mod.ts';
import type { AnchorTable } from '../graph/mod.ts';
import { Breather, IndexReader } from '../index/mod.ts';
import { isListed, MarkKind } from '../page/mod.ts';
import { fingerprint } from '../url/mod.ts';
import {
  nameOf,
  PhraseGatherer,
  SynonymMiner,
  WordCounter,
  writePhrases,
  writeSynonyms,
  writeVocabulary,
} from '../words/mod.ts';
import { LivePages } from './live-pages.ts';
import { isQuotable } from './quotable.ts';

export interface WordsOptions {
  journal: Directory;
  index: Directory;
  /** Where the files are written. */
  words: Directory;
  /** What links say; null while nobody has ranked the pages. */
  anchors: AnchorTable | null;
  log: Log;
  /** Stops at the next opportunity; the old files stay. */
  signal?: AbortSignal;
}

export interface WordsReport {
  pages: number;
  phrases: number;
  words: number;
  /** Pairs of words that name the same pages. */
  synonyms: number;
}

const MAX_PHRASES = 1_000_000;
/** Of a page's text, in UTF-16 units: words that only come later are rarely searched for. */
const COUNTED_TEXT = 4_000;
/** Of further pages only the title is counted: more text changes little in what is common, and costs time. */
const COUNTED_PAGES = 100_000;
/** A title counts as so many mentions of its words. */
const TITLE_COUNT = 4;
const TITLE_WEIGHT = 4;
const ANCHOR_WEIGHT = 2;
/** What links to a page say most; the rest is chance. */
const ANCHORS_TAKEN = 3;

/** Links within a domain weigh a quarter, and often lead to a part of a page: they are no names of it. */
const MIN_FOREIGN_WEIGHT = 0.5;

/** Null if it was stopped. */
export async function buildWords(options: WordsOptions): Promise<WordsReport | null> {
  const reader = new IndexReader(options.index, options.log);
  try {
    return await new WordsBuild(options, reader).run();
  } catch (error) {
    if (!options.signal?.aborted) throw error;
    return null;
  } finally {
    reader.close();
  }
}

class WordsBuild {
  readonly #options: WordsOptions;
  readonly #generation: number;
  readonly #live: LivePages;
  readonly #phrases = new PhraseGatherer(MAX_PHRASES);
  readonly #counter = new WordCounter();
  readonly #miner = new SynonymMiner();
  readonly #breather: Breather;
  #pages = 0;

  constructor(options: WordsOptions, reader: IndexReader) {
    this.#options = options;
    this.#generation = reader.generation;
    this.#live = new LivePages(reader.segments);
    this.#breather = new Breather(options.signal);
  }

  async run(): Promise<WordsReport> {
    const { journal, words: directory, signal } = this.#options;
    signal?.throwIfAborted();
    for (const file of journalFiles(journal).reverse()) await this.#readFile(file);
    const phrases = this.#phrases.finish();
    const counts = this.#counter.finish();
    const pages = this.#pages;
    const origin = { generation: this.#generation, docs: pages };
    writePhrases(directory, origin, phrases);
    writeVocabulary(directory, origin, counts);
    const synonyms = this.#miner.finish();
    writeSynonyms(directory, origin, synonyms);
    return { pages, phrases: phrases.size, words: counts.words.size, synonyms: synonyms.length };
  }

  async #readFile(file: string): Promise<void> {
    try {
      for (const record of readJournal(this.#options.journal, file)) {
        if (record.kind === 'page' && isListed(record.page)) this.#take(record);
        if (this.#breather.isDue) await this.#breather.breathe();
      }
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      this.#options.log.warn('journal file damaged: its words are left out', { file, why: messageOf(error) });
    }
  }

  #take({ url, page }: PageRecord): void {
    const key = fingerprint(url);
    const importance = this.#live.take(key);
    if (importance === null) return;
    this.#phrases.addTitle(page.title, url, TITLE_WEIGHT * importance);
    for (const { start, end, kind } of page.marks) {
      const isHeading = kind === MarkKind.heading1 || kind === MarkKind.heading2;
      if (isHeading && isQuotable(page, start, end))
        this.#phrases.addText(page.text.slice(start, end), importance);
    }
    const anchors = this.#options.anchors?.textsOf(key) ?? [];
    for (const { text, weight } of anchors.slice(0, ANCHORS_TAKEN))
      this.#phrases.addText(text, ANCHOR_WEIGHT * weight * importance);
    const fromOthers = anchors.filter(({ weight }) => weight >= MIN_FOREIGN_WEIGHT);
    this.#miner.add([nameOf(page.title), ...fromOthers.map(({ text }) => text)]);
    this.#counter.add(page.title, TITLE_COUNT);
    if (this.#pages++ < COUNTED_PAGES) this.#counter.add(page.text.slice(0, COUNTED_TEXT));
  }
}
