/**
 * Builds the lexicon files from the indexed pages: phrases for suggestions, a vocabulary for corrections, and synonyms.
 *
 *   journal (newest file first) -> pages that are live in the index -> titles, headings, words
 *   anchors of the link graph   -> anchor texts of these pages      -> phrases, synonyms
 *
 * It reads the journal and not the segments, because the journal has headings and whole words, not stems. A page that
 * was fetched several times has several records. Only the record in the newest file counts, which is found first.
 *
 * All files are built again each time, at the cost of reading the journal once. The caller holds the lock of the index.
 */

import { CorruptError, type Directory, type Log, messageOf } from '../base/mod.ts';
import type { AnchorTable, LinkedText } from '../graph/mod.ts';
import { IndexReader, TimeSlice } from '../index/mod.ts';
import { journalFiles, type PageRecord, readJournal } from '../journal/mod.ts';
import {
  PhraseGatherer,
  phraseKeyOf,
  SynonymMiner,
  WordCounter,
  writePhrases,
  writeSynonyms,
  writeVocabulary,
} from '../lexicon/mod.ts';
import { isListed, MarkKind } from '../page/mod.ts';
import { fingerprint } from '../url/mod.ts';
import { textsIn } from './apply-ranks.ts';
import { LivePages } from './live-pages.ts';
import { isQuotable, quotableOf } from './quotable.ts';

interface WordsOptions {
  journal: Directory;
  index: Directory;
  /** The directory of the lexicon files. */
  words: Directory;
  /** Anchor texts; null if no rank run has finished yet. */
  anchors: AnchorTable | null;
  log: Log;
  /** Stops the build at the next opportunity; the old files stay. */
  signal?: AbortSignal;
}

interface WordsReport {
  pages: number;
  phrases: number;
  words: number;
  /** Number of pairs of synonyms. */
  synonyms: number;
}

const MAX_PHRASES = 1_000_000;
/**
 * Only the words in the first part of a page's text, of this length in UTF-16 units without menus, are counted. Words
 * that occur only later are rarely searched for.
 */
const COUNTED_TEXT = 4_000;
/** After this many pages only titles are counted, because more text hardly changes which words are common. */
const COUNTED_PAGES = 100_000;
/** Each word of a title counts as this many occurrences. */
const TITLE_COUNT = 4;
const TITLE_WEIGHT = 4;
const ANCHOR_WEIGHT = 2;
/** Anchor texts used per page, the heaviest first. */
const ANCHORS_TAKEN = 3;

/**
 * Anchor texts with less weight are not used to find synonyms. Most of them are from links within a domain, which weigh
 * a quarter and often lead to a section of a page.
 */
const MIN_FOREIGN_WEIGHT = 0.5;

/** Returns null if the signal stopped the build. */
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
  readonly #timeSlice: TimeSlice;
  readonly #textsOf: (fingerprint: bigint) => LinkedText[];
  #pages = 0;

  constructor(options: WordsOptions, reader: IndexReader) {
    this.#options = options;
    this.#textsOf = options.anchors ? textsIn(options.anchors, options.log) : () => [];
    this.#generation = reader.generation;
    this.#live = new LivePages(reader.segments);
    this.#timeSlice = new TimeSlice(options.signal);
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
        if (this.#timeSlice.isDue) await this.#timeSlice.pause();
      }
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      this.#options.log.warn('journal file damaged, its words skipped', { file, reason: messageOf(error) });
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
    const anchors = this.#textsOf(key);
    for (const { text, weight } of anchors.slice(0, ANCHORS_TAKEN))
      this.#phrases.addText(text, ANCHOR_WEIGHT * weight * importance);
    const fromOthers = anchors.filter(({ weight }) => weight >= MIN_FOREIGN_WEIGHT);
    this.#miner.add([phraseKeyOf(page.title), ...fromOthers.map(({ text }) => text)]);
    this.#counter.add(page.title, TITLE_COUNT);
    if (this.#pages++ < COUNTED_PAGES) this.#counter.add(quotableOf(page).text.slice(0, COUNTED_TEXT));
  }
}
