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
  otherEngines,
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
  { key: 'data', kind: text, default: DEFAULT_DATA, flag: 'data', help: 'directory of all data' },
  {
    key: 'contact',
    kind: contact,
    default: '',
    flag: 'contact',
    help: 'URL or mail address for site owners; sent with every request, required beyond loopback',
  },
  {
    key: 'crawl.delay',
    kind: duration,
    default: '1s',
    flag: 'delay',
    help: 'minimum time between a response and the next request to the same host',
  },
  {
    key: 'crawl.delayFactor',
    kind: number(0, 100),
    default: 2,
    help: 'the delay is also at least this many times the last response time',
  },
  {
    key: 'crawl.addressDelay',
    kind: duration,
    default: '100ms',
    help: 'minimum time between requests to one IP address, over all its hosts; loopback is exempt',
  },
  {
    key: 'crawl.groups',
    kind: mapOfLists,
    default: {},
    help: 'groups of hosts that get one request at a time, like a single host, such as {"wiki": ["*.example.org"]}',
  },
  {
    key: 'crawl.concurrency',
    kind: count(1, 10_000),
    default: 64,
    help: 'requests in flight at once, over all hosts',
  },
  { key: 'crawl.maxDepth', kind: count(0, 1e6), default: 50, help: 'maximum number of links from a seed' },
  {
    key: 'crawl.maxPages',
    kind: count(1, Number.MAX_SAFE_INTEGER),
    default: Number.MAX_SAFE_INTEGER,
    flag: 'max-pages',
    help: 'stop after this many responses, not counting icons; each run starts at zero',
  },
  {
    key: 'crawl.icons',
    kind: oneOf('on', 'off'),
    default: 'on',
    help: 'fetch an icon for each site that has a page, to show it with results',
  },
  {
    key: 'crawl.pagesPerHost',
    kind: count(1, 1e9),
    default: 50_000,
    help: 'page budget of a host, and of all hosts of a domain that are not seeds, without links from other domains; each linking domain increases it, up to crawl.maxUrlsPerHost',
  },
  {
    key: 'crawl.maxUrlsPerHost',
    kind: count(1, 1e9),
    default: 1_000_000,
    help: 'maximum number of URLs per host',
  },
  {
    key: 'crawl.maxBody',
    kind: size,
    default: '10Mi',
    help: 'maximum size of a body, before and after decompression',
  },
  { key: 'crawl.timeLimit', kind: duration, default: '30s', help: 'maximum time of one request' },
  {
    key: 'crawl.readLimit',
    kind: duration,
    default: '20s',
    help: 'maximum time for parsing one page, extractors included; a page that takes longer fails',
  },
  {
    key: 'crawl.nearDuplicateThreshold',
    kind: number(0.8, 1),
    default: 0.9,
    help: 'share of common three-word shingles from which two pages count as a sign of a mirror or a soft 404',
  },
  {
    key: 'crawl.minShingles',
    kind: count(1, 1e6),
    default: 32,
    help: 'pages with fewer shingles are not compared',
  },
  {
    key: 'crawl.maxSketches',
    kind: count(1, 1e9),
    default: 4_000_000,
    help: 'number of newest pages that new pages are compared with; each takes 45 bytes of memory',
  },
  {
    key: 'crawl.scope',
    kind: oneOf('host', 'domain', 'web'),
    default: 'domain',
    flag: 'scope',
    help: "scope of the crawl: the seeds' hosts, their registrable domains, or the whole web",
  },
  {
    key: 'crawl.domains',
    kind: list,
    default: [],
    help: 'further domains in scope, with all their hosts; the budgets of hosts, pages and requests do not apply to them',
  },
  {
    key: 'crawl.rules',
    kind: rules,
    default: [],
    help: 'URL rules, such as [{"verb": "ignore", "extension": "zip"}]; the first rule that matches decides',
  },
  {
    key: 'crawl.blockLists',
    kind: list,
    default: [],
    help: 'lists of domains and words to ignore: adult, shopping, social, streaming, or the path of a list',
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
    help: 'modules with extractors for particular kinds of pages (src/page/extractors/README.md)',
  },
  {
    key: 'crawl.revisit',
    kind: oneOf('auto', 'on', 'off'),
    default: 'auto',
    flag: 'revisit',
    help: 'fetch pages again when they are due: on, off, or auto (on in gyre up, off in gyre crawl)',
  },
  {
    key: 'crawl.revisitFirst',
    kind: duration,
    default: '1d',
    help: 'time until the first revisit of a page; later intervals depend on how often the page changes',
  },
  {
    key: 'crawl.revisitMin',
    kind: duration,
    default: '12h',
    help: 'minimum time between two visits of a page',
  },
  {
    key: 'crawl.revisitMax',
    kind: duration,
    default: '60d',
    help: 'maximum time between two visits of a page',
  },
  {
    key: 'crawl.robotsOverrides',
    kind: list,
    default: [],
    help: 'your own hosts whose robots.txt is ignored, such as *.corp.example',
  },
  {
    key: 'crawl.allowAddresses',
    kind: list,
    default: [],
    help: 'private addresses or ranges that may be crawled, such as 10.0.0.0/8',
  },
  {
    key: 'crawl.resolve',
    kind: map,
    default: {},
    help: 'addresses of host names, used instead of DNS, such as {"*.test": "127.0.0.1"}',
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
    help: 'credentials for your own hosts, such as {"wiki.corp.example": {"basic": "name:password", "cookie": "a=1", "headers": {"x-key": "…"}}}; never logged or archived',
  },
  {
    key: 'crawl.authorities',
    kind: list,
    default: [],
    help: 'PEM files with further trusted certificate authorities, such as that of an intranet',
  },
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
    kind: size,
    default: '64Mi',
    help: 'text to collect in memory before a segment is written',
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
    kind: size,
    default: '256Mi',
    help: 'memory for cached postings, over all threads',
  },
  {
    key: 'serve.answerCache',
    kind: size,
    default: '16Mi',
    help: 'memory for cached search responses and rendered pages, half for each; "0" turns both caches off',
  },
  {
    key: 'serve.adminToken',
    kind: secret,
    default: '',
    help: 'token for /api/v1/admin, sent as "Authorization: Bearer TOKEN"; without a token only programs on this machine have access, and only without a proxy or serve.publicUrl',
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
    kind: list,
    default: [],
    help: 'accepted keys for /api/; an empty list allows access without a key',
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
    key: 'serve.siteRules',
    kind: siteRules,
    default: [],
    help: 'sites to block, lower, raise or pin for all searchers, such as ["block spam.example"]; the rules of a searcher take precedence',
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
  {
    key: 'log.level',
    kind: oneOf('debug', 'info', 'warn', 'error'),
    default: 'warn',
    flag: 'log-level',
    help: 'minimum level of logged events: debug, info, warn or error',
  },
] as const satisfies readonly Setting[];

export const SETTINGS: readonly Setting[] = DECLARED;

/** The settings as types: `Config` is derived from them. */
export type DeclaredSetting = (typeof DECLARED)[number];
