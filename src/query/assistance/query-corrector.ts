/**
 * Corrects the spelling of queries with the words of the index. The words are loaded when the first query may be
 * misspelled. After that, only the words of new segments are loaded.
 */
import type { Directory, Log } from '../../base/mod.ts';
import { Vocabulary, type WordTable } from '../../lexicon/mod.ts';
import { FollowedIndexes, followWords } from './lexicon-follower.ts';
import { type Correction, Corrector, correctQuery } from './spelling/mod.ts';

export class QueryCorrector {
  readonly #words: FollowedIndexes<WordTable>;
  #vocabulary = new Vocabulary();
  #corrector: Corrector | null = null;
  #isUsed = false;

  /** `index` is the directory of the index, or the directories of its shards. */
  constructor(index: Directory | readonly Directory[], log: Log) {
    this.#words = FollowedIndexes.of(index, (one) => followWords(one, log));
  }

  /** Returns the corrected query; null if there is nothing to correct. */
  correct(query: string): Correction | null {
    const isFirst = !this.#isUsed;
    this.#isUsed = true;
    if (isFirst) this.refresh();
    return this.#corrector && correctQuery(query, this.#corrector);
  }

  /** Loads the words of new segments. */
  refresh(): void {
    if (!this.#isUsed || !this.#words.refresh()) return;
    if (this.#vocabulary.isWasteful) this.#vocabulary = new Vocabulary();
    this.#vocabulary.setTables(this.#words.current);
    this.#corrector = this.#vocabulary.size === 0 ? null : new Corrector(this.#vocabulary);
  }
}
