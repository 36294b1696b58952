import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { missingPart, openData, readSettings, writeSettings } from './data-directory.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-data-'));
after(() => rmSync(root, { recursive: true }));

test('the directory to create is the outermost missing one, or none', () => {
  const path = join(root, 'new', 'one');
  assert.equal(missingPart(path), join(root, 'new'));
  openData(path);
  assert.equal(missingPart(path), null);
});

test('a flipped byte in gyre.json and a seed that is not canonical are reported', () => {
  const { root: directory } = openData(join(root, 'settings'));
  const settings = { format: 1, seeds: ['https://c.d0000.test/'], contact: '', samplePort: null };
  writeSettings(directory, settings);
  assert.deepEqual(readSettings(directory), settings);
  const file = join(directory.path, 'gyre.json');
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('.test') + 3] = '2'.charCodeAt(0);
  writeFileSync(file, bytes);
  assert.throws(() => readSettings(directory), /gyre\.json at byte \d+: expected checksum .+gyre up SEED/);
  writeFileSync(file, JSON.stringify({ ...settings, seeds: ['https://c.d0000.te t/'] }));
  assert.throws(() => readSettings(directory), /gyre\.json .+expected canonical URLs .+te t/);
  writeFileSync(file, JSON.stringify(settings));
  assert.deepEqual(readSettings(directory), settings, 'an older file without a checksum is read');
});
