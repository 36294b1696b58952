/**
 * Stores discovered URLs and their new hosts. All URLs of a commit are inserted by one statement, in key order:
 * rows that are neighbours in the B-tree are then written together.
 */
import {
  countLinkingHosts,
  type Discovered,
  type DiscoveryLimits,
  encodeVerb,
  firstFound,
  frontOf,
  groupDiscovered,
  inOrderOfDiscovery,
  type NumberedUrl,
} from '../../crawl/mod.ts';
import type { Transaction } from '../database.ts';
import type { HeldVnodes } from './held-vnodes.ts';
import { jsonRows } from '../json-rows.ts';
import type { PostgresDomains } from './postgres-domains.ts';
import { COMMIT_NUMBERS } from './postgres-urls.ts';

interface StoredHost {
  number: number;
  vnode: number;
  origin: string;
  known: number;
  links: number;
}

/** The discovered URLs of one host; `host` is absent if the host was dropped. */
interface HostUrls {
  urls: readonly NumberedUrl[];
  host: StoredHost | undefined;
}

const HOST_COLUMNS = 'number::float8, vnode, origin, known, links';

export class DiscoveredUrls {
  readonly #held: HeldVnodes;
  readonly #domains: PostgresDomains;

  constructor(held: HeldVnodes, domains: PostgresDomains) {
    this.#held = held;
    this.#domains = domains;
  }

  /** Inserts new URLs, and makes known URLs ready that were only imported. Returns both in order of discovery. */
  async write(
    tx: Transaction,
    discovered: readonly Discovered[],
    limits: DiscoveryLimits,
  ): Promise<Discovered[]> {
    if (discovered.length === 0) return [];
    const groups = groupDiscovered(discovered, 0);
    const hosts = await this.#hosts(tx, [...groups.keys()], limits);
    const byHost = Array.from(groups, ([origin, urls]) => ({ urls, host: hosts.get(origin) }));
    const added = await this.#insert(tx, byHost, limits.maxUrlsPerHost);
    await this.#updateHosts(tx, byHost, added);
    const known = [...groups.values()].flat().filter((url) => !added.has(url));
    return inOrderOfDiscovery([...added, ...(await this.#wakeImported(tx, known))]);
  }

  /**
   * Reads the hosts with these origins. Adds the hosts that are new, unless they are dropped because their
   * domain has too many hosts.
   */
  async #hosts(
    tx: Transaction,
    origins: readonly string[],
    { hostBudget }: DiscoveryLimits,
  ): Promise<Map<string, StoredHost>> {
    const known = await tx<StoredHost[]>`select ${tx.unsafe(HOST_COLUMNS)} from gyre.crawl_hosts
      where origin = any (${[...origins]}::text[])`;
    this.#held.check(known);
    const hosts = new Map(known.map((host) => [host.origin, host]));
    const unknown = origins.filter((origin) => !hosts.has(origin));
    for (const host of await this.#addHosts(tx, unknown, hostBudget)) hosts.set(host.origin, host);
    return hosts;
  }

  async #addHosts(
    tx: Transaction,
    origins: readonly string[],
    hostBudget: DiscoveryLimits['hostBudget'],
  ): Promise<StoredHost[]> {
    if (origins.length === 0) return [];
    const rows = (await this.#domains.place(tx, origins, hostBudget)).map((host) => ({ ...host }));
    if (rows.length === 0) return [];
    return await tx<StoredHost[]>`
      with added as (
        insert into gyre.crawl_hosts (origin, vnode, domain, is_held_back)
        select origin, vnode, domain, "isHeldBack"
        from ${jsonRows(tx, rows, 'origin text, vnode smallint, domain text, "isHeldBack" boolean')}
        returning number, vnode, origin, known, links
      ), counted as (
        insert into gyre.crawl_counts as c (vnode, counted, reason, count)
        select vnode, 'host', '', count(*) from added group by vnode order by vnode
        on conflict (vnode, counted, reason) do update set count = c.count + excluded.count
      )
      select ${tx.unsafe(HOST_COLUMNS)} from added`;
  }

  /** Inserts the first URLs of each host, up to the limit of the host. Returns the URLs that were new. */
  async #insert(
    tx: Transaction,
    byHost: readonly HostUrls[],
    maxUrlsPerHost: number,
  ): Promise<Set<NumberedUrl>> {
    const urls = byHost.flatMap(({ urls, host }) =>
      host ? firstFound(urls, maxUrlsPerHost - host.known).map((url) => ({ url, host })) : [],
    );
    urls.sort((a, b) => a.url.order - b.url.order);
    const rows = urls.map(({ url, host }) => ({
      fingerprint: url.fingerprint,
      url: url.url,
      host: host.number,
      vnode: host.vnode,
      depth: url.depth,
      found: url.found,
      verb: encodeVerb(url.verb),
      relevance: url.relevance ?? 0,
    }));
    const columns =
      'fingerprint bigint, url text, host bigint, vnode smallint, depth int, found bigint, verb smallint, relevance smallint';
    const inserted = await tx<{ fingerprint: string }[]>`
      insert into gyre.crawl_urls (fingerprint, url, host, vnode, depth, found, verb, relevance)
      select fingerprint, url, host, vnode, depth,
        found + (select nextval('gyre.crawl_commits')) * ${COMMIT_NUMBERS}, verb, relevance
      from ${jsonRows(tx, rows, columns)} on conflict (fingerprint) do nothing returning fingerprint`;
    const isInserted = new Set(inserted.map(({ fingerprint }) => fingerprint));
    // If a URL was discovered twice, only its first discovery was inserted and counts.
    const added = urls.filter(({ url }) => isInserted.delete(String(url.fingerprint)));
    return new Set(added.map(({ url }) => url));
  }

  /** Adds the new URLs and links to the counts of their hosts. */
  async #updateHosts(
    tx: Transaction,
    byHost: readonly HostUrls[],
    added: ReadonlySet<NumberedUrl>,
  ): Promise<void> {
    const rows = byHost.flatMap(({ urls, host }) => {
      if (!host) return [];
      const known = host.known + urls.filter((url) => added.has(url)).length;
      const links = host.links + countLinkingHosts(urls);
      if (known === host.known && links === host.links) return [];
      return [{ number: host.number, known, links, front: frontOf(links), hasNew: known > host.known }];
    });
    if (rows.length === 0) return;
    const columns = 'number bigint, known int, links int, front smallint, "hasNew" boolean';
    await tx`update gyre.crawl_hosts h
      set known = r.known, links = r.links, front = r.front, has_work = h.has_work or r."hasNew"
      from ${jsonRows(tx, rows, columns)} where h.number = r.number`;
  }

  /**
   * Makes imported URLs ready. This crawl has never fetched them and they have no revisit time, so nothing else would
   * make them ready.
   */
  async #wakeImported(tx: Transaction, known: readonly NumberedUrl[]): Promise<NumberedUrl[]> {
    if (known.length === 0) return [];
    const rows = known.map(({ fingerprint, depth }) => ({ fingerprint, depth }));
    const woken = await tx<{ fingerprint: string; vnode: number }[]>`
      update gyre.crawl_urls u set state = 'ready', depth = r.depth
      from ${jsonRows(tx, rows, 'fingerprint bigint, depth int')}
      where u.fingerprint = r.fingerprint and u.state = 'done' and not exists (
        select from gyre.crawl_captures c where c.fingerprint = u.fingerprint and c.due_at > 0)
      returning u.fingerprint, u.vnode`;
    this.#held.check(woken);
    const isWoken = new Set(woken.map(({ fingerprint }) => fingerprint));
    return known.filter(({ fingerprint }) => isWoken.delete(String(fingerprint)));
  }
}
