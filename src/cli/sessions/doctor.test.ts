import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { archivedRecord } from '../../archive/mod.ts';
import { silentLog, systemClock } from '../../base/mod.ts';
import { openCrawlState, rebuildSeenLog, topicOfWords, writeTopic } from '../../crawl/mod.ts';
import { Importer } from '../../import/importer.ts';
import { openSearcher } from '../../query/mod.ts';
import { DEFAULT_PROFILE } from '../../scoring/mod.ts';
import { openDamagedData, openData, writeSettings } from '../data-directory.ts';
import { recordOf as evaluationOf } from '../profiles/evaluation-record.fixture.ts';
import { storePublished } from '../profiles/mod.ts';
import { loadConfig } from '../settings/config.ts';
import { type AreaReport, doctorLines, examineData } from './doctor.ts';
import { buildOnce, rankOnce } from './index-session.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-doctor-'));
const whole = join(root, 'whole');
after(() => rmSync(root, { recursive: true, force: true }));

const PAGES = 12;
const config = loadConfig({ environment: {}, flags: {}, file: undefined });
const signal = new AbortController().signal;

/** The tests damage copies of one data directory that has a file of every type. */
before(async () => {
  const data = openData(whole);
  writeSettings(data.root, { format: 1, seeds: ['http://example.org/'], contact: '', samplePort: null });
  const state = openCrawlState(data.root);
  const options = { software: 'Gyre test', clock: systemClock, firstMs: 1000, log: silentLog };
  // The first import finishes its archive file; the second import leaves its archive file unfinished.
  for (const [from, to, rotateBytes] of [
    [0, PAGES - 2, 1],
    [PAGES - 2, PAGES, 1e9],
  ] as const) {
    const importer = await Importer.open(data, state, { ...options, rotateBytes });
    for (let page = from; page < to; page++) {
      await importer.takeRecord(archivedRecord(recordOf(page)), 'here');
    }
    await importer.finish();
    importer.close();
  }
  const seen = await rebuildSeenLog(data.root, state);
  const nothing = { results: [], discovered: [], hosts: [], contents: new Map(), maxUrlsPerHost: 0 };
  await state.commit({ ...nothing, ...(await state.marks())!, ...seen });
  state.close();
  const tuned = { ...DEFAULT_PROFILE, name: 'tuned' };
  storePublished(data.root, tuned, evaluationOf(tuned));
  const sailing = { source: 'words' as const, words: ['keel'], onTopic: 0, others: 0 };
  writeTopic(data.root.directory('topics'), 'sailing', { ...sailing, classifier: topicOfWords(['keel']) });
  await buildOnce(data, config, silentLog, signal);
  rankOnce(data, silentLog);
});

function recordOf(page: number) {
  const words = Array.from({ length: 200 }, (_, i) => `word${page}x${i * i}`).join(' ');
  const next = `<a href="/${(page + 1) % PAGES}">page ${page + 1}</a>`;
  return {
    type: 'response',
    targetUri: `http://example.org/${page}`,
    date: Date.UTC(2026, 0, 2, 3, 4, page),
    fields: new Map<string, string>(),
    block: Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Page ${page}</title><p>${words}</p>${next}`,
    ),
  };
}

function examined(path: string, repair = false): Promise<AreaReport[]> {
  const data = openDamagedData(path, { create: repair });
  return examineData({ data, config, log: silentLog, signal, onProgress() {} }, repair);
}

/** Runs doctor and returns its report on the damaged areas. */
async function complaints(path: string): Promise<string> {
  const reports = await examined(path);
  return doctorLines(
    reports.filter(({ status }) => status === 'damaged'),
    path,
  ).join('\n');
}

let copies = 0;
function copy(): string {
  const path = join(root, String(++copies));
  cpSync(whole, path, { recursive: true });
  return path;
}

function filesOf(path: string): string[] {
  return (
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.lock|-shm$|-wal$/.test(entry.name))
      .map(({ parentPath, name }) => relative(path, join(parentPath, name)))
      // Files of 12 bytes are skipped: a journal file that was opened but never committed to has only a header.
      .filter((file) => statSync(join(path, file)).size > 12)
      .sort()
  );
}

function flip(path: string, share: number): void {
  const bytes = readFileSync(path);
  bytes[Math.min(bytes.length - 1, Math.floor(bytes.length * share))]! ^= 0x20;
  writeFileSync(path, bytes);
}

test('an intact directory has an area for every kind of file and no damage', async () => {
  const reports = await examined(whole);
  assert.deepEqual(
    reports.map(({ area, status }) => `${area} ${status}`),
    [
      'gyre.json ok',
      'crawl.db ok',
      'archive ok',
      'journal ok',
      'seen.log ok',
      'dedup ok',
      'index ok',
      'graph ok',
      'words ok',
      'topics ok',
      'meaning ok',
      'standing.db absent',
      'other files ok',
    ],
  );
  const kinds = new Set(filesOf(whole).map((file) => file.replace(/\d{8}/g, 'N')));
  for (const kind of ['archive/N.warc.gz', 'archive/N.warc.gz.part', 'archive/N.cdxj', 'dedup/near.bins']) {
    assert.ok(kinds.has(kind), `${kind} in ${[...kinds].join(' ')}`);
  }
});

test('a flipped byte anywhere in any file is reported', async () => {
  const path = copy();
  for (const file of filesOf(path)) {
    const original = readFileSync(join(path, file));
    for (const share of [0, 0.4, 0.8]) {
      flip(join(path, file), share);
      const found = await complaints(path);
      assert.ok(found.includes(namedAs(file)), `${file} at ${share}: ${found}`);
      writeFileSync(join(path, file), original);
    }
  }
  assert.equal(await complaints(path), '');
});

test('a truncated file is reported', async () => {
  const path = copy();
  for (const file of filesOf(path)) {
    // The last lines may be missing from an unfinished file without being reported as damage.
    if (file.endsWith('.cdxj.part')) continue;
    const original = readFileSync(join(path, file));
    writeFileSync(join(path, file), original.subarray(0, Math.floor(original.length * 0.6)));
    const found = await complaints(path);
    assert.ok(found.includes(namedAs(file)), `${file}: ${found}`);
    writeFileSync(join(path, file), original);
  }
});

test('a lost file is reported', async () => {
  const path = copy();
  // The seal, the settings, the lexicon, the small files in the top directory and unfinished CDXJ files may be absent
  // without an error.
  const needed = filesOf(path).filter(
    (file) =>
      /^(?:archive|journal|dedup|index|graph)\/|^crawl\.db$|^seen/.test(file) && !/cdxj\.part$/.test(file),
  );
  for (const file of needed.filter((name) => !/ranks-|run-/.test(name))) {
    const original = readFileSync(join(path, file));
    rmSync(join(path, file));
    const found = await complaints(path);
    assert.ok(found.includes(basename(file)), `${file}: ${found}`);
    writeFileSync(join(path, file), original);
  }
  assert.equal(await complaints(path), '');
  rmSync(join(path, 'archive'), { recursive: true });
  assert.match(
    await complaints(path),
    /archive: expected a directory, got none; (?:npx )?gyre doctor --repair/,
  );
});

test('a crawl continues after a repair of an archive file that lost its end', async () => {
  const path = copy();
  const file = join(path, filesOf(path).find((name) => name.endsWith('.warc.gz.part'))!);
  writeFileSync(file, readFileSync(file).subarray(0, -9));
  assert.match(
    await complaints(path),
    /expected \d+ committed bytes, got \d+; (?:npx )?gyre doctor --repair/,
  );
  await examined(path, true);
  assert.equal(await complaints(path), '');
  const data = openData(path);
  const state = openCrawlState(data.root);
  const options = {
    software: 'Gyre test',
    clock: systemClock,
    firstMs: 1000,
    log: silentLog,
    rotateBytes: 1e9,
  };
  const importer = await Importer.open(data, state, options);
  await importer.takeRecord(archivedRecord(recordOf(PAGES)), 'here');
  await importer.finish();
  importer.close();
  state.close();
  assert.equal(await complaints(path), '');
});

test('a file of the graph with a wrong version is rebuilt', async () => {
  const path = copy();
  const file = join(path, filesOf(path).find((name) => name.includes('ranks-'))!);
  const bytes = readFileSync(file);
  bytes[5]! ^= 1;
  writeFileSync(file, bytes);
  await examined(path, true);
  assert.equal(await complaints(path), '');
});

/**
 * Returns the file that the report names if `file` is damaged. Damage to the seal is reported as damage to
 * crawl.db.
 */
function namedAs(file: string): string {
  return basename(file).replace(/\.seal$/, '');
}

test('a repair rebuilds derived files, and every page is found afterwards', async () => {
  const path = copy();
  const files = filesOf(path);
  const first = (pattern: RegExp) => files.find((file) => pattern.test(file))!;
  for (const pattern of [/^journal.*journal$/, /\.seg$/, /\.cdxj$/, /links-/, /phrases/, /near\.bins/]) {
    flip(join(path, first(pattern)), 0.5);
  }
  rmSync(join(path, 'seen.log'));
  writeFileSync(join(path, 'cookie.key'), `${'k'.repeat(43)}\n`, { mode: 0o644 });
  const reports = await examined(path, true);
  assert.deepEqual(
    reports.filter(({ status }) => status === 'damaged'),
    [],
  );
  assert.equal(reports.find(({ area }) => area === 'journal')!.status, 'repaired');
  assert.equal(statSync(join(path, 'cookie.key')).mode & 0o777, 0o600);
  assert.equal(await complaints(path), '');
  const { index } = openDamagedData(path);
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock });
  for (let page = 0; page < PAGES; page++) {
    const { total } = await searcher.search({ query: `word${page}x4`, offset: 0, limit: 10 });
    assert.equal(total, 1, `page ${page}`);
  }
  searcher.close();
});

test('a repair removes a damaged row of crawl.db, and the crawl can continue', async () => {
  const path = copy();
  const bytes = readFileSync(join(path, 'crawl.db'));
  for (let at = bytes.indexOf('example.org/7'); at >= 0; at = bytes.indexOf('example.org/7', at + 1)) {
    bytes[at + 3]! ^= 1;
  }
  writeFileSync(join(path, 'crawl.db'), bytes);
  assert.throws(() => openCrawlState(openDamagedData(path).root), /gyre doctor --repair/);
  assert.match(await complaints(path), /table url: .+ does not match its fingerprint.+gyre doctor --repair/);
  await examined(path, true);
  assert.equal(await complaints(path), '');
  const state = openCrawlState(openDamagedData(path).root);
  assert.equal((await state.counts()).done, PAGES - 1);
  state.close();
});

test('damage that cannot be repaired has advice', async () => {
  const path = copy();
  flip(
    join(path, 'archive', readdirSync(join(path, 'archive')).find((name) => name.endsWith('.warc.gz'))!),
    0.5,
  );
  flip(join(path, 'gyre.json'), 0.5);
  await examined(path, true);
  const found = await complaints(path);
  assert.match(found, /archive\/00000001\.warc\.gz: .+damaged.+fetched again when/);
  assert.match(found, /gyre\.json at byte .+name the seeds again with gyre up SEED/);
});
