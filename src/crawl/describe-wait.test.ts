import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProblem, describeUrlReason, describeWait } from './describe-wait.ts';
import type { HostFailure, HostRow, ParkedReason, UrlReason, WaitReason } from './state/mod.ts';
import { decodeUrlReason, encodeUrlReason } from './state/reasons.ts';

const ROW: HostRow = {
  origin: 'http://a.test',
  nextFetchAt: 9000,
  delayMs: 500,
  robots: null,
  failures: 0,
  waitReason: null,
  parkedReason: null,
  address: '',
  links: 0,
  fetched: 0,
  useful: 0,
};

const BUSY: HostFailure = { code: 'http-status', status: 429 };

const describe = (over: Partial<HostRow>) => describeWait({ ...ROW, ...over }, 5000);

test('a host that only keeps its delay, and one that may be fetched now', () => {
  assert.equal(describe({}), 'its delay of 500 ms ends in 4 s');
  assert.equal(describe({ nextFetchAt: 0 }), 'ready to fetch robots.txt');
  const robots = { kind: 'allow-all' as const, body: new Uint8Array(), expiresAt: 0 };
  assert.equal(describe({ nextFetchAt: 0, robots }), 'ready');
  assert.match(describe({ isHeldBack: true }), /^held back: its domain a\.test has as many hosts/);
});

const waits: [WaitReason, string][] = [
  [{ code: 'retry-after', request: 'page', failure: BUSY }, 'Retry-After of HTTP 429'],
  [
    { code: 'failed', failures: 2, request: 'robots', failure: { code: 'no-response', cause: 'timeout' } },
    'robots.txt: timeout, failure 2 in a row',
  ],
  [{ code: 'host-group', group: 'wiki', isBusy: true }, 'host group: wiki has a request in flight'],
  [{ code: 'host-group', group: 'wiki', isBusy: false }, 'host group: wiki had a request a moment ago'],
  [{ code: 'address', address: '192.0.2.1' }, 'address: 192.0.2.1 had a request a moment ago'],
  [
    { code: 'domain-rate', domain: 'a.test', requestsPerSecond: 20 },
    'domain: hosts of a.test share 20 requests per second',
  ],
  [{ code: 'robots-elsewhere', origin: 'http://b.test' }, 'its robots.txt is on http://b.test'],
  [{ code: 'icon-elsewhere', origin: 'http://b.test' }, 'its icon is on http://b.test'],
  [{ code: 'slow-parsing', parseMs: 4000 }, 'a page of it took 4.0 s to parse'],
];

for (const [waitReason, text] of waits) {
  test(`a waiting host: ${text}`, () => assert.equal(describe({ waitReason }), `waits 4 s: ${text}`));
}

const parked: [ParkedReason, string][] = [
  [{ code: 'failed', request: 'page', failure: BUSY }, 'HTTP 429'],
  [
    { code: 'failed', request: 'robots', failure: { code: 'address-refused' } },
    'robots.txt: address not allowed',
  ],
  [{ code: 'long-delay', delayMs: 86_400_000 }, 'a delay of 86400 s between requests'],
  [{ code: 'host-budget-used', pages: 500 }, 'budget of 500 pages used'],
  [{ code: 'domain-budget-used', domain: 'a.test', pages: 9 }, 'budget of 9 pages of the domain a.test used'],
  [{ code: 'parser-deaths', pages: 2 }, '2 pages ended their parser threads or took too long'],
  [{ code: 'unknown' }, 'parked by an earlier version'],
];

for (const [parkedReason, text] of parked) {
  test(`a parked host: ${text}`, () => {
    assert.equal(describe({ parkedReason }), `parked for 4 s: ${text}`);
    assert.equal(describeProblem({ parked: parkedReason, count: 1 }), `host parked: ${text}`);
  });
}

const urlReasons: [UrlReason, string, string][] = [
  [{ code: 'page' }, 'page', 'page'],
  [{ code: 'truncated-sitemap' }, 'truncated-sitemap', 'sitemap, truncated'],
  [BUSY, '{"code":"http-status","status":429}', 'HTTP 429'],
  [{ code: 'robots', line: 2 }, '{"code":"robots","line":2}', 'robots.txt line 2'],
  [
    { code: 'robots', line: null },
    '{"code":"robots","line":null}',
    'robots.txt: too many rules apply to this URL',
  ],
  [
    { code: 'broken-document', fault: 'encrypted' },
    '{"code":"broken-document","fault":"encrypted"}',
    'encrypted document',
  ],
  [{ code: 'url-rule', rule: 'no ads' }, '{"code":"url-rule","rule":"no ads"}', 'URL rule: no ads'],
  [
    { code: 'mirrored', primary: 'http://a.test' },
    '{"code":"mirrored","primary":"http://a.test"}',
    'mirror of http://a.test',
  ],
];

for (const [reason, stored, text] of urlReasons) {
  test(`the outcome of a visit is stored as ${stored} and shown as "${text}"`, () => {
    assert.equal(encodeUrlReason(reason), stored);
    assert.deepEqual(decodeUrlReason(stored), reason);
    assert.equal(describeUrlReason(reason), text);
  });
}
