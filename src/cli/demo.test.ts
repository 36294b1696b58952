import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDirectory } from '../base/mod.ts';
import { writeSettings } from './data-directory.ts';
import { chooseStage } from './demo.ts';
import { loadConfig } from './settings/mod.ts';
import { reportUrl, rulesOfCrawl } from './url-decision.ts';

/** Changes to a temporary directory until the end of the test. */
function enterTemporaryDirectory(t: TestContext): void {
  const before = process.cwd();
  const directory = mkdtempSync(join(tmpdir(), 'gyre-demo-'));
  t.after(() => {
    process.chdir(before);
    rmSync(directory, { recursive: true });
  });
  process.chdir(directory);
}

test('gyre up without seeds continues the demonstration in the default directory', (t) => {
  enterTemporaryDirectory(t);
  const config = loadConfig({ flags: {}, environment: {}, file: undefined });
  assert.deepEqual(chooseStage(config, []).config.data, join('data', 'demo'));
  mkdirSync(join('data', 'demo'), { recursive: true });
  writeFileSync(join('data', 'demo', 'crawl.db'), '');
  assert.throws(() => chooseStage(config, []), { code: 'no-seeds' });
  const settings = { format: 1, seeds: ['http://a.localhost:8090/'], contact: '', samplePort: 8090 };
  writeSettings(openDirectory(join('data', 'demo')), settings);
  const { config: chosen, demo } = chooseStage(config, []);
  assert.deepEqual([chosen.data, demo], [join('data', 'demo'), true]);
  assert.ok(chosen.crawl.delayMs < config.crawl.delayMs / 10, 'the own server is crawled with a short delay');
});

test('the decisions about URLs have the scope of the demonstration, which is the sample web', (t) => {
  enterTemporaryDirectory(t);
  const data = join('data', 'demo');
  const config = { ...loadConfig({ flags: {}, environment: {}, file: undefined }), data };
  const settings = { format: 1, seeds: ['http://a.localhost:8090/'], contact: '', samplePort: 8090 };
  writeSettings(openDirectory(data), settings);
  const ruleOf = (url: string) => reportUrl(url, undefined, 1, rulesOfCrawl(config)).rule;
  assert.equal(ruleOf('http://b.localhost:8090/page'), 'default');
  assert.equal(ruleOf('http://b.localhost:9000/page'), 'scope');
  assert.equal(ruleOf('https://example.org/'), 'scope');
  writeSettings(openDirectory(data), { ...settings, samplePort: null });
  assert.equal(ruleOf('http://b.localhost:8090/page'), 'scope', 'a crawl of one host has its own scope');
});
