/**
 * The files of `words/` in memory, exchanged when newer ones appear. Files that are missing or damaged are as good as
 * none: nothing is suggested and nothing corrected until the next build makes them anew.
 */
import type { Directory, Log } from '../base/mod.ts';
import { openPhrases, openVocabulary } from '../words/mod.ts';
import { Following } from './following.ts';
import { Corrector } from './spelling/corrector.ts';
import { Suggester } from './suggest/suggester.ts';

export class WordsFollower {
  readonly suggester: () => Suggester | null;
  readonly corrector: () => Corrector | null;
  readonly #following: Following<unknown>[];

  constructor(words: Directory, log: Log) {
    const phrases = new Following(words, 'phrases', log, () => {
      const table = openPhrases(words);
      return table && new Suggester(table);
    });
    const vocabulary = new Following(words, 'vocabulary', log, () => {
      const opened = openVocabulary(words);
      return opened && new Corrector(opened);
    });
    this.suggester = () => phrases.current;
    this.corrector = () => vocabulary.current;
    this.#following = [phrases, vocabulary];
    this.refresh();
  }

  /** Goes over to the newest files; false if nothing changed. */
  refresh(): boolean {
    const changes = this.#following.map((each) => each.refresh());
    return changes.includes(true);
  }
}
