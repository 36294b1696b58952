import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportRobots } from '../robots-report.ts';
import { loadConfig } from '../settings/config.ts';
import { delayLine, reportDelay, simplifiedLine } from './robots.ts';

const FILE = Buffer.from(
  '\uFEFF# ours\r\nUser-agent: *\r\nDisallow: /ü/ # private\r\nAllow: /ü/a\r\n\r\nUser-agent: x\r\nDisallow: /*?sid=\r\n',
);

test('each URL has a verdict and the line that decided', () => {
  const urls = ['https://e.example/%C3%BC/', 'http://e.example:81/ü/a#b', '/ü', 'https://e.example'];
  assert.deepEqual(reportRobots(FILE, 'gyre', urls), [
    { url: urls[0], verdict: 'disallow', line: 3, text: 'Disallow: /ü/ # private' },
    { url: urls[1], verdict: 'allow', line: 4, text: 'Allow: /ü/a' },
    { url: urls[2], verdict: 'allow', line: null, text: null },
    { url: urls[3], verdict: 'allow', line: null, text: null },
  ]);
});

test('the agent chooses the group, and parameters are left as they are', () => {
  const [report] = reportRobots(FILE, 'X/2.0', ['https://e.example/a?sid=1']);
  assert.deepEqual([report!.verdict, report!.line], ['disallow', 7]);
  assert.equal(reportRobots(FILE, 'X/2.0', ['/ü/'])[0]!.verdict, 'allow');
});

test('the error for an invalid URL has the URL', () => {
  for (const url of ['example.org', 'mailto:me@example.org', '']) {
    assert.throws(() => reportRobots(FILE, 'gyre', [url]), /expected a URL such as/, url);
  }
});

test('a file with too many wildcards is reported as simplified', () => {
  const rules = Array.from({ length: 8_000 }, (_, rule) => `Disallow: /a/*${rule}-${'x'.repeat(rule % 40)}`);
  const body = Buffer.from(`User-agent: *\n${rules.join('\n')}`);
  assert.match(simplifiedLine(body, 'gyre')!, /^simplified \d+ rules: the file has too many wildcards/);
  assert.equal(simplifiedLine(FILE, 'gyre'), null);
  const [inside, outside] = reportRobots(body, 'gyre', ['/a/', '/b/']);
  assert.deepEqual([inside!.verdict, outside!.verdict], ['disallow', 'allow']);
});

test('the effective delay is shown with its source', () => {
  const config = loadConfig({ environment: {}, flags: {}, file: undefined });
  const asking = (delay: string) =>
    delayLine(reportDelay(Buffer.from(`User-agent: *\n${delay}`), 'gyre', config), config.crawl.delayFactor);
  assert.match(asking('Crawl-delay: 10'), /^waits 10 s between requests \(Crawl-delay\), and at least/);
  assert.match(asking(''), /^waits 1 s between requests \(crawl\.delay; the file asks for none\)/);
  assert.match(
    asking('Crawl-delay: 0.5'),
    /^waits 1 s between requests \(crawl\.delay; the file asks for 0\.5 s\)/,
  );
});
