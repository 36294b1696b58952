import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CdxEntry } from './cdx-format.ts';
import { byDistance, matchesQuery, lineStartsOf } from './cdx-query.ts';

const ENTRY: CdxEntry = {
  url: 'https://example.org/a',
  timestamp: '20260102030405',
  mime: 'text/html',
  status: 200,
  digest: 'sha1:X',
  offset: 0,
  length: 1,
  filename: '00000001.warc.gz',
};
const QUERY = { url: '', matchType: 'exact', from: '', to: '', filters: [], closest: '', limit: 1 } as const;

test('the match type decides how far a query reaches', () => {
  const url = 'http://www.example.org/a/';
  assert.deepEqual(lineStartsOf({ url, matchType: 'exact' }), ['org,example)/a ']);
  assert.deepEqual(lineStartsOf({ url, matchType: 'prefix' }), ['org,example)/a']);
  assert.deepEqual(lineStartsOf({ url, matchType: 'host' }), ['org,example)']);
  assert.deepEqual(lineStartsOf({ url, matchType: 'domain' }), ['org,example)', 'org,example,']);
});

test('times may have fewer than 14 digits, and the last one includes its whole range', () => {
  const isIn = (from: string, to: string) => matchesQuery(ENTRY, { ...QUERY, from, to });
  assert.ok(isIn('2026', '2026') && isIn('', '') && isIn('20260102', '20260102'));
  assert.ok(!isIn('2027', '') && !isIn('', '2025') && !isIn('20260103', ''));
});

test('filters keep or drop captures by a field', () => {
  const passes = (...filters: string[]) => matchesQuery(ENTRY, { ...QUERY, filters });
  assert.ok(passes('mimetype:text/html') && passes('=status:200') && passes('!mimetype:warc/revisit'));
  assert.ok(!passes('!mimetype:text') && !passes('status:404') && passes('unknown:x'));
});

test('the closest capture comes first', () => {
  const [old, late] = [ENTRY, { ...ENTRY, timestamp: '20280102030405' }];
  assert.deepEqual([old, late].sort(byDistance('2028')), [late, old]);
});
