/**
 * Tests that data of an older format is refused with the command that rebuilds it, and that this command
 * works.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';

test('a journal and an index of format 1 are refused, and gyre build --from-archive replaces them', async (context) => {
  const directory = temporaryDirectory(context);
  const path = join(directory, 'data');
  const run = async (...args: string[]) => gyre([...args, '--data', path]);
  mkdirSync(path);
  const documents = ['whales', 'otters'].map((title) => ({
    url: `https://example.org/${title}`,
    title,
    text: `all about ${title}`,
  }));
  const file = join(directory, 'documents.jsonl');
  writeFileSync(file, documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  assert.equal((await run('import', file)).code, 0);
  assert.equal((await run('build')).code, 0);
  toFormat1(path);

  for (const command of [['build'], ['search', 'whales'], ['rank'], ['import', file]]) {
    const refused = await run(...command);
    assert.notEqual(refused.code, 0, command.join(' '));
    assert.match(refused.stderr, /format (?:version )?1\b.*gyre build --from-archive/, command.join(' '));
  }
  const rebuilt = await run('build', '--from-archive');
  assert.equal(rebuilt.code, 0, rebuilt.stderr);
  assert.match(rebuilt.stdout, /the index has 2 documents/);
  assert.equal((await run('rank')).code, 0);
  const found = JSON.parse((await run('search', '--json', 'whales')).stdout);
  assert.equal(found.results[0].url, 'https://example.org/whales');
  const names = readdirSync(join(path, 'journal')).filter((name) => name.includes('.journal'));
  assert.ok(
    names.every((name) => /^\d{8}-main\.journal/.test(name)),
    names.join(),
  );
  assert.equal((await run('import', file)).code, 0, 'the next writer continues after the new journal');
});

/** Changes the files of a data directory to the format that Gyre wrote before there were several writers. */
function toFormat1(path: string): void {
  const journal = join(path, 'journal');
  for (const name of readdirSync(journal).filter((each) => each.includes('-main.journal'))) {
    const bytes = readFileSync(join(journal, name));
    const header = Buffer.from(bytes.subarray(0, 8));
    header.writeUInt32LE(1, 4);
    writeFileSync(join(journal, name.replace('-main', '')), Buffer.concat([header, bytes.subarray(12)]));
    rmSync(join(journal, name));
  }
  const manifest = join(path, 'index', 'manifest.json');
  const { versions: _, checksum: __, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...rest, version: 1, journal: '00000001.journal' }));
  for (const name of readdirSync(join(path, 'index')).filter((each) => each.startsWith('versions-')))
    rmSync(join(path, 'index', name));
}
