import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../../../test/helpers/gyre.ts';
import { openDirectory } from '../../base/mod.ts';
import {
  beginGeneration,
  completeGeneration,
  encodeFrames,
  encodeJournalFile,
  encodeRecord,
  firstHidden,
  type JournalRecord,
  journalName,
  purgeJournal,
} from '../../journal/mod.ts';
import { allowAll } from '../../page/metadata/mod.ts';
import type { Page } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { changeRemovals, type RemovalRule, withoutRule, withRules } from '../removals/mod.ts';
import { ChangeReader } from './change-reader.ts';

const urlOf = (name: string) => `https://a.org/${name}` as CanonicalUrl;
const NEW = { isNew: true } as const;

function page(name: string, fetchedAt: number, over: Partial<Page> = {}, isNew = true): JournalRecord {
  const plain = {
    contentType: 'text/html',
    title: name,
    description: '',
    language: 'en',
    text: 'hidden text',
  };
  const rest = { marks: [], links: [], canonical: null, robots: allowAll() };
  const mark = isNew ? NEW : {};
  return {
    kind: 'page',
    url: urlOf(name),
    fetchedAt,
    digest: 'D',
    ...mark,
    page: { ...plain, ...rest, ...over },
  };
}

function gone(name: string, fetchedAt: number, mark: { isNew?: true } = {}): JournalRecord {
  return { kind: 'gone', url: urlOf(name), fetchedAt, status: 404, ...mark };
}

function openFeed(context: TestContext) {
  const root = openDirectory(temporaryDirectory(context));
  const journal = openDirectory(join(root.path, 'journal'));
  const options = { root, journal, now: () => 1_000 };
  const reader = new ChangeReader(options);
  const add = (file: number, writer: string, ...records: JournalRecord[]) =>
    journal.replace(
      journalName(file, writer),
      encodeJournalFile([...encodeFrames(records.map(encodeRecord))]),
    );
  const read = (cursor: string | null, over: { limit?: number; hasRecords?: boolean } = {}) => {
    const batch = reader.read({ cursor, limit: 100, hasRecords: false, ...over });
    const events = batch.events.map(({ event }) => {
      const name = event.url?.split('/').at(-1) ?? ('target' in event ? event.target : '');
      return `${event.type} ${name}${'reason' in event ? ` ${event.reason}` : ''}`;
    });
    return { ...batch, names: events };
  };
  const remove = (value: string, over: Partial<RemovalRule> = {}) =>
    changeRemovals(root, (list) =>
      withRules(list, [{ kind: 'url', value, removedAt: 50, purge: 'no', ...over }]),
    );
  return { root, journal, options, add, read, remove };
}

test('pages are added, changed and removed, and only newer files are read', (context) => {
  const { journal, add, read } = openFeed(context);
  assert.deepEqual(read(null).names, []);
  const start = read(null).cursor;
  add(
    1,
    'main',
    page('a', 10),
    page('b', 10),
    gone('never', 10, NEW),
    { kind: 'alias', url: urlOf('alias'), fetchedAt: 10, of: urlOf('a'), reason: 'redirect', ...NEW },
    page('hidden', 10, { robots: { ...allowAll(), index: false } }),
  );
  const first = read(start);
  assert.deepEqual(first.names, ['added a', 'added b']);
  assert.deepEqual([first.cursor, first.more, first.tip], ['1.main-1', false, '1.main-1']);
  assert.deepEqual(read('now').cursor, first.cursor);
  add(2, 'main', page('a', 20, {}, false), gone('b', 20), page('c', 20));
  add(2, 'n2', page('d', 20), {
    kind: 'alias',
    url: urlOf('c'),
    fetchedAt: 21,
    of: urlOf('d'),
    reason: 'duplicate',
  });
  // The reader opens no file that it knows.
  journal.replace(journalName(1, 'main'), Buffer.from('damaged'));
  const second = read(first.cursor);
  assert.deepEqual(second.names, [
    'changed a',
    'removed b gone',
    'added c',
    'added d',
    'removed c duplicate',
  ]);
  assert.deepEqual(second.cursor, '1.main-2.n2-2');
  assert.deepEqual(read(second.cursor).names, []);
  assert.doesNotMatch(JSON.stringify(second.events), /hidden text/);
});

test('records are given if wanted, but not those of pages that limit quotations', (context) => {
  const { add, read } = openFeed(context);
  const structured = [{ type: 'Product', source: 'json-ld', properties: { name: ['Jug'] } }];
  add(1, 'main', page('a', 10, { structured }));
  add(2, 'main', page('b', 10, { structured, robots: { ...allowAll(), archive: false } }));
  const recordsOf = (hasRecords: boolean) =>
    read(null, { hasRecords }).events.map(({ event }) => 'records' in event && event.records?.length);
  assert.deepEqual(recordsOf(true), [1, 0]);
  assert.deepEqual(recordsOf(false), [false, false]);
});

test('a reader continues within a file, also after a purge of what it has read', async (context) => {
  const { journal, options, add, read } = openFeed(context);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  add(1, 'main', ...names.map((name) => page(name, 10)));
  const batches: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const batch = read(cursor, { limit: 4 });
    batches.push(batch.names.join());
    cursor = batch.cursor;
    if (!batch.more) break;
  }
  assert.deepEqual(batches, ['added a,added b,added c,added d', 'added e,added f']);
  const all = read(null).events;
  const after = (count: number) => {
    const batch = new ChangeReader(options).read({
      cursor: all[count - 1]!.cursor,
      limit: 9,
      hasRecords: false,
    });
    return batch.events.map(({ event }) => event.url!.at(-1)).join('');
  };
  assert.deepEqual(
    names.map((_, at) => after(at + 1)),
    ['bcdef', 'cdef', 'def', 'ef', 'f', ''],
  );
  await purgeJournal(journal, (url) => url.endsWith('/b') || url.endsWith('/d'));
  assert.deepEqual(
    names.map((_, at) => after(at + 1)),
    ['cef', 'acef', 'ef', 'acef', 'f', ''],
    'nothing is missed; if the last record is gone, the file comes again',
  );
});

test('removals are events without contents, which remain after a purge; new readers get none of them', async (context) => {
  const { root, journal, add, read, remove } = openFeed(context);
  add(1, 'main', page('a', 10), page('secret', 10), page('private-1', 10));
  const { cursor } = read(null);
  remove(urlOf('secret'), { purge: 'pending' });
  remove(urlOf('private-'), { kind: 'prefix' });
  const fresh = read(null);
  assert.deepEqual(fresh.names, ['added a'], 'the journal still has the pages');
  add(2, 'main', page('b', 60), gone('secret', 60));
  const expected = ['removed secret operator', 'removed https://a.org/private-* operator', 'added b'];
  assert.deepEqual(read(cursor).names, expected);
  await purgeJournal(journal, (url) => url.endsWith('secret'));
  changeRemovals(root, (list) => ({ ...list, settled: list.revision }));
  const told = read(cursor);
  assert.deepEqual(told.names, expected);
  assert.deepEqual(told.cursor, '1.main-2_r2');
  assert.deepEqual(told.events[0]!.event, {
    ...{ type: 'removed', at: '1970-01-01T00:00:00.050Z', reason: 'operator', url: urlOf('secret') },
  });
  assert.deepEqual(read(told.events[0]!.cursor).names, expected.slice(1));
  assert.deepEqual(read(fresh.cursor).names, ['added b']);

  changeRemovals(root, (list) => withoutRule(list, { kind: 'url', value: urlOf('secret') }));
  add(3, 'main', page('secret', 70));
  assert.deepEqual(read(told.cursor).names, ['added secret'], 'an allowed page comes back');
});

test('removals of one change come together, even if they exceed the limit', (context) => {
  const { root, add, read } = openFeed(context);
  add(1, 'main', page('a', 10));
  const { cursor } = read(null);
  const rule = (name: string): RemovalRule => ({
    kind: 'url',
    value: urlOf(name),
    removedAt: 1,
    purge: 'no',
  });
  changeRemovals(root, (list) => withRules(list, ['x', 'y', 'z'].map(rule)));
  changeRemovals(root, (list) => withRules(list, [rule('w')]));
  const first = read(cursor, { limit: 2 });
  assert.deepEqual(
    first.names,
    ['x', 'y', 'z'].map((name) => `removed ${name} operator`),
  );
  assert.equal(first.more, true);
  assert.deepEqual(read(first.events[1]!.cursor).names.length, 4, 'an interrupted group comes again');
  assert.deepEqual(read(first.cursor).names, ['removed w operator']);
});

test('a bad, unknown or expired cursor says from where to start again', (context) => {
  const { journal, add, read } = openFeed(context);
  add(1, 'main', page('a', 10));
  const refused = (cursor: string, code: string) =>
    assert.throws(
      () => read(cursor),
      (error: { code?: string; message?: string }) =>
        error.code === code && /start again without a cursor/.test(error.message!),
      cursor,
    );
  for (const cursor of ['x', '1.main', '1.main-1_x', '1.main-1_r3_main', '_'.repeat(500)])
    refused(cursor, 'bad-cursor');
  for (const cursor of ['1.main-9', '1.other-1', '1.main-1_r7']) refused(cursor, 'unknown-cursor');
  const { cursor } = read(null);
  const first = firstHidden(journal);
  beginGeneration(journal, first);
  add(first, 'main', page('a', 10));
  completeGeneration(journal);
  refused(cursor, 'expired-cursor');
  assert.deepEqual(read(null).names, ['added a']);
});
