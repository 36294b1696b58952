import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALLOW_ALL, createRobotsOverrides } from './robots-overrides.ts';
import { robotsVerdict } from './robots-rules.ts';

test('overrides hold for a host, a host with its port, or a domain with all below it', () => {
  const overrides = createRobotsOverrides(['Wiki.corp.example', 'docs.example:8080', '*.intranet']);
  const cases: [string, boolean][] = [
    ['https://wiki.corp.example', true],
    ['http://wiki.corp.example:81', true],
    ['https://www.wiki.corp.example', false],
    ['http://docs.example:8080', true],
    ['http://docs.example', false],
    ['http://intranet', true],
    ['http://a.b.intranet:99', true],
    ['http://notintranet', false],
  ];
  for (const [origin, expected] of cases) assert.equal(overrides.includes(origin), expected, origin);
  assert.equal(createRobotsOverrides([]).includes('http://a.example'), false);
});

test('an override that is no host, or that would hold for everybody, is named', () => {
  for (const entry of ['*', '', 'https://a.example/', 'a.example/x', '*.']) {
    assert.throws(() => createRobotsOverrides([entry]), /expected a host or a domain/, entry);
  }
  for (const entry of ['*.com', 'org', '*.co.uk', '*.github.io']) {
    assert.throws(() => createRobotsOverrides([entry]), /covers too many hosts/, entry);
  }
});

test('where robots.txt is not asked for, all is allowed', () => {
  assert.deepEqual(robotsVerdict(ALLOW_ALL.rules, '/private'), { allowed: true, rule: null });
});
