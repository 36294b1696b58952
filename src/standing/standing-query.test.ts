import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY_MS } from '../base/mod.ts';
import { temporaryDirectory } from '../build/journal.fixture.ts';
import { checkNew, checkQuery } from './standing-query.ts';
import { StandingStore } from './standing-store.ts';

test('a query that can be searched for is saved as it was typed', () => {
  for (const query of ['event loop', '"event loop" site:example.org -video', 'cat OR dog', 'lang:de'])
    assert.equal(checkQuery(` ${query.replace(' ', '  ')} `), query);
});

const BROKEN: [query: string, message: RegExp][] = [
  ['  ', /expected words or operators/],
  ['!!!', /it has no word to search for/],
  ['"event loop', /""event" is not a complete operator|"event loop" is not|not a complete operator/],
  ['cat AND', /"AND" is not a complete operator/],
  ['-cat', /it only excludes pages/],
  ['link:example.org', /link: depends on other pages/],
  ['cat (related:example.org)', /related: depends on other pages/],
  ['x'.repeat(1001), /expected at most 1000 characters, got 1001/],
  ['a '.repeat(80), /more words or parentheses than a query may have/],
];

for (const [query, message] of BROKEN) {
  test(`the query "${query.slice(0, 30)}" is refused with a reason`, () => {
    assert.throws(() => checkQuery(query), message);
  });
}

test('a name, an address and a secret are checked', () => {
  const good = { name: 'a', query: 'cat', newOnly: false, webhook: null };
  const hook = (url: string, secret = 'x'.repeat(24)) => checkNew({ ...good, webhook: { url, secret } });
  assert.throws(() => checkNew({ ...good, name: 'No Name' }), /"No Name" is no name: expected up to 64/);
  assert.equal(hook('https://example.org/a?b=1#c').webhook!.url, 'https://example.org/a?b=1');
  assert.throws(() => hook('ftp://example.org/'), /is no address for a webhook/);
  assert.throws(() => hook('example.org'), /is no address for a webhook/);
  assert.throws(() => hook('https://me:pass@example.org/'), /must not have a name and a password/);
  assert.throws(() => hook('https://example.org/', 'short'), /too short: expected 24 to 64 bytes, got 5/);
  assert.throws(
    () => hook('https://example.org/', 'whsec_AAAA'),
    /too short: expected 24 to 64 bytes, got 3/,
  );
});

test('names are unique, secrets are long, and only the owner may read the file', (t) => {
  const root = temporaryDirectory(t);
  const store = new StandingStore(root);
  t.after(() => store.close());
  const saved = { name: 'a', query: 'cat', newOnly: true, webhook: null };
  const { feed, own, isSearchers } = store.add(saved, { indexed: () => ({ main: 3 }), now: 1 });
  assert.match(feed, /^[\w-]{32}$/);
  assert.deepEqual([own, isSearchers], [null, false]);
  assert.throws(
    () => store.add(saved, { indexed: () => ({}), now: 1 }),
    /there is a standing query "a" already/,
  );
  assert.throws(() => store.find('b'), /there is no standing query "b"/);
  assert.deepEqual(store.readFeed(feed, 1)!.since, { main: 3 });
  assert.equal(store.readFeed('guess', 1), null);
  assert.equal(statSync(join(root.path, 'standing.db')).mode & 0o077, 0);
  store.remove('a');
  assert.deepEqual(store.list(), []);
});

test('searchers may save a limited number, and a query that is not read ends', (t) => {
  const store = new StandingStore(temporaryDirectory(t));
  t.after(() => store.close());
  const add = (name: string, now: number) =>
    store.add({ name, query: 'cat', newOnly: false, webhook: null }, { indexed: () => ({}), now, limit: 2 });
  const read = add('read', 0);
  assert.equal(store.findOwn(read.own!)!.name, 'read');
  add('unread', 0);
  assert.throws(() => add('third', 1), /keeps no more saved searches/);
  store.readFeed(read.feed, 60 * DAY_MS);
  add('third', 100 * DAY_MS);
  assert.deepEqual(
    store.list().map(({ name }) => name),
    ['read', 'third'],
  );
});
