import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { RobotsMatcher } from './robots-matcher.ts';
import { parseRobotsPattern } from './robots-pattern.ts';
import { parseRobots, ROBOTS_MAX_BYTES, robotsParsing, robotsVerdict } from './robots-rules.ts';

const lines = readFileSync(new URL('../../../test/fixtures/robots.tsv', import.meta.url), 'utf8').split('\n');

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

test('Crawl-delay and Sitemap lines are parsed; invalid ones are ignored', () => {
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

test('a Crawl-delay applies to the agents named before it, and the longest one counts', () => {
  const delay = (file: string) => parseRobots(Buffer.from(file), 'gyre').crawlDelayMs;
  assert.equal(delay('User-agent: x\nCrawl-delay: 9\nUser-agent: gyre\nDisallow: /a'), null);
  assert.equal(delay('User-agent: gyre\nCrawl-delay: 9\nUser-agent: x\nDisallow: /a'), 9000);
  assert.equal(delay('User-agent: gyre\nDisallow: /a\nCrawl-delay: 2\nCrawl-delay: 1'), 2000);
  assert.equal(delay('User-agent: *\nCrawl-delay: 9\n\nUser-agent: gyre\nDisallow: /a'), null);
  assert.equal(delay('User-agent: *\nCrawl-delay: 9\nDisallow:\n\nUser-agent: gyre\nDisallow: /a'), null);
});

test('only the product token of a full user agent is compared', () => {
  const file = Buffer.from('User-agent: gyre\nDisallow: /a');
  for (const agent of ['gyre', 'Gyre', 'Gyre/1.0 (+https://e.example)']) {
    assert.equal(robotsVerdict(parseRobots(file, agent).rules, '/a').allowed, false, agent);
  }
  assert.equal(robotsVerdict(parseRobots(file, 'other/1.0').rules, '/a').allowed, true);
});

test('a sitemap URL may have non-ASCII letters', () => {
  const { sitemaps } = parseRobots(Buffer.from('Sitemap: https://e.example/ü.xml'), 'gyre');
  assert.deepEqual(sitemaps, ['https://e.example/ü.xml']);
});

test('§ 2.5: only the first 500 KiB count', () => {
  const filler = '#'.repeat(ROBOTS_MAX_BYTES - 'User-agent: *\n'.length - 1);
  const { rules } = parseRobots(Buffer.from(`User-agent: *\n${filler}\nDisallow: /`), 'gyre');
  assert.equal(rules.size, 0);
});

test('on random files the verdict equals that of testing every rule as a regular expression', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 1000; round++) {
    const rules = randomRules(random, 1 + random.below(random.pick([6, 60])));
    const file = ['User-agent: *', ...rules.map(lineOf)].join('\n');
    const compiled = parseRobots(Buffer.from(file), 'gyre').rules;
    for (let count = 0; count < 4; count++) {
      const path = randomPath(random);
      const expected = naiveVerdict(rules, path);
      const { allowed, rule } = robotsVerdict(compiled, path);
      // The rules begin at line 2, because line 1 of the file names the agent.
      const line = expected ? rules.indexOf(expected) + 2 : undefined;
      assert.equal(allowed, expected?.allow ?? true, `seed ${seed}: ${path} by ${file}`);
      assert.equal(rule?.line, line, `seed ${seed}: ${path} by ${file}`);
    }
  }
});

test('rules beyond the limits never allow a path that the whole file disallows', () => {
  const seed = testSeed();
  const random = new Random(seed);
  let simplifiedCount = 0;
  for (let round = 0; round < 1000; round++) {
    const rules = randomRules(random, 20);
    const matcher = new RobotsMatcher({ maxSize: 4 + random.below(20), maxSteps: 10 + random.below(20) });
    for (const [line, { allow, pattern }] of rules.entries())
      matcher.add({ allow, line }, parseRobotsPattern(pattern));
    for (const _ of matcher.link());
    simplifiedCount += matcher.simplifiedCount;
    const path = randomPath(random);
    if (naiveVerdict(rules, path)?.allow !== false) continue;
    assert.ok(
      !robotsVerdict(matcher, path).allowed,
      `seed ${seed}: ${path} by ${rules.map(lineOf).join(', ')}`,
    );
  }
  assert.ok(simplifiedCount > 0);
});

interface RandomRule {
  allow: boolean;
  pattern: string;
}

function randomRules(random: Random, count: number): RandomRule[] {
  return Array.from({ length: count }, () => ({
    allow: random.chance(0.5),
    pattern: `/${letters(random, ['a', 'b', '/', '*', '*'], 8)}${random.pick(['', '$'])}`,
  }));
}

function randomPath(random: Random): string {
  return `/${letters(random, ['a', 'b', '/'], 12)}`;
}

function letters(random: Random, from: string[], most: number): string {
  return Array.from({ length: random.below(most) }, () => random.pick(from)).join('');
}

function lineOf({ allow, pattern }: RandomRule): string {
  return `${allow ? 'Allow' : 'Disallow'}: ${pattern}`;
}

/** Reference implementation: finds the deciding rule by trying each rule. */
function naiveVerdict(rules: readonly RandomRule[], path: string): RandomRule | undefined {
  const matching = rules.filter(({ pattern }) =>
    new RegExp(`^${pattern.replaceAll(/\*+/g, '.*')}`).test(path),
  );
  const longest = Math.max(...matching.map(({ pattern }) => pattern.length));
  const deciding = matching.filter(({ pattern }) => pattern.length === longest);
  return deciding.find(({ allow }) => allow) ?? deciding[0];
}

test('a URL that takes too many steps to match is disallowed', () => {
  const file = (stars: number) => Buffer.from(`User-agent: *\nDisallow: /${'a*'.repeat(stars)}b$`);
  const path = `/${'a'.repeat(2000)}`;
  assert.ok(robotsVerdict(parseRobots(file(20), 'gyre').rules, path).allowed);
  const refused = robotsVerdict(parseRobots(file(5000), 'gyre').rules, path);
  assert.deepEqual(refused, { allowed: false, rule: null });
});

test('a too long Disallow pattern applies by its prefix, and a too long Allow is ignored', () => {
  const long = `/a/${'%'.repeat(20_000)}`;
  const { rules } = parseRobots(Buffer.from(`User-agent: *\nDisallow: ${long}\nAllow: /b/${long}`), 'gyre');
  assert.equal(rules.simplifiedCount, 2);
  assert.ok(!robotsVerdict(rules, `/a/${'%25'.repeat(16_384)}`).allowed);
  assert.ok(robotsVerdict(rules, '/a/').allowed);
});

test('20,000 rules with wildcards and a long URL: parsed in short steps, judged in one pass', () => {
  const lines = Array.from({ length: 20_000 }, (_, rule) => `Disallow: /*${rule.toString(36)}!`);
  const body = Buffer.from(`User-agent: *\n${lines.join('\n')}`);
  let steps = 0;
  const parsing = robotsParsing(body, 'gyre');
  let step = parsing.next();
  for (; !step.done; step = parsing.next()) steps++;
  assert.ok(steps > 500, `${steps} steps`);
  const { rules } = step.value;
  assert.equal(rules.simplifiedCount, 0);
  const path = `/${'0123456789abcdefghijklmnopqrstuvwxyz'.repeat(55)}`;
  const startedAt = performance.now();
  for (let count = 0; count < 100; count++) assert.ok(robotsVerdict(rules, path).allowed);
  assert.equal(robotsVerdict(rules, `${path}/zz!`).rule?.line, 2 + Number.parseInt('zz', 36));
  // A verdict takes about 50 µs; trying all rules one by one took 10 ms and more.
  assert.ok(performance.now() - startedAt < 500);
});

test('many groups, agents and delays are merged in one pass', () => {
  const agents = 'User-agent: x\n'.repeat(20_000);
  const delays = 'Crawl-delay: 1\n'.repeat(4_000);
  const startedAt = performance.now();
  const { crawlDelayMs } = parseRobots(Buffer.from(`${agents}User-agent: gyre\n${delays}`), 'gyre');
  assert.equal(crawlDelayMs, 1000);
  assert.ok(performance.now() - startedAt < 500);
});

test('only the first thousand Sitemap lines are used', () => {
  const { sitemaps } = parseRobots(Buffer.from('Sitemap: /s.xml\n'.repeat(30_000)), 'gyre');
  assert.equal(sitemaps.length, 1000);
});

test('a file of 40,000 rules is parsed', () => {
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

/** Encodes one octet per character, so that a test can contain invalid UTF-8. */
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

test('lines that are not fields are read in steps too', () => {
  const steps = (text: string) => [...robotsParsing(Buffer.from(text), 'gyre')].length;
  assert.ok(steps('\n'.repeat(10_000)) > 50);
  assert.ok(steps('Allow: /\n#\n'.repeat(10_000)) > 100);
});
