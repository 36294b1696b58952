/** Tests that `gyre inspect` names the true reason why the results contain a URL or do not contain it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Gyre, gyre } from '../helpers/gyre.ts';

const LONG = Array.from({ length: 120 }, (_, n) => `tide${n} rises`).join(' ');
const PATHS = [
  'blocked',
  'copy?v=1',
  'moved',
  'gone',
  'noindex',
  'archive.zip',
  'variant',
  'article',
  'near',
  'large',
];

const PAGES: Record<string, string> = {
  '/robots.txt': 'User-agent: *\nDisallow: /blocked\n',
  '/': `<title>Coast</title><p>Harbours of the coast.
    ${[...PATHS, 'private/x', 'lists/x', 'secret', 'to-gone'].map((path) => `<a href="/${path}">${path}</a>`).join(' ')}`,
  '/copy?v=1': '<title>Oars</title><p>Oars and rowing boats.',
  '/oars': '<title>Oars</title><p>Oars and rowing boats.',
  '/noindex': '<meta name="robots" content="noindex"><title>Hidden</title><p>Hidden harbour.',
  '/article': `<title>Tides</title><p>${LONG} <a href="/oars">oars</a>`,
  '/near': `<title>Tides</title><p>${LONG} slowly`,
  '/variant': `<title>Tides of the coast</title><link rel="canonical" href="/article"><p>${LONG} here`,
  '/private/x': '<title>Private</title><p>Private harbour.',
  '/lists/x': '<title>List</title><p>A list of harbours. <a href="/oars">oars</a>',
  '/secret': '<title>Secret</title><p>A secret harbour.',
  '/late': '<title>Late</title><p>A late page of the harbour. <a href="/queued">queued</a>',
  '/large': `<title>Kelp</title><p>${Array.from({ length: 8000 }, (_, n) => `kelp${n}`).join(' ')}`,
  '/queued': '<title>Queued</title><p>Never fetched.',
};
const REDIRECTS: Record<string, string> = { '/moved': '/article', '/to-gone': '/gone' };

const directory = mkdtempSync(join(tmpdir(), 'gyre-inspect-'));
const data = join(directory, 'data');
const config = join(directory, 'gyre.config.json');
let origin = '';
let requestCount = 0;

const server = createServer((request, response) => {
  const path = request.url!;
  requestCount++;
  const body = PAGES[path];
  const type =
    path === '/robots.txt' ? 'text/plain' : path.endsWith('.zip') ? 'application/zip' : 'text/html';
  if (REDIRECTS[path]) response.writeHead(301, { location: REDIRECTS[path] }).end();
  else if (body === undefined && !path.endsWith('.zip')) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': type }).end(body ?? 'PK');
});

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await gyre([...args, '--data', data, '--config', config]);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rules = [
    { verb: 'ignore', prefix: '/private/', name: 'private' },
    { verb: 'follow', prefix: '/lists/', name: 'lists' },
  ];
  writeFileSync(config, JSON.stringify({ crawl: { delay: '5ms', rules } }));
  await run('crawl', `${origin}/`);
  await run('build');
  await run('rank');
  await run('crawl', '--max-pages', '1', `${origin}/late`);
  await run('remove', `${origin}/secret`);
});

after(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const CAUSES: [path: string, cause: RegExp][] = [
  ['/', /is in the index: searches find it/],
  ['/article', /is in the index: searches find it/],
  ['/blocked', /robots\.txt disallows it \(line 2\)/],
  ['/blocked/below', /robots\.txt disallows it \(line 2\)/],
  ['/copy?v=1', /is an alias of http:\S+\/oars \(duplicate\), which searches find/],
  ['/moved', /is an alias of http:\S+\/article \(redirect\), which searches find/],
  ['/to-gone', /is an alias of http:\S+\/gone \(redirect\), which is not found either/],
  ['/gone', /its last response was no page to index \(gone\)/],
  ['/noindex', /its last response was no page to index \(noindex\)/],
  ['/archive.zip', /it was refused \(unwanted type application\/zip\)/],
  ['/variant', /is an alias of http:\S+\/article \(canonical\), which searches find/],
  ['/private/x', /the URL rule "private" keeps it out/],
  ['/lists/x', /the URL rule "lists" keeps it out/],
  ['/secret', /the operator has removed it/],
  ['/never', /is not known: no crawled page links to it/],
  ['/late', /is crawled, and the index has not read the newest part of the journal/],
  ['/queued', /is not fetched yet: it is queued, and its host is ready/],
];

for (const [path, cause] of CAUSES) {
  test(`the inspector says why ${path} is found or not`, async () => {
    assert.match(await run('inspect', `${origin}${path}`), cause);
  });
}

test('the inspector names a URL outside of the scope and its rule', async () => {
  assert.match(await run('inspect', 'https://elsewhere.example/page'), /the URL rule "scope" keeps it out/);
});

test('the inspector shows visits, the record in the archive, links, and near duplicates', async () => {
  const text = await run('inspect', `${origin}/article`);
  assert.match(text, /robots\.txt +allow \(no rule matches\)/);
  assert.match(
    text,
    /HTTP 200, page, \d+ bytes, \d+ ms, 0{7}1\.warc\.gz at byte \d+, \d+ bytes \(text\/html\)/,
  );
  assert.match(text, /next visit +\d{4}-\d\d-\d\d/);
  assert.match(text, /alias +http:\S+\/moved \(redirect\)/);
  assert.match(text, /similar +http:\S+\/near \(\d+ % of the words in common/);
  assert.match(text, /linked from +\d+ pages?/);
  assert.match(text, /document +number \d+ of seg-\d+\.seg/);
});

test('the inspector shows the true size of a large page', async () => {
  const sizeBytes = PAGES['/large']!.length;
  assert.match(
    await run('inspect', `${origin}/large`),
    new RegExp(`HTTP 200, page, ${sizeBytes} bytes, \\d+ ms, `),
  );
});

test('the inspector explains the place of a URL in the results of a query', async () => {
  const text = await run('inspect', `${origin}/oars`, '--query', 'harbours coast boats');
  assert.match(text, /result 2 of 2 documents/);
  assert.match(text, /only result 1 has the words: .*coast/);
  assert.match(text, /result 1 is http\S+\/ with the score [\d.]+, against [\d.]+:\n.*\n +[+-][\d.]+ {2}\w+/);
  const near = await run('inspect', `${origin}/near`, '--query', 'tide7 rises');
  assert.match(near, /result 1 stands for it: they are near duplicates|result 1 of/);
  const gone = await run('inspect', `${origin}/gone`, '--query', 'harbour');
  assert.match(gone, /it has no score, because it is not in the index/);
  const other = await run('inspect', `${origin}/oars`, '--query', 'tides');
  assert.match(other, /it has no score, because it does not match the query; it lacks the words: tides?\n/);
  const half = await run('inspect', `${origin}/oars`, '--query', '+tide7 +oars');
  assert.match(half, /it does not match the query; it lacks the words: tide7\n/);
});

test('the inspector prints its facts as JSON, and explains what it needs', async () => {
  const facts = JSON.parse(await run('inspect', `${origin}/copy?v=1`, '--json'));
  assert.equal(facts.cause.code, 'alias');
  assert.equal(facts.crawl.chain[0].kind, 'duplicate');
  const wrong = await gyre(['inspect', '--data', data, '--below', '2', 'example.org/a']);
  assert.match(wrong.stderr, /--below needs a query/);
  assert.match((await gyre(['inspect', '--data', data])).stderr, /expected one URL/);
});

test('the inspector shows fields and terms of the document, and its next visit', async () => {
  const text = await run('inspect', `${origin}/article`);
  assert.match(text, /title +Tides\n/);
  assert.match(text, /terms +tide\d* \d|terms +.*rise \d+(?:\.\d+)? \(in \d+ documents?\)/);
  assert.match(text, /next visit +\d{4}-\S+ \S+, [\d.]+ \w+ after the last one/);
});

test('a person asks for a URL, and the next crawl fetches it', async () => {
  const count = async () => JSON.parse(await run('inspect', `${origin}/oars`, '--json')).visits.length;
  const before = await count();
  assert.match(await run('inspect', '--fetch', `${origin}/oars`), /\/oars is queued: .*crawl.* fetches it/);
  const refused = await gyre([
    'inspect',
    '--data',
    data,
    '--config',
    config,
    '--fetch',
    `${origin}/private/x`,
  ]);
  assert.match(refused.stderr, /the URL rule "private" ignores it/);
  await run('crawl');
  assert.equal(await count(), before + 1);
  await run('crawl');
  assert.equal(await count(), before + 1, 'it is fetched once');
});

test('results are exported as WACZ, and replay tools find captures through /cdx', async () => {
  await run('build');
  const file = join(directory, 'oars.wacz');
  await run('export', '--format', 'wacz', '--query', 'oars rowing', '--out', file);
  const bytes = readFileSync(file);
  assert.equal(bytes.toString('latin1', 0, 2), 'PK');
  assert.ok(bytes.includes('archive/results.warc.gz') && bytes.includes('datapackage-digest.json'));
  assert.ok(bytes.includes('"filename":"results.warc.gz"') && !bytes.includes('/secret'));
  const server = new Gyre(['serve', '--data', data, '--config', config, '--port', '0']);
  try {
    const [, address] = await server.printed(/search at (\S+)/);
    const ask = async (query: string) => {
      const reply = await fetch(`${address}/cdx?${query}`);
      return { status: reply.status, lines: (await reply.text()).trim().split('\n') };
    };
    const url = encodeURIComponent(`${origin}/oars`);
    const exact = await ask(`url=${url}&output=json`);
    const [first] = exact.lines.map((line) => JSON.parse(line));
    assert.equal(first.url, `${origin}/oars`);
    assert.match(first.filename, /^\d{8}\.warc\.gz$/);
    assert.equal(
      (await ask(`url=${url}&limit=1&closest=20200101&filter=!mimetype:warc/revisit`)).lines.length,
      1,
    );
    assert.match((await ask(`url=${url}`)).lines[0]!, /^127\.0\.0\.1:\d+\)\/oars \d{14} \{/);
    const host = await ask(`url=${encodeURIComponent(origin)}&matchType=host`);
    assert.ok(host.lines.length > 8, host.lines.join('\n'));
    assert.ok(!host.lines.some((line) => line.includes('/secret')), 'removed pages are left out');
    assert.deepEqual((await ask(`url=${url}&to=2001`)).lines, ['']);
    assert.equal((await ask('url=x&matchType=all')).status, 400);
    const foreign = await fetch(`${address}/cdx?url=${url}`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    assert.equal(foreign.status, 403, 'only the operator may list the archive');
    const record = await fetch(`${address}/api/v1/admin/record?url=${url}`);
    assert.equal(record.headers.get('content-disposition')?.includes('.warc.gz'), true);
    assert.equal(Buffer.from(await record.arrayBuffer()).readUInt16BE(), 0x1f8b);
    const wacz = await fetch(`${address}/api/v1/admin/wacz?q=oars`);
    assert.equal(Buffer.from(await wacz.arrayBuffer()).toString('latin1', 0, 2), 'PK');
  } finally {
    await server.kill('SIGINT');
  }
});

test('the politeness ledger has every request with its delays, and is exported', async () => {
  const csv = (await run('export', '--politeness')).trim().split('\n');
  assert.equal(csv[0], 'day,host,requests,bytes,cause,delays,total_seconds,longest_seconds');
  const [, host, requests, bytes, cause, delays] = csv[1]!.split(',');
  assert.equal(host, origin);
  assert.ok(Number(bytes) > PAGES['/large']!.length);
  const days = JSON.parse(await run('export', '--politeness', '--format', 'json'));
  const [row] = days[0].rows;
  assert.equal(row.requests, Number(requests));
  assert.ok(requestCount - row.requests <= 2, `${row.requests} of ${requestCount} requests`);
  assert.ok(row.requests <= requestCount && row.delays[cause!][0] === Number(delays));
});
