import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory, silentLog, systemClock } from '../base/mod.ts';
import { pageRecord, temporaryDirectory, urlOf, writeJournal } from '../build/journal.fixture.ts';
import {
  advance,
  beginGeneration,
  completeGeneration,
  firstHidden,
  JOURNAL_START,
  type JournalPosition,
  type JournalRecord,
  JournalWriter,
  journalFiles,
} from '../journal/mod.ts';
import { openSearcher } from '../query/mod.ts';
import { findNewPages } from './find-pages.ts';
import { StandingStore } from './standing-store.ts';

/** A journal and a store, with pages whose times of fetch grow. */
class Engine {
  readonly root: Directory;
  readonly journal: Directory;
  readonly store: StandingStore;
  readonly removed = new Set<string>();
  indexedPages = 0;
  #time = 1_700_000_000_000;

  constructor(t: TestContext) {
    this.root = temporaryDirectory(t);
    this.journal = this.root.directory('journal');
    openDirectory(this.journal.path);
    this.store = new StandingStore(this.root);
    t.after(() => this.store.close());
  }

  page(name: string, text: string, rest: Parameters<typeof pageRecord>[2] = {}): JournalRecord {
    return { ...pageRecord(name, text, rest), fetchedAt: ++this.#time };
  }

  gone(name: string): JournalRecord {
    return { kind: 'gone', url: urlOf(name), fetchedAt: ++this.#time, status: 410 };
  }

  alias(name: string, of: string): JournalRecord {
    return { kind: 'alias', url: urlOf(name), fetchedAt: ++this.#time, of: urlOf(of), reason: 'canonical' };
  }

  /** Appends a finished journal file. */
  async write(...records: JournalRecord[]): Promise<void> {
    await writeJournal(this.journal, [records]);
  }

  get indexed(): JournalPosition {
    return journalFiles(this.journal).reduce<JournalPosition>(advance, {});
  }

  add(name: string, query: string, { newOnly = false, webhook = false } = {}): number {
    const hook = webhook ? { url: 'https://hook.example/', secret: 'x'.repeat(24) } : null;
    const saved = { name, query, newOnly, webhook: hook };
    return this.store.add(saved, { indexed: () => this.indexed, now: 1 }).id;
  }

  find(options: Partial<Parameters<typeof findNewPages>[0]> = {}): Promise<number> {
    const { store, journal, indexed } = this;
    return findNewPages({
      ...{ store, journal, indexed, log: silentLog, clock: systemClock },
      scratch: () => {
        const index = openDirectory(join(this.root.path, 'scratch'));
        return { index, remove: () => rmSync(index.path, { recursive: true }) };
      },
      openSearcher: (index) => {
        const searcher = openSearcher(index, { log: silentLog, clock: systemClock, timeLimitMs: 60_000 });
        this.indexedPages += searcher.stats().docCount;
        return searcher;
      },
      isRemoved: (url) => this.removed.has(url),
      ...options,
    });
  }

  /** Returns what a query found, oldest first, as `change name`. */
  found(query: number): string[] {
    const short = (url: string) => url.slice('https://example.org/'.length);
    return this.store
      .newest(query, 100)
      .map(({ change, url }) => `${change} ${short(url)}`)
      .reverse();
  }
}

test('a new page is found once, a changed one once, and an unchanged one never', async (t) => {
  const engine = new Engine(t);
  await engine.write(engine.page('old', 'event loop'), engine.page('other', 'nothing'));
  const query = engine.add('loops', 'event loop');
  assert.equal(await engine.find(), 0, 'pages from before are not new');
  await engine.write(engine.page('fresh', 'An event loop'), engine.page('half', 'an event'));
  assert.equal(await engine.find(), 1);
  assert.equal(await engine.find(), 0);
  await engine.write(engine.page('old', 'event loop'), engine.page('fresh', 'An event loop'));
  assert.equal(await engine.find(), 0, 'fetched again, with the same text');
  await engine.write(engine.page('old', 'event loop, second edition'), engine.page('half', 'event loop'));
  assert.equal(await engine.find(), 2);
  assert.deepEqual(engine.found(query), ['new fresh', 'changed old', 'changed half']);
  assert.equal(engine.indexedPages, 4, 'only new pages are indexed');
});

test('pages are found when the index has them, for the queries that were saved before', async (t) => {
  const engine = new Engine(t);
  const first = engine.add('first', 'harbour', { newOnly: true });
  const { indexed } = engine;
  await engine.write(engine.page('a', 'harbour'));
  assert.equal(await engine.find({ indexed }), 0);
  const late = engine.add('late', 'harbour');
  assert.equal(await engine.find(), 1);
  await engine.write(engine.page('a', 'harbour at night'), engine.page('b', 'harbour by day'));
  await engine.find();
  assert.deepEqual(engine.found(first), ['new a', 'new b'], 'changes are not reported');
  assert.deepEqual(engine.found(late), ['changed a', 'new b']);
});

test('a step that is repeated after a crash loses and repeats nothing', async (t) => {
  const engine = new Engine(t);
  const query = engine.add('loops', 'event', { webhook: true });
  await engine.write(engine.page('a', 'event one'), engine.page('b', 'event two'));
  const failing = () => {
    throw new Error('killed');
  };
  await assert.rejects(engine.find({ openSearcher: failing }), /killed/);
  assert.deepEqual(engine.found(query), []);
  // The step is stored, but not the position after the file.
  const { readProgress } = engine.store;
  const before = readProgress.call(engine.store);
  await engine.find();
  if (before) engine.store.writeProgress(before);
  else engine.store.writeProgress({ first: 1, position: {}, newestMs: 0, floor: {}, floorMs: 0 });
  await engine.find();
  assert.deepEqual(engine.found(query), ['new a', 'new b']);
  assert.equal(engine.store.deliveries.countsOf(query).waiting, 1);
});

test('pages that are gone, removed or hidden are in no list', async (t) => {
  const engine = new Engine(t);
  const query = engine.add('all', 'harbour', { webhook: true });
  const robots = { index: false, follow: true, archive: true, snippet: true };
  engine.removed.add(urlOf('removed'));
  await engine.write(
    engine.page('stays', 'harbour one'),
    engine.page('gone', 'harbour two'),
    engine.page('removed', 'harbour three'),
    engine.page('hidden', 'harbour four', { robots }),
  );
  await engine.find();
  assert.deepEqual(engine.found(query), ['new stays', 'new gone']);
  await engine.write(engine.gone('gone'));
  await engine.find();
  assert.deepEqual(engine.found(query), ['new stays']);
  assert.equal(
    engine.store.removePages((url) => url === urlOf('stays')),
    1,
  );
  assert.deepEqual(engine.found(query), []);
  assert.equal(engine.store.deliveries.countsOf(query).waiting, 0, 'a message without pages is dropped');
  await engine.write(engine.page('gone', 'harbour two'));
  await engine.find();
  assert.deepEqual(engine.found(query), [], 'a page that comes back unchanged is not new');
});

test('a page that moves is found under one URL', async (t) => {
  const engine = new Engine(t);
  const query = engine.add('all', 'harbour');
  await engine.write(engine.page('a', 'harbour'), engine.alias('a', 'b'), {
    ...engine.page('b', 'harbour', { title: 'a' }),
  });
  await engine.find();
  assert.deepEqual(engine.found(query), ['new b']);
  await engine.write(engine.page('c', 'harbour', { title: 'a' }), engine.alias('b', 'c'));
  await engine.find();
  assert.deepEqual(engine.found(query), ['new b'], 'the same text under a third URL');
});

test('an older fetch, as imports add them, replaces nothing', async (t) => {
  const engine = new Engine(t);
  const query = engine.add('all', 'harbour');
  const before = engine.page('a', 'harbour long ago');
  await engine.write(engine.page('a', 'harbour'));
  await engine.write(before);
  await engine.find();
  assert.deepEqual(engine.found(query), ['new a']);
});

test('a rebuilt journal brings only what was fetched since', async (t) => {
  const engine = new Engine(t);
  const [known, missed] = [engine.page('known', 'harbour one'), engine.page('missed', 'harbour two')];
  const query = engine.add('all', 'harbour');
  await engine.write(known);
  await engine.find();
  await engine.write(missed);
  const file = firstHidden(engine.journal);
  const writer = new JournalWriter(engine.journal, { ...JOURNAL_START, file }, { isNewGeneration: true });
  beginGeneration(engine.journal, file);
  // A newer parser reads another text.
  writer.append({ ...engine.page('known', 'harbour one, with its menu'), fetchedAt: known.fetchedAt });
  writer.append(missed);
  await writer.flush();
  writer.rotate();
  writer.close();
  completeGeneration(engine.journal);
  await engine.find();
  assert.deepEqual(engine.found(query), ['new known', 'new missed']);
});

test('a query keeps its last thousand pages, and many new pages are found in steps', async (t) => {
  const engine = new Engine(t);
  const query = engine.add('all', 'harbour');
  const called = engine.add('called', 'harbour', { webhook: true });
  const pages = Array.from({ length: 1100 }, (_, at) => engine.page(`p${at}`, `harbour ${at}`));
  await engine.write(...pages);
  assert.equal(await engine.find(), 2200);
  assert.equal(engine.store.countOf(query).pages, 1000);
  assert.equal(engine.store.newest(query, 1)[0]!.url, urlOf('p1099'));
  assert.equal(engine.store.countOf(called).pages, 1100, 'pages that wait for a webhook are kept');
  assert.ok(engine.store.deliveries.countsOf(called).waiting >= 20, 'a message has at most 50 pages');
});
