import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { environmentName, loadConfig } from './config.ts';

const directory = mkdtempSync(join(tmpdir(), 'gyre-config-'));
after(() => rmSync(directory, { recursive: true }));

function file(content: string): string {
  const path = join(directory, 'gyre.json');
  writeFileSync(path, content);
  return path;
}

function load(content: string | undefined, environment = {}, flags = {}) {
  return loadConfig({ file: content === undefined ? undefined : file(content), environment, flags });
}

test('defaults apply with their units converted', () => {
  const config = load(undefined);
  assert.equal(config.crawl.delayMs, 1000);
  assert.equal(config.crawl.maxBodyBytes, 10 * 1024 * 1024);
  assert.equal(config.serve.port, 8080);
  assert.ok(
    Object.isFrozen(config) && Object.isFrozen(config.crawl) && Object.isFrozen(config.crawl.domains),
  );
});

test('the file overrides defaults, the environment overrides the file, and flags override all', () => {
  const content = '{ "crawl": { "delay": "2s", "scope": "host", "maxDepth": 3 }, "data": "d" }';
  const config = load(content, { GYRE_CRAWL_DELAY: '3s', GYRE_CRAWL_MAX_DEPTH: '4' }, { delay: '5s' });
  assert.equal(config.crawl.delayMs, 5000);
  assert.equal(config.crawl.maxDepth, 4);
  assert.equal(config.crawl.scope, 'host');
  assert.equal(config.data, 'd');
});

test('lists and maps are read from the file and from the environment', () => {
  const config = load('{ "crawl": { "resolve": { "*.test": "127.0.0.1" } } }', {
    GYRE_CRAWL_DOMAINS: 'a.example, b.example',
  });
  assert.deepEqual(config.crawl.resolve, { '*.test': '127.0.0.1' });
  assert.deepEqual(config.crawl.domains, ['a.example', 'b.example']);
});

const mistakes: [content: string, message: RegExp][] = [
  ['{ "crawl": { "dealy": "1s" } }', /unknown key "crawl\.dealy"; did you mean "crawl\.delay"\?/],
  ['{ "serve": { "cache": "1Mi" } }', /"serve\.cache"; it is called "serve\.postingsCache" now/],
  ['{ "colour": "blue" }', /unknown key "colour"; known are data, contact, crawl\.delay/],
  ['[]', /expected an object such as/],
  ['{ "serve": { "port": "8080" } }', /serve\.port: expected a number without quotes, got "8080"/],
  ['{ "contact": "foo" }', /contact: expected a URL or mail address, got "foo"/],
  ['{ "delay": "1s" }', /unknown key "delay"; did you mean "crawl\.delay"\?/],
  ['{ "crawl": { "delay": 5 } }', /crawl\.delay: expected a time such as "10s", got 5/],
  ['{ "crawl": { "delay": "soon" } }', /crawl\.delay: "soon" is not a time such as 250ms/],
  ['{ "crawl": { "scope": "galaxy" } }', /crawl\.scope: expected host, domain, web, got "galaxy"/],
  ['{ "serve": { "port": 70000 } }', /serve\.port: expected a whole number from 0 to 65535, got 70000/],
  ['{ "crawl": { "domains": "a", "resolve": [] } }', /crawl\.resolve: expected a map/],
  ['{ "crawl": 5 }', /unknown key "crawl"/],
  ['{ nonsense', /cannot read the configuration .*gyre\.json/],
];

for (const [content, message] of mistakes) {
  test(`${content} is rejected with one line`, () => {
    assert.throws(
      () => load(content),
      (error: Error) => message.test(error.message) && !error.message.includes('\n'),
    );
  });
}

test('the error for a missing file has its name', () => {
  const missing = join(directory, 'missing.json');
  assert.throws(
    () => loadConfig({ file: missing, environment: {}, flags: {} }),
    /cannot read .*missing\.json/,
  );
});

test('an unknown GYRE_ variable is an error; a mail address becomes a URL', () => {
  assert.throws(() => load(undefined, { GYRE_PORT: '1' }), /unknown variable GYRE_PORT in the environment/);
  assert.equal(load(undefined, {}, { contact: 'me@example.org' }).contact, 'mailto:me@example.org');
});

test('environment names are derived from the keys', () => {
  assert.equal(environmentName('crawl.maxUrlsPerHost'), 'GYRE_CRAWL_MAX_URLS_PER_HOST');
});
