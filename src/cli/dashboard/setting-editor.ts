/** Changes live settings: checks the new value together with all others, saves it, and records who did it. */
import { type Directory, systemClock } from '../../base/mod.ts';
import { type CanonicalUrl, rulesOfPlan } from '../../url/mod.ts';
import { appendAudit } from '../access/mod.ts';
import { type ChangeableConfig, changeSettings, readChanges } from '../changes/mod.ts';
import { readSettings } from '../data-directory.ts';
import { checkContact, checkCrawl, urlRulesPlan } from '../sessions/crawl-session.ts';
import type { Config } from '../settings/mod.ts';

/** An entry of the audit log. */
interface Change {
  who: string;
  action: string;
  target?: string;
}

export class SettingEditor {
  readonly #root: Directory;
  readonly #changeable: ChangeableConfig;

  constructor(root: Directory, changeable: ChangeableConfig) {
    this.#root = root;
    this.#changeable = changeable;
  }

  /** The present configuration. */
  get config(): Config {
    return this.#changeable.reload(this.#root.path);
  }

  /** Returns the configuration with another value of a setting. Throws a UsageError if the value is wrong. */
  attempt(key: string, value: unknown): Config {
    const { [key]: _, ...others } = readChanges(this.#root);
    const config = this.#changeable.attempt(value === undefined ? others : { ...others, [key]: value });
    const settings = readSettings(this.#root);
    checkContact(settings, config);
    checkCrawl(config, settings);
    rulesOfPlan(urlRulesPlan(config, settings.seeds as CanonicalUrl[]));
    return { ...config, data: this.#root.path };
  }

  /** Sets a setting; `undefined` resets it. */
  set(key: string, value: unknown, change: Change): void {
    this.attempt(key, value);
    changeSettings(this.#root, (now) => ({ ...now, [key]: value }));
    this.audit(change);
  }

  audit(change: Change): void {
    appendAudit(this.#root, { ...change }, systemClock.now());
  }
}
