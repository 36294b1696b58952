/** Tests that a backup of a running crawl is restored to the state of one commit, and that the crawl continues from it. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import { startWeb } from '../../src/synthetic-web/server.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { archivedCounts, writeConfig } from '../helpers/synthetic-crawl.ts';

test('a backup of a running crawl is restored, and the crawl continues from it without loss', async (context) => {
  const directory = temporaryDirectory(context);
  const web = await startWeb({ seed: 7, hosts: 12, pages: 400 });
  context.after(() => web.close());
  const config = ['--config', writeConfig(directory, { delay: '15ms' })];
  const [data, copy, restored] = ['data', 'copy', 'restored'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const original = new Gyre(['crawl', '--data', data, ...config, ...web.seeds]);
  while (web.log.length < 250) await sleep(20);
  const backup = await gyre(['backup', copy, '--data', data]);
  assert.equal(backup.code, 0, backup.stderr);
  assert.equal((await original.ended()).code, 0);

  assert.equal((await gyre(['restore', copy, '--data', restored])).code, 0);
  const continued = await gyre(['crawl', '--data', restored, ...config, ...web.seeds]);
  assert.equal(continued.code, 0, continued.stderr);
  const [wanted, got] = [await archivedCounts(data), await archivedCounts(restored)];
  assert.deepEqual([...got.keys()].sort(), [...wanted.keys()].sort());
  assert.deepEqual([...new Set(got.values())], [1], 'each page is archived once');
  for (const path of [data, restored]) assert.equal((await gyre(['build', '--data', path])).code, 0);
  const doctor = await gyre(['doctor', '--data', restored]);
  assert.equal(doctor.code, 0, doctor.stdout);
  const documents = await Promise.all([data, copy, restored].map(indexedCount));
  assert.equal(documents[2], documents[0]);
  assert.ok(documents[0]! > 200, `${documents[0]} documents`);
  assert.equal(documents[1], 0, 'the backup itself is not changed');
});

test('a backup needs an empty target, and a restore a complete backup', async (context) => {
  const directory = temporaryDirectory(context);
  const data = join(directory, 'data');
  const documents = join(directory, 'all.jsonl');
  writeFileSync(documents, JSON.stringify({ id: 'one', text: 'the harbour' }));
  for (const args of [['import', documents], ['build']]) await gyre([...args, '--data', data]);
  const refused = await gyre(['backup', directory, '--data', data]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /has files: name a directory that is empty or does not exist/);
  mkdirSync(join(directory, 'empty'));
  const none = await gyre(['restore', join(directory, 'empty'), '--data', join(directory, 'new')]);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /is not a complete backup: expected the file backup\.json/);
  const copy = join(directory, 'copy');
  assert.equal((await gyre(['backup', copy, '--data', data])).code, 0);
  assert.equal(JSON.parse((await gyre(['search', '--json', 'harbour', '--data', copy])).stdout).total, 1);
});

async function indexedCount(data: string): Promise<number> {
  return JSON.parse((await gyre(['status', '--json', '--data', data])).stdout).index.docCount;
}
