/** Declares every setting with its default. `config.ts` reads them and derives the type of the configuration. */
import {
  access,
  contact,
  count,
  duration,
  type Kind,
  list,
  map,
  mapOfLists,
  number,
  oneOf,
  proxy,
  rules,
  secret,
  service,
  siteRules,
  size,
  text,
  type ValueUnit,
} from './setting-kinds.ts';

export interface Setting {
  key: string;
  kind: Kind<unknown, ValueUnit>;
  default: unknown;
  help: string;
  /** The flag for this setting, if there is one. */
  flag?: string;
}

/** The data directory if `--data` is not given. */
export const DEFAULT_DATA = 'data';

const DECLARED = [
  { key: 'data', kind: text, default: DEFAULT_DATA, flag: 'data', help: 'directory that holds everything' },
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
    help: 'stop after this many answers, not counting icons; counted again in every run',
  },
  {
    key: 'crawl.icons',
    kind: oneOf('on', 'off'),
    default: 'on',
    help: 'fetch an icon for each site that has a page, to be shown with its results',
  },
  {
    key: 'crawl.pagesPerHost',
    kind: count(1, 1e9),
    default: 50_000,
    help: 'pages of a host, and of all hosts of a domain beside its seeds, that no other domain links to; the more do, the more pages, up to crawl.maxUrlsPerHost',
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
    key: 'crawl.readLimit',
    kind: duration,
    default: '20s',
    help: 'longest time for reading one page; one that takes longer, by an extractor of your own perhaps, has failed',
  },
  {
    key: 'crawl.nearDuplicateThreshold',
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
    help: 'further domains in scope, with all hosts below them; those named here have no budget of hosts, pages and requests',
  },
  {
    key: 'crawl.rules',
    kind: rules,
    default: [],
    help: 'what to do with which URLs, such as [{"verb": "ignore", "extension": "zip"}]; the first that matches decides',
  },
  {
    key: 'crawl.blockLists',
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
    key: 'crawl.hostCredentials',
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
    key: 'index.bufferMemory',
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
    help: 'longest time for one query, from its arrival; the answer then says it is partial',
  },
  {
    key: 'serve.threads',
    kind: count(0, 64),
    default: 2,
    help: 'threads that answer queries; 0 answers them in the thread that accepts connections',
  },
  {
    key: 'serve.postingsCache',
    kind: size,
    default: '256Mi',
    help: 'memory for postings that queries have asked for, all threads together',
  },
  {
    key: 'serve.answerCache',
    kind: size,
    default: '16Mi',
    help: 'memory for answers and pages that were given recently, half of it for each; "0" remembers none',
  },
  {
    key: 'serve.adminToken',
    kind: secret,
    default: '',
    help: 'opens /api/v1/admin, sent as "Authorization: Bearer TOKEN"; without one only programs on this machine may, and only without a proxy or serve.publicUrl',
  },
  {
    key: 'serve.perMinute',
    kind: count(0, 1e9),
    default: 600,
    help: 'searches of one client in a minute, and ten times as many requests in all; of IPv6 by its first 64 bits; 0 for no limit; this machine is exempt',
  },
  {
    key: 'serve.maxQueuedRequests',
    kind: count(1, 1e6),
    default: 256,
    help: 'requests that may wait for a slot, each for 2 s at most; others are refused with 503',
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
    help: 'addresses or ranges of proxies whose X-Forwarded-For, -Proto and -Host are believed; behind one that is not named, clients cannot be told apart and are not limited',
  },
  {
    key: 'serve.publicUrl',
    kind: service,
    default: '',
    help: 'address by which people reach the engine, such as https://search.example; told in feeds and to browsers, and other names are refused',
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
    key: 'serve.synonyms',
    kind: text,
    default: '',
    help: 'file of synonyms, a rule a line such as "car, auto" or "upenn => penn"; gyre synonyms checks and lists them',
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
] as const satisfies readonly Setting[];

export const SETTINGS: readonly Setting[] = DECLARED;

/** The settings as types: `Config` is derived from them. */
export type DeclaredSetting = (typeof DECLARED)[number];
