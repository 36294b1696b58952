/** An index with a damaged segment: the rest serves and says so, and one command brings all of it back. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pageRecord, writeJournal } from '../../src/build/journal.fixture.ts';
import { openData, writeSettings } from '../../src/cli/data-directory.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';

test('a damaged segment is told, left out, and restored by gyre build --repair', async (context) => {
  const path = temporaryDirectory(context);
  const data = openData(path);
  writeSettings(data.root, { format: 1, seeds: [], contact: '', samplePort: null });
  for (const name of ['one', 'two', 'three']) {
    await writeJournal(data.journal, [[pageRecord(name, `the page called ${name}`)]]);
    assert.equal((await gyre(['build', '--data', path])).code, 0);
  }
  const index = join(path, 'index');
  const damaged = readdirSync(index).filter((name) => name.endsWith('.seg'))[1]!;
  const bytes = readFileSync(join(index, damaged));
  bytes[40]! ^= 4;
  writeFileSync(join(index, damaged), bytes);

  const part = await gyre(['search', '--data', path, '--json', 'page']);
  const answer = JSON.parse(part.stdout);
  assert.equal(answer.total, 2);
  assert.equal(answer.partial, true);
  assert.match(answer.notes.join(), /damaged/);
  assert.match(part.stderr, new RegExp(`${damaged} at byte \\d+: expected checksum`));

  const repaired = await gyre(['build', '--repair', '--data', path]);
  assert.equal(repaired.code, 0, repaired.stderr);
  assert.match(repaired.stdout, /replaced 1 damaged segment: 1 document restored/);
  const whole = JSON.parse((await gyre(['search', '--data', path, '--json', 'page'])).stdout);
  assert.deepEqual([whole.total, whole.partial], [3, false]);
  assert.match((await gyre(['build', '--repair', '--data', path])).stdout, /no segment is damaged/);
});
