/** Tests that the next settlement completes a settlement that was killed, at any change to the files. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { filesWith } from '../../../test/helpers/file-search.ts';
import { archivedRecord } from '../../archive/mod.ts';
import { silentLog, systemClock } from '../../base/mod.ts';
import { failing, liveTexts } from '../../build/journal.fixture.ts';
import { openCrawlState } from '../../crawl/mod.ts';
import { Importer } from '../../import/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { type DataDirectory, openData } from '../data-directory.ts';
import { changeRemovals, isSettled, readRemovals, withRules } from '../removals/mod.ts';
import { buildOnce, rankOnce } from '../sessions/index-session.ts';
import { type Config, loadConfig } from '../settings/mod.ts';
import { settleRemovals } from './settle-removals.ts';

const MARK = 'kvzqwjp';
const DATE = Date.UTC(2020, 4, 6, 7, 8, 9);

/**
 * Imports two pages, one of which contains the mark. Indexes and ranks them, and removes the page with the
 * mark.
 */
async function removedData(t: TestContext): Promise<{ path: string; config: Config }> {
  const path = mkdtempSync(join(tmpdir(), 'gyre-settle-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const data = openData(join(path, 'data'));
  const config = loadConfig({ flags: {}, environment: {}, file: undefined });
  const state = openCrawlState(data.root);
  const options = { software: 'test', rotateBytes: 1e9, clock: systemClock, log: silentLog, firstMs: 1 };
  const importer = await Importer.open(data, state, options);
  for (const [name, text] of [
    ['secret', `a${MARK}b`],
    ['boats', 'oars'],
  ] as const) {
    const body = `<title>${name}</title><p>${text} <a href="/boats">c${MARK.repeat(name === 'secret' ? 1 : 0)}</a>`;
    const block = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`);
    const targetUri = `https://example.org/${name}`;
    const record = { type: 'response', targetUri, date: DATE, fields: new Map<string, string>(), block };
    await importer.takeRecord(archivedRecord(record), name);
  }
  await importer.finish();
  importer.close();
  state.close();
  await buildOnce(data, config, silentLog, new AbortController().signal);
  rankOnce(data, silentLog);
  const value = canonicalize('https://example.org/secret')!;
  const rule = { kind: 'url', value, removedAt: 1, purge: 'pending' } as const;
  changeRemovals(data.root, (list) => withRules(list, [rule]));
  return { path, config };
}

const PARTS = ['root', 'archive', 'journal', 'index'] as const;

/**
 * Returns the number of the next change that fails: each of the first changes, then fewer and fewer, because a
 * settlement takes half a second.
 */
const nextAfter = (failAt: number) => (failAt < 4 ? failAt + 1 : 2 * failAt);

for (const part of PARTS) {
  test(`a settlement that fails at a change in ${part} is completed by the next one`, async (t) => {
    const { path, config } = await removedData(t);
    assert.notDeepEqual(await filesWith(join(path, 'data'), MARK), []);
    for (let failAt = 1; ; failAt = nextAfter(failAt)) {
      const copy = join(path, String(failAt));
      cpSync(join(path, 'data'), copy, { recursive: true });
      const data = openData(copy);
      const isDone = await settles({ ...data, [part]: failing(data[part], failAt) }, config);
      if (!isDone) assert.equal(isSettled(readRemovals(data.root)), false, `change ${failAt}: work is left`);
      await settleRemovals(data, { config, log: silentLog });
      assert.ok(isSettled(readRemovals(data.root)));
      assert.deepEqual(await filesWith(copy, MARK), [], `change ${failAt}`);
      assert.deepEqual(liveTexts(data.index), ['boats: oars c'], `change ${failAt}`);
      rmSync(copy, { recursive: true });
      if (!isDone) continue;
      assert.ok(failAt > 1, 'there is a change that can fail');
      return;
    }
  });
}

async function settles(data: DataDirectory, config: Config): Promise<boolean> {
  try {
    return (await settleRemovals(data, { config, log: silentLog })) !== null;
  } catch {
    return false;
  }
}
