/**
 * The one configuration, as the program sees it; its settings are declared in `settings.ts`.
 *
 * Read once, in this order: defaults, the file named by --config, environment (`GYRE_CRAWL_DELAY`
 * for `crawl.delay`), flags. Unknown keys are errors. Sizes and times carry units.
 */
import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../base/mod.ts';
import type { SiteRule } from '../query/mod.ts';
import type { UrlRule } from '../url/mod.ts';
import { SETTINGS, type Setting } from './settings.ts';

export interface Config {
  readonly data: string;
  readonly contact: string;
  readonly crawl: {
    readonly delay: number;
    readonly delayFactor: number;
    readonly addressDelay: number;
    readonly groups: Readonly<Record<string, readonly string[]>>;
    readonly concurrency: number;
    readonly maxDepth: number;
    readonly maxPages: number;
    readonly icons: 'on' | 'off';
    readonly pagesPerHost: number;
    readonly maxUrlsPerHost: number;
    readonly maxBody: number;
    readonly timeLimit: number;
    readonly readLimit: number;
    readonly similarity: number;
    readonly minShingles: number;
    readonly maxSketches: number;
    readonly scope: 'host' | 'domain' | 'web';
    readonly domains: readonly string[];
    readonly rules: readonly UrlRule[];
    readonly lists: readonly string[];
    readonly maxUrlLength: number;
    readonly extractors: readonly string[];
    readonly revisit: 'auto' | 'on' | 'off';
    readonly revisitFirst: number;
    readonly revisitMin: number;
    readonly revisitMax: number;
    readonly robotsOverrides: readonly string[];
    readonly allowAddresses: readonly string[];
    readonly resolve: Readonly<Record<string, string>>;
    readonly proxy: string;
    readonly access: Readonly<Record<string, unknown>>;
    readonly authorities: readonly string[];
  };
  readonly archive: { readonly fileSize: number; readonly compression: 'gzip' | 'zstd' };
  readonly index: { readonly memory: number };
  readonly serve: {
    readonly host: string;
    readonly port: number;
    readonly timeLimit: number;
    readonly threads: number;
    readonly cache: number;
    readonly answerCache: number;
    readonly adminToken: string;
    readonly synonyms: string;
    readonly siteRules: readonly SiteRule[];
    readonly perMinute: number;
    readonly queue: number;
    readonly apiKeys: readonly string[];
    readonly origins: readonly string[];
    readonly proxies: readonly string[];
    readonly publicUrl: string;
  };
  readonly answer: {
    readonly weather: string;
    readonly places: string;
    readonly wiki: string;
    readonly shop: string;
    readonly shopId: string;
    readonly shopSecret: string;
    readonly shopMarket: string;
  };
  readonly suggest: { readonly queries: 'off' | 'on' };
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' };
}

const BY_KEY = new Map(SETTINGS.map((setting) => [setting.key, setting]));

export interface ConfigSources {
  /** Values of flags by their names; those that are no setting are ignored. */
  flags: Readonly<Record<string, unknown>>;
  environment: Readonly<Record<string, string | undefined>>;
  file: string | undefined;
}

export function loadConfig(sources: ConfigSources): Config {
  const values = new Map<string, unknown>();
  for (const setting of SETTINGS) values.set(setting.key, read(setting, setting.default, 'default'));
  if (sources.file !== undefined) applyFile(values, sources.file);
  refuseUnknownVariables(sources.environment);
  for (const setting of SETTINGS) {
    const name = environmentName(setting.key);
    const fromEnvironment = sources.environment[name];
    if (fromEnvironment !== undefined) values.set(setting.key, read(setting, fromEnvironment, name));
    const fromFlag = setting.flag === undefined ? undefined : sources.flags[setting.flag];
    if (fromFlag !== undefined) values.set(setting.key, read(setting, fromFlag, `--${setting.flag}`));
  }
  return nest(values);
}

function refuseUnknownVariables(environment: ConfigSources['environment']): void {
  const known = new Set([...SETTINGS.map((setting) => environmentName(setting.key)), 'GYRE_CONFIG']);
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('GYRE_') || known.has(name)) continue;
    throw new UsageError(
      'unknown-variable',
      `unknown variable ${name} in the environment; see docs/configuration.md`,
    );
  }
}

export function environmentName(key: string): string {
  return `GYRE_${key.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}`;
}

function applyFile(values: Map<string, unknown>, file: string): void {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new UsageError('config-file', `cannot read the configuration ${file}: ${messageOf(cause)}`, {
      cause,
    });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new UsageError('config-file', `${file}: expected an object such as { "crawl": { "delay": "2s" } }`);
  }
  for (const [key, value] of flatten(parsed, '')) {
    const setting = BY_KEY.get(key);
    if (!setting) throw new UsageError('unknown-key', `${file}: unknown key "${key}"${suggestion(key)}`);
    if (setting.kind.isNumber && typeof value === 'string') {
      throw new UsageError(
        'bad-setting',
        `${file}: ${key}: expected a number without quotes, got "${value}"`,
      );
    }
    values.set(key, read(setting, value, `${file}: ${key}`));
  }
}

function* flatten(value: unknown, prefix: string): Generator<[string, unknown]> {
  const isBranch =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !BY_KEY.has(prefix);
  if (!isBranch) return yield [prefix, value];
  for (const [name, child] of Object.entries(value))
    yield* flatten(child, prefix === '' ? name : `${prefix}.${name}`);
}

function read(setting: Setting, value: unknown, where: string): unknown {
  try {
    return setting.kind.parse(value);
  } catch (cause) {
    throw new UsageError('bad-setting', `${where}: ${messageOf(cause)}`, { cause });
  }
}

function nest(values: ReadonlyMap<string, unknown>): Config {
  const root: Record<string, unknown> = {};
  for (const [key, value] of values) {
    const [first, second] = key.split('.') as [string, string?];
    if (second === undefined) {
      root[first] = value;
    } else {
      root[first] ??= {};
      (root[first] as Record<string, unknown>)[second] = value;
    }
  }
  for (const branch of Object.values(root)) Object.freeze(branch);
  return Object.freeze(root) as unknown as Config;
}

/** The key that was probably meant, or the list of all. */
function suggestion(key: string): string {
  const near = SETTINGS.map((setting) => setting.key).find((known) => isNear(key, known));
  return near
    ? `; did you mean "${near}"?`
    : `; known are ${SETTINGS.map((setting) => setting.key).join(', ')}`;
}

/** The same last word, or the same letters in another order but for two. */
function isNear(key: string, known: string): boolean {
  const last = (name: string) => name.split('.').at(-1)!.toLowerCase();
  if (last(key) === last(known)) return true;
  const left = [...known.toLowerCase()];
  let strange = 0;
  for (const letter of key.toLowerCase()) {
    const at = left.indexOf(letter);
    if (at < 0) strange++;
    else left.splice(at, 1);
  }
  return key.length > 4 && strange + left.length <= 2;
}
