import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatSiteRules,
  joinSiteRules,
  parseSiteRules,
  readSite,
  SiteJudge,
  type SiteRule,
} from './site-rules.ts';

const rules: SiteRule[] = [
  { site: 'example.org', effect: 'block' },
  { site: 'docs.example.org', effect: 'raise' },
  { site: 'wiki.example', effect: 'pin' },
  { site: 'noisy.example', effect: 'lower' },
];

test('rules are read back as they were written', () => {
  assert.deepEqual(parseSiteRules(formatSiteRules(rules)), { rules, problems: [] });
});

test('a file may have comments, blank lines, any line ends and a byte order mark', () => {
  const text = '\ufeff# mine\r\n\r\nblock  https://www.Spam.example/path  # why not\rpin wiki.example\n';
  assert.deepEqual(parseSiteRules(text).rules, [
    { site: 'spam.example', effect: 'block' },
    { site: 'wiki.example', effect: 'pin' },
  ]);
});

test('the error for an invalid rule has its line number', () => {
  const { rules: read, problems } = parseSiteRules(
    'block a.example\nhide b.example\nblock\nblock a b\npin ?',
  );
  assert.deepEqual(read, [{ site: 'a.example', effect: 'block' }]);
  assert.deepEqual(
    problems.map(({ line }) => line),
    [2, 3, 4, 5],
  );
});

test('the later of two rules for a site applies, and the own rule before the default', () => {
  assert.deepEqual(parseSiteRules('block a.example\npin a.example').rules, [
    { site: 'a.example', effect: 'pin' },
  ]);
  const joined = joinSiteRules(rules, [{ site: 'example.org', effect: 'normal' }]);
  assert.equal(new SiteJudge(joined).effectOn('example.org'), 'normal');
});

test('a site is parsed from a URL or a host name in any common form', () => {
  assert.equal(readSite('Bücher.example'), 'xn--bcher-kva.example');
  assert.equal(readSite('http://a.example:8080/x?y#z'), 'a.example');
  assert.equal(readSite('www.example'), 'www.example');
  for (const bad of ['', ' ', 'a b', 'http://', 'user@a.example', '<script>'])
    assert.equal(readSite(bad), null);
});

test('the longest name decides, for the hosts below it too', () => {
  const judge = new SiteJudge(rules);
  assert.equal(judge.effectOn('example.org'), 'block');
  assert.equal(judge.effectOn('a.b.example.org'), 'block');
  assert.equal(judge.effectOn('v2.docs.example.org'), 'raise');
  assert.equal(judge.effectOn('badexample.org'), 'normal');
  assert.equal(judge.effectOn('org'), 'normal');
});
