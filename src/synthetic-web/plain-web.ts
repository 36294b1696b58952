/**
 * The well-behaved hosts of the synthetic web, their plain pages and the links between them.
 *
 * Pages are numbered 0 to pages - 1, and the pages of a host are consecutive; `firstPage` of each host is the
 * only table. The position of a page within its host determines its path and its tree links. A hash of its
 * number determines everything else. Therefore any page can be generated without the others.
 *
 *   tree links     with the fan-out f, page n of a host links to its pages n·f + 1 … n·f + f, and the first page of host
 *                  h to the first pages of hosts h·f + 1 … h·f + f, so every page can be reached from host 0
 *   home           every page links to the first page of its host
 *   random links   four of five within the host; targets are drawn as size·u⁴ with u uniform, which
 *                  makes the number of links to a page fall with its rank to the power 3/4, as on the web
 */
import { Random } from '../base/mod.ts';
import { LEXICON_SIZE, wordOfRank } from './lexicon.ts';
import type { ResolvedOptions } from './options.ts';
import { mix, Purpose } from './seeded.ts';

const SKEW = 4;
const WITHIN_HOST = 0.8;
/**
 * The size of a block of hosts. The last three hosts of each block are `a`, `b` and `c` below one registrable
 * domain.
 */
const BLOCK = 10;
const OWN_DOMAIN = 7;

export class PlainWeb {
  readonly hosts: readonly string[];
  readonly pageCount: number;
  readonly #seed: number;
  readonly #linksPerPage: number;
  readonly #fanout: number;
  readonly #firstPage: Uint32Array;

  constructor(options: ResolvedOptions) {
    this.#seed = options.seed;
    this.#linksPerPage = options.linksPerPage;
    this.#fanout = Math.min(8, Math.max(2, options.linksPerPage >> 1));
    this.#firstPage = dealPages(options);
    this.pageCount = options.pages;
    this.hosts = Array.from({ length: options.hosts }, (_, host) => hostName(host));
  }

  /** Returns the host of a page, as an index into `hosts`. */
  hostOf(page: number): number {
    let low = 0;
    let high = this.hosts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.#firstPage[middle]! <= page) low = middle;
      else high = middle;
    }
    return low;
  }

  homeOf(host: number): number {
    return this.#firstPage[host]!;
  }

  pagesOn(host: number): number {
    return this.#firstPage[host + 1]! - this.#firstPage[host]!;
  }

  pathOf(page: number, host = this.hostOf(page)): string {
    const number = page - this.#firstPage[host]!;
    if (number === 0) return '/';
    const hash = mix(this.#seed, page, Purpose.path);
    const section = wordOfRank(100 + ((hash >>> 16) % 400));
    if (host % 3 === 1) return `/${section}/${number}/`;
    if (host % 3 === 2) return `/${section}?item=${number}`;
    return `/${section}/${wordOfRank(100 + ((hash & 0xffff) % (LEXICON_SIZE - 100)))}-${number}.html`;
  }

  /** Returns the page at a path of a host; -1 if there is none. */
  find(host: number, path: string): number {
    const digits = path === '/' ? '0' : /(\d+)\D*$/.exec(path)?.[1];
    const number = Number(digits ?? Number.NaN);
    if (!(number < this.pagesOn(host))) return -1;
    const page = this.#firstPage[host]! + number;
    return this.pathOf(page, host) === path ? page : -1;
  }

  /**
   * Returns the pages that `page` links to, without duplicates. The first is the home page of its host,
   * unless `page` is that page.
   */
  linksOf(page: number): number[] {
    const host = this.hostOf(page);
    const home = this.#firstPage[host]!;
    const targets = page === home ? [] : [home];
    this.#addTreeLinks(targets, page - home, host);
    const random = new Random(mix(this.#seed, page, Purpose.links));
    const wanted = random.between(this.#linksPerPage >> 1, Math.ceil(this.#linksPerPage * 1.5));
    for (let tries = 3 * wanted; tries > 0 && targets.length < wanted; tries--) {
      const target = this.#drawTarget(random, host);
      if (target !== page && !targets.includes(target)) targets.push(target);
    }
    return targets;
  }

  #addTreeLinks(targets: number[], number: number, host: number): void {
    const first = this.#firstPage[host]!;
    const children = childrenOf(number, this.#fanout, this.pagesOn(host));
    for (const child of children) targets.push(first + child);
    if (number > 0) return;
    for (const other of childrenOf(host, this.#fanout, this.hosts.length))
      targets.push(this.#firstPage[other]!);
  }

  #drawTarget(random: Random, from: number): number {
    const host = random.chance(WITHIN_HOST) ? from : Math.floor(this.hosts.length * random.next() ** SKEW);
    return this.#firstPage[host]! + Math.floor(this.pagesOn(host) * random.next() ** SKEW);
  }
}

/** Returns the children of `node` in a tree of `size` nodes that are numbered level by level. */
function childrenOf(node: number, fanout: number, size: number): number[] {
  const children: number[] = [];
  const end = Math.min(node * fanout + fanout, size - 1);
  for (let child = node * fanout + 1; child <= end; child++) children.push(child);
  return children;
}

/**
 * Assigns one page to every host, and distributes the other pages by the option `hostSkew`. Returns the number
 * of the first page of each host, followed by the total number of pages.
 */
function dealPages({ hosts, pages, hostSkew }: ResolvedOptions): Uint32Array {
  const before = new Float64Array(hosts + 1);
  for (let host = 0; host < hosts; host++) before[host + 1] = before[host]! + (host + 1) ** -hostSkew;
  const total = before[hosts]!;
  return Uint32Array.from(before, (weight, host) => host + Math.floor(((pages - hosts) * weight) / total));
}

function hostName(host: number): string {
  const place = host % BLOCK;
  if (place < OWN_DOMAIN) return `h${pad(host)}.test`;
  return `${'abc'[place - OWN_DOMAIN]}.d${pad(Math.floor(host / BLOCK))}.test`;
}

function pad(number: number): string {
  return String(number).padStart(4, '0');
}
