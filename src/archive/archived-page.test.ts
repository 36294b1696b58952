import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/mod.ts';
import { archivedRecord, interpretRecord } from './archived-page.ts';

test('an archived page is parsed with the same headers as a fetched page', () => {
  const url = canonicalize('http://example.org/a?x')!;
  const head = [
    'HTTP/1.1 200 OK',
    'Content-Type: text/html',
    'Content-Language: de',
    'Last-Modified: Tue, 05 Nov 2019 10:00:00 GMT',
    'Link: </a>; rel="canonical"',
    'X-Robots-Tag: noarchive',
  ].join('\r\n');
  const block = Buffer.from(`${head}\r\n\r\n<title>A</title>1 2 3`);
  const record = { type: 'response', targetUri: url, date: 0, fields: new Map(), block };
  const meaning = interpretRecord(archivedRecord(record), url);
  assert.ok(meaning.kind === 'page');
  const { language, modifiedAt, canonical, robots } = meaning.page;
  assert.deepEqual(
    [language, modifiedAt, canonical, robots.archive],
    ['de', Date.UTC(2019, 10, 5, 10), 'http://example.org/a', false],
  );
});
