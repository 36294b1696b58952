import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALLOW_ALL, createRobotsOverrides } from './robots-overrides.ts';
import { robotsVerdict } from './robots-rules.ts';

test('an override applies to a host, a host with a port, or a domain with its subdomains', () => {
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

test('an invalid or too wide override is rejected', () => {
  for (const entry of ['*', '', 'https://a.example/', 'a.example/x', '*.']) {
    assert.throws(() => createRobotsOverrides([entry]), /expected a host or a domain/, entry);
  }
  for (const entry of ['*.com', 'org', '*.co.uk', '*.github.io']) {
    assert.throws(() => createRobotsOverrides([entry]), /covers too many hosts/, entry);
  }
});

test('everything is allowed on a host whose robots.txt is overridden', () => {
  assert.deepEqual(robotsVerdict(ALLOW_ALL.rules, '/private'), { allowed: true, rule: null });
});
