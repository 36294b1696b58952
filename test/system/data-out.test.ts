/** Tests the path of data through the engine: from a seed file to searches in a collection, and to records. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';

type Pages = Record<string, string>;

async function serve(context: TestContext, pages: Pages): Promise<string> {
  const server = createServer((request, response) => {
    const body = pages[request.url!];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function run(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await gyre(args);
  assert.equal(code, 0, stderr);
  return { stdout, stderr };
}

async function found(data: string, query: string): Promise<string[]> {
  const { stdout } = await run('search', '--data', data, '--json', query);
  const { results } = JSON.parse(stdout) as { results: { title: string }[] };
  return results.map(({ title }) => title).sort();
}

test('seeds of a file have collections, which searches and rebuilds know', async (context) => {
  const site = await serve(context, {
    '/jobs/': '<title>Jobs</title><p>open positions <a href="/jobs/1">one</a> <a href="/about">about</a>',
    '/jobs/1': '<title>Potter</title><p>a position for a potter',
    '/about': '<title>About</title><p>every position of ours is on another page',
  });
  const directory = temporaryDirectory(context);
  const [data, seeds] = [join(directory, 'data'), join(directory, 'seeds.txt')];
  writeFileSync(seeds, `# portal\n${site}jobs/ collection=jobs area=prefix\nnot a seed\n`);
  const { stderr } = await run('crawl', '--data', data, '--delay', '2ms', '--seeds', seeds);
  assert.match(stderr, /seeds\.txt line 3: "a" is not an option of a seed/);
  assert.match(stderr, /took 1 seed, skipped 1 line/);
  await run('build', '--data', data);
  assert.deepEqual(await found(data, 'position collection:jobs'), ['Jobs', 'Potter']);
  assert.deepEqual(await found(data, 'position -collection:jobs'), ['About']);
  await run('build', '--data', data, '--from-archive');
  assert.deepEqual(await found(data, 'collection:jobs'), ['Jobs', 'Potter']);
});

const POSTING = {
  '@type': 'JobPosting',
  title: 'Potter',
  hiringOrganization: { name: 'Kiln & Sons' },
  jobLocation: { address: { addressLocality: 'Delft', addressCountry: 'Netherlands' } },
  baseSalary: { currency: 'EUR', value: { minValue: 2000, maxValue: 2500, unitText: 'MONTH' } },
  datePosted: 'some day',
};
const POSTING_PAGE = `<title>Potter</title><script type="application/ld+json">${JSON.stringify(POSTING)}</script>
<h1>Potter</h1><p>works at the wheel</p><b class=ends>31.12.2026</b>`;
const POSTING_RULES = '# of the portal\nsite 127.0.0.1\nrecord JobPosting\ntitle: h1\nvalidThrough: b.ends\n';

test('gyre extract shows the records of a file and of an archived page, and where each comes from', async (context) => {
  const directory = temporaryDirectory(context);
  const [file, rules, broken] = ['page.html', 'portal.rules', 'broken.rules'].map((name) =>
    join(directory, name),
  );
  writeFileSync(file!, POSTING_PAGE);
  writeFileSync(rules!, POSTING_RULES);
  writeFileSync(broken!, 'site 127.0.0.1\nrecord JobPosting\ntitle: h1 >\n');
  const expected = [
    'JobPosting  (json-ld)',
    '  title: Potter',
    '  organization: Kiln & Sons',
    '  location: Delft, NL',
    '  salary: 2000–2500 EUR per MONTH',
    '  ! datePosted: "some day" is not an unambiguous date',
  ];
  const plain = await run('extract', file!);
  assert.deepEqual(plain.stdout.trimEnd().split('\n'), expected);
  const unruled = await run('extract', file!, '--rules', rules!);
  assert.match(unruled.stderr, /no rule is for this URL, whose host is localhost: name the URL .* --url/);
  const bad = await gyre(['extract', file!, '--rules', broken!]);
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /broken\.rules line 3: /);

  const site = await serve(context, { '/1': POSTING_PAGE });
  const data = join(directory, 'data');
  await run('crawl', '--data', data, '--delay', '2ms', `${site}1`);
  const { stdout, stderr } = await run('extract', `${site}1`, '--data', data, '--rules', rules!, '--json');
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    records.map(({ source }) => source),
    ['json-ld', 'rule portal.rules:3'],
  );
  assert.deepEqual(records[1], {
    ...{ url: `${site}1`, type: 'JobPosting', source: 'rule portal.rules:3' },
    ...{ facts: { title: ['Potter'], validThrough: ['2026-12-31'] }, problems: [] },
  });
  assert.match(stderr, /2 records on .*, 1 with problems/);
  const none = await gyre(['extract', `${site}2`, '--data', data]);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /has no copy of .*: fetch it with/);
});

interface ExportedLine {
  url: string;
  removed?: true;
  facts?: { title: string[] };
}

test('records are exported whole and since a cursor, also those of pages that no longer have any', async (context) => {
  const posting = (title: string) =>
    `<title>${title}</title><script type="application/ld+json">${JSON.stringify({ ...POSTING, title, datePosted: '2026-01-02' })}</script><h1>${title}</h1>${`The ${title} of our village makes ${title} things. `.repeat(20)}`;
  const pages: Pages = {
    '/': '<title>Portal</title><a href=/1>one</a> <a href=/2>two</a> <a href=/3>three</a> the postings of a portal',
    '/1': posting('Potter'),
    '/2': posting('Glazer'),
    '/3': posting('Carter'),
  };
  const site = await serve(context, pages);
  const directory = temporaryDirectory(context);
  const data = join(directory, 'data');
  const config = join(directory, 'config.json');
  const often = { revisitFirst: '1ms', revisitMin: '1ms', revisitMax: '1ms', revisitsPerDay: 1000 };
  writeFileSync(config, JSON.stringify({ crawl: { delay: '2ms', ...often } }));
  const crawl = async (revisit: string) =>
    run('crawl', '--data', data, '--config', config, '--revisit', revisit, site);
  const exported = async (...args: string[]) => {
    const { stdout, stderr } = await run('export', '--records', '--data', data, ...args);
    const lines =
      stdout === ''
        ? []
        : stdout
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as ExportedLine);
    const seen = lines.map(
      ({ url, removed, facts }) => `${new URL(url).pathname} ${removed ? 'removed' : facts!.title[0]}`,
    );
    return { lines: seen.sort(), cursor: /^cursor (\S+)/m.exec(stderr)![1]! };
  };
  await crawl('off');
  const first = await exported();
  assert.deepEqual(first.lines, ['/1 Potter', '/2 Glazer', '/3 Carter']);
  assert.deepEqual(await exported('--since', first.cursor), { lines: [], cursor: first.cursor });

  pages['/1'] = posting('Master potter');
  pages['/2'] =
    '<title>Glazer</title><h1>Glazer</h1> This posting is closed, because somebody took the position.';
  await crawl('on');
  await run('remove', '--data', data, `${site}3`);
  const second = await exported('--since', first.cursor);
  assert.deepEqual(second.lines, ['/1 Master potter', '/2 removed', '/3 removed']);
  assert.deepEqual((await exported()).lines, ['/1 Master potter']);
  await checkPages(data, directory, first.cursor);
  await checkApi(context, data, site, first.cursor);
  checkQueries(data);

  const file = join(directory, 'jobs.parquet');
  await run(
    'export',
    '--records',
    '--data',
    data,
    '--type',
    'JobPosting',
    '--format',
    'parquet',
    '--out',
    file,
  );
  const bytes = readFileSync(file);
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
  assert.deepEqual(
    rows.map(({ title, salary_max, location_country }) => [title, salary_max, location_country]),
    [['Master potter', 2500, 'NL']],
  );
  await run('build', '--data', data);
  await run('build', '--data', data, '--from-archive');
  const expired = await gyre(['export', '--records', '--data', data, '--since', second.cursor]);
  assert.equal(expired.code, 2);
  assert.match(
    expired.stderr,
    /has expired, because the journal was rebuilt since: start again without a cursor/,
  );
  assert.deepEqual((await exported()).lines, ['/1 Master potter']);
});

/** Checks the exports of pages in all formats: whole, and what changed since a cursor. */
async function checkPages(data: string, directory: string, since: string): Promise<void> {
  const exported = async (...args: string[]) => (await run('export', '--data', data, ...args)).stdout;
  const objects = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const pathOf = (url: string) => new URL(url).pathname;
  const whole = objects(await exported());
  assert.deepEqual(whole.map(({ url }) => pathOf(url)).sort(), ['/', '/1', '/2']);
  assert.equal(whole.find(({ url }) => pathOf(url) === '/1').records[0].facts.title[0], 'Master potter');
  const changed = objects(await exported('--since', since));
  assert.deepEqual(changed.map(({ url, removed = false }) => `${pathOf(url)} ${removed}`).sort(), [
    '/1 false',
    '/2 false',
    '/3 true',
  ]);

  const file = join(directory, 'pages.parquet');
  await exported('--format', 'parquet', '--out', file, '--since', since);
  const rows = await parquetReadObjects({ file: new Uint8Array(readFileSync(file)).buffer });
  const row = rows.find(({ url }) => pathOf(url as string) === '/1')!;
  const { text } = whole.find(({ url }) => pathOf(url) === '/1');
  assert.deepEqual([rows.length, row.title, row.text, row.removed], [3, 'Master potter', text, false]);
  assert.equal(JSON.parse(row.records as string)[0].type, 'JobPosting');
  const csv = await exported('--format', 'csv');
  assert.match(csv, /^url,fetchedAt,removed,title,.*,records\r\n/);

  const bulk = objects(await exported('--format', 'opensearch', '--since', since));
  const actions = bulk.filter(({ index, delete: dropped }) => index || dropped);
  assert.deepEqual(
    actions.map((each) => `${Object.keys(each)[0]} ${pathOf((each.index ?? each.delete)._id)}`).sort(),
    ['delete /3', 'index /1', 'index /2'],
  );
  const potter = bulk[bulk.findIndex(({ index }) => index && pathOf(index._id) === '/1') + 1];
  assert.equal(JSON.parse(potter.records[0].facts).title[0], 'Master potter');
  const refused = await gyre(['export', '--data', data, '--format', 'warc', '--since', since]);
  assert.match(refused.stderr, /--since needs --records, or pages as jsonl, csv, parquet, opensearch/);
}

interface ApiAnswer {
  code?: string;
  url?: string;
  title?: string;
  records?: { type: string; source: string }[];
  events?: { type: string; url: string; records?: object[] }[];
  urls?: { status: string; code?: string }[];
}

/** Checks that programs read pages and changes from a server, and give it URLs. */
async function checkApi(context: TestContext, data: string, site: string, since: string): Promise<void> {
  const server = new Gyre(['serve', '--data', data, '--port', '0']);
  context.after(() => server.kill('SIGTERM'));
  const [, address] = await server.printed(/(http:\/\/127\.0\.0\.1:\d+)/);
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${address}/api/v1/${path}`, init);
    return { status: response.status, body: (await response.json()) as ApiAnswer };
  };
  const page = await ask(`pages?url=${site}1&links=true`);
  assert.equal(page.status, 200, JSON.stringify(page.body));
  assert.deepEqual([page.body.url, page.body.title], [`${site}1`, 'Master potter']);
  assert.deepEqual([page.body.records![0]!.type, page.body.records![0]!.source], ['JobPosting', 'json-ld']);
  for (const [path, status, code] of [
    ['3', 410, 'page-removed'],
    ['unknown', 404, 'page-unknown'],
  ]) {
    const { status: got, body } = await ask(`pages?url=${site}${path}`);
    assert.deepEqual([got, body.code], [status, code]);
  }

  const changes = await ask(`changes?cursor=${since}&records=true`);
  assert.equal(changes.status, 200, JSON.stringify(changes.body));
  const events = changes.body.events!;
  assert.deepEqual(events.map(({ type, url }) => `${type} ${new URL(url).pathname}`).sort(), [
    'changed /1',
    'changed /2',
    'removed /3',
  ]);
  assert.equal(events.find(({ url }) => url === `${site}1`)!.records!.length, 1);
  const all = await ask('changes');
  assert.ok(
    !JSON.stringify(all.body.events).includes('/3"'),
    'a new reader learns nothing of a removed page',
  );
  assert.equal((await ask('changes?cursor=7.main-1')).body.code, 'unknown-cursor');

  const urls = await ask('admin/urls', {
    method: 'POST',
    headers: { 'content-type': 'text/uri-list' },
    body: `# from another program\n${site}new\n${site}1\n${site}3\nno URL\n`,
  });
  assert.deepEqual(
    [urls.status, ...urls.body.urls!.map(({ status, code = '' }) => `${status} ${code}`)],
    [202, 'accepted ', 'known ', 'refused url-removed', 'refused bad-url'],
  );
  await server.kill('SIGTERM');
}

/** Runs the queries of docs/data.md on the crawl database, opened as the page says. */
function checkQueries(data: string): void {
  const page = readFileSync(join(import.meta.dirname, '../../docs/data.md'), 'utf8');
  const queries = [...page.matchAll(/```sql\n(.*?)```/gs)].map((match) => match[1]!);
  assert.equal(queries.length, 3);
  const database = new DatabaseSync(join(data, 'crawl.db'), { readOnly: true });
  try {
    const results = queries.map((query) => database.prepare(query).all());
    assert.deepEqual(
      results.map((rows) => rows.length > 0),
      [true, true, true],
      'each query finds something',
    );
    assert.throws(() => database.exec("UPDATE url SET state = 'done'"), /readonly/);
  } finally {
    database.close();
  }
}
