/**
 * The files of `words/` in memory, exchanged when newer ones appear. Files that are missing or damaged are as good as
 * none: nothing is suggested and nothing corrected until the next build makes them anew.
 */
import { type Directory, GyreError, type Log, messageOf, systemCode } from '../base/mod.ts';
import { openPhrases, openVocabulary, readOriginOf, type WordsFile } from '../words/mod.ts';
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

class Following<T> {
  current: T | null = null;
  readonly #words: Directory;
  readonly #file: WordsFile;
  readonly #log: Log;
  readonly #open: () => T | null;
  #version = '';
  #warned = '';

  constructor(words: Directory, file: WordsFile, log: Log, open: () => T | null) {
    this.#words = words;
    this.#file = file;
    this.#log = log;
    this.#open = open;
  }

  refresh(): boolean {
    try {
      const origin = readOriginOf(this.#words, this.#file);
      const version = origin ? `${origin.generation} ${origin.docs}` : '';
      if (version === this.#version) return false;
      this.#version = version;
      this.current = this.#open();
    } catch (error) {
      if (!(error instanceof GyreError) && systemCode(error) !== 'ENOENT') throw error;
      this.#warnOnce(messageOf(error));
      return false;
    }
    this.#warned = '';
    return true;
  }

  #warnOnce(why: string): void {
    if (why === this.#warned) return;
    this.#warned = why;
    this.#log.warn('words unreadable, going on without new ones: run gyre build', { file: this.#file, why });
  }
}
