import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../../../test/helpers/gyre.ts';
import { DAY_MS } from '../../base/mod.ts';
import { writeJournal } from '../../build/journal.fixture.ts';
import type { JournalRecord } from '../../journal/mod.ts';
import type { Page } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { openData } from '../data-directory.ts';
import { changeRemovals, withRules } from '../removals/mod.ts';
import { beginRecordExport } from './export-records.ts';
import { expiryOf } from './record-expiry.ts';

const START = Date.UTC(2026, 0, 1);
const NOW = START + 20 * DAY_MS;

type Item = NonNullable<Page['structured']>[number];
type Row = Record<string, unknown> & { url: string; urls: string[]; facts: Record<string, unknown[]> };

const at = (day: number) => new Date(START + day * DAY_MS).toISOString();
const urlOf = (path: string) => `https://a.test/${path}` as CanonicalUrl;

function posting(title: string, more: Record<string, string[]> = {}): Item {
  const properties = {
    title: [title],
    'hiringOrganization.name': ['Kiln'],
    description: [`${title} wanted`],
  };
  const place = { 'jobLocation.address.addressLocality': ['Delft'] };
  return { type: 'JobPosting', source: 'json-ld', properties: { ...properties, ...place, ...more } };
}

function page(path: string, day: number, structured: Item[], links: string[] = []): JournalRecord {
  const robots = { index: true, follow: true, archive: true, snippet: true };
  const rest = { description: '', language: 'en', text: '', marks: [], canonical: null, robots };
  const body = {
    ...{ contentType: 'text/html', title: path, ...rest, ...(structured.length > 0 && { structured }) },
    links: links.map((link) => ({ url: urlOf(link), text: link, nofollow: false, start: 0, end: 0 })),
  } as unknown as Page;
  return {
    kind: 'page',
    url: urlOf(path),
    fetchedAt: START + day * DAY_MS,
    digest: `${path} ${day}`,
    page: body,
  };
}

const gone = (path: string, day: number): JournalRecord => ({
  ...{ kind: 'gone', url: urlOf(path), fetchedAt: START + day * DAY_MS, status: 404 },
});

const alias = (path: string, of: string, day: number): JournalRecord => ({
  ...{ kind: 'alias', url: urlOf(path), fetchedAt: START + day * DAY_MS, of: urlOf(of), reason: 'redirect' },
});

async function historyOf(context: TestContext, ...files: JournalRecord[][]): Promise<Row[]> {
  const data = openData(temporaryDirectory(context));
  await writeJournal(data.journal, files);
  return exported(data);
}

async function exported(data: ReturnType<typeof openData>, type: string | null = null): Promise<Row[]> {
  const options = { format: 'jsonl', type, since: null, hasHistory: true, clock: { now: () => NOW } };
  const { parts } = await beginRecordExport(data, options);
  const text = Buffer.concat([...parts]).toString();
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
}

test('a record has its first and last version, and the facts of the last, after the page is gone', async (context) => {
  const files = [
    [page('1', 0, [posting('Potter')]), page('2', 0, [posting('Baker')])],
    [page('1', 3, [posting('Senior potter')]), gone('2', 4)],
    [page('1', 6, []), page('2', 9, [posting('Baker')])],
  ];
  const [baker, potter] = (await historyOf(context, ...files)).sort((a, b) => (a.url < b.url ? 1 : -1));
  assert.deepEqual(
    [potter!.firstSeen, potter!.lastSeen, potter!.closed, potter!.closedReason, potter!.facts.title],
    [at(0), at(3), at(6), 'removed', ['Senior potter']],
  );
  assert.deepEqual(
    [baker!.firstSeen, baker!.lastSeen, baker!.closed],
    [at(0), at(9), undefined],
    'it came back',
  );
});

test('the order of the journal does not matter, because imports add old versions later', async (context) => {
  const files = [[gone('1', 5)], [page('1', 3, [posting('Potter')])], [page('1', 1, [posting('Potter')])]];
  const [row] = await historyOf(context, ...files);
  assert.deepEqual([row!.firstSeen, row!.lastSeen, row!.closed], [at(1), at(3), at(5)]);
  assert.equal(row!.closedReason, 'gone');
});

test('a copy and a page that has moved are the same thing, which is open while one of its pages is', async (context) => {
  const files = [
    [page('1', 0, [posting('Potter', { identifier: ['7'] })]), page('copy', 1, [posting('Potter')])],
    [
      page('new', 4, [posting('Master potter', { identifier: ['7'] })]),
      alias('1', 'new', 4),
      gone('copy', 5),
    ],
  ];
  const rows = await historyOf(context, ...files);
  assert.equal(rows.length, 1);
  assert.deepEqual(rows[0]!.urls, ['1', 'copy', 'new'].map(urlOf));
  assert.deepEqual([rows[0]!.url, rows[0]!.firstSeen, rows[0]!.closed], [urlOf('new'), at(0), undefined]);
});

test('things with the same text but different identifiers are different', async (context) => {
  const twins = ['7', '8'].map((id) => page(id, 0, [posting('Potter', { identifier: [id] })]));
  const rows = await historyOf(context, [...twins, page('9', 0, [posting('Potter')])]);
  assert.equal(rows.length, 3, 'the third could be either');
});

test('a posting that states its end is closed then, and so is an event', async (context) => {
  const event = { type: 'Event', properties: { name: ['Fair'], startDate: ['2026-01-05'] } };
  const ended = posting('Potter', { validThrough: ['2026-01-10T12:00:00Z'] });
  const later = posting('Baker', { validThrough: ['2026-06-01'] });
  const rows = await historyOf(context, [
    page('1', 0, [ended]),
    page('2', 0, [event]),
    page('3', 0, [later]),
  ]);
  const ends = rows.map(({ closed, closedReason }) => [closed, closedReason]);
  assert.deepEqual(ends, [
    ['2026-01-10T12:00:00.000Z', 'expired'],
    ['2026-01-06T00:00:00.000Z', 'expired'],
    [undefined, undefined],
  ]);
});

test('a date without a time ends with its day, month or year', () => {
  const table: [string, string | null][] = [
    ['2026-03-02T19:00:00Z', '2026-03-02T19:00:00.000Z'],
    ['2026-03-02T19:00:00', '2026-03-02T19:00:00.000Z'],
    ['2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['2026-12', '2027-01-01T00:00:00.000Z'],
    ['2026', '2027-01-01T00:00:00.000Z'],
    ['soon', null],
  ];
  for (const [validThrough, end] of table) {
    const record = { type: 'JobPosting', source: '', facts: { validThrough: [validThrough] }, problems: [] };
    const found = expiryOf(record);
    assert.equal(found === null ? null : new Date(found).toISOString(), end, validThrough);
  }
});

test('a posting that is no longer in a list is closed after all lists have been visited again', async (context) => {
  const postings = ['1', '2', '3', '4'].map((path) => page(path, 0, [posting(`Job ${path}`)], ['1', '4']));
  const lists = [page('list', 0, [], ['1', '2']), page('more', 0, [], ['3', '4'])];
  const closedAfter = async (...later: JournalRecord[]) =>
    (await historyOf(context, [...postings, ...lists], later))
      .filter(({ closed }) => closed !== undefined)
      .map(({ url, closed, closedReason }) => [url.at(-1), closed, closedReason]);
  const dropped = page('list', 2, [], ['2']);
  assert.deepEqual(await closedAfter(dropped), [], 'it may have moved to the other list');
  assert.deepEqual(await closedAfter(dropped, page('more', 3, [], ['1', '3', '4'])), [], 'it has moved');
  assert.deepEqual(await closedAfter(dropped, page('more', 3, [], ['3', '4'])), [['1', at(2), 'unlisted']]);
  // The list must be visited once more, because it may have got the postings of the one that is gone.
  assert.deepEqual(await closedAfter(dropped, gone('more', 3)), [['1', at(2), 'unlisted']]);
  const back = page('list', 5, [], ['1', '2']);
  assert.deepEqual(
    await closedAfter(dropped, page('more', 3, [], ['3', '4']), back),
    [],
    'it is listed again',
  );
});

test('an export with a type has only its things, and none of pages that the operator removed', async (context) => {
  const data = openData(temporaryDirectory(context));
  const event = { type: 'MusicEvent', properties: { name: ['Fair'], startDate: ['2030-01-05'] } };
  await writeJournal(data.journal, [
    [page('1', 0, [posting('Potter'), event]), page('2', 0, [posting('Baker')])],
  ]);
  const titles = async (type: string | null) =>
    (await exported(data, type)).map(({ facts }) => (facts.title ?? facts.name)![0]);
  assert.deepEqual(await titles(null), ['Potter', 'Fair', 'Baker']);
  assert.deepEqual(await titles('JobPosting'), ['Potter', 'Baker']);
  assert.deepEqual(await titles('MusicEvent'), ['Fair']);
  assert.deepEqual(await titles('Recipe'), []);
  const rule = { kind: 'url', value: urlOf('1'), removedAt: NOW, purge: 'no' } as const;
  changeRemovals(data.root, (list) => withRules(list, [rule]));
  assert.deepEqual(await titles(null), ['Baker']);
});
