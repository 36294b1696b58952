/**
 * The one configuration: every setting with its default, declared here and nowhere else.
 *
 * Read once, in this order: defaults, the file named by --config, environment (`GYRE_CRAWL_DELAY`
 * for `crawl.delay`), flags. Unknown keys are errors. Sizes and times carry units.
 */
import { readFileSync } from 'node:fs';
import { messageOf, parseDuration, parseSize, UsageError } from '../base/mod.ts';
import { parseHostAccess } from '../crawl/mod.ts';
import { parseSiteRule, type SiteRule } from '../query/mod.ts';
import { parseUrlRules, type UrlRule } from '../url/mod.ts';

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
    readonly pagesPerHost: number;
    readonly maxUrlsPerHost: number;
    readonly maxBody: number;
    readonly timeLimit: number;
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
    readonly siteRules: readonly SiteRule[];
    readonly perMinute: number;
    readonly queue: number;
    readonly apiKeys: readonly string[];
    readonly origins: readonly string[];
    readonly proxies: readonly string[];
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

/** What a setting accepts; `parse` gets text from a flag or the environment, or the JSON value of the file. */
interface Kind {
  name: string;
  /** In the file it is a number, not text. */
  isNumber?: boolean;
  parse(value: unknown): unknown;
}

export interface Setting {
  key: string;
  kind: Kind;
  default: unknown;
  help: string;
  /** The flag that sets it, if it has one. */
  flag?: string;
}

const text: Kind = { name: 'text', parse: (value) => expectText(value, 'text in quotes') };
const secret: Kind = { name: 'text', parse: parseToken };
const contact: Kind = { name: 'contact', parse: parseContact };
const size: Kind = { name: 'size', parse: (value) => parseSize(expectText(value, 'a size such as "64Mi"')) };
const duration: Kind = {
  name: 'time',
  parse: (value) => parseDuration(expectText(value, 'a time such as "10s"')),
};
const service: Kind = { name: 'URL', parse: parseService };
const list: Kind = { name: 'list', parse: parseList };
const map: Kind = { name: 'map', parse: parseMap };
const rules: Kind = {
  name: 'rules',
  parse: (value) => parseUrlRules(typeof value === 'string' ? parseJson(value) : value),
};
/** Checked here, and kept as it was written: what it becomes cannot be handed to a thread. */
const access: Kind = {
  name: 'access',
  parse(value) {
    const written = typeof value === 'string' ? parseJson(value) : value;
    parseHostAccess(written);
    return written;
  },
};
const proxy: Kind = { name: 'proxy', parse: parseProxy };
const siteRules: Kind = { name: 'site rules', parse: parseRules };
const mapOfLists: Kind = { name: 'map of lists', parse: parseMapOfLists };

export const SETTINGS: readonly Setting[] = [
  { key: 'data', kind: text, default: 'data', flag: 'data', help: 'directory that holds everything' },
  {
    key: 'contact',
    kind: contact,
    default: '',
    flag: 'contact',
    help: 'how site owners reach you, a URL or mail address; sent with every request, required beyond loopback',
  },
  {
    key: 'crawl.delay',
    kind: duration,
    default: '1s',
    flag: 'delay',
    help: 'least time between an answer and the next request to the same host',
  },
  {
    key: 'crawl.delayFactor',
    kind: number(0, 100),
    default: 2,
    help: 'and at least this many times as long as the answer took',
  },
  {
    key: 'crawl.addressDelay',
    kind: duration,
    default: '100ms',
    help: 'least time between requests to one IP address, whatever the host; loopback is exempt',
  },
  {
    key: 'crawl.groups',
    kind: mapOfLists,
    default: {},
    help: 'hosts that are asked one at a time, as if they were one, such as {"wiki": ["*.example.org"]}',
  },
  {
    key: 'crawl.concurrency',
    kind: count(1, 10_000),
    default: 64,
    help: 'requests under way at once, over all hosts',
  },
  { key: 'crawl.maxDepth', kind: count(0, 1e6), default: 50, help: 'links away from a seed' },
  {
    key: 'crawl.maxPages',
    kind: count(1, Number.MAX_SAFE_INTEGER),
    default: Number.MAX_SAFE_INTEGER,
    flag: 'max-pages',
    help: 'stop after this many answers',
  },
  {
    key: 'crawl.pagesPerHost',
    kind: count(1, 1e9),
    default: 50_000,
    help: 'pages of a host that no other host links to; the more do, the more pages, up to crawl.maxUrlsPerHost',
  },
  {
    key: 'crawl.maxUrlsPerHost',
    kind: count(1, 1e9),
    default: 1_000_000,
    help: 'a host gets no more URLs than this',
  },
  { key: 'crawl.maxBody', kind: size, default: '10Mi', help: 'largest body, before and after decompression' },
  { key: 'crawl.timeLimit', kind: duration, default: '30s', help: 'longest time for one request' },
  {
    key: 'crawl.similarity',
    kind: number(0.8, 1),
    default: 0.9,
    help: 'share of common three-word shingles from which two pages are one; 1 leaves only equal texts',
  },
  {
    key: 'crawl.minShingles',
    kind: count(1, 1e6),
    default: 32,
    help: 'pages with fewer shingles are never taken for near duplicates',
  },
  {
    key: 'crawl.maxSketches',
    kind: count(1, 1e9),
    default: 4_000_000,
    help: 'pages that new ones are compared with, the newest; 45 bytes of memory each',
  },
  {
    key: 'crawl.scope',
    kind: oneOf('host', 'domain', 'web'),
    default: 'domain',
    flag: 'scope',
    help: "how far to go: the seeds' hosts, their registrable domains, or everywhere",
  },
  {
    key: 'crawl.domains',
    kind: list,
    default: [],
    help: 'further domains in scope, with all hosts below them',
  },
  {
    key: 'crawl.rules',
    kind: rules,
    default: [],
    help: 'what to do with which URLs, such as [{"verb": "ignore", "extension": "zip"}]; the first that matches decides',
  },
  {
    key: 'crawl.lists',
    kind: list,
    default: [],
    help: 'domains and words to ignore: adult, shopping, social, streaming, or the path of a list',
  },
  {
    key: 'crawl.maxUrlLength',
    kind: count(1, 2048),
    default: 2048,
    help: 'longer URLs are ignored',
  },
  {
    key: 'crawl.extractors',
    kind: list,
    default: [],
    flag: 'extractors',
    help: 'modules with extractors, which know a kind of site better than general rules (src/page/extractors/README.md)',
  },
  {
    key: 'crawl.revisit',
    kind: oneOf('auto', 'on', 'off'),
    default: 'auto',
    flag: 'revisit',
    help: 'fetch pages again when they are due: on, off, or auto, which does in gyre up and not in gyre crawl',
  },
  {
    key: 'crawl.revisitFirst',
    kind: duration,
    default: '1d',
    help: 'when a page is due for the first time; later more often if it changes and less often if it does not',
  },
  {
    key: 'crawl.revisitMin',
    kind: duration,
    default: '12h',
    help: 'no page is due sooner than this, however often it changes',
  },
  {
    key: 'crawl.revisitMax',
    kind: duration,
    default: '60d',
    help: 'every page is due by then, however seldom it changes',
  },
  {
    key: 'crawl.robotsOverrides',
    kind: list,
    default: [],
    help: 'hosts of your own whose robots.txt is not asked for, such as *.corp.example',
  },
  {
    key: 'crawl.allowAddresses',
    kind: list,
    default: [],
    help: 'addresses or ranges to crawl though they are not public, such as 10.0.0.0/8',
  },
  {
    key: 'crawl.resolve',
    kind: map,
    default: {},
    help: 'names to addresses without asking DNS, such as {"*.test": "127.0.0.1"}',
  },
  {
    key: 'crawl.proxy',
    kind: proxy,
    default: '',
    help: 'send all requests through this proxy, such as http://name:password@proxy.example:3128, also https and socks5; it resolves the names, so it must refuse private addresses itself',
  },
  {
    key: 'crawl.access',
    kind: access,
    default: {},
    help: 'what hosts of your own want to be told, such as {"wiki.corp.example": {"basic": "name:password", "cookie": "a=1", "headers": {"x-key": "…"}}}; never logged, and withheld from the archive',
  },
  {
    key: 'crawl.authorities',
    kind: list,
    default: [],
    help: 'PEM files with certificate authorities to trust besides the usual ones, such as that of an intranet',
  },
  {
    key: 'archive.fileSize',
    kind: size,
    default: '1Gi',
    help: 'a WARC file that has grown past this is finished',
  },
  {
    key: 'archive.compression',
    kind: oneOf('gzip', 'zstd'),
    default: 'gzip',
    help: 'how new WARC files are compressed; zstd is less work, gzip is read by every tool',
  },
  {
    key: 'index.memory',
    kind: size,
    default: '64Mi',
    help: 'text held in memory before a segment is written',
  },
  { key: 'serve.host', kind: text, default: '127.0.0.1', flag: 'host', help: 'address to listen on' },
  {
    key: 'serve.port',
    kind: count(0, 65_535),
    default: 8080,
    flag: 'port',
    help: 'port to listen on; 0 takes a free one',
  },
  {
    key: 'serve.timeLimit',
    kind: duration,
    default: '2s',
    help: 'longest time for one query; the answer then says it is partial',
  },
  {
    key: 'serve.threads',
    kind: count(0, 64),
    default: 2,
    help: 'threads that answer queries; 0 answers them in the thread that accepts connections',
  },
  {
    key: 'serve.cache',
    kind: size,
    default: '256Mi',
    help: 'memory for postings that queries have asked for, all threads together',
  },
  {
    key: 'serve.answerCache',
    kind: size,
    default: '16Mi',
    help: 'memory for answers that were given lately; "0" remembers none',
  },
  {
    key: 'serve.adminToken',
    kind: secret,
    default: '',
    help: 'opens /api/v1/admin, sent as "Authorization: Bearer TOKEN"; without one only programs on this machine may',
  },
  {
    key: 'serve.perMinute',
    kind: count(0, 1e9),
    default: 600,
    help: 'requests of one client in a minute, of IPv6 by its first 64 bits; 0 for no limit; this machine is exempt',
  },
  {
    key: 'serve.queue',
    kind: count(1, 1e6),
    default: 256,
    help: 'requests that may wait for their turn; more are refused with 503',
  },
  {
    key: 'serve.apiKeys',
    kind: list,
    default: [],
    help: 'keys for /api/, one of which a program must send; none lets everybody in',
  },
  {
    key: 'serve.origins',
    kind: list,
    default: [],
    help: 'origins whose pages may use /api/, such as https://app.example; * for all',
  },
  {
    key: 'serve.proxies',
    kind: list,
    default: [],
    help: 'addresses or ranges of proxies whose X-Forwarded-For is believed',
  },
  {
    key: 'answer.weather',
    kind: service,
    default: '',
    help: 'service that speaks the forecast API of Open-Meteo, such as https://api.open-meteo.com; empty for none',
  },
  {
    key: 'answer.places',
    kind: service,
    default: '',
    help: 'service that speaks its geocoding API, such as https://geocoding-api.open-meteo.com',
  },
  {
    key: 'answer.wiki',
    kind: service,
    default: '',
    help: 'api.php of a MediaWiki for knowledge panels, such as https://en.wikipedia.org/w/api.php',
  },
  {
    key: 'answer.shop',
    kind: service,
    default: '',
    help: "service that speaks eBay's Browse API, such as https://api.ebay.com",
  },
  { key: 'answer.shopId', kind: text, default: '', help: 'its client ID' },
  { key: 'answer.shopSecret', kind: secret, default: '', help: 'its client secret' },
  { key: 'answer.shopMarket', kind: text, default: 'EBAY_US', help: 'its marketplace' },
  {
    key: 'suggest.queries',
    kind: oneOf('off', 'on'),
    default: 'off',
    help: 'count queries that had results, without who or when, and suggest those asked five times or more',
  },
  {
    key: 'serve.siteRules',
    kind: siteRules,
    default: [],
    help: 'sites to block, lower, raise or pin for everybody, such as ["block spam.example"]; a searcher may overrule them',
  },
  {
    key: 'log.level',
    kind: oneOf('debug', 'info', 'warn', 'error'),
    default: 'warn',
    flag: 'log-level',
    help: 'least important events to log: debug, info, warn or error',
  },
];

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

function expectText(value: unknown, wanted: string): string {
  if (typeof value === 'string') return value;
  throw new UsageError('bad-setting', `expected ${wanted}, got ${JSON.stringify(value)}`);
}

/** A web or mail address; `me@example.org` is taken for `mailto:me@example.org`. */
function parseContact(value: unknown): string {
  const written = expectText(value, 'a URL or mail address in quotes').trim();
  if (written === '' || /^(?:https?:\/\/|mailto:)[\x21-\x7e]+$/i.test(written)) return written;
  if (/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(written)) return `mailto:${written}`;
  throw new UsageError('bad-setting', `expected a URL or mail address, got ${JSON.stringify(value)}`);
}

/** Not repeated when it is wrong. */
function parseToken(value: unknown): string {
  if (typeof value === 'string' && (value === '' || /^[\x21-\x7e]{8,}$/.test(value))) return value;
  throw new UsageError(
    'bad-setting',
    'expected a token of at least 8 letters, digits or signs, without blanks',
  );
}

/** Not repeated when it is wrong: it may hold a password. */
function parseProxy(value: unknown): string {
  const written = expectText(value, 'the address of a proxy in quotes').trim();
  if (written === '' || (URL.canParse(written) && /^(?:https?|socks5):\/\/./i.test(written))) return written;
  throw new UsageError('bad-setting', 'expected a proxy such as http://proxy.example:3128');
}

function parseService(value: unknown): string {
  const written = expectText(value, 'a URL in quotes').trim();
  if (written === '' || (/^https?:\/\//i.test(written) && URL.canParse(written))) return written;
  throw new UsageError(
    'bad-setting',
    `expected a URL that starts with https://, got ${JSON.stringify(value)}`,
  );
}

function number(low: number, high: number): Kind {
  return { name: 'number', isNumber: true, parse: (value) => expectNumber(value, low, high, false) };
}

function count(low: number, high: number): Kind {
  return { name: 'whole number', isNumber: true, parse: (value) => expectNumber(value, low, high, true) };
}

function expectNumber(value: unknown, low: number, high: number, whole: boolean): number {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const fits =
    typeof parsed === 'number' && parsed >= low && parsed <= high && (!whole || Number.isInteger(parsed));
  if (fits) return parsed;
  const range = high >= Number.MAX_SAFE_INTEGER ? `of at least ${low}` : `from ${low} to ${high}`;
  throw new UsageError(
    'bad-setting',
    `expected a ${whole ? 'whole ' : ''}number ${range}, got ${JSON.stringify(value)}`,
  );
}

function oneOf(...choices: string[]): Kind {
  return {
    name: choices.join(' | '),
    parse(value) {
      if (choices.includes(value as string)) return value;
      throw new UsageError('bad-setting', `expected ${choices.join(', ')}, got ${JSON.stringify(value)}`);
    },
  };
}

function parseList(value: unknown): readonly string[] {
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  if (Array.isArray(items) && items.every((item) => typeof item === 'string')) {
    return Object.freeze(items.filter((item) => item !== ''));
  }
  throw new UsageError('bad-setting', `expected a list of texts, got ${JSON.stringify(value)}`);
}

function parseRules(value: unknown): readonly SiteRule[] {
  return parseList(value).map((line) => {
    const rule = parseSiteRule(line);
    if (rule) return rule;
    throw new UsageError(
      'bad-setting',
      `expected block, lower, raise, pin or normal and a site, such as "block spam.example", got ${JSON.stringify(line)}`,
    );
  });
}

function parseMap(value: unknown): Readonly<Record<string, string>> {
  const parsed: unknown = typeof value === 'string' ? parseJson(value) : value;
  const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  if (isMap && Object.values(parsed).every((item) => typeof item === 'string')) {
    return Object.freeze(parsed as Record<string, string>);
  }
  throw new UsageError(
    'bad-setting',
    `expected a map of texts such as {"*.test": "127.0.0.1"}, got ${JSON.stringify(value)}`,
  );
}

function parseMapOfLists(value: unknown): Readonly<Record<string, readonly string[]>> {
  const parsed: unknown = typeof value === 'string' ? parseJson(value) : value;
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return Object.freeze(
      Object.fromEntries(Object.entries(parsed).map(([name, list]) => [name, parseList(list)])),
    );
  }
  throw new UsageError(
    'bad-setting',
    `expected a map of lists such as {"wiki": ["*.example.org"]}, got ${JSON.stringify(value)}`,
  );
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
