/**
 * Combines the operator's synonym rules with the pairs that were mined into `words/`. Reloads the pairs when newer
 * ones were mined.
 */
import type { Directory, Log } from '../../../base/mod.ts';
import { readSynonyms } from '../../../lexicon/mod.ts';
import { ReloadingFile } from '../reloading-file.ts';
import { Synonyms } from './synonyms.ts';
import type { SynonymRule } from './synonyms-file.ts';

export class SynonymsFollower {
  readonly #rules: Synonyms;
  readonly #mined: ReloadingFile<Synonyms>;

  constructor(words: Directory, rules: readonly SynonymRule[], log: Log) {
    this.#rules = new Synonyms(rules, []);
    this.#mined = new ReloadingFile(words, 'synonyms', log, () => new Synonyms(rules, readSynonyms(words)));
    this.refresh();
  }

  get known(): Synonyms {
    return this.#mined.current ?? this.#rules;
  }

  /** A text that changes when the synonyms change. */
  get version(): string {
    return this.#mined.version;
  }

  refresh(): boolean {
    return this.#mined.refresh();
  }
}
