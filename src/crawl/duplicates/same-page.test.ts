/**
 * Tests of canonical links, mirrors and missing pages: reasons other than near duplicates why two URLs are one page.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import type { Link } from '../../page/mod.ts';
import { sketchOf } from '../../sketch/sketch.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { CanonicalTargets, isPlausibleCanonical } from './canonical-link.ts';
import { MIRROR_DEFAULTS, MirrorFinder } from './mirrors.ts';
import {
  decodeProbe,
  encodeProbe,
  isSoft404,
  isSoft404Redirect,
  type MissingProbe,
  missingUrl,
  probeOfPage,
} from './missing-page.ts';
import { isParked, parkedSigns } from './parked.ts';

const url = (text: string) => text as CanonicalUrl;

const CANONICAL: [from: string, to: string, similarity: number, isNamedByAll: boolean, expected: boolean][] =
  [
    ['https://a.test/p?sort=1', 'https://a.test/p', 0.6, false, true],
    ['https://a.test/p?page=2', 'https://a.test/p', 0.1, false, false],
    ['https://a.test/p', 'https://b.test/p', 0.6, false, true],
    ['https://a.test/index.html', 'https://a.test/', 0.6, false, true],
    ['https://a.test/?ref=x', 'https://a.test/', 0.6, false, true],
    ['https://a.test/article', 'https://a.test/', 0.6, false, false],
    ['https://a.test/article', 'https://a.test/', 0.95, false, true],
    ['https://a.test/p', 'https://a.test/q', 0.6, true, false],
    ['https://a.test/p', 'https://a.test/q', 0.95, true, true],
  ];

for (const [from, to, similarity, isNamedByAll, expected] of CANONICAL) {
  const named = isNamedByAll ? ', which every page names' : '';
  test(`canonical ${to}${named}, ${similarity} similar to ${from}: ${expected ? 'respected' : 'ignored'}`, () => {
    assert.equal(isPlausibleCanonical(url(from), url(to), similarity, isNamedByAll), expected);
  });
}

test('a canonical link from many paths is ignored, and one from many variants of a path is respected', () => {
  const targets = new CanonicalTargets();
  for (let page = 0; page < 30; page++) {
    targets.note(url('https://a.test/all'), url(`https://a.test/p/${page}`));
    targets.note(url('https://a.test/list'), url(`https://a.test/list?sort=${page}`));
  }
  assert.ok(targets.isNamedByAll(url('https://a.test/all')));
  assert.ok(!targets.isNamedByAll(url('https://a.test/list')));
});

/**
 * Crawls the same paths of two origins alternately. `isCopy` returns true for the pages of the second origin that are
 * copies of the first.
 */
function crawlBoth(finder: MirrorFinder, paths: number, isCopy: (page: number) => boolean) {
  const owners = new Map<bigint, CanonicalUrl>();
  const visit = (page: CanonicalUrl, owner: bigint) => {
    const known = owners.get(owner) ?? null;
    if (known === null) owners.set(owner, page);
    return finder.observe(page, owner, known);
  };
  const found = [];
  for (let page = 0; page < paths; page++) {
    const order =
      page % 2 === 0
        ? ['http://www.site.test', 'https://site.test']
        : ['https://site.test', 'http://www.site.test'];
    for (const origin of order) {
      const owner = origin.startsWith('https') || isCopy(page) ? BigInt(page) : BigInt(-1 - page);
      found.push(visit(url(`${origin}/p/${page}`), owner));
    }
  }
  return found.filter((mirror) => mirror !== null);
}

test('a host with the same pages at the same paths is a mirror, and its pages are aliases', () => {
  const finder = new MirrorFinder();
  const found = crawlBoth(finder, 200, (page) => page % 50 !== 7);
  assert.equal(found.length, 1);
  assert.deepEqual([found[0]!.mirror, found[0]!.of], ['http://www.site.test', 'https://site.test']);
  assert.ok(found[0]!.paths >= MIRROR_DEFAULTS.minPaths);
  assert.equal(finder.aliasOf(url('http://www.site.test/new?x=1')), 'https://site.test/new?x=1');
  assert.equal(finder.aliasOf(url('https://site.test/new')), null);
  const again = new MirrorFinder(MIRROR_DEFAULTS, finder.mirrors());
  assert.equal(again.primaryOf('http://www.site.test'), 'https://site.test');
});

test('a host that shares half of its pages, or has them at other paths, is not a mirror', () => {
  const finder = new MirrorFinder();
  assert.deepEqual(
    crawlBoth(finder, 200, (page) => page % 2 === 0),
    [],
  );
  for (let page = 0; page < 100; page++) {
    finder.observe(url(`https://one.test/a/${page}`), BigInt(page), null);
    const copy = finder.observe(
      url(`https://two.test/b/${page}`),
      BigInt(page),
      url(`https://one.test/a/${page}`),
    );
    assert.equal(copy, null);
  }
});

function shown(address: string, title: string, text: string) {
  return { url: url(address), title, sketch: sketchOf(text) };
}

const SORRY =
  'Sorry, we could not find the page that you asked for. It may have been moved or removed. Try the search above.';
const HOME = shown(
  'https://a.test/',
  'A site',
  'Welcome to our site about many things, all of them of interest to some.',
);

test('a page like the response for a missing URL is a soft 404', () => {
  const probe = probeOfPage(shown('https://a.test/qqq', 'Not found', SORRY), HOME);
  assert.ok(isSoft404(probe, shown('https://a.test/old', 'Not found', SORRY)));
  assert.ok(isSoft404(probe, shown('https://a.test/old', 'Not found', `${SORRY} You asked for old.`)));
  assert.ok(!isSoft404(probe, { ...HOME, url: url('https://a.test/welcome') }));
  assert.ok(!isSoft404(probe, shown('https://a.test/', 'Not found', SORRY)));
  assert.ok(!isSoft404({ kind: 'honest' }, shown('https://a.test/old', 'Not found', SORRY)));
});

test('a host with one page for every URL has no soft 404s', () => {
  const probe = probeOfPage({ title: HOME.title, sketch: HOME.sketch }, HOME);
  assert.deepEqual(probe, { kind: 'one-page' });
  assert.ok(!isSoft404(probe, { ...HOME, url: url('https://a.test/app') }));
});

test('a redirect like that of a missing URL is a soft 404, but another URL of the front page is not', () => {
  const probe: MissingProbe = { kind: 'redirect', to: url('https://a.test/') };
  const moves = (from: string, to: string) => isSoft404Redirect(probe, url(from), url(to));
  assert.ok(moves('https://a.test/shop/old-item', 'https://a.test/'));
  assert.ok(!moves('https://a.test/shop/old-item', 'https://a.test/shop/new-item'));
  assert.ok(!moves('https://a.test/index.html', 'https://a.test/'));
});

test('each probe URL is new, and a stored probe result is read back', () => {
  const random = new Random(1);
  const one = missingUrl('https://a.test', random);
  assert.match(one, /^https:\/\/a\.test\/[a-z]{16}$/);
  assert.notEqual(one, missingUrl('https://a.test', random));
  const probes: MissingProbe[] = [
    { kind: 'honest' },
    { kind: 'one-page' },
    { kind: 'redirect', to: url('https://a.test/') },
    probeOfPage(shown('https://a.test/qqq', 'Not found', SORRY), null),
  ];
  for (const probe of probes) {
    const again = decodeProbe(encodeProbe(probe));
    assert.deepEqual({ ...again, bins: null }, { ...probe, bins: null });
    assert.equal(isSoft404(again, shown('https://a.test/x', '', SORRY)), probe.kind === 'page');
  }
});

test('two signs make a page parked, and a page about parking has only one', () => {
  const link = (address: string): Link => ({ url: url(address), text: 'x', nofollow: false }) as Link;
  const page = (text: string, ...links: string[]) => ({ title: 'site.test', text, links: links.map(link) });
  const sale = page(
    'The domain site.test is for sale. Buy this domain.',
    'https://sedo.com/search?site.test',
  );
  assert.deepEqual(parkedSigns(sale), ['words', 'links']);
  assert.ok(isParked(parkedSigns(sale)));
  assert.ok(isParked(parkedSigns(page('This domain is parked free of charge.')), { kind: 'one-page' }));
  assert.ok(!isParked(parkedSigns(page('This domain is for sale.'))));
  assert.ok(!isParked(parkedSigns(page('How auctions work', 'https://sedo.com/')), { kind: 'honest' }));
  assert.ok(
    !isParked(parkedSigns(page(`Buy this domain ${'and read on '.repeat(400)}`, 'https://sedo.com/'))),
  );
});
