import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory, Random, silentLog, writeSealed } from '../base/mod.ts';
import { JOURNAL_START, type JournalRecord, JournalWriter } from '../journal/mod.ts';
import type { Link } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../url/mod.ts';
import { linkingPage } from './graph.fixture.ts';
import { type RankOptions, type RankProgress, type RankReport, rankPages } from './rank-pages.ts';
import { topPages } from './ranks-export.ts';
import { openRanks } from './ranks-reader.ts';

class Bench {
  readonly journal: Directory;
  readonly output: Directory;
  readonly #writer: JournalWriter;

  constructor(context: TestContext) {
    const path = mkdtempSync(join(tmpdir(), 'gyre-graph-'));
    context.after(() => {
      this.#writer.close();
      rmSync(path, { recursive: true });
    });
    this.journal = openDirectory(join(path, 'journal'));
    this.output = openDirectory(join(path, 'graph'));
    this.#writer = new JournalWriter(this.journal, JOURNAL_START);
  }

  /** Writes the records to a new journal file and finishes it. */
  async write(...records: JournalRecord[]): Promise<void> {
    for (const record of records) this.#writer.append(record);
    await this.#writer.flush();
    this.#writer.rotate();
  }

  rank(options: Pick<RankOptions, 'afresh' | 'onProgress'> = {}): RankReport {
    return rankPages({ journal: this.journal, output: this.output, log: silentLog, ...options });
  }

  rankOf(name: string): number {
    return openRanks(this.output)!.rankOf(fingerprint(at(name)));
  }
}

function at(name: string): CanonicalUrl {
  return canonicalize(`https://${name}.example/`)!;
}

/**
 * Makes the record of a page that links to the pages with the given names. A name that ends in `!` is a
 * nofollow link.
 */
function page(name: string, links: string[], follow = true): JournalRecord {
  const linkOf = (link: string): Link => ({
    url: at(link.replace('!', '')),
    text: '',
    nofollow: link.endsWith('!'),
  });
  const robots = { index: true, follow, archive: true, snippet: true };
  return linkingPage(at(name), links.map(linkOf), { robots });
}

function alias(name: string, of: string): JournalRecord {
  return { kind: 'alias', url: at(name), fetchedAt: 0, of: at(of), reason: 'redirect' };
}

function gone(name: string): JournalRecord {
  return { kind: 'gone', url: at(name), fetchedAt: 0, status: 404 };
}

/** Returns the distinct generation numbers in the names of all files except the runs. */
function numbered(directory: Directory): string[] {
  return directory.list().flatMap((name) => (name.startsWith('run-') ? [] : name.split(/[-.]/)[1]!));
}

function assertClose(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);
}

test('an empty journal has no ranks', (context) => {
  const bench = new Bench(context);
  assert.equal(openRanks(bench.output), null);
  const report = bench.rank();
  assert.deepEqual([report.nodeCount, report.linkCount, report.topPages], [0, 0, []]);
  assert.equal(openRanks(bench.output)!.count, 0);
  assert.equal(bench.rankOf('a'), 0);
});

test('ranks follow the links, and uncrawled targets have a rank too', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['c', 'x']), page('b', ['c']), page('c', ['a']));
  const report = bench.rank();
  assert.deepEqual([report.pageCount, report.nodeCount, report.linkCount], [3, 4, 4]);
  assert.deepEqual(
    report.topPages.map(({ url }) => url),
    [at('a'), at('c'), at('b')],
  );
  assert.ok(bench.rankOf('x') > bench.rankOf('b'));
  assertClose(bench.rankOf('a') + bench.rankOf('b') + bench.rankOf('c') + bench.rankOf('x'), 1);
});

test('a ranking reports its steps, and how far it is', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['c', 'x']), page('b', ['c']));
  await bench.write(page('c', ['a']));
  const steps: RankProgress[] = [];
  const { iterations } = bench.rank({ onProgress: (step) => steps.push(step) });
  const reading = steps.filter(({ step }) => step === 'reading links');
  assert.deepEqual(
    reading.map(({ share }) => share),
    [0, 0.5],
  );
  const ranking = steps.filter(({ step }) => step === 'ranking pages');
  assert.deepEqual([ranking.length, ranking.at(-1)?.iterations], [iterations, iterations]);
  assert.deepEqual([ranking[0]?.share, ranking.at(-1)?.share], [0, 1]);
  assert.equal(steps.at(-1)?.step, 'writing ranks');
});

test('the best crawled pages are listed by rank and then by URL, after the run and later', async (context) => {
  const bench = new Bench(context);
  const names = Array.from({ length: 9 }, (_, i) => `p${i}`);
  await bench.write(...names.map((name) => page(name, ['linked', 'alsolinked', 'p3'])), alias('old', 'p3'));
  const report = bench.rank();
  assert.equal(report.nodeCount, names.length + 2);
  for (const count of [0, 1, 4, 20])
    assert.deepEqual(topPages(bench.output, count), report.topPages.slice(0, count));
  const table = openRanks(bench.output)!;
  assert.deepEqual(
    ['p1', 'old', 'linked', 'nowhere'].map((name) => table.isCrawled(fingerprint(at(name)))),
    [true, true, false, false],
  );
});

test('ranks of older versions are read', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['b']), page('b', ['a']));
  bench.rank();
  const name = 'ranks-00000001.ranks';
  const whole = bench.output.read(name);
  const ranks = ['a', 'b'].map((each) => bench.rankOf(each));
  for (const [version, bytesOfUrl] of [
    [1, 12],
    [2, 16],
  ] as const) {
    const kind = { magic: 'GYR1', version };
    writeSealed(bench.output, name, kind, whole.subarray(8, 8 + 8 + 2 * bytesOfUrl));
    const table = openRanks(bench.output)!;
    assert.deepEqual(
      ['a', 'b'].map((each) => bench.rankOf(each)),
      ranks,
    );
    assertClose(table.relativeRankOf(fingerprint(at('a'))), 1);
    assert.ok(table.isCrawled(fingerprint(at('a'))));
  }
});

test('self links, repeated links, nofollow links and links of nofollow pages do not count', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['a', 'b', 'b', 'c!', 'b']), page('b', ['d'], false));
  const report = bench.rank();
  assert.deepEqual([report.nodeCount, report.linkCount], [2, 1]);
  assert.equal(bench.rankOf('c'), 0);
  assert.equal(bench.rankOf('d'), 0);
});

test('the newest record of a URL counts, also across files', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['old']), page('b', ['a']), page('c', ['a']));
  await bench.write(page('a', ['new']), gone('b'), alias('c', 'a'));
  const report = bench.rank();
  assert.deepEqual([report.pageCount, report.nodeCount, report.linkCount], [1, 2, 1]);
  assert.equal(bench.rankOf('old'), 0);
  assert.equal(bench.rankOf('b'), 0);
  assert.equal(bench.rankOf('c'), bench.rankOf('a'));
});

test('links to an alias go to its document, and the alias has its rank', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['x', 'y', 'doc']), alias('x', 'y'), alias('y', 'doc'), page('doc', ['x']));
  const report = bench.rank();
  assert.deepEqual([report.nodeCount, report.linkCount], [2, 1]);
  assert.equal(bench.rankOf('x'), bench.rankOf('doc'));
  assert.equal(bench.rankOf('y'), bench.rankOf('doc'));
  assert.ok(bench.rankOf('doc') > bench.rankOf('a'));
});

test('an average document has the relative rank 1, however many aliases there are', async (context) => {
  const bench = new Bench(context);
  const aliases = Array.from({ length: 300 }, (_, i) => alias(`old${i}`, 'a'));
  await bench.write(page('a', ['b']), page('b', ['c']), page('c', ['a']), ...aliases);
  assert.equal(bench.rank().nodeCount, 3);
  const table = openRanks(bench.output)!;
  assert.equal(table.count, 303);
  for (const name of ['a', 'b', 'c', 'old7']) assertClose(table.relativeRankOf(fingerprint(at(name))), 1);
  assert.equal(table.relativeRankOf(fingerprint(at('nowhere'))), 0);
});

test('aliases in a circle are one node', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['x', 'y', 'z']), alias('x', 'y'), alias('y', 'z'), alias('z', 'x'));
  const report = bench.rank();
  assert.deepEqual([report.nodeCount, report.linkCount], [2, 1]);
  assert.equal(bench.rankOf('x'), bench.rankOf('z'));
  assert.ok(bench.rankOf('x') > bench.rankOf('a'));
});

test('a new generation replaces the older one', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['b']));
  assert.equal(bench.rank().generation, 1);
  await bench.write(page('b', ['c']));
  assert.equal(bench.rank().generation, 2);
  assert.deepEqual(numbered(bench.output), Array(6).fill('00000002'));
  assert.deepEqual([openRanks(bench.output)!.generation, openRanks(bench.output)!.count], [2, 3]);
});

test('a journal file that is damaged is an error, and the last good ranks stay', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['b']));
  bench.rank();
  await bench.write(page('b', ['c']));
  const name = bench.journal.list().at(-1)!;
  const whole = bench.journal.read(name);
  const flipped = Buffer.from(whole);
  flipped[20]! ^= 1;
  for (const damaged of [whole.subarray(0, whole.length - 3), whole.subarray(0, 4), flipped]) {
    bench.journal.replace(name, damaged);
    const message = new RegExp(`^${name} at byte .* last ranks stay.*gyre build --from-archive`);
    assert.throws(() => bench.rank(), { code: 'damaged-journal', message });
  }
  assert.deepEqual(numbered(bench.output), Array(6).fill('00000001'));
  assert.equal(openRanks(bench.output)!.generation, 1);
});

test('a journal file that is gone is an error, and the last good ranks stay', async (context) => {
  const bench = new Bench(context);
  for (const name of ['a', 'b', 'c']) await bench.write(page(name, ['d']));
  bench.rank();
  const names = bench.journal.list();
  for (const lost of [...names.map((name) => [name]), names]) {
    const kept = lost.map((name) => bench.journal.read(name));
    for (const name of lost) bench.journal.remove(name);
    const message = `journal file ${lost[0]} is gone: the last ranks stay; \`gyre build --from-archive\` rebuilds the journal`;
    for (const afresh of [true, false])
      assert.throws(() => bench.rank({ afresh }), { code: 'damaged-journal', message });
    kept.forEach((bytes, at) => {
      bench.journal.replace(lost[at]!, bytes);
    });
  }
  assert.deepEqual(numbered(bench.output), Array(6).fill('00000001'));
  assert.equal(bench.rank({ afresh: true }).pageCount, 3);
});

test('a damaged run is rebuilt from the journal', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['b']), page('b', ['c']));
  const { nodeCount, linkCount } = bench.rank();
  const name = 'run-main-00000001-00000001.links';
  const whole = bench.output.read(name);
  const flipped = Buffer.from(whole);
  flipped[40]! ^= 1;
  for (const damaged of [
    flipped,
    whole.subarray(0, whole.length >> 1),
    whole.subarray(0, 5),
    Buffer.alloc(0),
  ]) {
    bench.output.replace(name, damaged);
    const again = bench.rank();
    assert.deepEqual([again.nodeCount, again.linkCount], [nodeCount, linkCount]);
    assert.deepEqual(bench.output.read(name), whole);
  }
});

test('a rank file that is damaged is an error, and is replaced by the next', async (context) => {
  const bench = new Bench(context);
  await bench.write(page('a', ['b']));
  bench.rank();
  const name = 'ranks-00000001.ranks';
  bench.output.replace(name, bench.output.read(name).subarray(0, -5));
  assert.throws(() => openRanks(bench.output), { code: 'corrupt-file' });
  assert.equal(bench.rank().generation, 2);
  assert.ok(bench.rankOf('b') > bench.rankOf('a'));
});

test('every URL of a large table is found and no other', async (context) => {
  const bench = new Bench(context);
  const random = new Random(7);
  const names = Array.from({ length: 2000 }, (_, i) => `host${i}`);
  await bench.write(...names.map((name) => page(name, [random.pick(names), random.pick(names)])));
  const { topPages } = bench.rank();
  const table = openRanks(bench.output)!;
  assert.equal(table.count, names.length);
  const ranks = names.map((name) => table.rankOf(fingerprint(at(name))));
  assert.ok(ranks.every((rank) => rank > 0));
  assertClose(
    ranks.reduce((sum, rank) => sum + rank, 0),
    1,
  );
  assert.equal(table.rankOf(fingerprint(topPages[0]!.url)), Math.max(...ranks));
  assert.equal(table.rankOf(fingerprint(at('nowhere'))), 0);
});
