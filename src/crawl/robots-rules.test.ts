import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { parseRobots, ROBOTS_MAX_BYTES, robotsVerdict } from './robots-rules.ts';

const lines = readFileSync(new URL('../../test/fixtures/robots.tsv', import.meta.url), 'utf8').split('\n');

for (const line of lines.filter((each) => each !== '' && !each.startsWith('# '))) {
  const [file, path, verdict, clause] = line.split('\t') as [string, string, string, string];
  test(`§ ${clause}: ${path}`, () => {
    const { rules } = parseRobots(bodyOf(file), 'gyre');
    assert.equal(robotsVerdict(rules, path).allowed, verdict === 'allow');
  });
}

test('the verdict names the line that decided', () => {
  const { rules } = parseRobots(Buffer.from('User-agent: *\n\nDisallow: /a\nAllow: /a/b\n'), 'gyre');
  assert.equal(robotsVerdict(rules, '/a/x').rule?.line, 3);
  assert.equal(robotsVerdict(rules, '/a/b').rule?.line, 4);
  assert.equal(robotsVerdict(rules, '/c').rule, null);
});

test('a crawl delay and the sitemaps are read; nonsense is not', () => {
  const file =
    'Sitemap: https://e.example/1.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow:\nsitemap: /2.xml';
  const robots = parseRobots(Buffer.from(file), 'gyre');
  assert.equal(robots.crawlDelayMs, 2500);
  assert.deepEqual(robots.sitemaps, ['https://e.example/1.xml', '/2.xml']);
  for (const value of ['', '-1', 'soon', 'Infinity', 'NaN']) {
    assert.equal(
      parseRobots(Buffer.from(`User-agent: *\nCrawl-delay: ${value}`), 'gyre').crawlDelayMs,
      null,
      value,
    );
  }
});

test('a crawl delay is for the agents that were named before it, and the longest counts', () => {
  const delay = (file: string) => parseRobots(Buffer.from(file), 'gyre').crawlDelayMs;
  assert.equal(delay('User-agent: x\nCrawl-delay: 9\nUser-agent: gyre\nDisallow: /a'), null);
  assert.equal(delay('User-agent: gyre\nCrawl-delay: 9\nUser-agent: x\nDisallow: /a'), 9000);
  assert.equal(delay('User-agent: gyre\nDisallow: /a\nCrawl-delay: 2\nCrawl-delay: 1'), 2000);
  assert.equal(delay('User-agent: *\nCrawl-delay: 9\n\nUser-agent: gyre\nDisallow: /a'), null);
  assert.equal(delay('User-agent: *\nCrawl-delay: 9\nDisallow:\n\nUser-agent: gyre\nDisallow: /a'), null);
});

test('the agent may be given as a whole, and its token is compared', () => {
  const file = Buffer.from('User-agent: gyre\nDisallow: /a');
  for (const agent of ['gyre', 'Gyre', 'Gyre/1.0 (+https://e.example)']) {
    assert.equal(robotsVerdict(parseRobots(file, agent).rules, '/a').allowed, false, agent);
  }
  assert.equal(robotsVerdict(parseRobots(file, 'other/1.0').rules, '/a').allowed, true);
});

test('a sitemap may have any letters', () => {
  const { sitemaps } = parseRobots(Buffer.from('Sitemap: https://e.example/ü.xml'), 'gyre');
  assert.deepEqual(sitemaps, ['https://e.example/ü.xml']);
});

test('§ 2.5: only the first 500 KiB count', () => {
  const filler = '#'.repeat(ROBOTS_MAX_BYTES - 'User-agent: *\n'.length - 1);
  const { rules } = parseRobots(Buffer.from(`User-agent: *\n${filler}\nDisallow: /`), 'gyre');
  assert.equal(rules.length, 0);
});

test('on random files the verdict is that of trying every rule as a regular expression', () => {
  const seed = Date.now() % 1e9;
  const random = new Random(seed);
  const letters = (from: string[], most: number) =>
    Array.from({ length: random.below(most) }, () => random.pick(from)).join('');
  for (let round = 0; round < 3000; round++) {
    const rules = Array.from({ length: 1 + random.below(6) }, () => ({
      allow: random.chance(0.5),
      pattern: `/${letters(['a', 'b', '/', '*', '*'], 6)}${random.pick(['', '$'])}`,
    }));
    const path = `/${letters(['a', 'b', '/'], 8)}`;
    const matching = rules.filter(({ pattern }) => expression(pattern).test(path));
    const longest = Math.max(...matching.map(({ pattern }) => pattern.length));
    const deciding = matching.filter(({ pattern }) => pattern.length === longest);
    const expected = deciding.length === 0 || deciding.some(({ allow }) => allow);
    const lines = rules.map(({ allow, pattern }) => `${allow ? 'Allow' : 'Disallow'}: ${pattern}`);
    const file = ['User-agent: *', ...lines].join('\n');
    const verdict = robotsVerdict(parseRobots(Buffer.from(file), 'gyre').rules, path);
    assert.equal(verdict.allowed, expected, `seed ${seed}: ${path} by ${file}`);
    assert.equal(verdict.rule === null, deciding.length === 0);
  }
});

function expression(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll('*', '.*')}`);
}

test('a hostile pattern is matched in no time', () => {
  const { rules } = parseRobots(Buffer.from(`User-agent: *\nDisallow: /${'a*'.repeat(5000)}b$`), 'gyre');
  assert.ok(robotsVerdict(rules, `/${'a'.repeat(20_000)}`).allowed);
});

test('a file of nothing but rules is a file like any other', () => {
  const lines = Array.from({ length: 40_000 }, (_, line) => `Disallow: /${line}`);
  const { rules } = parseRobots(Buffer.from(`User-agent: *\n${lines.join('\n')}`), 'gyre');
  assert.equal(robotsVerdict(rules, '/x').allowed, true);
  assert.equal(robotsVerdict(rules, '/123x').rule?.line, 125);
});

test('random bytes never throw', () => {
  const bytes = Buffer.alloc(4096);
  for (let seed = 1; seed < 50; seed++) {
    for (let at = 0; at < bytes.length; at++) bytes[at] = (at * seed * 2654435761) >>> 24;
    parseRobots(bytes, 'gyre');
  }
});

/** One character for each octet once it is UTF-8, so that an octet which is none can be written too. */
function bodyOf(file: string): Buffer {
  const octets = Buffer.from(file === '(empty)' ? '' : file).toString('latin1');
  const text = octets
    .replaceAll('\\n', '\n')
    .replaceAll('\\r', '\r')
    .replaceAll('\\t', '\t')
    .replace('<BOM>', '\xef\xbb\xbf')
    .replace('<NUL>', '\0')
    .replace('<FC>', '\xfc');
  return Buffer.from(text, 'latin1');
}
