/**
 * The plan of a synthetic web: hosts, pages, links and ground truth, made from options. The same options give
 * the same plan in every process, so a test can check a server that it did not start. The bytes of a page are
 * not stored; they are rendered on each request.
 *
 * Truth records identify a page by host and path. The port is added when the server listens: `urlOf`.
 */
import { UsageError } from '../base/mod.ts';
import { createContext } from './feature.ts';
import { type Features, WEB_FEATURE_NAMES, WEB_FEATURES, type WebTruth } from './features.ts';
import { FIRST_FEATURE_DOCUMENT, type ResolvedOptions, resolveOptions, type WebOptions } from './options.ts';
import { PlainRenderer } from './plain-page.ts';
import { plainSites } from './plain-site.ts';
import { PlainWeb } from './plain-web.ts';
import { Prose } from './prose.ts';
import { type Place, type Site, urlOf, type Verdict } from './site.ts';

const PLAIN_SEEDS = 10;

export interface PlainPage extends Place {
  number: number;
  url: string;
  title: string;
  /** A word that only the text of one page contains. */
  uniqueWord: string;
}

export interface PlainLink extends Place {
  url: string;
  /** The anchor text of the link, which is the title of the linked page. */
  text: string;
}

export interface WebPlan {
  readonly options: ResolvedOptions;
  /** The hosts of plain pages, largest first. */
  readonly hosts: readonly string[];
  readonly truth: WebTruth;
  readonly sites: ReadonlyMap<string, Site>;
  /**
   * Returns the seeds: first pages of some hosts, from which all plain pages can be reached, and the entries
   * of the features.
   */
  seeds(port: number): string[];
  plainPage(number: number, port: number): PlainPage;
  plainPages(port: number): Iterable<PlainPage>;
  /** Returns the links of a plain page in no particular order. */
  linksOf(number: number, port: number): PlainLink[];
  /** Returns the bytes of a plain page as it is served on `port`. */
  render(number: number, port: number): Buffer;
  /** Returns the verdict of the host's robots.txt on a path for the crawler `options.agent`. */
  verdictOf(host: string, path: string): Verdict;
  /** Returns true for the path of robots.txt and for the targets of its redirects. */
  isRobotsFile(host: string, path: string): boolean;
}

export function planWeb(options: WebOptions): WebPlan {
  const resolved = resolveOptions(options);
  const prose = new Prose(resolved.seed);
  const web = new PlainWeb(resolved);
  const renderer = new PlainRenderer(web, prose, resolved.medianPageBytes);
  const { truth, sites: featureSites, entries } = planFeatures(resolved, prose);
  const sites = new Map([...plainSites(web, renderer), ...featureSites].map((site) => [site.host, site]));

  const plainPage = (number: number, port: number): PlainPage => {
    const on = web.hostOf(number);
    const place = { host: web.hosts[on]!, path: web.pathOf(number, on) };
    return {
      number,
      ...place,
      url: urlOf(place, port),
      title: prose.title(number),
      uniqueWord: prose.uniqueWord(number),
    };
  };
  return {
    options: resolved,
    hosts: web.hosts,
    truth,
    sites,
    plainPage,
    seeds: (port) => seedPlaces(web, entries).map((place) => urlOf(place, port)),
    plainPages: (port) => pagesInOrder(web.pageCount, (number) => plainPage(number, port)),
    linksOf: (number, port) =>
      web.linksOf(number).map((target) => {
        const { host, path, url, title } = plainPage(target, port);
        return { host, path, url, text: title };
      }),
    render: (number, port) => renderer.render(number, port),
    verdictOf: (host, path) => sites.get(host)?.robots?.verdict(path) ?? 'allowed',
    isRobotsFile: (host, path) =>
      path === '/robots.txt' || (sites.get(host)?.robots?.filePaths.has(path) ?? false),
  };
}

function* pagesInOrder(count: number, page: (number: number) => PlainPage): Generator<PlainPage> {
  for (let number = 0; number < count; number++) yield page(number);
}

function seedPlaces(web: PlainWeb, entries: Place[]): Place[] {
  const homes = web.hosts.slice(0, PLAIN_SEEDS).map((host) => ({ host, path: '/' }));
  return [...homes, ...entries];
}

function planFeatures(options: ResolvedOptions, prose: Prose) {
  const { seed, agent, tuning } = options;
  const context = createContext(seed, agent, tuning, prose, FIRST_FEATURE_DOCUMENT);
  const wanted = checkFeatures(options.features);
  const truth: Record<string, unknown> = {};
  const sites: Site[] = [];
  const entries: Place[] = [];
  for (const name of WEB_FEATURE_NAMES) {
    const { usual, plan } = WEB_FEATURES[name];
    const amount = wanted[name] ?? 0;
    const part =
      amount === 0 ? { sites: [], entries: [], truth: [] } : plan(context, amount === true ? usual : amount);
    truth[name] = part.truth;
    sites.push(...part.sites);
    entries.push(...part.entries);
  }
  return { sites, entries, truth: truth as WebTruth };
}

function checkFeatures(features: Record<string, number | true | undefined>): Features {
  for (const [name, amount] of Object.entries(features)) {
    if (!(name in WEB_FEATURES)) {
      throw new UsageError(
        'unknown-feature',
        `unknown feature ${name}; expected one of ${WEB_FEATURE_NAMES.join(', ')}`,
      );
    }
    if (amount !== true && !(Number.isInteger(amount) && amount! >= 0)) {
      throw new UsageError(
        'bad-feature-amount',
        `the amount of ${name} must be a whole number, not ${amount}`,
      );
    }
  }
  return features;
}
