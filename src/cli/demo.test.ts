import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '../base/mod.ts';
import { writeSettings } from './data-directory.ts';
import { chooseStage } from './demo.ts';
import { loadConfig } from './settings/mod.ts';

test('gyre up without seeds continues the demonstration in the default directory', (t) => {
  const before = process.cwd();
  const directory = mkdtempSync(join(tmpdir(), 'gyre-demo-'));
  t.after(() => {
    process.chdir(before);
    rmSync(directory, { recursive: true });
  });
  process.chdir(directory);
  const config = loadConfig({ flags: {}, environment: {}, file: undefined });
  assert.deepEqual(chooseStage(config, []).config.data, join('data', 'demo'));
  mkdirSync(join('data', 'demo'), { recursive: true });
  writeFileSync(join('data', 'demo', 'crawl.db'), '');
  assert.throws(() => chooseStage(config, []), { code: 'no-seeds' });
  const settings = { format: 1, seeds: ['http://a.localhost:8090/'], contact: '', samplePort: 8090 };
  writeSettings(openDirectory(join('data', 'demo')), settings);
  const { config: chosen, demo } = chooseStage(config, []);
  assert.deepEqual([chosen.data, demo], [join('data', 'demo'), true]);
});
