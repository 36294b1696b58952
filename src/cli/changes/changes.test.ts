import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory } from '../../base/mod.ts';
import { changeSettings, openConfig, readChanges } from './mod.ts';

function temporaryRoot(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-changes-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

test('a changed setting counts more than a flag, until it is reset', (t) => {
  const root = temporaryRoot(t);
  const config = openConfig({ flags: { data: root.path, delay: '3s' }, environment: {}, file: undefined });
  assert.equal(config.reload().crawl.delayMs, 3000);
  changeSettings(root, (now) => ({ ...now, 'crawl.delay': '2s', 'crawl.maxDepth': '7' }));
  assert.equal(config.reload().crawl.delayMs, 2000);
  assert.equal(config.reload().crawl.maxDepth, 7);
  const delay = config.explain().find(({ setting }) => setting.key === 'crawl.delay')!;
  assert.deepEqual([delay.given, delay.source], ['2s', 'dashboard']);
  changeSettings(root, (now) => ({ ...now, 'crawl.delay': undefined }));
  assert.equal(config.reload().crawl.delayMs, 3000);
  assert.deepEqual(readChanges(root), { 'crawl.maxDepth': '7' });
});

test('a wrong value is refused, and so is a setting that needs a restart', (t) => {
  const root = temporaryRoot(t);
  const config = openConfig({ flags: { data: root.path }, environment: {}, file: undefined });
  assert.throws(
    () => config.attempt({ 'crawl.delay': 'soon' }),
    /^UsageError.*crawl\.delay: "soon" is not a time/,
  );
  assert.throws(() => config.attempt({ 'serve.port': '1' }), { code: 'unknown-key' });
  assert.throws(() => config.attempt({ 'crawl.extractors': 'a.js' }), { code: 'unknown-key' });
});

test('a damaged file of changes is an error that names it', (t) => {
  const root = temporaryRoot(t);
  changeSettings(root, () => ({ 'crawl.delay': '2s' }));
  const text = root.read('settings.json').toString();
  writeFileSync(join(root.path, 'settings.json'), text.replace('2s', '9s'));
  assert.throws(() => readChanges(root), /settings\.json/);
});

test('passwords are not shown', (t) => {
  const root = temporaryRoot(t);
  const environment = {
    GYRE_CRAWL_PROXY: 'http://me:secret@proxy.example:1',
    GYRE_CRAWL_HOST_CREDENTIALS: '{"a.example":{"basic":"me:secret"}}',
  };
  const shown = openConfig({ flags: { data: root.path }, environment, file: undefined }).explain();
  assert.ok(!JSON.stringify(shown.map(({ given }) => given)).includes('secret'));
});
