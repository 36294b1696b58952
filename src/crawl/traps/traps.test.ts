import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { pageBudget } from './host-budget.ts';
import { TrapDetector } from './trap-detector.ts';
import { TrapDetectors } from './trap-detectors.ts';

const clock = { now: () => Date.UTC(2026, 5, 1) };
const url = (path: string): CanonicalUrl => canonicalize(path, 'http://site.test/')!;
const content = (number: number, shingleCount = 100) => ({
  simLow: Math.imul(number, 0x9e3779b1) >>> 0,
  simHigh: number,
  shingleCount,
  contentKey: number,
  titleKey: number,
});

/** URLs with the trap that the URL alone shows; `-` means no trap. */
const ALONE = `
  -                    /
  -                    /docs/api/v1/docs/
  -                    /2024/01/01/
  -                    /tiles/0/0/0/0.png
  -                    /blog/blog/
  repeating-path       /a/a/a/
  repeating-path       /x/docs/api/docs/api/docs/api/index.html
  repeating-path       /a/b/c/d/a/b/c/d/a/b/c/d/
  repeating-path       /s/a/s/b/s/c/s/d/s/e
  -                    /node_modules/a/node_modules/b/node_modules/c/
  -                    /list?tag=a&tag=b&tag=c
  -                    /list?a=1&b=1
  repeating-parameter  /list?a=1&b=2&a=1
  repeating-parameter  /list?t=1&t=2&t=3&t=4&t=5&t=6
  endless-url          /${'x1/'.repeat(20)}${'y2/'.repeat(20)}
  endless-url          /?${Array.from({ length: 17 }, (_, at) => `p${at}=1`).join('&')}
`;

for (const line of ALONE.trim().split('\n')) {
  const [kind, path] = line.trim().split(/\s+/) as [string, string];
  test(`${kind}: ${path.slice(0, 60)}`, () => {
    const { trap } = new TrapDetector(clock).assess(url(path));
    assert.equal(trap?.kind ?? '-', kind);
  });
}

test('a URL with a repeated parameter is replaced by the URL without the repetition', () => {
  const { replacementUrl: instead } = new TrapDetector(clock).assess(url('/list?a=1&b=2&a=1&b=2'));
  assert.equal(instead, url('/list?a=1&b=2'));
});

test('a calendar is followed around the dates that other pages link to', () => {
  const detector = new TrapDetector(clock);
  const kindOf = (path: string) => detector.discovered(url(path), url('/cal/2026/05'))?.trap?.kind ?? '-';
  detector.discovered(url('/cal/2026/05'), url('/'));
  for (const month of '123456789') assert.equal(kindOf(`/cal/2026/0${month}`), '-');
  assert.equal(kindOf('/cal/2060/06'), '-', 'too few addresses to tell');
  assert.equal(kindOf('/cal/2026/10'), '-');
  assert.equal(kindOf('/cal/2024/05'), '-');
  assert.equal(kindOf('/cal/2024/04'), 'calendar');
  assert.equal(kindOf('/cal/2027/06'), '-');
  assert.equal(kindOf('/cal/2027/07'), 'calendar');
  assert.equal(kindOf('/cal/-1/12'), 'calendar');
  detector.discovered(url('/cal/2010/01'), url('/history'));
  assert.equal(kindOf('/cal/2009/01'), '-');
});

test('dates are recognized in paths and queries, and an article below a date is not a date', () => {
  const cases = [
    ['/events/2026-05-17', '/events/2031-05-17'],
    ['/show?year=2026&month=5', '/show?year=2035&month=5'],
    ['/show?view=list&date=2026-05-17', '/show?view=list&date=2032-01-01'],
    ['/a/2026/05/17/', '/a/2036/05/17/'],
  ];
  for (const [near, far] of cases) {
    const detector = new TrapDetector(clock);
    for (let link = 0; link < 12; link++) detector.discovered(url(near!), url('/'));
    assert.equal(detector.discovered(url(far!), url(near!)).trap?.kind, 'calendar', far);
  }
  const detector = new TrapDetector(clock);
  detector.discovered(url('/2026/05/17/news'), url('/'));
  assert.equal(detector.discovered(url('/1999/05/17/older'), url('/2026/05/17/news')).trap, null);
});

test('numbers that are not dates refute a calendar', () => {
  const detector = new TrapDetector(clock);
  for (let page = 1; page <= 12; page++) detector.discovered(url(`/thread/2024/${page}`), url('/'));
  detector.discovered(url('/thread/88123/1'), url('/'));
  assert.equal(detector.discovered(url('/thread/7/3'), url('/thread/2024/1')).trap, null);
  for (let id = 180_000; id < 240_000; id += 7) {
    assert.equal(detector.discovered(url(`/item/${id}`), url('/')).trap, null);
  }
});

test('a monthly archive is followed while its months have new links', () => {
  const detector = new TrapDetector(clock);
  let month = 2020 * 12;
  const pathOf = (at: number) => `/archive/${Math.floor(at / 12)}/${String((at % 12) + 1).padStart(2, '0')}`;
  detector.discovered(url(pathOf(month)), url('/'));
  for (let step = 0; step < 200; step++, month--) {
    const at = url(pathOf(month));
    assert.equal(detector.assess(at).trap, null, at);
    const older = url(pathOf(month - 1));
    assert.equal(detector.discovered(older, at).trap, null, older);
    detector.fetched(at, content(step), [older, url('/'), url(`/article-${month}`)]);
  }
});

test('an idle parameter is removed, unless it ever changed a page', () => {
  const idle = new TrapDetector(clock);
  const meant = new TrapDetector(clock);
  for (let visit = 0; visit < 12; visit++) {
    const page = visit % 4;
    idle.fetched(url(`/item/${page}?visit=${visit}`), content(page), []);
    meant.fetched(url(`/item/${page}?visit=${visit}`), content(visit === 5 ? 99 : page), []);
  }
  const { trap, replacementUrl: instead } = idle.assess(url('/item/7?visit=77&size=2'));
  assert.deepEqual(trap?.rule, { verb: 'strip', parameter: 'visit' });
  assert.equal(instead, url('/item/7?size=2'));
  assert.equal(meant.assess(url('/item/7?visit=77')).trap, null);
});

test('a parameter of pages without text is not judged', () => {
  const detector = new TrapDetector(clock);
  for (let picture = 0; picture < 15; picture++) {
    detector.fetched(url(`/gallery?picture=${picture}`), content(0, 2), []);
  }
  assert.equal(detector.assess(url('/gallery?picture=77')).trap, null);
});

test('many URLs of one form with the same text are cut; with different texts they are not', () => {
  const same = new TrapDetector(clock);
  const other = new TrapDetector(clock);
  for (let page = 0; page < 40; page++) {
    same.fetched(url(`/send-to-friend/${page}`), content(1), []);
    other.fetched(url(`/article/${page}`), content(page), []);
  }
  const { trap } = same.assess(url('/send-to-friend/99'));
  assert.equal(trap?.kind, 'same-pages');
  assert.equal(trap.pattern, '/send-to-friend/*');
  assert.equal(same.assess(url('/contact')).trap, null);
  assert.equal(other.assess(url('/article/99')).trap, null);
});

test('pages of one template with different content are not cut and do not make a parameter idle', () => {
  const detector = new TrapDetector(clock);
  for (let page = 0; page < 100; page++) {
    const mostlyMenu = { ...content(1), contentKey: page, titleKey: page };
    detector.fetched(url(`/unstable-book/feature-${page}.html`), mostlyMenu, []);
    detector.fetched(url(`/book?topic=t${page}word`), mostlyMenu, []);
  }
  assert.equal(detector.assess(url('/unstable-book/feature-x.html')).trap, null);
  assert.equal(detector.assess(url('/book?topic=t7word')).trap, null);
});

test('a parameter with random values is idle, even if the page changes now and then', () => {
  const random = new Random(7);
  const fetch = (detector: TrapDetector, other: number) => {
    for (let visit = 0; visit < 200; visit++) {
      const zx = random.below(1e9).toString(36).padStart(8, 'q');
      const page = visit % 10;
      const shown = visit % other === other - 1 ? 1000 + visit : page;
      const withIdInText = { ...content(shown), contentKey: visit };
      detector.fetched(url(`/item/${page}?zx=${zx}`), withIdInText, []);
    }
    return detector.assess(url('/item/3?zx=new1value')).replacementUrl;
  };
  assert.equal(fetch(new TrapDetector(clock), 60), url('/item/3'));
  assert.equal(fetch(new TrapDetector(clock), 4), null, 'every other comparison says that it matters');
});

/** Crawls pages breadth first, and reports links and pages to a trap detector. */
function walk(linksOf: (path: string) => string[], most: number): TrapDetector {
  const detector = new TrapDetector(clock);
  const queue = ['/'];
  const seen = new Set(queue);
  for (let at = 0; at < Math.min(queue.length, most); at++) {
    const page = url(queue[at]!);
    const links = linksOf(queue[at]!);
    detector.fetched(page, content(at), links.map(url));
    for (const link of links) {
      if (seen.has(link)) continue;
      seen.add(link);
      queue.push(link);
      detector.discovered(url(link), page);
    }
  }
  return detector;
}

const random = new Random(11);
const word = () => random.below(2 ** 40).toString(36);
const numberOf = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0);
const to = (count: number, link: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => link(at));

const ENDLESS: Record<string, (path: string) => string[]> = {
  'flat articles': () => ['/', '/about', ...to(5, () => `/article/${word()}`)],
  'paths of random words': (path) => ['/', ...to(3, () => `${path === '/' ? '' : path}/${word()}`)],
  'a session id in every link': () => to(12, (item) => `/item/${item}?zx=${word()}`),
};

const HONEST: Record<string, (path: string) => string[]> = {
  'a flat list of 30,000 pages': (path) =>
    path === '/' || path.startsWith('/list/')
      ? [`/list/${numberOf(path) + 1}`, ...to(50, (at) => `/doc/${numberOf(path)}-${at}`)]
      : ['/'],
  'a tree with links down and up': (path) =>
    path.length > 7 ? ['/'] : ['/', ...to(8, (at) => `${path === '/' ? '' : path}/${at}`)],
  'a manual with the same menu on every page': () => to(600, (at) => `/page/${at}.html`),
  'a wiki with popular and rare articles': (path) =>
    to(40, (at) => `/wiki/${Math.floor(60_000 * random.next() ** 3 + (at === 0 ? numberOf(path) : 0))}`),
  'a chain of pages with a link to the next': (path) => ['/', `/strip/${numberOf(path) + 1}`],
  'threads that link to the threads beside them': (path) =>
    to(10, (at) => `/thread/${Math.max(0, numberOf(path) + at - 3)}`),
};

for (const [name, linksOf] of Object.entries(ENDLESS)) {
  test(`a host is open-ended within 2,000 pages: ${name}`, () => {
    const detector = walk(linksOf, 2000);
    assert.ok(detector.isOpenEnded, JSON.stringify(detector.memory()?.openEnds));
    const [cut] = detector.report().filter(({ trap }) => trap.kind === 'open-ended');
    assert.ok(cut?.example.startsWith('http://site.test/'));
    const again = new TrapDetector(clock, JSON.parse(JSON.stringify(detector.memory())));
    assert.ok(again.isOpenEnded, 'after a restart too');
  });
}

for (const [name, linksOf] of Object.entries(HONEST)) {
  test(`a host is not open-ended: ${name}`, () => {
    const { openEnds } = walk(linksOf, 3000).memory() ?? {};
    assert.ok((openEnds?.runaway ?? 0) <= 0.5 * (openEnds?.pages ?? 0), JSON.stringify(openEnds));
  });
}

test('pages with links from other hosts do not make a host open-ended', () => {
  const detector = new TrapDetector(clock);
  for (let page = 0; page < 5000; page++) {
    const own = url(`/profile/${word()}`);
    detector.discovered(own, 'http://other.test/' as CanonicalUrl);
    detector.fetched(own, content(page), []);
    for (let link = 0; link < 5; link++) detector.discovered(url(`/profile/${word()}`), own);
  }
  assert.equal(detector.isOpenEnded, false);
});

test('a report names the pattern, the rule, the cost and an example', () => {
  const detector = new TrapDetector(clock);
  for (const depth of [3, 4, 5]) detector.discovered(url(`/x${'/deep'.repeat(depth)}/`), url('/'));
  assert.deepEqual(detector.report(), [
    {
      trap: {
        kind: 'repeating-path',
        pattern: '…/deep/deep/deep…',
        rule: { verb: 'ignore', match: 'regexp', value: '(?:/deep){3}' },
      },
      count: 3,
      example: url('/x/deep/deep/deep/'),
    },
  ]);
});

test('the state of a detector is restored from JSON', () => {
  const before = new TrapDetector(clock);
  for (let link = 0; link < 12; link++) before.discovered(url('/cal/2026/05'), url('/'));
  for (let page = 0; page < 40; page++) before.fetched(url(`/same/${page}`), content(1), []);
  for (let visit = 0; visit < 12; visit++) before.fetched(url(`/?visit=${visit}`), content(2), []);
  const after = new TrapDetector(clock, JSON.parse(JSON.stringify(before.memory())));
  for (const path of ['/cal/1980/01', '/same/77', '/?visit=77']) {
    assert.ok(after.assess(url(path)).trap, path);
    assert.deepEqual(after.assess(url(path)), before.assess(url(path)));
  }
  assert.equal(new TrapDetector(clock).memory(), null);
});

test('evicted hosts return with their stored state', async () => {
  const saved = new Map<string, string>();
  const read = async () => new Map([...saved].map(([origin, memory]) => [origin, JSON.parse(memory)]));
  const detectors = new TrapDetectors(clock, read);
  const first = 'http://h0.test';
  detectors.of(first).discovered('http://h0.test/a/a/a/' as CanonicalUrl, null);
  for (let host = 1; host < 5500; host++) detectors.of(`http://h${host}.test`);
  for (const [origin, memory] of detectors.takeChanged()) saved.set(origin, JSON.stringify(memory));
  assert.deepEqual([...saved.keys()], [first]);
  await detectors.load([first]);
  assert.equal(detectors.of(first).report()[0]?.count, 1);
});

test('hosts with much state are evicted sooner, and recently used hosts stay', async () => {
  const loaded: string[] = [];
  const read = async (origins: readonly string[]) => {
    loaded.push(...origins);
    return new Map();
  };
  const detectors = new TrapDetectors(clock, read, 500);
  const origins = Array.from({ length: 9 }, (_, host) => `http://h${host}.test`);
  for (const origin of origins) {
    await detectors.load([origin]);
    for (let page = 0; page < 20; page++) {
      detectors.of(origin).fetched(`${origin}/${'x'.repeat(page)}/page` as CanonicalUrl, content(page), []);
    }
    detectors.takeChanged();
  }
  assert.deepEqual(loaded.splice(0), origins);
  for (const origin of origins.toReversed()) {
    await detectors.load([origin]);
    detectors.of(origin);
  }
  assert.ok(loaded.includes(origins[0]!) && !loaded.includes(origins[8]!), loaded.join(' '));
});

test('memory stays bounded on a host with endless new URLs', () => {
  const detector = new TrapDetector(clock);
  const random = new Random(3);
  const word = () => random.below(1e9).toString(36);
  for (let page = 0; page < 1000; page++) {
    const at = url(`/${word()}/${word()}/2026/05?${word()}=${word()}&${word()}=1&${word()}=2`);
    detector.discovered(at, url('/'));
    detector.fetched(at, content(page), [url(`/${word()}`)]);
  }
  assert.ok(JSON.stringify(detector.memory()).length < 20_000);
});

test('a budget grows with importance and shrinks with useless pages, but never below the base', () => {
  const options = { basePages: 1000, maxPages: 100_000 };
  const budget = (importance: number, linkingDomains = 0, fetched = 0, useful = fetched) =>
    pageBudget({ importance, linkingDomains, fetched, useful }, options);
  assert.equal(budget(0), 1000);
  assert.equal(budget(0.5), 10_000);
  assert.equal(budget(1), 100_000);
  assert.equal(budget(2), 100_000);
  assert.ok(budget(0, 10) > budget(0, 1) && budget(0, 1) > budget(0));
  assert.equal(budget(0.5, 0, 1000, 900), 10_000);
  assert.equal(budget(0.5, 0, 1000, 100), 2000);
  assert.equal(budget(0.5, 0, 1000, 0), 1000);
});

test('a host without useful pages or with an open end has a small budget', () => {
  const options = { basePages: 50_000, maxPages: 1_000_000 };
  const host = { importance: 0, linkingDomains: 0, fetched: 2000, useful: 2000 };
  assert.equal(pageBudget(host, options), 50_000);
  assert.equal(pageBudget({ ...host, useful: 10 }, options), 1000);
  assert.equal(pageBudget({ ...host, isOpenEnded: true }, options), 4000);
  assert.ok(pageBudget({ ...host, isOpenEnded: true, linkingDomains: 10 }, options) > 5000);
  assert.equal(pageBudget({ ...host, isOpenEnded: true }, { basePages: 8, maxPages: 8 }), 8);
});
