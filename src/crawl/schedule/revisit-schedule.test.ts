import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../url/mod.ts';
import type { HostNote, LastCapture, VisitHistory } from '../state/mod.ts';
import { type RevisitOptions, RevisitSchedule, type VisitFindings } from './revisit-schedule.ts';

const OPTIONS: RevisitOptions = {
  ...{ firstMs: DAY_MS, minMs: HOUR_MS, maxMs: 60 * DAY_MS, visitsPerDay: 1000, policies: [] },
};
const START = Date.UTC(2026, 0, 1);

class Site {
  readonly clock = { time: START, now: () => this.clock.time };
  readonly notes = new Map<string, HostNote>();
  schedule: RevisitSchedule;
  readonly #options: RevisitOptions;

  constructor(options: Partial<RevisitOptions> = {}) {
    this.#options = { ...OPTIONS, ...options };
    this.schedule = this.#open();
  }

  #open(): RevisitSchedule {
    const notes = {
      notesOf: async (origins: readonly string[]) =>
        origins.flatMap((origin) => this.notes.get(origin) ?? []),
      keepNote: (note: HostNote) => void this.notes.set(note.origin, structuredClone(note)),
    };
    return new RevisitSchedule({ ...this.#options, notes, clock: this.clock });
  }

  async restart(): Promise<void> {
    const stored = this.schedule.save(true);
    this.schedule = this.#open();
    this.schedule.restore(stored);
    for (const origin of this.notes.keys()) await this.schedule.load(origin);
  }

  /** Visits a URL each time that it is due, and returns the last interval. */
  visit(
    path: string,
    visits: number,
    find: (visit: number, intervalMs: number) => Partial<VisitFindings>,
  ): { history: VisitHistory; intervalMs: number } {
    let last: { history: VisitHistory | null; intervalMs: number } = { history: null, intervalMs: 0 };
    for (let visit = 0; visit < visits; visit++) {
      this.clock.time += last.intervalMs;
      last = this.schedule.settle({
        ...{ url: urlOf(path), visitedAt: this.clock.time, kind: 'page', isDocument: true, importance: 1 },
        ...{ history: last.history, newLinks: 0, datedLinksPerDay: 0, modifiedAt: 0, isHinted: false },
        hasChanged: last.history === null ? null : false,
        ...find(visit, last.intervalMs),
      });
    }
    return last as { history: VisitHistory; intervalMs: number };
  }
}

function urlOf(path: string): CanonicalUrl {
  return canonicalize(`https://a.test${path}`)!;
}

const changes = (everyMs: number) => {
  let waitedMs = 0;
  return (visit: number, intervalMs: number): Partial<VisitFindings> => {
    if (visit === 0) return {};
    waitedMs += intervalMs;
    const hasChanged = waitedMs >= everyMs;
    if (hasChanged) waitedMs = 0;
    return { hasChanged };
  };
};

test('the first interval of a page of an unknown site is at most crawl.revisitFirst', () => {
  const { intervalMs } = new Site().visit('/a', 1, () => ({}));
  assert.ok(intervalMs <= DAY_MS && intervalMs >= HOUR_MS);
});

test('a page that changes daily is visited more often than one that changes monthly', () => {
  const site = new Site();
  const daily = site.visit('/a', 40, changes(DAY_MS)).intervalMs;
  const monthly = site.visit('/b', 40, changes(30 * DAY_MS)).intervalMs;
  assert.ok(2 * daily < monthly, `${daily / DAY_MS} and ${monthly / DAY_MS} days`);
});

test('intervals never leave the bounds of their policy', () => {
  const site = new Site({ policies: ['a.test/slow between 3d and 4d', 'pages of a.test between 2h and 1d'] });
  for (const [path, low, high] of [
    ['/slow/x', 3 * DAY_MS, 4 * DAY_MS],
    ['/fast', 2 * HOUR_MS, DAY_MS],
  ] as const) {
    for (const find of [changes(1), changes(1000 * DAY_MS)]) {
      const { intervalMs } = site.visit(path, 30, find);
      assert.ok(intervalMs >= low * 0.999 && intervalMs <= high * 1.001, `${path}: ${intervalMs}`);
    }
  }
});

test('a feed with a hundred items a day is visited every few minutes, from its dates alone', () => {
  const { intervalMs } = new Site().visit('/feed', 1, () => ({
    ...{ kind: 'feed', isDocument: false, datedLinksPerDay: 100 },
  }));
  assert.ok(intervalMs >= 5 * MINUTE_MS && intervalMs < 10 * MINUTE_MS, `${intervalMs / MINUTE_MS} min`);
});

test('a hub that keeps yielding new links is visited sooner than a page without', () => {
  const site = new Site();
  const hub = site.visit('/hub', 12, (visit) => ({ newLinks: visit > 0 ? 3 : 0 })).intervalMs;
  const plain = site.visit('/plain', 12, () => ({})).intervalMs;
  assert.ok(3 * hub < plain, `${hub / HOUR_MS} and ${plain / HOUR_MS} hours`);
});

test('important pages are visited sooner', () => {
  const site = new Site();
  const plain = site.visit('/a', 10, changes(3 * DAY_MS)).intervalMs;
  const important = site.visit('/b', 10, (visit, interval) => ({
    ...changes(3 * DAY_MS)(visit, interval),
    importance: 4,
  })).intervalMs;
  assert.ok(important < plain);
});

test('a page without a history gets the interval of its site after a few pages, also after a restart', async () => {
  const site = new Site();
  const fresh = () => site.visit('/news/new', 2, () => ({})).intervalMs;
  const before = fresh();
  for (let page = 0; page < 12; page++) site.visit(`/news/${page}`, 40, changes(40 * DAY_MS));
  const after = fresh();
  assert.ok(after > 1.5 * before, `${before / HOUR_MS} and ${after / HOUR_MS} hours`);
  await site.restart();
  assert.equal(fresh(), after);
});

test('the allowed number of visits raises the price for all pages, also after a restart', async () => {
  const generous = new Site();
  const thrifty = new Site({ visitsPerDay: 0.05 });
  for (const site of [generous, thrifty]) {
    for (let page = 0; page < 100; page++) site.visit(`/p/${page}`, 12, changes((1 + (page % 9)) * DAY_MS));
  }
  const next = (site: Site) => site.visit('/p/x', 2, () => ({ hasChanged: null })).intervalMs;
  assert.ok(next(thrifty) > 4 * next(generous));
  const before = next(thrifty);
  await thrifty.restart();
  assert.ok(Math.abs(next(thrifty) / before - 1) < 0.1);
});

test('hints are believed only after they were right', async () => {
  const site = new Site();
  const pages = [{ url: urlOf('/x'), modifiedAt: START - HOUR_MS }];
  const previous = { history: { visitedAt: START } } as LastCapture;
  const isTrusted = () => {
    const [hint] = site.schedule.readList(urlOf('/sitemap.xml'), pages, previous);
    assert.equal(hint?.fingerprint, fingerprint(urlOf('/x')));
    return hint!.isTrusted;
  };
  assert.equal(isTrusted(), false, 'nothing is known');
  site.visit('/x', 5, (visit) => ({ isHinted: visit > 0, hasChanged: visit > 0 ? true : null }));
  assert.equal(isTrusted(), true, 'they were right');
  await site.restart();
  assert.equal(isTrusted(), true, 'after a restart');
  site.visit('/y', 9, (visit) => ({ isHinted: visit > 0, hasChanged: visit > 0 ? false : null }));
  assert.equal(isTrusted(), false, 'they were wrong');
});

test('stated frequencies count for new pages only after other pages have confirmed them', () => {
  const site = new Site();
  const list = (path: string) =>
    site.schedule.readList(urlOf('/sitemap.xml'), [{ url: urlOf(path), changes: 'monthly' }], null);
  const first = () => site.visit('/m/new', 2, () => ({ hasChanged: null })).intervalMs;
  list('/m/1');
  const before = first();
  for (let page = 0; page < 4; page++) {
    list(`/k/${page}`);
    site.visit(`/k/${page}`, 30, changes(30 * DAY_MS));
  }
  assert.ok(first() > before);
});

test('a policy is one sentence, and any other text is refused', () => {
  for (const sentence of [
    'feeds between 5m and 1d',
    '*.example.org/a/ between 1h and 2d with importance 2.5',
  ])
    new Site({ policies: [sentence] });
  for (const wrong of [
    'feeds daily',
    'feeds between 2d and 1d',
    'feeds between 0s and 1d',
    '*.com between 1h and 2h',
  ])
    assert.throws(() => new Site({ policies: [wrong] }), { code: 'bad-setting' });
});
