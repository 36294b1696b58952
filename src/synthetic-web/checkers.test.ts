import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { politenessViolations, robotsViolations, type Violation } from './checkers.ts';
import { planWeb } from './plan.ts';
import type { LogEntry } from './request-log.ts';

const plan = planWeb({ seed: 1, hosts: 2, pages: 10, features: { robots: true } });
const LIMITS = { delayMs: 100, toleranceMs: 2 };
const HOST = 'h0000.test';

describe('politeness', () => {
  const check = (...entries: LogEntry[]) => politenessViolations(inOrder(entries), plan, LIMITS);

  test('is kept by requests that wait from the end of the last answer', () => {
    assert.deepEqual(
      check(visit(0, 50, '/robots.txt'), visit(150, 180), visit(280, 300), visit(398.5, 420)),
      [],
    );
  });

  test('is kept by requests to different hosts at once', () => {
    assert.deepEqual(check(visit(0, 50), visit(0, 50, '/', { host: 'h0001.test' })), []);
  });

  test('is broken by two requests at once', () => {
    assert.deepEqual(rules(check(visit(0, 500), visit(300, 310))), ['overlap 1']);
  });

  test('is broken by a request while an earlier, longer one is still under way', () => {
    assert.deepEqual(rules(check(visit(0, null), visit(200, 210), visit(400, 410))), [
      'overlap 1',
      'overlap 2',
    ]);
    assert.deepEqual(rules(check(visit(0, 900), visit(200, 210), visit(400, 410))), [
      'overlap 1',
      'overlap 2',
    ]);
  });

  test('is broken by a delay counted from the start of the last answer', () => {
    const [violation] = check(visit(0, 80), visit(100, 120));
    assert.equal(violation!.rule, 'too-soon');
    assert.match(violation!.message, /#1 h0000\.test\/ started 20\.0 ms after the end of #0 .*, not 100/);
  });

  test('takes the log in any order', () => {
    assert.deepEqual(rules(check(visit(120, 130), visit(0, 100))), ['too-soon 0']);
  });

  test('minds the Crawl-delay between pages, but not after robots.txt', () => {
    const host = 'robots-crawl-delay-0.test';
    const robots = visit(0, 10, '/robots.txt', { host });
    assert.deepEqual(check(robots, visit(110, 120, '/', { host }), visit(1120, 1130, '/a', { host })), []);
    const hasty = check(robots, visit(110, 120, '/', { host }), visit(620, 630, '/a', { host }));
    assert.deepEqual(rules(hasty), ['too-soon 2']);
  });

  test('is broken by a request before Retry-After has passed, whatever its path', () => {
    const limited = visit(0, 10, '/limited', { status: 429, retryAt: 1010 });
    assert.deepEqual(check(limited, visit(1009, 1020, '/limited')), []);
    const hasty = check(limited, visit(500, 510, '/other'), visit(1500, 1510, '/limited'));
    assert.deepEqual(rules(hasty), ['retry-after 1']);
  });
});

describe('robots rules', () => {
  const host = 'robots-disallow-prefix-0.test';
  const robots = visit(0, 10, '/robots.txt', { host });
  const check = (...entries: LogEntry[]) => rules(robotsViolations(inOrder(entries), plan));

  test('are kept by reading robots.txt first and asking for allowed pages', () => {
    assert.deepEqual(check(robots, visit(20, 30, '/', { host }), visit(40, 50, '/public/a', { host })), []);
  });

  test('are broken by a disallowed page', () => {
    assert.deepEqual(check(robots, visit(20, 30, '/private/a', { host })), ['disallowed 1']);
  });

  test('are broken by a page before robots.txt has been read', () => {
    assert.deepEqual(check(visit(0, 10), visit(20, 30, '/robots.txt')), ['unread 0']);
    assert.deepEqual(check(visit(0, 50, '/robots.txt'), visit(20, 30)), ['unread 1']);
    assert.deepEqual(check(visit(0, null, '/robots.txt'), visit(20, 30)), ['unread 1']);
  });

  test('are broken by any page of a host whose robots.txt cannot be read', () => {
    for (const kind of ['error-500', 'unavailable-503', 'unreachable']) {
      const closed = { host: `robots-${kind}-0.test` };
      assert.deepEqual(check(visit(0, 1, '/robots.txt', closed), visit(5, 6, '/', closed)), ['closed 1']);
    }
  });

  test('let robots.txt be followed to where it redirects', () => {
    const hop = { host: 'robots-redirect-0.test' };
    const elsewhere = { host: 'robots-elsewhere-0.test' };
    assert.deepEqual(
      check(visit(0, 1, '/policy/robots.txt', hop), visit(5, 6, '/shared/robots.txt', elsewhere)),
      [],
    );
  });

  test('accept either behaviour if the standard leaves the choice', () => {
    const huge = { host: 'robots-huge-0.test' };
    assert.deepEqual(check(visit(0, 1, '/robots.txt', huge), visit(5, 6, '/late/a', huge)), []);
  });
});

function visit(
  startedAt: number,
  finishedAt: number | null,
  path = '/',
  more: Partial<LogEntry> = {},
): LogEntry {
  const headers = {
    userAgent: '',
    acceptEncoding: '',
    ifNoneMatch: '',
    ifModifiedSince: '',
    contentEncoding: '',
  };
  const sent = { status: 200, outcome: 'complete', bytesSent: 0, retryAt: null } as const;
  return {
    number: 0,
    method: 'GET',
    host: HOST,
    path,
    ...headers,
    startedAt,
    finishedAt,
    ...sent,
    ...more,
  };
}

function inOrder(entries: LogEntry[]): LogEntry[] {
  return entries.map((entry, number) => ({ ...entry, number }));
}

function rules(violations: Violation[]): string[] {
  return violations.map(({ rule, request }) => `${rule} ${request}`);
}
