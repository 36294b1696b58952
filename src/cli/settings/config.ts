/**
 * The configuration as the program sees it; its settings are declared in `settings.ts`.
 *
 * It is read once, in this order: defaults, the file named by --config, environment (`GYRE_CRAWL_DELAY` for
 * `crawl.delay`), flags. Unknown keys are errors. Sizes and times have units.
 */
import { readFileSync } from 'node:fs';
import { formatSize, messageOf, nearestName, UsageError } from '../../base/mod.ts';
import {
  AUTO,
  checkMemory,
  defaultMemory,
  type GivenSize,
  LEAST_MEMORY,
  memoryShareOf,
} from './memory-shares.ts';
import { access, proxy, secret, token, tokens } from './setting-kinds.ts';
import { type DeclaredSetting, SETTINGS, type Setting } from './settings.ts';

/**
 * Type of the configuration, derived from the declared settings: the duration `crawl.delay` becomes
 * `config.crawl.delayMs`.
 */
export type Config = {
  readonly [One in DeclaredSetting as One['key'] extends `${string}.${string}`
    ? never
    : `${One['key']}${NonNullable<One['kind']['unit']>}`]: Value<One>;
} & {
  readonly [First in Section<DeclaredSetting['key']>]: {
    readonly [One in DeclaredSetting as Field<First, One>]: Value<One>;
  };
};

/** The section of a setting's key, the text before the dot: `crawl` for `crawl.delay`. */
type Section<Key> = Key extends `${infer First}.${string}` ? First : never;

/**
 * The field name of a setting: the key without its section, followed by the unit of the values, for example
 * `delayMs`.
 */
type Field<First extends string, One extends DeclaredSetting> = One['key'] extends `${First}.${infer Name}`
  ? `${Name}${NonNullable<One['kind']['unit']>}`
  : never;

type Value<One extends DeclaredSetting> = ReturnType<One['kind']['parse']>;

/** For each former name of a setting, its current name. */
const RENAMED: Readonly<Record<string, string>> = {
  'crawl.similarity': 'crawl.nearDuplicateThreshold',
  'crawl.lists': 'crawl.blockLists',
  'crawl.access': 'crawl.hostCredentials',
  'index.memory': 'index.bufferMemory',
  'serve.cache': 'serve.postingsCache',
  'serve.queue': 'serve.maxQueuedRequests',
};

/** The source of settings that were changed in the dashboard. */
export const DASHBOARD = 'dashboard';

const BY_KEY = new Map(SETTINGS.map((setting) => [setting.key, setting]));

export interface ConfigSources {
  /** Values of flags by name; flags that are not settings are ignored. */
  flags: Readonly<Record<string, unknown>>;
  environment: Readonly<Record<string, string | undefined>>;
  file: string | undefined;
  /** Settings from a part of another file, such as a cluster file; `place` names it in errors. */
  part?: { values: unknown; place: string };
  /** Live settings that the operator has changed in the dashboard, by key; `place` is their file, or empty. */
  changed?: { values: Readonly<Record<string, unknown>>; place: string };
  /** Minimum memory limit of the command. */
  leastMemoryBytes?: number;
}

export function loadConfig(sources: ConfigSources): Config {
  const read = readSettings(sources);
  return nest(new Map(Array.from(read, ([key, { value }]) => [key, value])));
}

/** A setting as the operator gave it, or its default. */
export interface GivenSetting {
  setting: Setting;
  /** The value as it is written in a configuration file; of secrets only whether they are set. */
  given: unknown;
  /** The file, variable or flag that has the value; `default` if none has. */
  source: string;
}

/** Types of settings whose values may be or contain passwords. */
const HIDDEN: ReadonlySet<unknown> = new Set([secret, token, tokens, access, proxy]);

/** Returns all settings in the order of their declaration, with the places that their values come from. */
export function explainConfig(sources: ConfigSources): GivenSetting[] {
  const read = readSettings(sources);
  return SETTINGS.map((setting) => {
    const { value, given, source } = read.get(setting.key)!;
    const isSecret = HIDDEN.has(setting.kind) && !['""', '{}', '[]'].includes(JSON.stringify(given));
    const isComputed = given === 'auto' && typeof value === 'number';
    return { setting, given: isSecret ? '(set)' : isComputed ? formatSize(value) : given, source };
  });
}

/** The parsed value of a setting, its value before parsing, and the place that it comes from. */
interface ReadValue {
  value: unknown;
  given: unknown;
  source: string;
}

type ReadValues = Map<string, ReadValue>;

function readSettings(sources: ConfigSources): ReadValues {
  const values: ReadValues = new Map();
  for (const setting of SETTINGS) take(values, setting, setting.default, 'default');
  if (sources.file !== undefined) applyFile(values, sources.file);
  if (sources.part) applyValues(values, sources.part.values, sources.part.place);
  refuseUnknownVariables(sources.environment);
  for (const setting of SETTINGS) {
    const name = environmentName(setting.key);
    const fromEnvironment = sources.environment[name];
    if (fromEnvironment !== undefined) take(values, setting, fromEnvironment, name);
    const fromFlag = setting.flag === undefined ? undefined : sources.flags[setting.flag];
    if (fromFlag !== undefined) take(values, setting, fromFlag, `--${setting.flag}`);
  }
  if (sources.changed) applyChanges(values, sources.changed);
  divideMemory(values, sources.leastMemoryBytes ?? LEAST_MEMORY);
  return values;
}

/** Parses a value and stores it. Errors name `where`, the place of the value. */
function take(values: ReadValues, setting: Setting, given: unknown, source: string, where = source): void {
  values.set(setting.key, { value: parse(setting, given, where), given, source });
}

function applyChanges(
  values: ReadValues,
  { values: changed, place }: NonNullable<ConfigSources['changed']>,
): void {
  for (const [key, value] of Object.entries(changed)) {
    const where = place === '' ? key : `${place}: ${key}`;
    const setting = BY_KEY.get(key);
    if (!setting?.isLive) throw new UsageError('unknown-key', `${where} cannot be changed in the dashboard`);
    take(values, setting, value, DASHBOARD, where);
  }
}

/** Replaces the value `auto` of settings by their share of the memory limit. */
function divideMemory(values: ReadValues, leastBytes: number): void {
  const memory = values.get('memory')!;
  const given = memory.value as number;
  const memoryBytes = given === AUTO ? defaultMemory(leastBytes) : given;
  memory.value = memoryBytes;
  const fixed: GivenSize[] = [];
  for (const { key, share } of SETTINGS) {
    if (!share) continue;
    const read = values.get(key)!;
    if (read.value === AUTO) read.value = memoryShareOf(memoryBytes, share);
    else fixed.push({ key, value: read.value as number, share });
  }
  if (given !== AUTO) checkMemory(memoryBytes, fixed, leastBytes);
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

function applyFile(values: ReadValues, file: string): void {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new UsageError('config-file', `cannot read the configuration ${file}: ${messageOf(cause)}`, {
      cause,
    });
  }
  applyValues(values, parsed, file);
}

/** Applies the settings of a parsed file, or of a part of it. Errors name the place of the settings. */
function applyValues(values: ReadValues, parsed: unknown, file: string): void {
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
    take(values, setting, value, file, `${file}: ${key}`);
  }
}

function* flatten(value: unknown, prefix: string): Generator<[string, unknown]> {
  const isBranch =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !BY_KEY.has(prefix);
  if (!isBranch) return yield [prefix, value];
  for (const [name, child] of Object.entries(value))
    yield* flatten(child, prefix === '' ? name : `${prefix}.${name}`);
}

function parse(setting: Setting, value: unknown, where: string): unknown {
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
    const unit = BY_KEY.get(key)?.kind.unit ?? '';
    if (second === undefined) {
      root[first + unit] = value;
    } else {
      root[first] ??= {};
      (root[first] as Record<string, unknown>)[second + unit] = value;
    }
  }
  for (const branch of Object.values(root)) Object.freeze(branch);
  return Object.freeze(root) as unknown as Config;
}

/** Returns a hint for an unknown key: the known key that was probably meant, or a list of all keys. */
function suggestion(key: string): string {
  if (Object.hasOwn(RENAMED, key)) return `; it is called "${RENAMED[key]}" now`;
  const near = nearestKey(key);
  return near
    ? `; did you mean "${near}"?`
    : `; known are ${SETTINGS.map((setting) => setting.key).join(', ')}`;
}

/** Returns the key that ends in the same word as an unknown key, or else the one with the nearest spelling. */
export function nearestKey(key: string): string | null {
  const last = (name: string) => name.split('.').at(-1)!.toLowerCase();
  const keys = SETTINGS.map((setting) => setting.key);
  return keys.find((known) => last(known) === last(key)) ?? nearestName(key, keys);
}
