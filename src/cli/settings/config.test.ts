import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
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
  ['{ "colour": "blue" }', /unknown key "colour"; known are data, contact, memory, crawl\.delay/],
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

const MI = 1024 ** 2;

test('sizes that are not set are parts of the memory limit', () => {
  const config = load(undefined, {}, { memory: '2Gi' });
  assert.equal(config.memoryBytes, 2048 * MI);
  assert.equal(config.serve.postingsCacheBytes, 256 * MI);
  assert.equal(config.serve.answerCacheBytes, 16 * MI);
  assert.equal(config.index.bufferMemoryBytes, 64 * MI);
  assert.ok(config.crawl.maxSketches > 3_900_000 && config.crawl.maxSketches < 4_000_000);
  const half = load(
    '{ "memory": "1Gi", "serve": { "postingsCache": "10Mi" }, "index": { "bufferMemory": "auto" } }',
  );
  assert.equal(half.serve.postingsCacheBytes, 10 * MI);
  assert.equal(half.index.bufferMemoryBytes, 32 * MI);
});

test('the default limit is at most half of the machine, and enough for the command', () => {
  const { memoryBytes } = load(undefined);
  assert.ok(memoryBytes >= 256 * MI && memoryBytes <= Math.max(256 * MI, totalmem() / 2));
  const least = loadConfig({ flags: {}, environment: {}, file: undefined, leastMemoryBytes: 2 ** 50 });
  assert.equal(least.memoryBytes, 2 ** 50);
});

test('a limit that is too small is refused with the least one that fits', () => {
  assert.throws(
    () => load('{ "memory": "100Mi" }'),
    /memory is 100\.0 MiB, but this command needs at least 256\.0 MiB/,
  );
  const sizes =
    '{ "memory": "1Gi", "serve": { "postingsCache": "800Mi" }, "index": { "bufferMemory": "64Mi" } }';
  assert.throws(
    () => load(sizes),
    /index\.bufferMemory, serve\.postingsCache may take 1\.0 GiB and everything else needs at least 256\.0 MiB: set memory to 1\.3 GiB or more/,
  );
});

test('tokens may be digests, and errors do not repeat them', () => {
  const read = (adminToken: string, apiKeys = '') =>
    loadConfig({
      flags: {},
      environment: { GYRE_SERVE_ADMIN_TOKEN: adminToken, GYRE_SERVE_API_KEYS: apiKeys },
      file: undefined,
    }).serve;
  const digest = `sha256:${'0a'.repeat(32)}`;
  assert.equal(read(digest).adminToken, digest);
  assert.deepEqual(read('', `${digest},a-plain-key`).apiKeys, [digest, 'a-plain-key']);
  for (const wrong of ['sha256:secret-token', digest.toUpperCase()])
    for (const [token, key] of [
      [wrong, ''],
      ['', wrong],
    ] as const)
      assert.throws(
        () => read(token, key),
        (error: Error) => /expected "sha256:" and 64/.test(error.message) && !error.message.includes(wrong),
      );
});
