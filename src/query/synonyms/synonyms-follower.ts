/** The operator's rules, and with them the mined pairs of `words/`, exchanged when newer ones were mined. */
import type { Directory, Log } from '../../base/mod.ts';
import { readSynonyms } from '../../words/mod.ts';
import { Following } from '../following.ts';
import { Synonyms } from './synonyms.ts';
import type { SynonymRule } from './synonyms-file.ts';

export class SynonymsFollower {
  readonly #rules: Synonyms;
  readonly #mined: Following<Synonyms>;

  constructor(words: Directory, rules: readonly SynonymRule[], log: Log) {
    this.#rules = new Synonyms(rules, []);
    this.#mined = new Following(words, 'synonyms', log, () => new Synonyms(rules, readSynonyms(words)));
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
