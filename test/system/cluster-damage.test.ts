/**
 * Tests a cluster whose objects in S3 are damaged or missing: index nodes continue with the rest, `gyre status` names the
 * objects, and `gyre build --cluster` repairs them, so that no page is lost.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenSearch, isDone, missingPages, openCluster, openWeb, until } from '../helpers/cluster-crawl.ts';
import { Gyre } from '../helpers/gyre.ts';
import type { TestCluster } from '../helpers/test-cluster.ts';

interface Status {
  problems: { problem: string; help: string | null }[];
}

async function run({ file }: TestCluster, command: string, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Gyre([command, '--cluster', file, ...flags]).ended();
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Returns the problems with objects, each with its command. */
async function damageOf(cluster: TestCluster): Promise<string[]> {
  const { problems } = JSON.parse(await run(cluster, 'status', '--json')) as Status;
  return problems
    .filter(({ help }) => help?.includes('gyre build'))
    .map(({ problem, help }) => `${problem} -> ${help!.replace(cluster.file, 'FILE')}`)
    .sort();
}

test('a cluster with damaged and missing objects loses no page', async (context) => {
  const web = await openWeb(context, 72);
  const cluster = await openCluster(context, web, { delayMs: 20 });
  const { database } = cluster;
  const crawler = await cluster.start('crawl');
  await until('every page is fetched', () => missingPages(web).length === 0);
  await crawler.kill('SIGTERM');
  const batches = await database<{ journal: string; bytes: number }[]>`
    select node || '-' || lpad(batch::text, 8, '0') || '.journal' as journal from gyre.capture_batches
    where warc is not null and journal_bytes > 0 order by number`;
  assert.ok(batches.length >= 2, 'the crawl has committed at least two batches');
  const [missing, damaged] = [batches[0]!.journal, batches.at(-1)!.journal];
  const journal = await cluster.openBlobs('journal/');
  const bytes = await journal.get(damaged);
  for (const name of [missing, damaged]) await journal.delete(name);
  await journal.put(damaged, bytes.subarray(0, bytes.length - 100));

  const indexer = await cluster.start('index');
  await until('both objects are named', async () => (await damageOf(cluster)).length === 2);
  const held = (await damageOf(cluster)).join('\n');
  const help = '.* -> gyre build --cluster FILE --from-archive$';
  assert.match(
    held,
    new RegExp(`^journal object journal/${missing} is damaged: the object is missing\\.${help}`, 'm'),
  );
  const expected = 'expected \\d+ bytes with SHA-256 \\w+, got \\d+ bytes with SHA-256 \\w+';
  assert.match(held, new RegExp(`^journal object journal/${damaged} is damaged: ${expected}\\.${help}`, 'm'));
  const repaired = await run(cluster, 'build', '--from-archive');
  for (const name of [missing, damaged])
    assert.match(repaired, new RegExp(`journal/${name} rebuilt from the archive`));
  await until('every page is indexed', () => isDone(cluster, web));
  assert.deepEqual(await damageOf(cluster), []);
  assert.deepEqual(await brokenSearch(cluster, web), []);
  assert.equal(indexer.child.exitCode, null, 'the node has run all the time');

  const [stopped] = [await indexer.kill('SIGTERM')];
  assert.equal(stopped.code, 0, stopped.stderr);
  const segments = await cluster.openBlobs('index/0/');
  for (const name of await segments.list('seg-')) if (name.endsWith('.seg')) await segments.delete(name);
  const next = await cluster.start('index');
  await until('the shard is named', async () => (await damageOf(cluster)).length === 1);
  const shards = await database`select shard from gyre.shards where problem is not null`;
  assert.deepEqual([...shards], [{ shard: 0 }], 'the other shard continues');
  assert.match((await damageOf(cluster))[0]!, /^shard 0 is not indexed: there is no seg-.* --rebuild$/);
  assert.match(await run(cluster, 'build', '--rebuild'), /^1 shard \(0\) will be indexed again/);
  await until('the shard is indexed again', () => isDone(cluster, web));
  assert.deepEqual(await damageOf(cluster), []);
  assert.deepEqual(await brokenSearch(cluster, web), []);
  assert.equal(next.child.exitCode, null, 'the node has run all the time');
});
