import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReasonCount, UrlReason } from '../crawl/mod.ts';
import { aliasesLine, answersLine } from './findings-report.ts';

test('the counts of fetched URLs by kind add up to their total', () => {
  const answers: ReasonCount[] = Object.entries({
    page: 521,
    sitemap: 250,
    gone: 211,
    'near-duplicate': 9,
    noindex: 3,
    unchanged: 2,
  }).map(([code, count]) => ({ reason: { code } as UrlReason, count }));
  answers.push({ reason: { code: 'http-status', status: 403 }, count: 1 });
  assert.equal(
    answersLine(answers),
    '521 pages, 252 sitemaps and feeds, 9 duplicates, 3 not to be indexed, 211 not found, 1 HTTP 403',
  );
  assert.equal(answersLine([]), 'nothing yet');
});

test('the URLs that are not documents are counted by reason', () => {
  assert.equal(aliasesLine({ duplicate: 12, redirect: 2 }), '12 same content, 2 redirect');
  assert.equal(aliasesLine({}), null);
});
