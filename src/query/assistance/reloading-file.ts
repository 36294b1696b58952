/** Keeps the content of a file of the directory `words/` in memory, and reloads it when a newer file appears. */
import { type Directory, GyreError, type Log, messageOf, systemCode } from '../../base/mod.ts';
import { readOriginOf, type WordsFile } from '../../lexicon/mod.ts';

/**
 * `current` is the content of the file; null if the file is missing. If a newer file cannot be read, `current` keeps
 * its value, a warning is logged, and every refresh tries again.
 */
export class ReloadingFile<T> {
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

  /** A text that changes when `current` changes. */
  get version(): string {
    return this.#version;
  }

  /** Switches to the newest file; returns false if nothing changed. */
  refresh(): boolean {
    try {
      const origin = readOriginOf(this.#words, this.#file);
      const version = origin ? `${origin.generation} ${origin.docs}` : '';
      if (version === this.#version) return false;
      this.current = this.#open();
      this.#version = version;
    } catch (error) {
      if (!(error instanceof GyreError) && systemCode(error) !== 'ENOENT') throw error;
      this.#warnOnce(messageOf(error));
      return false;
    }
    this.#warned = '';
    return true;
  }

  #warnOnce(reason: string): void {
    if (reason === this.#warned) return;
    this.#warned = reason;
    this.#log.warn('lexicon file unreadable', { file: this.#file, reason, advice: 'run gyre rank' });
  }
}
