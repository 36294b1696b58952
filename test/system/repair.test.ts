/**
 * Tests an index with a damaged segment: the other segments are served with a warning, and one command
 * restores the index.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pageRecord, writeJournal } from '../../src/build/journal.fixture.ts';
import { openData, writeSettings } from '../../src/cli/data-directory.ts';
import { type Finished, gyre, temporaryDirectory } from '../helpers/gyre.ts';

test('a damaged segment is reported, skipped, and restored by gyre build --repair', async (context) => {
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

  const built = await gyre(['build', '--data', path]);
  assert.match(
    built.stdout,
    /the index has 2 documents, without 1 damaged segment: gyre build --repair --data \S+ restores what is missing/,
  );

  const repaired = await gyre(['build', '--repair', '--data', path]);
  assert.equal(repaired.code, 0, repaired.stderr);
  assert.match(repaired.stdout, /replaced 1 damaged segment: 1 document restored/);
  const whole = JSON.parse((await gyre(['search', '--data', path, '--json', 'page'])).stdout);
  assert.deepEqual([whole.total, whole.partial], [3, false]);
  assert.match(
    (await gyre(['build', '--repair', '--data', path])).stdout,
    /no segment and no journal file is damaged/,
  );
});

test('gyre build --repair reports a damaged journal also without a damaged segment', async (context) => {
  const path = temporaryDirectory(context);
  const data = openData(path);
  await writeJournal(data.journal, [[pageRecord('one', 'the page called one')]]);
  assert.equal((await gyre(['build', '--data', path])).code, 0);
  const file = join(path, 'journal', '00000001-main.journal');
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
  const repaired = await gyre(['build', '--repair', '--data', path]);
  assert.equal(repaired.code, 1);
  assert.match(
    repaired.stdout,
    /no segment is damaged, but the journal is \(00000001-main\.journal\); .+--from-archive/,
  );
});

test('any damage to journal and index is reported and can be repaired from the archive', async (context) => {
  const path = temporaryDirectory(context);
  const run = async (...args: string[]): Promise<Finished> => gyre([...args, '--data', path]);
  const documents = join(path, 'all.jsonl');
  for (const name of ['one', 'two', 'three']) {
    writeFileSync(documents, JSON.stringify({ id: name, text: `the page called ${name}` }));
    await run('import', documents);
    await run('build');
  }
  const [segment] = readdirSync(join(path, 'index')).filter((name) => name.endsWith('.seg'));
  const [journal] = readdirSync(join(path, 'journal')).filter((name) => name.endsWith('.journal'));
  for (const file of [join(path, 'index', segment!), join(path, 'journal', journal!)]) {
    writeFileSync(file, readFileSync(file).subarray(0, 40));
  }
  const repaired = await run('build', '--repair');
  assert.equal(repaired.code, 1);
  assert.match(
    repaired.stdout,
    /the journal is damaged too \(00000001-main\.journal\); gyre build --from-archive/,
  );
  assert.match(repaired.stdout, /the index has 2 documents, without 1 damaged segment\n/);
  assert.equal(JSON.parse((await run('search', '--json', 'page')).stdout).partial, true);
  const rebuilt = await run('build', '--rebuild');
  assert.equal(rebuilt.code, 1);
  assert.match(
    rebuilt.stderr,
    /^gyre: journal file damaged: [^\n]+ at byte \d+: [^\n]+--from-archive[^\n]+$/m,
  );

  const again = await run('build', '--from-archive');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /indexed 3 pages; the index has 3 documents\n/);

  const manifest = join(path, 'index', 'manifest.json');
  for (const flag of ['--repair', '--rebuild']) {
    writeFileSync(manifest, readFileSync(manifest).subarray(0, 100));
    const broken = await run('search', 'page');
    assert.match(
      broken.stderr,
      /^gyre: [^\n]+manifest\.json at byte 100: [^\n]+; gyre build --repair[^\n]+\n$/,
    );
    assert.match((await run('build', flag)).stdout, /the index has 3 documents\n/);
  }
  const whole = JSON.parse((await run('search', '--json', 'page')).stdout);
  assert.deepEqual([whole.total, whole.partial], [3, false]);
});
