/**
 * The operator's rules and the mined pairs of `words/`; the pairs are reloaded when newer ones were mined.
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

  /** Changes when the synonyms do. */
  get version(): string {
    return this.#mined.version;
  }

  refresh(): boolean {
    return this.#mined.refresh();
  }
}
