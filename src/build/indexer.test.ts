import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { type Directory, type Log, partOf, Random, silentLog } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { buildIndex } from './build.ts';
import { type BuildProgress, Indexer } from './indexer.ts';
import {
  goneRecord,
  liveTexts,
  pageRecord,
  randomRecord,
  temporaryDirectory,
  writeJournal,
} from './journal.fixture.ts';
import { type MergeRunner, mergeHere, mergeInThread } from './merge-runner.ts';

const MEMORY = 64 * 1024 * 1024;

test('documents replaced, deleted or ranked during a merge are so in the merged segment', async (t) => {
  const { journal, index } = directories(t);
  const gate = Promise.withResolvers<void>();
  const merge: MergeRunner = async (...job) => {
    const outcome = await mergeHere(...job);
    await gate.promise;
    return outcome;
  };
  const indexer = new Indexer({ journal, index, log: silentLog, flushBytes: 1, merge });
  await writeJournal(journal, [Array.from({ length: 8 }, (_, n) => pageRecord(`p${n}`, `old ${n}`))]);
  await indexer.catchUp(null);
  await writeJournal(journal, [[pageRecord('p1', 'new'), goneRecord('p2')]]);
  await indexer.catchUp(null);
  const ranks = { generation: 1, count: 1, rankOf: () => 3, relativeRankOf: () => 3 };
  indexer.applyRanks({ ranks }, journal);
  const expected = ['p0: old 0', 'p1: new', ...[3, 4, 5, 6, 7].map((n) => `p${n}: old ${n}`)];
  assert.deepEqual(liveTexts(index), expected, 'searchable before the merge is done');
  assert.equal(indexer.report.merges, 0);
  gate.resolve();
  await indexer.settle();
  await indexer.close();
  assert.equal(indexer.report.merges, 1);
  assert.deepEqual(liveTexts(index), expected);
  const reader = new IndexReader(index, silentLog);
  const live = reader.segments.flatMap(({ reader, deletes, ranks }) =>
    [...(ranks ?? [])].filter((_, doc) => doc < reader.docCount && !deletes.has(doc)),
  );
  assert.deepEqual(live, Array(7).fill(3));
  reader.close();
});

test('merges in a thread give the same documents while others are written', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  const { journal, index } = directories(t);
  const expected = new Map<string, string>();
  const merge = mergeInThread(MEMORY);
  const indexer = new Indexer({ journal, index, log: silentLog, flushBytes: 1, merge });
  for (let round = 0; round < 6; round++) {
    await writeJournal(journal, [Array.from({ length: 12 }, () => randomRecord(random, expected))]);
    await indexer.catchUp(null);
    assert.deepEqual(liveTexts(index), textsOf(expected), `seed ${seed}, round ${round}`);
  }
  await indexer.settle();
  await indexer.close();
  assert.ok(indexer.report.merges > 0);
  assert.deepEqual(liveTexts(index), textsOf(expected), `seed ${seed}`);
});

test('the progress of a build grows with each journal file, and a merge is reported by the size of its file', async (t) => {
  const { journal, index } = directories(t);
  const texts = Array.from({ length: 8 }, (_, n) => [pageRecord(`p${n}`, `text ${n} `.repeat(20_000))]);
  await writeJournal(journal, texts);
  const steps: BuildProgress[] = [];
  const isMerging = Promise.withResolvers<void>();
  const onProgress = (step: BuildProgress) => {
    steps.push(step);
    if (step.step === 'merging') isMerging.resolve();
  };
  // The merge continues when its progress was reported.
  const merge: MergeRunner = async (index, plan, signal) => {
    index.append(partOf(plan.output), 0).close();
    await isMerging.promise;
    return await mergeHere(index, plan, signal);
  };
  await buildIndex({ journal, index, log: silentLog, ranks: null, flushBytes: 1, merge, onProgress });
  const reading = steps.filter((step) => step.step === 'reading');
  const shares = reading.map(({ share }) => share);
  assert.deepEqual(shares, shares.toSorted());
  assert.ok(reading.every(({ share }) => share >= 0 && share <= 1));
  const merging = steps.find((step) => step.step === 'merging')!;
  assert.deepEqual([merging.segments > 1, merging.share >= 0], [true, true]);
});

test('a failed merge leaves the index unchanged, and new pages are indexed', async (t) => {
  const { journal, index } = directories(t);
  const merge: MergeRunner = async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (event, fields) => errors.push(`${event}: ${fields?.reason}`) };
  const indexer = new Indexer({ journal, index, log, flushBytes: 1, merge });
  await writeJournal(journal, [Array.from({ length: 9 }, (_, n) => pageRecord(`p${n}`, 'text'))]);
  await indexer.catchUp(null);
  await assert.rejects(indexer.settle(), { code: 'ENOSPC' });
  await writeJournal(journal, [[pageRecord('q', 'text')]]);
  await indexer.catchUp(null);
  await indexer.close();
  assert.equal(liveTexts(index).length, 10);
  assert.deepEqual(errors, ['merge failed: no space left on device']);
});

test('a rebuild is invisible until it is complete, and removes the old index', async (t) => {
  const { journal, index } = directories(t);
  await writeJournal(journal, [[pageRecord('a', 'one'), pageRecord('b', 'two')], [pageRecord('a', 'three')]]);
  await buildIndex({ journal, index, ranks: null, log: silentLog, flushBytes: 1 });
  const before = readSegments(index);
  let steps = 0;
  const log: Log = {
    ...silentLog,
    debug: () => {
      steps++;
      assert.deepEqual(readSegments(index), before);
    },
  };
  const report = await buildIndex({ journal, index, ranks: null, log, flushBytes: 1, rebuild: true });
  assert.equal(steps, 3);
  assert.equal(report.complete, true);
  assert.deepEqual(liveTexts(index), ['a: three', 'b: two']);
  assert.ok(readSegments(index).every((name) => !before.includes(name)));
  assert.equal(index.list().filter((name) => before.includes(name)).length, 0);
  const again = await buildIndex({ journal, index, ranks: null, log: silentLog });
  assert.equal(again.files, 0);
});

function directories(t: Parameters<typeof temporaryDirectory>[0]): { journal: Directory; index: Directory } {
  return { journal: temporaryDirectory(t), index: temporaryDirectory(t) };
}

function textsOf(expected: ReadonlyMap<string, string>): string[] {
  return [...expected].map(([name, text]) => `${name}: ${text}`).sort();
}

function readSegments(index: Directory): string[] {
  const reader = new IndexReader(index, silentLog);
  const names = reader.segments.map((segment) => segment.reader.name);
  reader.close();
  return names;
}
