/** Follows the profile in force while an engine runs. */
import { type Directory, type Log, messageOf } from '../../base/mod.ts';
import type { Profile } from '../../scoring/mod.ts';
import { profileInForce } from './profile-choice.ts';
import { HISTORY } from './stored-profiles.ts';

export class ProfileFollower {
  readonly #root: Directory;
  readonly #setting: string;
  readonly #log: Log;
  #profile: Profile;
  #known: string;

  /** `setting` is the value of `serve.profile`. Throws if searches may not use the profile in force. */
  constructor(root: Directory, setting: string, log: Log) {
    this.#root = root;
    this.#setting = setting;
    this.#log = log;
    this.#known = this.#readHistory();
    this.#profile = profileInForce(root, setting);
  }

  get profile(): Profile {
    return this.#profile;
  }

  /**
   * Looks if another profile was published or rolled back. Returns true if so. If the new one may not be used, logs this
   * once, and the profile stays the same.
   */
  refresh(): boolean {
    if (this.#setting !== '') return false;
    const history = this.#readHistory();
    if (history === this.#known) return false;
    this.#known = history;
    try {
      this.#profile = profileInForce(this.#root, '');
      return true;
    } catch (error) {
      this.#log.error('ranking profile not changed', { reason: messageOf(error) });
      return false;
    }
  }

  #readHistory(): string {
    return this.#root.has(HISTORY) ? this.#root.read(HISTORY).toString() : '';
  }
}
