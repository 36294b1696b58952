import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CorruptError, openDirectory, silentLog } from '../../base/mod.ts';
import { writeSynonyms } from '../../lexicon/mod.ts';
import { ReloadingFile } from './reloading-file.ts';

test('an unreadable file is read again by the next refresh, with one warning', (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-reloading-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const directory = openDirectory(path);
  const write = (generation: number) => writeSynonyms(directory, { generation, docs: 1 }, []);
  const warnings: string[] = [];
  let contents = 'first';
  const open = () => {
    if (contents === 'broken') throw new CorruptError('synonyms', 0, 'words', 'none');
    return contents;
  };
  const log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
  const file = new ReloadingFile(directory, 'synonyms', log, open);
  write(1);
  assert.deepEqual([file.refresh(), file.refresh(), file.current], [true, false, 'first']);
  contents = 'broken';
  write(2);
  assert.deepEqual([file.refresh(), file.refresh(), file.current], [false, false, 'first']);
  assert.deepEqual(warnings, ['lexicon file unreadable']);
  contents = 'second';
  assert.deepEqual([file.refresh(), file.refresh(), file.current], [true, false, 'second']);
});
