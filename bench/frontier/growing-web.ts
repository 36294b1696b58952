/**
 * Generates an infinite web without bodies: the links of a page are derived from its URL.
 *
 *   inside  a page links to children on its host, which no other page has as children, and to the
 *           16 pages of the host's menu
 *   outside six links lead to other hosts, mostly to their front page; the first hosts are far more frequent
 *
 * With eight children a page has 30 links, of which about nine are new: after n fetched pages, about 10n URLs are
 * known. A rich page has 64 children, like a list or a sitemap, so the frontier grows faster on rich pages.
 */
import type { Random } from '../../src/base/mod.ts';
import type { CanonicalUrl } from '../../src/url/mod.ts';

const HOSTS = 100_000;
const MENU = 16;
const OTHERS = 6;
const CHILDREN = 8;
const RICH_CHILDREN = 64;
const SEEDS = 2_000;

export function seeds(): CanonicalUrl[] {
  return Array.from({ length: SEEDS }, (_, host) => address(host, 0));
}

/**
 * Returns the links of a page. The children of page p are numbered from 1 + 64p on. A page has at most 64
 * children, so no two pages have a child in common.
 */
export function linksOf(url: CanonicalUrl, isRich: boolean, random: Random): CanonicalUrl[] {
  const [host, page] = numbersOf(url);
  const children = Array.from({ length: isRich ? RICH_CHILDREN : CHILDREN }, (_, at) =>
    address(host, 1 + RICH_CHILDREN * page + at),
  );
  const menu = Array.from({ length: MENU }, (_, at) => address(host, at));
  const others = Array.from({ length: OTHERS }, () =>
    address(Math.floor(HOSTS * random.next() ** 3), random.chance(0.8) ? 0 : random.below(MENU)),
  );
  return [...children, ...menu, ...others];
}

function address(host: number, page: number): CanonicalUrl {
  return `http://www.host${host}.example/section-${page % 10}/article-${page}.html` as CanonicalUrl;
}

function numbersOf(url: CanonicalUrl): [host: number, page: number] {
  const [, host, page] = /host(\d+)\..*-(\d+)\.html$/.exec(url)!;
  return [Number(host), Number(page)];
}
