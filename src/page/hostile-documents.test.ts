/**
 * Checks that every parser stays within the work budget of its document, and that the budget limits the time.
 * Work is counted in steps. The time limits only distinguish linear from quadratic time, and are ten times
 * what these documents take.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { WorkBudget } from '../base/mod.ts';
import { canonicalize } from '../url/mod.ts';
import { inertCopy } from './copies/inert-copy.ts';
import { readFeedEntries } from './formats/feed.ts';
import { parseSitemap } from './formats/sitemap.ts';
import {
  HOSTILE_DOCUMENTS,
  nestedForms,
  packedTwice,
  repeatedStream,
  widthRanges,
} from './hostile-documents.fixture.ts';
import { readInfobox } from './html/infobox.ts';
import { documentBudget } from './limits.ts';
import type { Page } from './page.ts';
import { parsePage } from './parse-page.ts';
import { HELVETICA, makePdf } from './pdf/pdf.fixture.ts';

const url = canonicalize('https://example.org/')!;
const BYTES = 1 << 16;
const MOST_MS = 500;

const TEXT = HOSTILE_DOCUMENTS.filter(({ contentType }) => contentType !== 'application/pdf');
const PDF = HOSTILE_DOCUMENTS.filter(({ contentType }) => contentType === 'application/pdf');

function inputOf(contentType: string, body: Buffer) {
  return { url, contentType, body, xRobotsTag: [] };
}

function parsePdf(body: Buffer, budget = documentBudget(body.length)): Page | null {
  return parsePage(inputOf('application/pdf', body), { budget });
}

/** Runs `work` and returns its result. Fails if it took too much CPU time of this thread. */
function quickly<T>(name: string, work: () => T): T {
  const started = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(started);
  assert.ok((user + system) / 1000 < MOST_MS, `${name} took ${(user + system) / 1000} ms`);
  return result;
}

test('the steps of text formats grow linearly and stay far below the budget', () => {
  for (const { name, contentType, make } of TEXT) {
    const steps = [BYTES / 4, BYTES].map((bytes) => {
      const body = make(bytes);
      const budget = documentBudget(body.length);
      const before = budget.left.steps;
      quickly(`${name} as ${contentType}`, () => parsePage(inputOf(contentType, body), { budget }));
      assert.ok(!budget.isSpent, name);
      return before - budget.left.steps;
    });
    assert.ok(steps[1]! < 8 * steps[0]! + 1000 && steps[1]! < 4 * BYTES, `${name}: ${steps}`);
  }
});

test('copies, infoboxes, feeds and sitemaps are read in linear time', () => {
  for (const { name, contentType, make } of TEXT) {
    const input = inputOf(contentType, make(BYTES));
    quickly(`a copy of ${name}`, () => inertCopy(input, { find: () => [], maxBytes: BYTES }));
    quickly(`the infobox of ${name}`, () => readInfobox(input));
    quickly(`the entries of ${name}`, () => readFeedEntries(input));
    quickly(`${name} as a sitemap`, () => parseSitemap(input.body, url));
  }
});

test('any PDF stays within the time of its budget', () => {
  for (const { name, make } of PDF) {
    const budget = new WorkBudget({ steps: 100_000, pieces: 50_000, bytes: 4 << 20 });
    const body = make(BYTES);
    quickly(name, () => parsePdf(body, budget));
  }
});

test('a PDF whose budget is spent keeps the text so far and is incomplete', () => {
  const document = makePdf({
    pages: ['BT /F 10 Tf (before) Tj ET', '/X Do', 'BT /F 10 Tf (after) Tj ET'],
    page: `/Resources<</XObject<</X 100 0 R>>/Font<</F ${HELVETICA}>>>>`,
    info: '/Title(Named)',
    extra: [{ dictionary: '/Subtype/Form/Filter/FlateDecode', data: deflateSync(Buffer.alloc(40 << 20)) }],
  });
  const read = parsePdf(document)!;
  assert.deepEqual([read.title, read.text, read.incomplete], ['Named', 'before', true]);
});

test('nested PDF forms end, and their text is kept', () => {
  const page = parsePdf(nestedForms(20, 6))!;
  assert.equal(page.incomplete, true);
  assert.ok(page.text.length > 10_000);
  assert.equal(parsePdf(nestedForms(5, 3))!.incomplete, undefined);
});

test('a stream costs its decoded size each time, also if decoding fails', () => {
  const large = deflateSync(Buffer.alloc(4 << 20, ' '));
  const budget = documentBudget(0);
  const { bytes } = budget.left;
  parsePdf(repeatedStream(3, '/Filter/FlateDecode', large), budget);
  assert.ok(bytes - budget.left.bytes >= 12 << 20);
  assert.equal(budget.isSpent, false);
  assert.equal(parsePdf(repeatedStream(5_000, '/Filter/FlateDecode', large))!.incomplete, true);
  const broken = Buffer.concat([large.subarray(0, -9), Buffer.alloc(9, 255)]);
  assert.equal(parsePdf(repeatedStream(5_000, '/Filter/FlateDecode', broken))!.incomplete, true);
});

test('a kilobyte that expands to megabytes of drawing is cut', () => {
  const document = packedTwice('/X Do ', 30 << 20);
  assert.ok(document.length < 1_000);
  assert.equal(quickly('drawing', () => parsePdf(document))!.incomplete, true);
});

test('the escapes of a string or a name cost steps', () => {
  assert.equal(parsePdf(packedTwice('\\1', 8 << 20, '('))!.incomplete, true);
  assert.equal(parsePdf(packedTwice('#41', 8 << 20, '/'))!.incomplete, true);
});

test('font width ranges are limited in total, and the text is read', () => {
  const budget = documentBudget(0);
  const { steps } = budget.left;
  const page = parsePdf(widthRanges(100_000), budget)!;
  assert.equal(page.incomplete, undefined);
  assert.ok(steps - budget.left.steps < 300_000);
});

test('a page within its budget is not marked as incomplete', () => {
  const page = parsePage(inputOf('text/html', Buffer.from('<p>plain')))!;
  assert.ok(!('incomplete' in page));
});

test('a page of any format keeps the part that was read when its budget is spent', () => {
  const budget = () => new WorkBudget({ steps: 40, pieces: 40, bytes: 1000 });
  const pages = [
    ['text/html', 'word <b>more</b> '],
    ['text/markdown', 'word *more*\n\n'],
    ['text/plain', 'word more\n\n'],
  ] as const;
  for (const [contentType, text] of pages) {
    const page = parsePage(inputOf(contentType, Buffer.from(text.repeat(100))), { budget: budget() })!;
    assert.equal(page.incomplete, true, contentType);
    assert.match(page.text, /^word more/);
    assert.ok(page.text.length < 600, contentType);
  }
});

test('a gzipped sitemap has a budget by its compressed size, and is marked as truncated', () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from('<urlset>'), Buffer.alloc(20 << 20, '<a>')]));
  assert.equal(parseSitemap(bomb, url).incomplete, true);
  const honest = '<urlset><url><loc>https://example.org/a</loc></url></urlset>';
  assert.deepEqual(parseSitemap(gzipSync(honest), url), { pages: [{ url: `${url}a` }], sitemaps: [] });
});
