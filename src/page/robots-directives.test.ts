import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RobotsDirectives } from './page.ts';
import { allowAll, applyRobotsHeader, applyRobotsMeta } from './robots-directives.ts';

/** What is refused, in order: `index follow` and so on; empty if nothing is. */
function refused(apply: (robots: RobotsDirectives) => void): string {
  const robots = allowAll();
  apply(robots);
  return Object.entries(robots)
    .filter(([, allowed]) => !allowed)
    .map(([name]) => name)
    .join(' ');
}

test('directives of a meta element', () => {
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

test('directives of a header, for all or for robots by name', () => {
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

test('no later directive lifts an earlier one', () => {
  const robots = allowAll();
  applyRobotsHeader(robots, 'noindex');
  applyRobotsMeta(robots, 'gyre', 'all, index');
  assert.equal(robots.index, false);
});
