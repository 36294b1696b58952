/** Tests rankings over PostgreSQL, with nodes that are processes of their own. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { blobsIn } from '../../base/files/blob-store.ts';
import { type Directory, Random, silentLog, sleep } from '../../base/mod.ts';
import { temporaryDirectory } from '../../graph/graph.fixture.ts';
import { openAnchors, openHosts, openRankedParts, openRanks, rankPages } from '../../graph/mod.ts';
import { WRITERS, writeRandomWeb } from '../../graph/parts/random-web.fixture.ts';
import { encodeFrames, encodeJournalFile, encodeRecord } from '../../journal/journal-writer.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { journalObject } from '../captures/capture-objects.ts';
import { type ClusterDatabase, openDatabase } from '../database.ts';
import { Membership } from '../membership.ts';
import { createDatabase } from '../test-database.fixture.ts';
import { inTransaction } from '../transaction.ts';
import { hasRanking, removeOldRankings } from './due-ranking.ts';
import { createRankJob, newestRankJob, openRankBoard } from './postgres-rank-board.ts';
import { bringClusterRanks, copyJournal } from './rank-node.ts';
import type { RankProcessOptions } from './rank-process.fixture.ts';

const PROGRAM = join(import.meta.dirname, 'rank-process.fixture.ts');
const LEASE_MS = 2_000;
const LONG_MS = 60_000;
const ITERATIONS = 6;

interface Setting {
  database: string;
  sql: ClusterDatabase;
  root: Directory;
  urls: CanonicalUrl[];
}

async function openSetting(t: TestContext, hostCount: number): Promise<Setting> {
  const database = await createDatabase(t);
  const sql = await openDatabase(database);
  t.after(() => sql.end({ timeout: 0 }));
  const root = temporaryDirectory(t);
  const urls = await writeRandomWeb(root.directory('journal'), new Random(testSeed()), hostCount);
  rankPages({
    journal: root.directory('journal'),
    output: root.directory('alone'),
    log: silentLog,
    maxIterations: ITERATIONS,
  });
  return { database, sql, root, urls };
}

function startNode(t: TestContext, { database, root }: Setting, node: string): ChildProcess {
  const pathOf = (name: string) => root.directory(name).path;
  const options: RankProcessOptions = {
    ...{ database, node, leaseMs: LEASE_MS, maxIterations: ITERATIONS },
    ...{ journal: pathOf('journal'), blobs: pathOf('blobs'), scratch: pathOf(node) },
  };
  const flags = ['--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, PROGRAM, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

function createJob(sql: ClusterDatabase, writers: readonly string[], parts: number): Promise<string> {
  return inTransaction(sql, (tx) => createRankJob(tx, { writers, parts, journal: {}, records: 0 }));
}

async function assertFinished(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await once(child, 'exit');
  assert.equal(child.exitCode, 0);
}

async function assertSame({ sql, root, urls }: Setting, job: string): Promise<void> {
  assert.equal(await newestRankJob(sql, true), job);
  const cache = root.directory('cache');
  const copies = await bringClusterRanks(sql, blobsIn(root.directory('blobs')), cache, job);
  const ours = openRankedParts(copies.directories, copies.nodeCount)!;
  const alone = root.directory('alone');
  const [ranks, anchors, hosts] = [openRanks(alone)!, openAnchors(alone)!, openHosts(alone)!];
  for (const url of urls) {
    const key = fingerprint(url);
    const difference = Math.abs(ours.ranks.rankOf(key) - ranks.rankOf(key));
    assert.ok(difference < 1e-7, `seed ${testSeed()}: ${url}: ${difference}`);
    assert.deepEqual(ours.anchors.textsOf(key), anchors.textsOf(key), `seed ${testSeed()}: ${url}`);
  }
  assert.deepEqual([...ours.hosts.entries()], [...hosts.entries()]);
  ours.close();
  anchors.close();
}

/** Waits until the job is in an iteration, and returns a node that has a task of it. */
async function ownerInIteration(sql: ClusterDatabase, job: string): Promise<string> {
  for (;;) {
    const [row] = await sql<{ owner: string }[]>`select t.owner from gyre.rank_tasks t
      join gyre.rank_jobs j on j.name = t.job and j.phase = t.phase
      where t.job = ${job} and t.name like 'step-%' limit 1`;
    if (row) return row.owner;
    assert.equal(await newestRankJob(sql, true), null, 'the ranking ended before its iterations were seen');
    await sleep(5);
  }
}

test('one, two and four nodes give the ranks of the embedded ranking', async (t) => {
  const setting = await openSetting(t, 40);
  for (const count of [1, 2, 4]) {
    const job = await createJob(setting.sql, WRITERS, count);
    const nodes = Array.from({ length: count }, (_, node) => startNode(t, setting, `node-${job}-${node}`));
    for (const node of nodes) await assertFinished(node);
    await assertSame(setting, job);
  }
});

test('the parts of a killed node are taken by the others', async (t) => {
  const setting = await openSetting(t, 40);
  const job = await createJob(setting.sql, WRITERS, 3);
  const nodes = new Map(['first', 'second', 'third'].map((node) => [node, startNode(t, setting, node)]));
  const victim = await ownerInIteration(setting.sql, job);
  nodes.get(victim)!.kill('SIGKILL');
  nodes.delete(victim);
  for (const node of nodes.values()) await assertFinished(node);
  await assertSame(setting, job);
});

test('a node that was stopped cannot change the ranking after it continues', async (t) => {
  const setting = await openSetting(t, 40);
  const job = await createJob(setting.sql, WRITERS, 3);
  const nodes = new Map(['first', 'second'].map((node) => [node, startNode(t, setting, node)]));
  const victim = await ownerInIteration(setting.sql, job);
  const stopped = nodes.get(victim)!;
  stopped.kill('SIGSTOP');
  nodes.delete(victim);
  for (const node of nodes.values()) await assertFinished(node);
  await assertSame(setting, job);
  stopped.kill('SIGCONT');
  await assertFinished(stopped);
  const kept = blobsIn(setting.root.directory('blobs'));
  const before = await kept.list(`${job}.files`);
  assert.equal(before.length, 6, 'the ranks and anchors of three parts');
  await assertSame(setting, job);
});

/** Opens a database with two journal writers. The returned function adds a batch, and returns its blob. */
async function openWriters(t: TestContext) {
  const sql = await openDatabase(await createDatabase(t));
  t.after(() => sql.end({ timeout: 0 }));
  const nodes = ['first', 'second'];
  await sql`insert into gyre.journal_writers values (1, ${nodes[0]!}), (2, ${nodes[1]!})`;
  const addBatch = async (writer: number, number: number, records: number, age: string) => {
    const node = nodes[writer - 1]!;
    await sql`insert into gyre.capture_batches
        (writer, number, node, batch, warc_bytes, journal_bytes, records, committed_at)
      values (${writer}, ${number}, ${node}, ${number}, 1, 1, ${records}, clock_timestamp() - ${age}::interval)`;
    return journalObject({ node, batch: number });
  };
  return { sql, addBatch };
}

test('a node copies the journal of one writer, and copies files again that were lost', async (t) => {
  const { sql, addBatch } = await openWriters(t);
  const root = temporaryDirectory(t);
  const objects = blobsIn(root.directory('objects'));
  const bytesOf = (writer: number, number: number) => {
    const url = `https://n${writer}.example/${number}` as CanonicalUrl;
    const record = encodeRecord({ kind: 'gone', url, fetchedAt: 1, status: 404 });
    return encodeJournalFile([...encodeFrames([record])]);
  };
  for (const [writer, number] of [
    [1, 1],
    [1, 2],
    [2, 1],
  ] as const)
    await objects.put(await addBatch(writer, number, 1, '0'), bytesOf(writer, number));
  for (const lost of [[], ['00000001-n1.journal']]) {
    for (const name of lost) root.directory('journal-n1').remove(name);
    const copy = await copyJournal(sql, objects, root, 'n1', silentLog);
    assert.deepEqual(
      copy.list().map((name) => [name, copy.read(name)]),
      [
        ['00000001-n1.journal', bytesOf(1, 1)],
        ['00000002-n1.journal', bytesOf(1, 2)],
      ],
    );
  }
});

test('a ranking begins when the journal has grown by a fifth or is quiet, and one at a time', async (t) => {
  const { sql, addBatch } = await openWriters(t);
  const newest = async () => {
    const [job] = await sql`select name, writers, parts, journal, records::int as records
      from gyre.rank_jobs order by generation desc limit 1`;
    return { ...job };
  };
  const finish = async () => void (await sql`update gyre.rank_jobs set is_finished = true`);
  assert.equal(await hasRanking(sql), false, 'an empty journal');
  await addBatch(1, 1, 100, '0');
  assert.equal(await hasRanking(sql), true);
  const first = { name: 'ranks-00000001', writers: ['n1', 'n2'], parts: 1 };
  assert.deepEqual(await newest(), { ...first, journal: { n1: 1 }, records: 100 });
  await addBatch(2, 1, 100, '0');
  assert.equal(await hasRanking(sql), true);
  assert.equal((await newest()).name, first.name, 'the first ranking is not finished');
  await finish();
  assert.equal(await hasRanking(sql), true);
  assert.deepEqual(await newest(), {
    ...first,
    name: 'ranks-00000002',
    journal: { n1: 1, n2: 1 },
    records: 200,
  });
  await finish();
  await addBatch(1, 2, 20, '-1 hour');
  assert.equal(await hasRanking(sql), false, 'a small change just now');
  await sql`update gyre.capture_batches set committed_at = clock_timestamp() - interval '1 hour'`;
  assert.equal(await hasRanking(sql), true, 'the journal is quiet');
  assert.equal((await newest()).name, 'ranks-00000003');
  await finish();
  assert.equal(await hasRanking(sql), false, 'nothing new');
});

test('old rankings are removed with their blobs; the two newest finished ones stay', async (t) => {
  const { sql } = await openWriters(t);
  const blobs = blobsIn(temporaryDirectory(t));
  for (let count = 0; count < 4; count++) {
    const job = await createJob(sql, ['n1'], 1);
    await blobs.put(`${job}.files.0.1.ranks`, Buffer.from(job));
    if (count < 3) await sql`update gyre.rank_jobs set is_finished = true where name = ${job}`;
  }
  await removeOldRankings(sql, blobs);
  const kept = [2, 3, 4].map((number) => `ranks-0000000${number}`);
  const names = await sql<{ name: string }[]>`select name from gyre.rank_jobs order by name`;
  assert.deepEqual(
    names.map(({ name }) => name),
    kept,
  );
  assert.deepEqual(
    await blobs.list(''),
    kept.map((name) => `${name}.files.0.1.ranks`),
  );
});

test('a task moves to another node when the lease of its owner has expired, and the late result is refused', async (t) => {
  const database = await createDatabase(t);
  const sql = await openDatabase(database);
  t.after(() => sql.end({ timeout: 0 }));
  const member = (node: string) =>
    new Membership(sql, { node, roles: ['rank'], weight: 1 }, { leaseMs: LONG_MS });
  await member('first').renew();
  const name = await createJob(sql, ['main'], 2);
  const [first, second] = [await openRankBoard(sql, name, 'first'), await openRankBoard(sql, name, 'second')];
  assert.deepEqual(await second.next(), { kind: 'wait' }, 'a node without a lease takes no task');
  await member('second').renew();
  const taken = await first.next();
  assert.deepEqual(taken, { kind: 'task', task: { phase: 0, name: 'runs', task: 0, epoch: 1 } });
  assert.deepEqual(await second.next(), { kind: 'wait' });
  await sql`update gyre.nodes set lease_until = clock_timestamp() where node = 'first'`;
  assert.deepEqual(await first.next(), { kind: 'wait' }, 'its lease has expired');
  const again = await second.next();
  assert.deepEqual(again, { kind: 'task', task: { phase: 0, name: 'runs', task: 0, epoch: 2 } });
  assert.ok(taken.kind === 'task' && again.kind === 'task');
  await assert.rejects(first.finish(taken.task, { urls: 1 }), {
    code: 'stale-epoch',
    message: /^first no longer has task 0 of runs/,
  });
  assert.equal(await first.holds(taken.task), false);
  assert.equal(await second.holds(again.task), true);
  await second.finish(again.task, { urls: 2 });
  assert.deepEqual(await first.resultsOf('runs'), [{ epoch: 2, result: { urls: 2 } }]);
  assert.deepEqual(await second.next(), { kind: 'complete', phase: 0, name: 'runs' });
  await member('first').renew();
  await Promise.all([first.begin(0, 'plan', 1), second.begin(0, 'plan', 1)]);
  await first.begin(0, 'split', 1);
  assert.deepEqual(await second.next(), {
    kind: 'task',
    task: { phase: 1, name: 'plan', task: 0, epoch: 1 },
  });
});
