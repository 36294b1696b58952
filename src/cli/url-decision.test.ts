import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize, createScope, createUrlRules, fingerprint, parseUrlRules } from '../url/mod.ts';
import { reportUrl } from './url-decision.ts';

const rules = createUrlRules(
  {
    rules: parseUrlRules([{ verb: 'follow', prefix: '/tags/', name: 'tags', query: { keep: 'page' } }]),
    maxDepth: 5,
  },
  createScope('domain', [canonicalize('https://example.co.uk/')!], []),
);

test('a URL is reported with its parts and the rule that decides', () => {
  assert.deepEqual(reportUrl('../tags/x?sort=1&page=2#y', 'https://www.Example.co.uk/a/b/', 1, rules), {
    canonical: 'https://www.example.co.uk/a/tags/x?sort=1&page=2',
    host: 'www.example.co.uk',
    domain: 'example.co.uk',
    fingerprint: String(fingerprint(canonicalize('https://www.example.co.uk/a/tags/x?sort=1&page=2')!)),
    verb: 'index',
    rule: 'default',
    fetched: 'https://www.example.co.uk/a/tags/x?sort=1&page=2',
  });
  const tags = reportUrl('https://example.co.uk/tags/x?sort=1&page=2', undefined, 0, rules);
  assert.deepEqual(
    [tags.verb, tags.rule, tags.fetched],
    ['follow', 'tags', 'https://example.co.uk/tags/x?page=2'],
  );
  assert.equal(reportUrl('https://example.org/', undefined, 0, rules).rule, 'scope');
  assert.equal(reportUrl('https://example.co.uk/', undefined, 6, rules).rule, 'maxDepth');
});

test('the error for an invalid URL has the URL', () => {
  assert.throws(() => reportUrl('a/b', undefined, 0, rules), {
    name: 'UsageError',
    message: '"a/b" is not a web address; if it is relative, name its page with --base',
  });
  assert.throws(
    () => reportUrl('mailto:x', 'https://a.example/', 0, rules),
    /^UsageError: "mailto:x" is not a web address$/,
  );
});
