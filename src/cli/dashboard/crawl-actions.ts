/** Changes seeds, URL rules and settings of the crawl for an operator. */
import { UsageError } from '../../base/mod.ts';
import type { CrawlDesk, ShownSetting } from '../../serve/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { type DataSettings, readSettings, writeSettings } from '../data-directory.ts';
import { counted } from '../output.ts';
import { readSeedLine, withSeeds } from '../seeds/mod.ts';
import { checkContact } from '../sessions/crawl-session.ts';
import { DASHBOARD, type GivenSetting } from '../settings/mod.ts';
import type { DashboardOptions } from './dashboard.ts';
import type { DashboardWorker } from './dashboard-worker.ts';
import { rulesAsWritten } from './rules-as-written.ts';
import { SettingEditor } from './setting-editor.ts';

const RULES = 'crawl.rules';
const NO_LIMIT = 'no limit';

export function crawlActions(
  { data, changeable, isCrawling }: Pick<DashboardOptions, 'data' | 'changeable' | 'isCrawling'>,
  worker: DashboardWorker,
): CrawlDesk {
  const { root } = data;
  const editor = new SettingEditor(root, changeable);
  const saveSeeds = (settings: DataSettings) => {
    checkContact(settings, editor.config);
    writeSettings(root, settings);
  };
  return {
    isFollowed: isCrawling,
    seeds() {
      const { seeds, collections = [] } = readSettings(root);
      return seeds.map((url) => ({
        url,
        collections: collections.filter(({ seed }) => seed === url).map(({ name }) => name),
      }));
    },
    addSeeds(lines, who) {
      const seeds = lines.split(/\r?\n/).filter(isSeedLine).map(readSeedLine);
      if (seeds.length === 0) throw new UsageError('no-seeds', 'Write at least one URL.');
      saveSeeds(withSeeds(readSettings(root), seeds, ''));
      for (const { url } of seeds) editor.audit({ who, action: 'add seed', target: url });
      return `${counted(seeds.length, 'seed')} added.`;
    },
    removeSeed(given, who) {
      const settings = readSettings(root);
      const url = canonicalize(given) ?? given;
      if (!settings.seeds.includes(url)) throw new UsageError('no-seed', `"${given}" is not a seed.`);
      if (settings.seeds.length === 1)
        throw new UsageError(
          'last-seed',
          'A crawl needs a seed: add another one before you remove the last.',
        );
      const { collections = [], ...rest } = settings;
      const kept = collections.filter(({ seed }) => seed !== url);
      const seeds = settings.seeds.filter((seed) => seed !== url);
      saveSeeds({ ...rest, seeds, ...(kept.length > 0 && { collections: kept }) });
      editor.audit({ who, action: 'remove seed', target: url });
      return `The seed ${url} is removed. Pages in the index stay there.`;
    },
    rules: () => writtenRules(rulesAsWritten(changeable, root.path)),
    testRules: (json) => worker.testRules(editor.attempt(RULES, readJson(json))),
    saveRules(json, who) {
      const rules = readJson(json);
      editor.set(RULES, rules, { who, action: 'change URL rules' });
      return `${counted(rules.length, 'rule')} saved.`;
    },
    settings: () => changeable.explain(root.path).map(shownSetting),
    changeSetting(key, value, who) {
      if (value === null) {
        editor.set(key, undefined, { who, action: 'reset setting', target: key });
        return `${key} is reset.`;
      }
      const written = value === NO_LIMIT ? Number.MAX_SAFE_INTEGER : value;
      editor.set(key, written, { who, action: 'change setting', target: `${key} ${value}` });
      return `${key} is now ${value === '' ? 'empty' : value}.`;
    },
  };
}

/** Returns false for a line that is empty or only a comment. */
function isSeedLine(line: string): boolean {
  return line.replace(/(?:^|\s)#.*$/, '').trim() !== '';
}

function readJson(text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text.trim() === '' ? '[]' : text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError('bad-rule', `The rules are not valid JSON: ${reason}`, { cause });
  }
  if (!Array.isArray(value)) throw new UsageError('bad-rule', 'The rules are a list: [ { … }, { … } ].');
  return value;
}

/** Writes one rule per line, which is easier to read than a line per condition. */
function writtenRules(rules: readonly unknown[]): string {
  if (rules.length === 0) return '[]';
  return `[\n${rules.map((rule) => `  ${JSON.stringify(rule)}`).join(',\n')}\n]`;
}

function shownSetting({ setting, given, source }: GivenSetting): ShownSetting {
  const { key, kind, help, isLive = false } = setting;
  return {
    ...{ key, source, help, isLive },
    type: kind.name,
    value: writtenValue(given),
    choices: kind.name.includes(' | ') ? kind.name.split(' | ') : [],
    isChanged: source === DASHBOARD,
  };
}

function writtenValue(given: unknown): string {
  if (given === Number.MAX_SAFE_INTEGER) return NO_LIMIT;
  if (typeof given === 'string') return given;
  const isPlainList = Array.isArray(given) && given.every((item) => typeof item === 'string');
  return isPlainList ? given.join(', ') : JSON.stringify(given);
}
