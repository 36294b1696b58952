/** Tests bench:realweb on a web of two sites and three queries, without Lucene. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { startTinyWeb } from '../tiny-web.fixture.ts';
import { disagreements } from './judge.ts';
import { meansByKind } from './measures.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const ROWS = ['quality', 'time', 'snippets', 'duplicates', 'lost'];

const PRUNING = `<p>Cut roses back in early spring, before the first leaves open. Take out dead wood, then shorten
each cane above a bud that points outwards. Burn the cuttings, because they may carry black spot.</p>`;
const LADDERS = `<p>A ladder stands at an angle of four to one. Check each rung before climbing, keep three points of
contact, and never lean past the rails. Store it dry, away from sun, and off the ground.</p>`;

/**
 * The pages of the test web: for each host and path, the body. The page about stools names another page as its
 * canonical page.
 */
const PAGES: Record<string, string> = {
  'garden.docs.test/': page(
    'The Garden',
    `<p>A handbook for the keepers of small gardens.</p>${menu(['Roses', '/roses.html'], ['More', '/roses-copy.html'])}`,
  ),
  'garden.docs.test/roses.html': page('Pruning roses', PRUNING),
  'garden.docs.test/roses-copy.html': page('Pruning roses', PRUNING),
  'tools.docs.test/': page(
    'Tools',
    menu(['Ladders', '/ladders.html'], ['Stools', '/stools.html'], ['Hammers', '/'], ['Garden spades', '/']),
  ),
  'tools.docs.test/ladders.html': page('Using ladders', LADDERS),
  'tools.docs.test/stools.html': page(
    'Kitchen stools',
    LADDERS.replace('climbing', 'standing'),
    '<link rel="canonical" href="/ladders.html">',
  ),
};

const QUERIES = [
  ['q1', 'home', 'handbook of gardens', '3:garden/'],
  ['q2', 'howto', 'cut roses back', '3:garden/roses.html', '3:garden/roses-copy.html'],
  ['q3', 'howto', 'hammers', '1:tools/', '3:tools/hammers.html'],
];
interface Expected {
  /**
   * The expected success@1, success@3 and MRR@10. These three figures are equal, because the first good page is
   * either the first result or not found.
   */
  success: number;
  ndcg: number;
}

/**
 * The discount of rank 2 in nDCG. The expected figures assume that the first result of a query is the first page in
 * its line of QUERIES, and that the second page in the line is not found.
 */
const SECOND = 1 / Math.log2(3);
const NDCG = { q1: 1, q2: 1 / (1 + SECOND), q3: 1 / (7 + SECOND) };
const EXPECTED: Record<string, Expected> = {
  home: { success: 1, ndcg: NDCG.q1 },
  howto: { success: 1 / 2, ndcg: (NDCG.q2 + NDCG.q3) / 2 },
  all: { success: 2 / 3, ndcg: (NDCG.q1 + NDCG.q2 + NDCG.q3) / 3 },
};

function page(title: string, content: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head>
<body><h1>${title}</h1>${content}</body></html>`;
}

function menu(...links: [text: string, href: string][]): string {
  return `<ul>${links.map(([text, href]) => `<li><a href="${href}">${text}</a></li>`).join('')}</ul>`;
}

/** Serves PAGES, and returns the directory that describes this web to the bench. */
async function startWeb(context: TestContext): Promise<string> {
  const directory = await startTinyWeb(context, PAGES, ['garden.docs.test/', 'tools.docs.test/']);
  writeFileSync(join(directory, 'queries.tsv'), QUERIES.map((fields) => `${fields.join('\t')}\n`).join(''));
  return directory;
}

async function runBench(directory: string, ...args: string[]) {
  const only = ROWS.flatMap((row) => ['--only', row]);
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--disable-warning=ExperimentalWarning', MAIN, '--dir', directory, '--json'],
    ...['--queries', join(directory, 'queries.tsv'), '--data', join(directory, 'data'), ...only, ...args],
  ]);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
}

/** Writes a judge, which is a program that prints the expected figures. */
function writeJudge(directory: string, expected: Record<string, Expected>): string {
  const figures = Object.entries(expected).map(([kind, { success, ndcg }]) => [
    kind,
    { success1: success, success3: success, acceptable1: 1, mrr10: success, ndcg10: Number(ndcg.toFixed(3)) },
  ]);
  const file = join(directory, 'judge.mjs');
  const output = JSON.stringify(Object.fromEntries(figures));
  writeFileSync(file, `console.log(${JSON.stringify(output)});`);
  return file;
}

test('a tiny web is crawled, served and judged, and its data is reused', async (context) => {
  const directory = await startWeb(context);
  const first = await runBench(directory);
  for (const row of first.rows) {
    const { success, ndcg } = EXPECTED[row.name.replace('gyre: ', '')]!;
    assert.deepEqual(
      [row['success@1'], row['success@3'], row['acceptable@1'], row['MRR@10']],
      [success, success, 1, success],
    );
    assert.ok(Math.abs(row['nDCG@10'] - ndcg) < 1e-9, row.name);
  }
  assert.deepEqual(
    first.rows.map(({ name, queries }: { name: string; queries: number }) => [name, queries]),
    [
      ['gyre: home', 1],
      ['gyre: howto', 2],
      ['gyre: all', 3],
    ],
  );
  assert.equal(first.time.queries, 3);
  assert.ok(first.time.p50Ms > 0 && first.time.p95Ms >= first.time.p50Ms);
  const [menuSnippet, ...others] = first.snippets.examples;
  assert.deepEqual([menuSnippet.flaw, menuSnippet.query, others.length], ['menu', 'hammers', 0]);
  const duplicates = first.duplicates.rows.find(({ name }: { name: string }) => name === 'duplicate');
  assert.deepEqual(duplicates, { name: 'duplicate', pairs: 1, checked: 1, same: 1 });
  const { pages, searched, lost, causes, examples } = first.lost;
  assert.deepEqual([pages, searched, lost, causes], [5, 5, 0.2, { 'alias: canonical': 1 }]);
  assert.equal(examples[0].title, 'Kitchen stools');
  assert.ok(first.seconds.crawl > 0);

  const again = await runBench(directory, '--judge', writeJudge(directory, EXPECTED));
  assert.equal(again.seconds, null);
  assert.deepEqual(again.judge, []);
  assert.deepEqual(again.quality, first.quality);
});

test('a judge that differs is reported with both figures', async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-realweb-test-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const ours = meansByKind([], []);
  const judge = writeJudge(directory, { all: { success: 0.25, ndcg: 0.5 } });
  const figures = { 'success@1': 0.25, 'success@3': 0.25, 'acceptable@1': 1, 'MRR@10': 0.25, 'nDCG@10': 0.4 };
  const lines = await disagreements(judge, '', '', [{ ...ours[0]!, ...figures }]);
  assert.deepEqual(lines, ['all, nDCG@10: 0.4 here, 0.5 by the judge']);
});
