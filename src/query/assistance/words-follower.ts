/**
 * The files of `words/` in memory, reloaded when newer ones appear. Without a readable file there are no
 * suggestions or corrections until the next build writes one.
 */
import type { Directory, Log } from '../../base/mod.ts';
import { openPhrases, openVocabulary } from '../../lexicon/mod.ts';
import { ReloadingFile } from './reloading-file.ts';
import { Corrector } from './spelling/mod.ts';
import { Suggester } from './suggest/mod.ts';

export class WordsFollower {
  readonly suggester: () => Suggester | null;
  readonly corrector: () => Corrector | null;
  readonly #following: ReloadingFile<unknown>[];

  constructor(words: Directory, log: Log) {
    const phrases = new ReloadingFile(words, 'phrases', log, () => {
      const table = openPhrases(words);
      return table && new Suggester(table);
    });
    const vocabulary = new ReloadingFile(words, 'vocabulary', log, () => {
      const opened = openVocabulary(words);
      return opened && new Corrector(opened);
    });
    this.suggester = () => phrases.current;
    this.corrector = () => vocabulary.current;
    this.#following = [phrases, vocabulary];
    this.refresh();
  }

  /** Switches to the newest files; returns false if none changed. */
  refresh(): boolean {
    const changes = this.#following.map((each) => each.refresh());
    return changes.includes(true);
  }
}
