/**
 * The command `gyre config`, which checks the configuration, lists the settings with the places that their values
 * come from, and explains one of them.
 */
import { UsageError } from '../../base/mod.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { print, printJson } from '../output.ts';
import { environmentName, type GivenSetting, nearestKey } from '../settings/mod.ts';

export const configCommand: Command = {
  name: 'config',
  positionals: 'check|list|explain KEY',
  summary:
    'Checks the configuration (check), lists the settings with their values and where these come from (list), or explains one setting (explain KEY)',
  examples: ['gyre config explain crawl.delay'],
  settings: [],
  flags: [
    { name: 'all', kind: 'boolean', help: 'list also settings that have their default' },
    { name: 'json', kind: 'boolean', help: 'print the settings as one JSON object' },
  ],
  run: config,
};

async function config({
  flags,
  changeable,
  positionals: [action = 'list', key, ...rest],
}: Invocation): Promise<void> {
  const extra = action === 'explain' ? rest[0] : key;
  if (extra !== undefined)
    throw new UsageError(
      'unexpected-argument',
      `gyre config ${action} does not take the argument "${extra}"`,
    );
  const file = (flags.config as string | undefined) ?? process.env.GYRE_CONFIG;
  const settings = changeable.explain();
  if (action === 'check') return print(checked(settings, file));
  if (action === 'explain') return print(explain(settings, key));
  if (action !== 'list')
    throw new UsageError(
      'bad-action',
      `expected check, list or explain KEY, got "${action}"; see gyre config --help`,
    );
  const listed = settings.filter(({ source }) => flags.all === true || source !== 'default');
  if (flags.json)
    return printJson(
      Object.fromEntries(listed.map(({ setting, given, source }) => [setting.key, { value: given, source }])),
    );
  print(list(listed));
}

/** Reading the settings has checked them; an invalid one is an error before this. */
function checked(settings: readonly GivenSetting[], file: string | undefined): string {
  const count = settings.filter(({ source }) => source !== 'default').length;
  const places = file === undefined ? 'no configuration file is named (--config FILE)' : `${file} is valid`;
  return `${places}; ${count} of ${settings.length} settings differ from their defaults or are set explicitly`;
}

function list(settings: readonly GivenSetting[]): string {
  if (settings.length === 0) return 'all settings have their defaults; --all lists them';
  return table(
    settings.map(({ setting, given, source }) => [setting.key, `${JSON.stringify(given)}  from ${source}`]),
  ).trimEnd();
}

function explain(settings: readonly GivenSetting[], key: string | undefined): string {
  if (key === undefined)
    throw new UsageError(
      'no-key',
      'missing key: gyre config explain crawl.delay; gyre config list --all lists all keys',
    );
  const found = settings.find(({ setting }) => setting.key === key);
  if (!found) {
    const near = nearestKey(key);
    const advice = near ? `did you mean "${near}"?` : 'gyre config list --all lists all keys';
    throw new UsageError('unknown-key', `unknown key "${key}"; ${advice}`);
  }
  const { setting, given, source } = found;
  const rows: [string, string][] = [
    ['meaning', setting.help],
    ['type', setting.kind.name],
    ['default', setting.default === Number.MAX_SAFE_INTEGER ? 'no limit' : JSON.stringify(setting.default)],
    ['value', `${JSON.stringify(given)} from ${source}`],
    ['in a file', exampleInFile(setting.key, given)],
    ['environment', environmentName(setting.key)],
  ];
  if (setting.flag !== undefined) rows.push(['flag', `--${setting.flag}`]);
  return `${setting.key}\n${table(rows).trimEnd()}`;
}

/** Returns the setting as it is written in a configuration file: `{ "crawl": { "delay": "1s" } }`. */
function exampleInFile(key: string, value: unknown): string {
  return key
    .split('.')
    .reduceRight((inner, name) => `{ ${JSON.stringify(name)}: ${inner} }`, JSON.stringify(value));
}
