import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { directoryAt, silentLog } from '../../base/mod.ts';
import { StandingStore } from '../../standing/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { readAudit } from '../access/mod.ts';
import { openData } from '../data-directory.ts';
import { changeRemovals, parseRemovalTarget, withRules } from '../removals/mod.ts';
import { loadConfig } from '../settings/mod.ts';
import { standingTools } from './standing-tools.ts';

const URLS = ['https://a.example/one', 'https://b.example/two'] as CanonicalUrl[];

test('searchers and operators save queries, and removed pages leave the feeds at once', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-standing-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const data = openData(path);
  const environment = { GYRE_STANDING_SEARCHERS: 'on', GYRE_STANDING_MAX_SEARCHES: '1', GYRE_DATA: path };
  const config = loadConfig({ flags: {}, environment, file: undefined });
  const tools = standingTools(data, config, silentLog);
  assert.equal(tools.isOpen, true);
  assert.deepEqual([tools.list(), tools.readFeed('x'), tools.readOwn('x')], [[], null, null]);

  const own = tools.saveOwn('harbour');
  assert.throws(() => tools.saveOwn('anchor'), /keeps no more saved searches/);
  const { feed } = tools.readOwn(own)!;
  assert.notEqual(feed, own);
  const store = new StandingStore(directoryAt(path));
  t.after(() => store.close());
  const pages = URLS.map((url) => ({ change: 'new' as const, url, title: '', snippet: '', fetchedAt: 1 }));
  const progress = { first: 1, position: {}, newestMs: 0, floor: {}, floorMs: 0 };
  const [query] = store.list();
  store.commit({ pages: new Map(), gone: [], found: [{ query: query!.id, pages }], progress }, 2);
  assert.equal(tools.readFeed(feed)!.pages.length, 2);
  const target = parseRemovalTarget('a.example');
  changeRemovals(data.root, (list) => withRules(list, [{ ...target, removedAt: 1, purge: 'no' }]));
  const fresh = standingTools(data, config, silentLog);
  assert.deepEqual(
    fresh.readFeed(feed)!.pages.map(({ url }) => url),
    [URLS[1]],
  );
  tools.removeOwn(own);
  assert.equal(tools.readFeed(feed), null);

  const form = { name: 'n', query: 'anchor', newOnly: false, webhook: 'https://hook.example/', secret: '' };
  assert.match(tools.add(form, 'web:olga')!, /^whsec_/);
  assert.equal(tools.list()[0]!.webhook!.url, 'https://hook.example/');
  assert.throws(() => tools.add({ ...form, name: 'm', secret: 'short' }, 'web:olga'), /too short/);
  tools.remove('n', 'web:olga');
  assert.deepEqual(
    readAudit(data.root, 10).map(({ who, action, target: name }) => [who, action, name]),
    [
      ['web:olga', 'standing-remove', 'n'],
      ['web:olga', 'standing-add', 'n'],
    ],
  );
});
