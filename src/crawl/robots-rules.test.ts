import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
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

test('§ 2.5: only the first 500 KiB count', () => {
  const filler = '#'.repeat(ROBOTS_MAX_BYTES - 'User-agent: *\n'.length - 1);
  const { rules } = parseRobots(Buffer.from(`User-agent: *\n${filler}\nDisallow: /`), 'gyre');
  assert.equal(rules.length, 0);
});

test('a hostile pattern is matched in no time', () => {
  const { rules } = parseRobots(Buffer.from(`User-agent: *\nDisallow: /${'a*'.repeat(5000)}b$`), 'gyre');
  assert.ok(robotsVerdict(rules, `/${'a'.repeat(20_000)}`).allowed);
});

test('random bytes never throw', () => {
  const bytes = Buffer.alloc(4096);
  for (let seed = 1; seed < 50; seed++) {
    for (let at = 0; at < bytes.length; at++) bytes[at] = (at * seed * 2654435761) >>> 24;
    parseRobots(bytes, 'gyre');
  }
});

function bodyOf(file: string): Buffer {
  const text = file === '(empty)' ? '' : file;
  return Buffer.from(text.replaceAll('\\n', '\n').replaceAll('\\r', '\r').replace('<BOM>', '\uFEFF'));
}
