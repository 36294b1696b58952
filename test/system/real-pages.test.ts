/**
 * Crawls a small web of real pages: five documentation packages, which `scripts/services` downloads. Each package
 * was made with a different tool, and each is served as a site. Packages change, so the tests check only properties
 * that hold for any pages.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ArchivedPages } from '../../bench/realweb/archived-pages.ts';
import { EngineServer } from '../../bench/realweb/engine.ts';
import { readOutcomes } from '../../bench/realweb/journal-outcomes.ts';
import { findLostPages, plainQuery } from '../../bench/realweb/lost-pages.ts';
import { gyre } from '../helpers/gyre.ts';
import { StaticSites } from '../helpers/static-sites.ts';

const SERVICES = join(import.meta.dirname, '..', '..', 'scripts', 'services');

interface Site {
  name: string;
  /** The directory that is served, relative to the directory of all packages. */
  directory: string;
  /** The URL path of the home page. */
  home: string;
}

const SITES: readonly Site[] = [
  { name: 'click', directory: 'python-click-doc/usr/share/doc/python-click-doc/html', home: '/' },
  { name: 'aptitude', directory: 'aptitude-doc-en/usr/share/doc/aptitude/html/en', home: '/' },
  { name: 'm4', directory: 'm4-doc/usr/share/doc/m4', home: '/' },
  { name: 'libusb', directory: 'libusb-1.0-doc/usr/share/doc/libusb-1.0-doc/api-1.0', home: '/' },
  { name: 'qhull', directory: 'libqhull-doc/usr/share/doc/libqhull-dev', home: '/qhull/index.htm' },
];
/** Matches indexes that Sphinx and Doxygen generate. They list the pages of their site. */
const GENERATED_INDEX = /\/(?:genindex|py-modindex|annotated|classes|functions(?:_\w+)?)\.html$/;
/** A directory to which no page links. Sphinx puts the sources of pages there. */
const UNLINKED_LISTING = { name: 'click', path: '/_sources/' };
const MIN_PAGES_PER_SITE = 15;

const CONFIG = {
  contact: 'mailto:operator@docs.test',
  crawl: {
    ...{ delay: '0ms', delayFactor: 0, addressDelay: '0ms', scope: 'host' },
    ...{ resolve: { '*.docs.test': '127.0.0.1' }, allowAddresses: ['127.0.0.1'] },
  },
};

const directory = mkdtempSync(join(tmpdir(), 'gyre-real-pages-'));
const web = { web: directory, data: join(directory, 'data') };
let sites: StaticSites | undefined;
let engine: EngineServer | undefined;

const hostOf = (name: string) => `${name}.docs.test`;

before(async () => {
  // Fails with the name of the package if a package cannot be downloaded.
  execFileSync(SERVICES, ['ensure', 'real-pages']);
  const packages = execFileSync(SERVICES, ['path', 'real-pages'], { encoding: 'utf8' }).trim();
  sites = await StaticSites.start(
    new Map(SITES.map(({ name, directory }) => [hostOf(name), join(packages, directory)])),
  );
  const config = join(directory, 'gyre.json');
  writeFileSync(config, JSON.stringify(CONFIG));
  const seeds = [...SITES.map(({ name }) => ({ name, path: '/' })), UNLINKED_LISTING].map(({ name, path }) =>
    sites!.url(hostOf(name), path),
  );
  for (const command of [['crawl', ...seeds], ['build'], ['rank']]) {
    const { code, stderr } = await gyre([...command, '--data', web.data, '--config', config]);
    assert.equal(code, 0, `gyre ${command[0]}: ${stderr}`);
  }
  engine = await EngineServer.start(web);
});

after(async () => {
  await engine?.stop();
  sites?.close();
  rmSync(directory, { recursive: true });
});

test('every site was crawled', () => {
  const hosts = documents().map(({ url }) => new URL(url).hostname);
  for (const { name } of SITES) {
    const count = hosts.filter((host) => host === hostOf(name)).length;
    assert.ok(count >= MIN_PAGES_PER_SITE, `${name}: ${count} pages`);
  }
  assert.ok(sites!.listings.size >= 3, `listings: ${[...sites!.listings].join()}`);
});

/**
 * Listings are left out, because they rank after the pages that they list, even for the words of their own
 * titles.
 */
test('each page with a title of its own is found by it', async (context) => {
  const archive = new ArchivedPages(web);
  const outcomes = readOutcomes(web.data);
  const { pages, examples } = await findLostPages(engine!, archive, outcomes, Number.MAX_SAFE_INTEGER, 1);
  archive.close();
  context.diagnostic(`${pages} pages with a title of their own`);
  assert.ok(pages >= SITES.length * MIN_PAGES_PER_SITE);
  assert.deepEqual(
    examples.filter(({ url }) => !isListing(url)),
    [],
  );
});

test('the name of a site finds its home page first', async () => {
  for (const { name, home } of SITES) {
    for (const query of [name, `${name} documentation`]) {
      const { results } = await engine!.search(query);
      assert.equal(results[0]?.url, sites!.url(hostOf(name), home), query);
    }
  }
});

test('no listing comes before a page that it lists', async (context) => {
  const wrong: string[] = [];
  const pages = documents().filter(({ url }) => !isListing(url));
  for (const { url, title } of pages) {
    const urls = (await engine!.search(plainQuery(title))).results.map((result) => result.url);
    for (const [place, listing] of urls.entries()) {
      const listed = urls.slice(place + 1).find((other) => isListed(other, listing, url));
      if (listed) wrong.push(`"${title}": ${listing} before ${listed}`);
    }
  }
  context.diagnostic(`${pages.length} pages, ${sites!.listings.size} directories`);
  assert.deepEqual(wrong, []);
});

function documents(): { url: string; title: string }[] {
  return [...readOutcomes(web.data)].flatMap(([url, outcome]) =>
    outcome.kind === 'page' && /\p{L}/u.test(outcome.title) ? { url, title: outcome.title } : [],
  );
}

function isListing(url: string): boolean {
  return sites!.listings.has(url) || GENERATED_INDEX.test(url);
}

/**
 * Returns true if `listing` lists the page at `url`. A directory lists its files; a generated index lists the page
 * whose title is the query (`wanted`).
 */
function isListed(url: string, listing: string, wanted: string): boolean {
  if (isListing(url)) return false;
  if (sites!.listings.has(listing)) return new URL(url.endsWith('/') ? '..' : '.', url).href === listing;
  return GENERATED_INDEX.test(listing) && url === wanted && new URL(url).host === new URL(listing).host;
}
