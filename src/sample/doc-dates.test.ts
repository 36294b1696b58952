import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writtenAt } from './doc-dates.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-dates-'));
after(() => rmSync(root, { recursive: true }));

const INSTALLED = Date.UTC(2026, 10, 15);

function packageWith(name: string, licence: string | null): string {
  const folder = join(root, name);
  mkdirSync(folder);
  if (licence !== null) writeFileSync(join(folder, 'LICENSE.md'), licence);
  return folder;
}

const yearOf = (folder: string, file: string) =>
  new Date(writtenAt(folder)(file, INSTALLED)).getUTCFullYear();

test('a document has the last year in the license of its package', () => {
  const licence = 'MIT\n\nCopyright (c) 2011-2014, 2019 Somebody\nCopyright © 2016 Another, phone 20301234\n';
  const folder = packageWith('named', licence);
  assert.deepEqual([yearOf(folder, 'README.md'), yearOf(folder, 'docs/a.md')], [2019, 2019]);
});

test('without a valid year, a document has one of the five years before the installation', () => {
  const folders = [packageWith('silent', null), packageWith('dreaming', 'Copyright 2038 Nobody')];
  for (const folder of folders)
    for (let file = 0; file < 50; file++) {
      const year = yearOf(folder, `${file}.md`);
      assert.ok(year >= 2021 && year <= 2025, `${year}`);
    }
});

test('each document has its own date, always the same', () => {
  const folder = packageWith('many', 'Copyright 2020 Somebody');
  const days = Array.from({ length: 50 }, (_, file) => writtenAt(folder)(`${file}.md`, INSTALLED));
  assert.ok(new Set(days).size > 40);
  assert.equal(writtenAt(folder)('7.md', INSTALLED), days[7]);
});
