import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  ArchiveReader,
  archivedRecord,
  parseDocument,
  type TextDocument,
  type WarcRecord,
} from '../archive/mod.ts';
import { silentLog, systemClock } from '../base/mod.ts';
import { type DataDirectory, openData } from '../cli/data-directory.ts';
import { journalFromArchive } from '../cli/sessions/from-archive.ts';
import { openCrawlState } from '../crawl/mod.ts';
import { journalFiles, readJournal } from '../journal/mod.ts';
import { canonicalize, fingerprint } from '../url/mod.ts';
import type { ImportReport } from './import-report.ts';
import { Importer } from './importer.ts';
import { PLAIN_READING } from '../page/plain-reading.fixture.ts';

const DATE = Date.UTC(2020, 4, 6, 7, 8, 9);

function temporaryData(t: TestContext): DataDirectory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-import-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openData(path);
}

interface Answer {
  status?: number;
  headers?: string;
  body?: string;
  seconds?: number;
  type?: string;
  fields?: Record<string, string>;
}

function answer(path: string, over: Answer = {}): WarcRecord {
  const {
    status = 200,
    headers = 'Content-Type: text/html',
    body = '',
    seconds = 0,
    type = 'response',
  } = over;
  return {
    type,
    targetUri: `http://example.org${path}`,
    date: DATE + seconds * 1000,
    fields: new Map(Object.entries(over.fields ?? {})),
    block: Buffer.from(`HTTP/1.1 ${status} X\r\n${headers}\r\n\r\n${body}`),
  };
}

const page = (title: string) => `<!doctype html><title>${title}</title><p>text of ${title}</p>`;

/**
 * Imports all records in one run. If `crash` is true, the run ends like a crash: nothing after the last full
 * batch is committed.
 */
async function importAll(
  data: DataDirectory,
  records: readonly (WarcRecord | string)[],
  options: { crash?: boolean } = {},
): Promise<ImportReport> {
  const state = openCrawlState(data.root);
  const importer = await Importer.open(data, state, {
    software: 'Gyre test',
    rotateBytes: 1e9,
    clock: systemClock,
    firstMs: 1000,
    log: silentLog,
  });
  for (const record of records) {
    if (typeof record !== 'string') await importer.takeRecord(archivedRecord(record), 'here');
    else await importer.takeDocument(documentOf(record), 'here');
  }
  if (!options.crash) await importer.finish();
  importer.close();
  state.close();
  return importer.report;
}

function documentOf(line: string): TextDocument {
  const parsed = parseDocument(line, 'news');
  assert.ok('document' in parsed, line);
  return parsed.document;
}

function journalOf(data: DataDirectory): string[] {
  const records = journalFiles(data.journal).flatMap((file) => [...readJournal(data.journal, file)]);
  return records.map((record) => {
    const path = record.url.replace('http://example.org', '');
    if (record.kind === 'page') return `page ${path} ${record.page.title}`;
    return record.kind === 'alias'
      ? `alias ${path} ${record.of.replace('http://example.org', '')}`
      : `gone ${path}`;
  });
}

async function countsOf(data: DataDirectory) {
  const state = openCrawlState(data.root, { readOnly: true });
  const { done, ready } = await state.counts();
  state.close();
  return { done, ready };
}

const SITE = [
  answer('/', { body: page('Home') }),
  answer('/copy', { body: page('Home') }),
  answer('/moved', { status: 302, headers: 'Location: /' }),
  answer('/missing', { status: 404 }),
  answer('/trouble', { status: 503 }),
  answer('/picture', { headers: 'Content-Type: image/png', body: 'png' }),
  answer('/', { type: 'request' }),
];

test('archive, journal and state agree after an import, and repeating it adds nothing', async (t) => {
  const data = temporaryData(t);
  const report = await importAll(data, SITE);
  assert.deepEqual(report, {
    archived: 6,
    pages: 1,
    aliases: 2,
    gone: 1,
    known: 0,
    shortened: 0,
    skipped: 0,
    orphans: 0,
    damaged: 0,
    problems: [],
  });
  assert.deepEqual(journalOf(data), ['page / Home', 'alias /copy /', 'alias /moved /', 'gone /missing']);
  assert.deepEqual(await countsOf(data), { done: 4, ready: 0 });
  const again = await importAll(data, SITE);
  assert.equal(again.archived, 0);
  assert.equal(again.known, 6);
  assert.equal(journalOf(data).length, 4);
});

test('an import that was killed is repeated with the same result', async (t) => {
  const data = temporaryData(t);
  const site = Array.from({ length: 300 }, (_, i) => answer(`/${i}`, { body: page(`Page ${i}`) }));
  await importAll(data, site, { crash: true });
  const { known, archived } = await importAll(data, site);
  assert.deepEqual([known, archived], [256, 44]);
  assert.equal(new Set(journalOf(data)).size, 300);
  assert.equal(journalOf(data).length, 300);
  assert.deepEqual(await countsOf(data), { done: 300, ready: 0 });
  const reader = new ArchiveReader(data.archive);
  for (let i = 0; i < 300; i++) assert.equal(reader.find(`http://example.org/${i}`).length, 1, `page ${i}`);
  reader.close();
});

test('a capture older than the known one is archived and changes nothing else', async (t) => {
  const data = temporaryData(t);
  await importAll(data, [answer('/', { body: page('new'), seconds: 60 })]);
  const report = await importAll(data, [answer('/', { body: page('old') })]);
  assert.deepEqual([report.archived, report.pages], [1, 0]);
  assert.deepEqual(journalOf(data), ['page / new']);
  const later = await importAll(data, [answer('/', { body: page('newest'), seconds: 120 })]);
  assert.equal(later.pages, 1);
  assert.deepEqual(journalOf(data), ['page / new', 'page / newest']);
});

test('a URL without content becomes a document with its first page', async (t) => {
  const data = temporaryData(t);
  await importAll(data, [answer('/', { status: 503 })]);
  assert.deepEqual(await countsOf(data), { done: 0, ready: 0 });
  await importAll(data, [answer('/', { body: page('back again'), seconds: 60 })]);
  assert.deepEqual(await countsOf(data), { done: 1, ready: 0 });
});

test('a revisit record gets the content of its original, also within a batch; without an original it is skipped', async (t) => {
  const data = temporaryData(t);
  const refersTo = (path: string, date = '2020-05-06T07:08:09Z') => ({
    type: 'revisit',
    fields: { 'warc-refers-to-target-uri': `http://example.org${path}`, 'warc-refers-to-date': date },
  });
  const report = await importAll(data, [
    answer('/a', { body: page('A') }),
    answer('/b', refersTo('/a')),
    answer('/a', { ...refersTo('/a'), seconds: 60 }),
    answer('/c', refersTo('/never')),
    answer('/d', { type: 'revisit' }),
  ]);
  assert.deepEqual([report.archived, report.orphans], [3, 2]);
  assert.deepEqual(journalOf(data), ['page /a A', 'alias /b /a']);
});

test('records without a web address or a date are skipped', async (t) => {
  const data = temporaryData(t);
  const { skipped, archived, problems } = await importAll(data, [
    { ...answer('/'), targetUri: 'dns:example.org' },
    { ...answer('/'), date: Number.NaN },
    { ...answer('/'), block: Buffer.from('no HTTP') },
  ]);
  assert.deepEqual([skipped, archived], [3, 0]);
  assert.deepEqual(problems[0], { place: 'here', reason: '"dns:example.org" is no web address' });
});

test('documents without a URL get one, and are replaced when they change', async (t) => {
  const data = temporaryData(t);
  const lines = [
    '{"id":1,"title":"One","text":"first"}',
    '{"id":"2","url":"http://example.org/two","title":"Two","text":"second"}',
    '{"id":3,"title":"One","text":"first"}',
  ];
  await importAll(data, lines);
  const { known } = await importAll(data, lines);
  assert.equal(known, 3);
  await importAll(data, ['{"id":1,"title":"One","text":"changed"}']);
  assert.deepEqual(journalOf(data), [
    'page https://news.invalid/1 One',
    'page /two Two',
    'alias https://news.invalid/3 https://news.invalid/1',
    'page https://news.invalid/1 One',
  ]);
});

test('the journal rebuilt from the archive equals that of the import', async (t) => {
  const data = temporaryData(t);
  await importAll(data, [...SITE, '{"id":1,"title":"One","text":"first"}']);
  const before = journalOf(data);
  const report = await fromArchive(data);
  assert.equal(report.complete, true);
  assert.deepEqual(journalOf(data), before);
  const { known } = await importAll(data, SITE);
  assert.equal(known, 6);
  assert.deepEqual(journalOf(data), before);
});

/** Returns the last journal record of a URL as text. */
function lastOf(data: DataDirectory, path: string): string | undefined {
  return journalOf(data).findLast((line) => line.split(' ')[1] === path);
}

test('an imported page is fetched only when a crawl discovers it', async (t) => {
  const data = temporaryData(t);
  await importAll(data, [answer('/', { body: page('Home') })]);
  const state = openCrawlState(data.root);
  const url = canonicalize('http://example.org/')!;
  const last = (await state.lastCapture(fingerprint(url)))!;
  assert.deepEqual([last.isDocument, last.goneCount], [true, 0]);
  assert.equal((await state.wakeDue(Number.MAX_SAFE_INTEGER, 10)).count, 0, 'nothing is due by itself');
  const marks = (await state.marks())!;
  const nothing = { results: [], hosts: [], contents: new Map(), maxUrlsPerHost: 10 };
  const discovered = [{ url, fingerprint: fingerprint(url), depth: 1 }];
  const { added } = await state.commit({ ...nothing, ...marks, discovered });
  assert.deepEqual(added, discovered);
  assert.deepEqual([(await state.counts()).ready, (await state.counts()).done], [1, 0]);
  state.close();
});

test('a later import replaces the data of an earlier one', async (t) => {
  const seen: Record<string, [boolean, number] | null> = {};
  const later = {
    gone: { status: 404 },
    moved: { status: 302, headers: 'Location: /b' },
    twice: { status: 410 },
  };
  for (const [name, over] of Object.entries(later)) {
    const data = temporaryData(t);
    await importAll(data, [answer('/', { body: page('Home') })]);
    await importAll(data, [answer('/', { ...over, seconds: 60 })]);
    if (name === 'twice') await importAll(data, [answer('/', { ...over, seconds: 120 })]);
    const state = openCrawlState(data.root, { readOnly: true });
    const last = await state.lastCapture(fingerprint(canonicalize('http://example.org/')!));
    seen[name] = last && [last.isDocument, last.goneCount];
    state.close();
  }
  assert.deepEqual(seen, { gone: [true, 1], moved: [false, 0], twice: [false, 0] });
});

test('an imported document is gone after two removals, also when the journal is rebuilt', async (t) => {
  const data = temporaryData(t);
  const documents = ['/one', '/two', '/three'].map(
    (path) =>
      `{"id":"${path}","url":"http://example.org${path}","title":"T${path}","text":"text of ${path}"}`,
  );
  const seconds = 60 + (Date.now() - DATE) / 1000;
  await importAll(data, documents);
  const said = () => ['/one', '/two', '/three'].map((path) => lastOf(data, path));
  const first = await importAll(data, [
    answer('/one', { status: 404, seconds }),
    answer('/two', { status: 410, seconds }),
  ]);
  assert.equal(first.gone, 0);
  const all = ['page /one T/one', 'page /two T/two', 'page /three T/three'];
  assert.deepEqual(said(), all);
  await fromArchive(data);
  assert.deepEqual(said(), all, 'the archive tells the same');
  const second = await importAll(data, [answer('/one', { status: 404, seconds: seconds + 60 })]);
  assert.equal(second.gone, 1);
  const rest = ['gone /one', 'page /two T/two', 'page /three T/three'];
  assert.deepEqual(said(), rest);
  await fromArchive(data);
  assert.deepEqual(said(), rest);
});

test('a fetched page is gone after two removals, in any order of import', async (t) => {
  const captures: Record<string, Answer> = {
    there: { body: page('Home') },
    gone: { status: 404, seconds: 60 },
    still: { status: 410, seconds: 120 },
    back: { body: page('Back'), seconds: 180 },
  };
  const expected: Record<string, string> = {
    'there gone': 'page',
    'gone there': 'page',
    'there gone still': 'gone',
    'there still gone': 'gone',
    'gone still there': 'gone',
    'still there gone': 'gone',
    'there gone still back': 'page',
    'back still gone': 'page',
  };
  const paths = Object.keys(expected).map((order) => `/${order.replaceAll(' ', '-')}`);
  const records = paths.map((path) =>
    path
      .split(/[/-]/)
      .slice(1)
      .map((name) => {
        const { body, ...rest } = captures[name]!;
        return answer(path, { ...rest, ...(body && { body: `${body} at ${path}` }) });
      }),
  );
  const inTurn = [0, 1, 2, 3].map((at) => records.flatMap((list) => list[at] ?? []));
  for (const imports of [[records.flat()], inTurn]) {
    const data = temporaryData(t);
    for (const batch of imports) await importAll(data, batch);
    const said = () => paths.map((path) => lastOf(data, path)?.split(' ')[0]);
    assert.deepEqual(said(), Object.values(expected), `in ${imports.length} imports`);
    await fromArchive(data);
    assert.deepEqual(said(), Object.values(expected), `in ${imports.length} imports, read again`);
  }
});

test('near duplicates are documents of their own', async (t) => {
  const data = temporaryData(t);
  const words = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ');
  const long = (last: string) => `<title>W</title><p>${words} ${last}`;
  const report = await importAll(data, [
    answer('/a', { body: long('one') }),
    answer('/b', { body: long('two') }),
  ]);
  assert.deepEqual([report.pages, report.aliases], [2, 0]);
});

test('equal pages are one document with the best URL, whichever is imported first, also after a rebuild', async (t) => {
  const body = `<title>Guide</title><p>${'this is the guide of the server and of all that it can do '.repeat(9)}`;
  for (const paths of [
    ['/da/guide', '/en/guide', '/da/guide?print'],
    ['/en/guide', '/da/guide?print', '/da/guide'],
    ['/da/guide?print', '/da/guide', '/en/guide'],
  ]) {
    const data = temporaryData(t);
    await importAll(
      data,
      paths.map((path) => answer(path, { body })),
    );
    const known = () => ['/en/guide', '/da/guide', '/da/guide?print'].map((path) => lastOf(data, path));
    assert.equal(known()[0], 'page /en/guide Guide');
    for (const record of known().slice(1)) assert.match(record!, /^alias /);
    await fromArchive(data);
    assert.equal(known()[0], 'page /en/guide Guide', 'after a rebuild');
    for (const record of known().slice(1)) assert.match(record!, /^alias /);
  }
});

async function fromArchive(data: DataDirectory) {
  const { signal } = new AbortController();
  const options = { signal, onProgress() {}, reading: PLAIN_READING, limitMs: 60_000, log: silentLog };
  return journalFromArchive(data, options);
}

test('an import into a directory without its crawl.db is refused', async (t) => {
  const data = temporaryData(t);
  data.archive.replace('00000001.warc.gz', Buffer.from('precious'));
  await assert.rejects(importAll(data, SITE), /no crawl\.db/);
  assert.equal(data.archive.read('00000001.warc.gz').toString(), 'precious');
});
