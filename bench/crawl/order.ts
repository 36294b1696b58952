/**
 * Measures the order in which pages are fetched. The frontier fetches a synthetic web in memory, one page at
 * a time and without delays, and the result is the share of the final PageRank that the first pages have.
 *
 *   ours      the frontier as it is: importance first, hosts in turn
 *   breadth   breadth-first: pages in the order in which their first link was found
 *   ideal     the highest ranks first, which no crawler can know beforehand
 *
 * The points of a curve are the shares of PageRank that the first 10 %, 20 % and so on of the pages have.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WARC_START } from '../../src/archive/mod.ts';
import { openDirectory, Random, systemClock } from '../../src/base/mod.ts';
import { Frontier } from '../../src/crawl/frontier/frontier.ts';
import { HostGroups } from '../../src/crawl/frontier/host-groups.ts';
import { Importance } from '../../src/crawl/frontier/importance.ts';
import { openCrawlState } from '../../src/crawl/mod.ts';
import { JOURNAL_START } from '../../src/journal/mod.ts';
import { planWeb, type WebPlan } from '../../src/synthetic-web/plan.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../src/url/mod.ts';

const PORT = 80;
const STEPS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** The pages of a web and their links. A crawl begins at page 0. */
export interface LinkedPages {
  urls: readonly CanonicalUrl[];
  numbers: ReadonlyMap<string, number>;
  links: readonly number[][];
}

interface Graph extends LinkedPages {
  ranks: Float64Array;
}

export interface OrderRow {
  name: string;
  curve: Record<string, number>;
}

/**
 * Compares the three orders on one web. A `tree` is the synthetic web of the tests, which is almost a tree, so that
 * breadth-first is hard to beat; for `tangled`, see `tangledWeb`.
 */
export async function compareOrders(
  kind: 'tree' | 'tangled',
  hosts: number,
  pages: number,
  seed: number,
): Promise<OrderRow[]> {
  const graph =
    kind === 'tree' ? buildGraph(planWeb({ seed, hosts, pages })) : tangledWeb(hosts, pages, seed);
  const ideal = Array.from(graph.ranks.keys()).sort((a, b) => graph.ranks[b]! - graph.ranks[a]!);
  return [
    { name: 'ours', curve: curveOf(graph, await ourOrder(graph)) },
    { name: 'breadth', curve: curveOf(graph, breadthFirst(graph)) },
    { name: 'ideal', curve: curveOf(graph, ideal) },
  ];
}

/** Returns the mean curve of each order over several webs. */
export function meanOf(webs: readonly OrderRow[][]): OrderRow[] {
  return webs[0]!.map(({ name }, at) => ({
    name,
    curve: Object.fromEntries(
      STEPS.map((step) => {
        const sum = webs.reduce((total, orders) => total + orders[at]!.curve[percent(step)]!, 0);
        return [percent(step), Math.round((sum / webs.length) * 1000) / 1000];
      }),
    ),
  }));
}

function percent(step: number): string {
  return `${step * 100}%`;
}

function buildGraph(plan: WebPlan): Graph {
  const urls = [...plan.plainPages(PORT)].map(({ url }) => canonicalize(url)!);
  const numbers = new Map(urls.map((url, number) => [url as string, number]));
  const links = urls.map((_, number) =>
    plan.linksOf(number, PORT).flatMap(({ url }) => numbers.get(canonicalize(url)!) ?? []),
  );
  return { urls, numbers, links, ranks: pageRanks(links) };
}

/**
 * Makes a web whose popular pages are not the first that a crawl finds. Popularity has a heavy tail and is
 * independent of the position in the site. Three of four links stay on their host and prefer its popular
 * pages; the others go to any page by popularity.
 */
function tangledWeb(hosts: number, pages: number, seed: number): Graph {
  const random = new Random(seed);
  const popularity = Array.from({ length: pages }, () => random.next() ** -0.8);
  let sum = 0;
  const sums = popularity.map((value) => (sum += value));
  const hostOf = Array.from({ length: pages }, (_, page) => (page < hosts ? page : random.below(hosts)));
  const sites = Map.groupBy(hostOf.keys(), (page) => hostOf[page]!);
  const links = Array.from({ length: pages }, (_, page) => {
    const site = sites.get(hostOf[page]!)!;
    return Array.from({ length: 12 }, () => {
      if (random.chance(0.25)) return pickBySum(sums, random.next() * sums.at(-1)!);
      const [one, other] = [random.pick(site), random.pick(site)];
      return popularity[one]! > popularity[other]! ? one : other;
    });
  });
  // Adds links that make every page reachable: a tree within each site, and links from the first page to all
  // sites.
  for (const site of sites.values()) {
    for (const [at, page] of site.entries()) if (at > 0) links[site[at >> 1]!]!.push(page);
  }
  for (const site of sites.values()) if (site[0] !== 0) links[0]!.push(site[0]!);
  const urls = hostOf.map((host, page) => canonicalize(`http://h${host}.test/${page}`)!);
  const numbers = new Map(urls.map((url, number) => [url as string, number]));
  return { urls, numbers, links, ranks: pageRanks(links) };
}

function pickBySum(sums: readonly number[], value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pageRanks(links: readonly number[][]): Float64Array {
  const count = links.length;
  let ranks = new Float64Array(count).fill(1 / count);
  for (let round = 0; round < 50; round++) {
    const next = new Float64Array(count).fill(0.15 / count);
    let dangling = 0;
    for (const [page, targets] of links.entries()) {
      if (targets.length === 0) dangling += ranks[page]!;
      for (const target of targets) next[target]! += (0.85 * ranks[page]!) / targets.length;
    }
    for (let page = 0; page < count; page++) next[page]! += (0.85 * dangling) / count;
    ranks = next;
  }
  return ranks;
}

/** Returns the relevance of each link of a page to the topic of a crawl. `estimate` is that of the page before its fetch. */
type RelevancesOf = (page: number, estimate: number) => Uint8Array;

/**
 * Returns the order in which Gyre fetches pages. The frontier and the crawl state are real; only the fetch is
 * simulated. With `relevancesOf`, the crawl has a topic.
 */
export async function ourOrder(graph: LinkedPages, relevancesOf?: RelevancesOf): Promise<number[]> {
  const path = mkdtempSync(join(tmpdir(), 'gyre-order-'));
  const state = openCrawlState(openDirectory(path));
  const importance = new Importance({ isTopical: relevancesOf !== undefined });
  const hostGroups = new HostGroups({ addressDelayMs: 0, groups: [], clock: systemClock });
  const frontier = new Frontier({ state, importance, hostGroups, clock: systemClock });
  const seen = new Set<number>([0]);
  const order: number[] = [];
  const found = (page: number, depth: number) => {
    const url = graph.urls[page]!;
    return { url, fingerprint: fingerprint(url), depth };
  };
  const nothing = { hosts: [], contents: new Map(), maxUrlsPerHost: 1e9, seenBytes: 0, sketches: 0 };
  const marks = { warc: WARC_START, journal: JOURNAL_START };
  await frontier.added(
    (await state.commit({ ...nothing, ...marks, results: [], discovered: [found(0, 0)] })).added,
  );
  for (let next = await frontier.next(); next.kind === 'lease'; next = await frontier.next()) {
    const { host } = next;
    const ready = host.take()!;
    const page = graph.numbers.get(ready.url)!;
    order.push(page);
    const links = graph.links[page]!;
    const linked = links.map((link) => fingerprint(graph.urls[link]!));
    importance.handOn(ready.fingerprint, BigInt64Array.from(linked));
    const relevances = relevancesOf?.(page, ready.relevance ?? 0);
    const fingerprints = BigInt64Array.from(linked);
    if (relevances) importance.foundRelevant({ fingerprints, relevances });
    const fresh = [...new Set(links)].filter((link) => !seen.has(link));
    for (const link of fresh) seen.add(link);
    const result = {
      fingerprint: ready.fingerprint,
      state: 'done' as const,
      attempts: 1,
      status: 200,
      reason: { code: 'page' as const },
      fetchedAt: 0,
    };
    frontier.release(host);
    const relevanceOf = (link: number) => relevances && { relevance: relevances[links.indexOf(link)]! };
    const discovered = fresh.map((link) => ({ ...found(link, ready.depth + 1), ...relevanceOf(link) }));
    const report = await state.commit({ ...nothing, ...marks, results: [result], discovered });
    frontier.committed([result], new Map([[ready.fingerprint, host]]), [host.snapshot()]);
    await frontier.added(report.added);
  }
  state.close();
  rmSync(path, { recursive: true });
  return order;
}

export function breadthFirst(graph: LinkedPages): number[] {
  const order = [0];
  const seen = new Set(order);
  for (const page of order) {
    for (const link of graph.links[page]!) {
      if (seen.has(link)) continue;
      seen.add(link);
      order.push(link);
    }
  }
  return order;
}

function curveOf({ ranks }: Graph, order: readonly number[]): Record<string, number> {
  const curve: Record<string, number> = {};
  for (const step of STEPS) {
    const first = order.slice(0, Math.round(order.length * step));
    const mass = first.reduce((sum, page) => sum + ranks[page]!, 0);
    curve[percent(step)] = Math.round(mass * 1000) / 1000;
  }
  return curve;
}
