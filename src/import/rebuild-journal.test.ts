import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DOCUMENT_TYPE, encodeDocument } from '../archive/document-record.ts';
import {
  appendBatch,
  capture,
  FETCHED_AT,
  htmlPage,
  temporaryDirectory,
  warcWriter,
} from '../archive/warc/warc.fixture.ts';
import type { Archivable } from '../archive/warc/warc-format.ts';
import type { WarcMark } from '../archive/warc/warc-writer.ts';
import { type Directory, partOf } from '../base/mod.ts';
import { type JournalRecord, MAIN_WRITER } from '../journal/journal-format.ts';
import { journalName } from '../journal/journal-generation.ts';
import { journalFiles, readJournal } from '../journal/journal-reader.ts';
import { JOURNAL_START, JournalWriter } from '../journal/journal-writer.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { type RebuildReport, rebuildJournal } from './rebuild-journal.ts';

const later = (seconds: number) => ({ fetchedAt: FETCHED_AT + seconds * 1000 });
const url = (path: string) => `https://example.org${path}`;

/**
 * Returns the journal records as `kind path`, followed by the title of a page or by the URL that an alias
 * refers to.
 */
function contents(journal: Directory): string[] {
  const records = journalFiles(journal).flatMap((file) => [...readJournal(journal, file)]);
  return records.map((record) => {
    const path = record.url.replace('https://example.org', '');
    if (record.kind === 'page') return `page ${path} ${record.page.title}`;
    if (record.kind === 'alias') return `alias ${path} ${record.of.replace('https://example.org', '')}`;
    return `gone ${path}`;
  });
}

async function archiveOf(t: TestContext, items: readonly Archivable[], rotateBytes = 1e9) {
  const archive = temporaryDirectory(t);
  const writer = warcWriter(archive, { rotateBytes });
  for (const item of items) {
    await appendBatch(writer, [item]);
    writer.rotateIfLarge();
  }
  const end = writer.mark;
  writer.close();
  return { archive, journal: temporaryDirectory(t), end };
}

async function rebuilt(
  t: TestContext,
  items: readonly Archivable[],
): Promise<{ records: string[]; report: RebuildReport }> {
  const { archive, journal, end } = await archiveOf(t, items);
  const report = await rebuildJournal(archive, journal, { end });
  return { records: contents(journal), report };
}

test('every kind of capture becomes the same record as in the crawl', async (t) => {
  const text = { url: 'https://docs.invalid/1' as CanonicalUrl, title: 'Whales', text: 'all about whales' };
  const payload = encodeDocument(text);
  const document = { url: text.url, contentType: DOCUMENT_TYPE, payload, payloadDigest: '', ...later(0) };
  const { records, report } = await rebuilt(t, [
    capture('/page', htmlPage('Page')),
    capture('/copy', htmlPage('Page')),
    capture('/again', htmlPage('Page'), { duplicateOf: { url: url('/page'), fetchedAt: FETCHED_AT } }),
    capture('/old', '', { status: 301, rawHeaders: ['Location', '/page'] }),
    capture('/missing', 'not here', { status: 404 }),
    capture('/refused', 'no', { status: 403 }),
    capture('/picture', 'png', { rawHeaders: ['Content-Type', 'image/png'] }),
    capture('/icon', 'GIF89a\0\0', { rawHeaders: [] }),
    capture('/urls.txt', 'https://example.org/page\nhttps://example.org/copy\n', {
      rawHeaders: ['Content-Type', 'text/plain'],
    }),
    capture('/map.xml', '<urlset><url><loc>https://example.org/page</loc></url></urlset>', {
      rawHeaders: ['Content-Type', 'application/xml'],
    }),
    document,
  ]);
  assert.deepEqual(records, [
    'page /page Page',
    'alias /copy /page',
    'alias /again /page',
    'alias /old /page',
    'gone /missing',
    'page https://docs.invalid/1 Whales',
  ]);
  assert.equal(report.captures, 11);
  assert.equal(report.unreadable, 0);
  assert.equal(report.complete, true);
});

test('the newest capture with content of a URL counts, in any order of captures', async (t) => {
  const { records } = await rebuilt(t, [
    capture('/a', htmlPage('new'), later(60)),
    capture('/a', htmlPage('old')),
    capture('/b', htmlPage('kept')),
    capture('/b', 'later trouble', { status: 500, ...later(60) }),
    capture('/c', htmlPage('was here')),
    capture('/c', 'gone now', { status: 410, ...later(60) }),
    capture('/c', 'still gone', { status: 404, ...later(120) }),
    capture('/d', htmlPage('unchanged')),
    capture('/d', '', { duplicateOf: { url: url('/d'), fetchedAt: FETCHED_AT }, ...later(60) }),
  ]);
  assert.deepEqual(records, ['page /a new', 'page /b kept', 'gone /c', 'page /d unchanged']);
});

test('a page that was gone once stays a document, and a URL that never was a page does not', async (t) => {
  const { records } = await rebuilt(t, [
    capture('/a', htmlPage('may come back')),
    capture('/a', 'gone now', { status: 404, ...later(60) }),
    capture('/b', 'never there', { status: 404 }),
    capture('/c', '', { status: 301, rawHeaders: ['Location', '/a'] }),
    capture('/c', 'no longer a redirect', { status: 404, ...later(60) }),
  ]);
  assert.deepEqual(records, ['page /a may come back', 'gone /b', 'gone /c']);
});

test('a page that is not to be indexed does not own the content of its copies', async (t) => {
  const noindex = { rawHeaders: ['Content-Type', 'text/html', 'X-Robots-Tag', 'noindex'] };
  const { records } = await rebuilt(t, [
    capture('/hidden', htmlPage('Same'), noindex),
    capture('/shown', htmlPage('Same')),
    capture('/copy', htmlPage('Same')),
  ]);
  assert.deepEqual(records, ['page /hidden Same', 'page /shown Same', 'alias /copy /shown']);
});

test('a revisit of replaced content is a page, and a revisit without an original is an orphan', async (t) => {
  const { records, report } = await rebuilt(t, [
    capture('/a', htmlPage('before')),
    capture('/b', '', { duplicateOf: { url: url('/a'), fetchedAt: FETCHED_AT } }),
    capture('/a', htmlPage('after'), later(60)),
    capture('/c', '', { duplicateOf: { url: url('/never'), fetchedAt: FETCHED_AT } }),
  ]);
  assert.deepEqual(records, ['page /b before', 'page /a after']);
  assert.equal(report.orphans, 1);
});

test('all files are read, the last one up to its committed length', async (t) => {
  const items = ['/1', '/2', '/3'].map((path) => capture(path, htmlPage(path)));
  const { archive, journal } = await archiveOf(t, items, 1);
  const writer = warcWriter(archive, { mark: { file: 4, length: 0 } });
  const end: WarcMark = await appendBatch(writer, [capture('/4', htmlPage('/4'))]);
  await appendBatch(writer, [capture('/new', htmlPage('new')), capture('/4', htmlPage('newer'), later(60))]);
  writer.close();
  const pages = ['page /1 /1', 'page /2 /2', 'page /3 /3', 'page /4 /4'];
  await rebuildJournal(archive, journal, { end });
  assert.deepEqual(contents(journal), pages);
  for (const name of ['00000002.cdxj', partOf('00000004.cdxj')]) archive.remove(name);
  await rebuildJournal(archive, journal, { end });
  assert.deepEqual(contents(journal), pages, 'with indexes lost');
});

const gone = (path: string): JournalRecord => ({
  kind: 'gone',
  url: url(path) as CanonicalUrl,
  fetchedAt: 1,
  status: 410,
});

/** Writes a journal of two finished files and a third file that a crawl has begun. */
async function oldJournal(journal: Directory) {
  const writer = new JournalWriter(journal, JOURNAL_START);
  for (const path of ['/old1', '/old2']) {
    writer.append(gone(path));
    await writer.flush();
    writer.rotate();
  }
  writer.append(gone('/begun'));
  const mark = await writer.flush();
  writer.close();
  return mark;
}

test('a new journal replaces the old one, and the crawl appends to it', async (t) => {
  const { archive, journal, end } = await archiveOf(t, [capture('/a', htmlPage('A'))]);
  const mark = await oldJournal(journal);
  await rebuildJournal(archive, journal, { end });
  assert.deepEqual(journalFiles(journal), [journalName(4, MAIN_WRITER)]);
  assert.deepEqual(journalFiles(journal, { [MAIN_WRITER]: 2 }), [journalName(4, MAIN_WRITER)]);
  assert.deepEqual(contents(journal), ['page /a A']);
  const writer = new JournalWriter(journal, mark);
  writer.append(gone('/next'));
  await writer.flush();
  writer.rotate();
  writer.close();
  assert.deepEqual(contents(journal), ['page /a A', 'gone /next']);
  assert.equal(journal.has(partOf(journalName(3, MAIN_WRITER))), false);
});

test('an interrupted rebuild leaves the old journal', async (t) => {
  const { archive, journal, end } = await archiveOf(t, [capture('/a', htmlPage('A'))]);
  const mark = await oldJournal(journal);
  const report = await rebuildJournal(archive, journal, { end, signal: AbortSignal.abort() });
  assert.equal(report.complete, false);
  assert.deepEqual(contents(journal), ['gone /old1', 'gone /old2']);
  const writer = new JournalWriter(journal, mark);
  writer.rotate();
  writer.close();
  assert.deepEqual(contents(journal), ['gone /old1', 'gone /old2', 'gone /begun']);
});

/**
 * Returns a directory in which every change from number `failAt` on throws, as if the process had been
 * killed.
 */
function dying(directory: Directory, failAt: number): Directory {
  let changes = 0;
  const change = () => {
    if (++changes >= failAt) throw new Error('killed');
  };
  return Object.assign(Object.create(directory), {
    replace(name: string, bytes: Uint8Array) {
      change();
      directory.replace(name, bytes);
    },
    rename(from: string, to: string) {
      change();
      directory.rename(from, to);
    },
    remove(name: string) {
      change();
      directory.remove(name);
    },
  });
}

test('after a kill at any moment, the journal is either the old one or the new one', async (t) => {
  const before = ['gone /old1', 'gone /old2', 'gone /begun'];
  const seen = new Set<string>();
  for (let failAt = 1; ; failAt++) {
    const { archive, journal, end } = await archiveOf(t, [capture('/a', htmlPage('A'))]);
    const mark = await oldJournal(journal);
    const killed = await rebuildJournal(archive, dying(journal, failAt), { end }).then(
      () => false,
      () => true,
    );
    const isNew = contents(journal)[0] === 'page /a A';
    if (!isNew) assert.deepEqual(contents(journal), before.slice(0, 2), `killed at change ${failAt}`);
    const writer = new JournalWriter(journal, mark);
    writer.rotate();
    writer.close();
    const after = contents(journal);
    assert.deepEqual(after, isNew ? ['page /a A'] : before, `killed at change ${failAt}`);
    seen.add(after.join());
    if (!killed) break;
  }
  assert.equal(seen.size, 2, 'both outcomes were met');
});
