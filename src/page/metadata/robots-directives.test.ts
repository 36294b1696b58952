import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RobotsDirectives } from '../page.ts';
import { allowAll, applyRobotsHeader, applyRobotsMeta } from './robots-directives.ts';

/**
 * Returns the names of the directives that are false: `index follow`. Returns the empty string if none is
 * false.
 */
function refused(apply: (robots: RobotsDirectives) => void): string {
  const robots = allowAll();
  apply(robots);
  return Object.entries(robots)
    .filter(([, allowed]) => allowed === false)
    .map(([name]) => name)
    .join(' ');
}

test('robots directives of a meta element are parsed', () => {
  const cases: [string, string, string][] = [
    ['robots', 'noindex', 'index'],
    ['robots', 'NoIndex, NOFOLLOW', 'index follow'],
    ['robots', 'noindex nofollow', 'index follow'],
    ['robots', 'noindex;nofollow', 'index follow'],
    ['robots', 'none', 'index follow'],
    ['robots', 'noarchive,nosnippet', 'archive snippet'],
    ['robots', 'nocache', 'archive'],
    ['robots', 'max-snippet : 0', 'snippet'],
    ['robots', 'max-snippet:20, max-image-preview:none', ''],
    ['robots', 'all, index, follow, constructor, __proto__', ''],
    ['gyre', 'noindex', 'index'],
    ['googlebot', 'noindex', ''],
    ['robots', 'max-snippet:-1, max-snippet:, max-snippet', ''],
    ['robots', 'unavailable_after: 2030-01-01, nofollow', 'follow'],
    ['robots', 'gyre: noindex', 'index'],
    ['robots', 'noindex: nofollow', 'follow'],
    ['robots', 'unavailable_after:, nofollow', 'follow'],
    ['robots', ',;: ,noindex,,', 'index'],
    ['', 'noindex', ''],
  ];
  for (const [name, content, expected] of cases) {
    assert.equal(
      refused((robots) => applyRobotsMeta(robots, name, content)),
      expected,
      `${name}: ${content}`,
    );
  }
});

test('robots directives of a header apply to all robots or to named ones', () => {
  const cases: [string, string][] = [
    ['noindex', 'index'],
    ['noindex, nofollow', 'index follow'],
    ['gyre: noindex', 'index'],
    ['Gyre:noindex,nofollow', 'index follow'],
    ['otherbot: noindex, nofollow', ''],
    ['otherbot: noindex, gyre: nofollow', 'follow'],
    ['*: none', 'index follow'],
    ['unavailable_after: 25 Jun 2010 15:00:00 PST, noarchive', 'archive'],
    ['max-snippet:0', 'snippet'],
    ['otherbot: max-snippet:0, gyre: noarchive', 'archive'],
    ['otherbot: unavailable_after: 2010-01-01, noindex', ''],
    ['otherbot:noindex,*:nofollow', 'follow'],
    ['gyre : NONE', 'index follow'],
    ['all', ''],
    ['', ''],
  ];
  for (const [value, expected] of cases) {
    assert.equal(
      refused((robots) => applyRobotsHeader(robots, value)),
      expected,
      value,
    );
  }
});

test('a later directive does not lift an earlier one', () => {
  const robots = allowAll();
  applyRobotsHeader(robots, 'noindex');
  applyRobotsMeta(robots, 'gyre', 'all, index');
  assert.equal(robots.index, false);
});

test('the shortest max-snippet and the earliest unavailable_after apply', () => {
  const robots = allowAll();
  applyRobotsMeta(robots, 'robots', 'max-snippet:160');
  applyRobotsHeader(robots, 'max-snippet: 20');
  applyRobotsMeta(robots, 'gyre', 'max-snippet:-1, max-snippet:50');
  assert.equal(robots.maxSnippet, 20);
  applyRobotsMeta(robots, 'robots', 'unavailable_after: 2031-01-01');
  applyRobotsMeta(robots, 'gyre', 'unavailable_after: 2030-01-01');
  applyRobotsMeta(robots, 'robots', 'unavailable_after: 2032-01-01');
  assert.equal(robots.unavailableAfter, Date.UTC(2030, 0, 1));
  assert.ok(robots.snippet && robots.index);
});

test('unavailable_after accepts common date formats, and the directive after it is parsed', () => {
  const end = Date.UTC(2010, 5, 25, 15);
  const cases: [string, number | undefined][] = [
    ['2010-06-25T15:00:00Z', end],
    ['2010-06-25T15:00:00', end],
    ['2010-06-25T17:00:00+02:00', end],
    ['2010-06-25 15:00:00', end],
    ['25 Jun 2010 15:00:00 GMT', end],
    ['25 Jun 2010 07:00:00 PST', end],
    ['25 Jun 2010 15:00', end],
    ['25-Jun-2010 15:00:00', end],
    ['25 Jun 2010 17:00:00 +0200', end],
    ['Friday, 25-Jun-10 15:00:00 UTC', end],
    ['Fri, 25 Jun 2010 15:00:00 GMT', end],
    ['Jun 25, 2010', Date.UTC(2010, 5, 25)],
    ['2010-06-25', Date.UTC(2010, 5, 25)],
    ['soon', undefined],
  ];
  for (const [date, expected] of cases) {
    for (const separator of [', ', '; ', ' ']) {
      const robots = allowAll();
      applyRobotsHeader(robots, `unavailable_after: ${date}${separator}noarchive`);
      assert.equal(robots.unavailableAfter, expected, date);
      assert.equal(robots.archive, false, `${date}${separator}noarchive`);
    }
  }
});
