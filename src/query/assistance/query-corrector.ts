/**
 * Corrects queries with the vocabulary of `words/`, which is loaded for the first query that may be misspelled, and
 * reloaded when a newer vocabulary appears.
 */
import type { Directory, Log } from '../../base/mod.ts';
import { openVocabulary } from '../../lexicon/mod.ts';
import { ReloadingFile } from './reloading-file.ts';
import { type Correction, Corrector, correctQuery } from './spelling/mod.ts';

export class QueryCorrector {
  readonly #vocabulary: ReloadingFile<Corrector>;
  #isUsed = false;

  constructor(words: Directory, log: Log) {
    this.#vocabulary = new ReloadingFile(words, 'vocabulary', log, () => {
      const opened = openVocabulary(words);
      return opened && new Corrector(opened);
    });
  }

  /** Returns null if there is nothing to correct. */
  correct(query: string): Correction | null {
    if (!this.#isUsed) this.#vocabulary.refresh();
    this.#isUsed = true;
    const corrector = this.#vocabulary.current;
    return corrector && correctQuery(query, corrector);
  }

  /** Switches to the newest vocabulary. */
  refresh(): void {
    if (this.#isUsed) this.#vocabulary.refresh();
  }
}
