import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Log, silentLog } from '../base/mod.ts';
import { type SampleWeb, startSampleWeb } from './sample-web.ts';
import { startSampleWebThread } from './thread.ts';

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Sends a request to 127.0.0.1 with the host in the Host header, because not every system resolves names
 * below localhost.
 */
function get(
  web: SampleWeb,
  host: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const options = { host: '127.0.0.1', port: web.port, path, headers: { host, ...headers }, agent: false };
  request(options, async (response) => {
    const chunks = await response.toArray();
    resolve({ status: response.statusCode!, headers: response.headers, body: chunks.join('') });
  })
    .on('error', reject)
    .end();
  return promise;
}

function links(body: string): string[] {
  return [...body.matchAll(/<a href="([^"]*)"/g)].map((match) => match[1]!);
}

function writeTree(root: string, files: Record<string, string | object>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const TREE: Record<string, string | object> = {
  'alpha/package.json': {
    name: 'alpha',
    version: '1.0.0',
    description: 'the <first> one',
    dependencies: { '@team/beta': '*', gone: '*' },
  },
  'alpha/README.md':
    '# alpha\n\n<script>alert(1)</script>\n\n[guide](docs/guide.md) [nothing](docs/nothing.md) [self](README.md)',
  'alpha/docs/guide.md': '# The guide\n\nBack to [alpha](../README.md).',
  'alpha/docs/made.html': '<title>made</title>',
  'alpha/docs/guide.html': '<title>a rendering of guide.md</title>',
  'alpha/CHANGES': '1 < 2',
  'alpha/LICENSE.md': 'do as you like',
  'alpha/test/notes.md': 'for testers',
  'alpha/lib/secret.js': 'not a document',
  'alpha/huge.md': 'x'.repeat(600 * 1024),
  'alpha/node_modules/@team/beta/package.json': { name: '@team/beta', version: '1.0.0' },
  'alpha/node_modules/nested/package.json': { name: 'nested', description: 'found below' },
  '@team/beta/package.json': { name: '@team/beta', version: '2.0.0', keywords: ['second'] },
  'broken/package.json': '{ "name": "broken", ',
  'nothing/readme.md': 'a folder without a package.json',
};

describe('on a made tree of packages', () => {
  const root = mkdtempSync(join(tmpdir(), 'gyre-sample-'));
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (_event, fields) => void warnings.push(fields) };
  let web: SampleWeb;

  before(async () => {
    writeTree(root, TREE);
    symlinkSync(join(root, 'alpha'), join(root, 'alpha/node_modules/circle'));
    web = await startSampleWeb({ roots: [root], log });
  });
  after(async () => {
    await web.close();
    rmSync(root, { recursive: true });
  });

  test('the seed is the directory, which links every package once', async () => {
    assert.deepEqual(web.seeds, [`http://localhost:${web.port}/`]);
    assert.equal(web.hostCount, 3);
    assert.equal(web.pageCount, 1 + 4 + 1 + 1);
    const { body } = await get(web, `localhost:${web.port}`, '/');
    const hosts = ['beta.team.localhost', 'alpha.localhost', 'nested.localhost'];
    assert.deepEqual(
      links(body),
      hosts.map((host) => `http://${host}:${web.port}/`),
    );
    assert.match(body, /<meta name="robots" content="noindex">/);
  });

  test('a package with an invalid package.json is skipped with a warning', async () => {
    assert.equal(warnings.length, 1);
    assert.match(JSON.stringify(warnings), /broken.package\.json/);
    assert.equal((await get(web, 'broken.localhost', '/')).status, 404);
  });

  test('the front page has the README, its title, and links to dependencies that are installed', async () => {
    const { status, body } = await get(web, 'alpha.localhost', '/');
    assert.equal(status, 200);
    assert.match(body, /<title>alpha — the &lt;first&gt; one<\/title>/);
    assert.match(body, /<h1 id="alpha">/);
    assert.ok(links(body).includes(`http://beta.team.localhost:${web.port}/`));
    assert.match(body, /<li>gone<\/li>/);
  });

  test('a package without a README has a page made from its manifest, with its dependents', async () => {
    const { body } = await get(web, `beta.team.localhost:${web.port}`, '/');
    assert.match(body, /<h1>@team\/beta<\/h1>/);
    assert.match(body, /2\.0\.0/, 'the first version found wins');
    assert.match(body, /second/);
    assert.ok(links(body).includes(`http://alpha.localhost:${web.port}/`));
  });

  test('a script in a README cannot run', async () => {
    const { headers } = await get(web, 'alpha.localhost', '/');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /script-src/);
  });

  test('a package has its icon at the declared path, at /favicon.ico, or none', async () => {
    let icons = 0;
    for (const host of ['alpha.localhost', 'beta.team.localhost', 'nested.localhost']) {
      const { body } = await get(web, host, '/');
      const declared = /<link rel="icon" href="([^"]*)">/.exec(body)?.[1];
      const { status, headers } = await get(web, host, declared ?? '/favicon.ico');
      if (status === 404 && !declared) continue;
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'image/png');
      icons++;
    }
    assert.ok(icons > 0);
    assert.equal((await get(web, 'localhost', '/favicon.ico')).status, 404);
  });

  test('links between documents lead to documents, and other paths give 404', async () => {
    const { body } = await get(web, 'alpha.localhost', '/');
    assert.ok(links(body).includes('/docs/guide.md'));
    assert.ok(links(body).includes('docs/nothing.md'));
    const guide = await get(web, 'alpha.localhost', '/docs/guide.md');
    assert.match(guide.body, /<title>The guide — alpha<\/title>/);
    assert.match(guide.body, /Back to <a href="\/">alpha<\/a>/);
    assert.equal((await get(web, 'alpha.localhost', '/docs/nothing.md')).status, 404);
  });

  test('the path of the README redirects to the front page', async () => {
    const { status, headers } = await get(web, 'alpha.localhost', '/README.md');
    assert.equal(status, 301);
    assert.equal(headers.location, `http://alpha.localhost:${web.port}/`);
  });

  test('plain text is shown as text and HTML as it is', async () => {
    assert.match((await get(web, 'alpha.localhost', '/CHANGES')).body, /<pre>1 &lt; 2<\/pre>/);
    assert.equal((await get(web, 'alpha.localhost', '/docs/made.html')).body, '<title>made</title>');
  });

  test('licenses, tests, code, rendered files, huge files and outside files are not pages', async () => {
    const paths = ['/LICENSE.md', '/test/notes.md', '/lib/secret.js', '/docs/guide.html', '/huge.md'];
    const outside = [
      '/../@team/beta/package.json',
      '/..%2f@team%2fbeta%2fpackage.json',
      '/package.json',
      '/%ff',
    ];
    for (const path of [...paths, ...outside]) {
      assert.equal((await get(web, 'alpha.localhost', path)).status, 404, path);
    }
  });

  test('an unknown host gives 404 for every path', async () => {
    for (const path of ['/', '/robots.txt', '/sitemap.xml']) {
      assert.equal((await get(web, 'evil.example', path)).status, 404, path);
    }
  });

  test('robots.txt allows all and names a sitemap, which lists every page of the host', async () => {
    const robots = await get(web, 'alpha.localhost', '/robots.txt');
    const origin = `http://alpha.localhost:${web.port}`;
    assert.equal(robots.body, `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`);
    const { body } = await get(web, 'alpha.localhost', '/sitemap.xml');
    const listed = [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]!);
    const paths = ['/', '/CHANGES', '/docs/guide.md', '/docs/made.html'];
    assert.deepEqual(
      listed,
      paths.map((path) => origin + path),
    );
  });

  test('a page that has not changed is not sent again', async () => {
    const { headers } = await get(web, 'alpha.localhost', '/');
    const unchanged = { 'if-none-match': `"other", W/${headers.etag}` };
    assert.equal((await get(web, 'alpha.localhost', '/', unchanged)).status, 304);
    const since = { 'if-modified-since': headers['last-modified']! };
    assert.equal((await get(web, 'alpha.localhost', '/', since)).status, 304);
    const changed = { ...since, 'if-none-match': '"other"' };
    assert.equal((await get(web, 'alpha.localhost', '/', changed)).status, 200);
  });

  test('no page has the date of the installation, with a README or without', async () => {
    for (const host of ['alpha.localhost', 'beta.team.localhost']) {
      const { headers } = await get(web, host, '/');
      assert.ok(new Date(headers['last-modified']!).getUTCFullYear() < new Date().getUTCFullYear(), host);
    }
  });

  test('the thread serves the same web, and closing it ends the thread', async () => {
    const before = warnings.length;
    const threaded = await startSampleWebThread({ roots: [root], log });
    assert.deepEqual([threaded.hostCount, threaded.pageCount], [web.hostCount, web.pageCount]);
    assert.equal(warnings.length, before + 1, 'log lines come through');
    const [here, there] = await Promise.all([
      get(web, 'alpha.localhost', '/docs/guide.md'),
      get(threaded, 'alpha.localhost', '/docs/guide.md'),
    ]);
    assert.equal(there.body.replaceAll(`:${threaded.port}/`, `:${web.port}/`), here.body);
    await threaded.close();
    await threaded.close();
    await assert.rejects(get(threaded, 'localhost', '/'), { code: 'ECONNREFUSED' });
  });

  test('a port in use is refused in one line, from a thread too', async () => {
    const options = { roots: [], port: web.port, log };
    const refusal = {
      name: 'UsageError',
      code: 'port-unusable',
      message: /EADDRINUSE.*choose another port$/,
    };
    await assert.rejects(startSampleWeb(options), refusal);
    await assert.rejects(startSampleWebThread(options), refusal);
  });
});

test('a long directory is cut into pages that link each other', async () => {
  const root = mkdtempSync(join(tmpdir(), 'gyre-sample-'));
  const names = Array.from({ length: 101 }, (_, at) => `p${String(at).padStart(3, '0')}`);
  writeTree(root, Object.fromEntries(names.map((name) => [`${name}/package.json`, { name }])));
  const web = await startSampleWeb({ roots: [root], log: silentLog });
  try {
    assert.equal(web.pageCount, 101 + 2);
    const first = links((await get(web, 'localhost', '/')).body);
    assert.deepEqual(first.slice(-2), [`http://p099.localhost:${web.port}/`, '/page/2']);
    const second = links((await get(web, 'localhost', '/page/2')).body);
    assert.deepEqual(second, [`http://p100.localhost:${web.port}/`, '/']);
    assert.equal((await get(web, 'localhost', '/page/1')).status, 404);
    assert.equal((await get(web, 'localhost', '/page/3')).status, 404);
  } finally {
    await web.close();
    rmSync(root, { recursive: true });
  }
});

describe('on the packages of this project', () => {
  let web: SampleWeb;
  before(async () => {
    web = await startSampleWeb({
      roots: [join(import.meta.dirname, '../../node_modules')],
      log: silentLog,
    });
  });
  after(() => web.close());

  test('there are more than ninety hosts, and undici has its README', async () => {
    assert.ok(web.hostCount > 90, `${web.hostCount} hosts`);
    const { body } = await get(web, 'undici.localhost', '/');
    assert.match(body, /<title>undici — An HTTP\/1\.1 client/);
    assert.match(body, /Undici means eleven in Italian/);
  });

  test('every link of the directory responds', async () => {
    const addresses = new Set(web.seeds);
    for (const address of addresses) {
      const url = new URL(address);
      const { status, body } = await get(web, url.host, url.pathname);
      assert.equal(status, 200, address);
      if (url.hostname !== 'localhost') continue;
      for (const link of links(body)) addresses.add(new URL(link, url).href);
    }
    assert.ok(addresses.size > web.hostCount, `${addresses.size} addresses`);
  });
});
