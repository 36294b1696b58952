/** Tests suggestions and corrections through the program as people use it: import, build, rank and serve. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';

const PAGES = [
  {
    url: 'https://a.example/',
    title: 'Lighthouse keepers',
    text: 'Lighthouse keepers keep the lighthouse lit.',
  },
  {
    url: 'https://a.example/fog',
    title: 'Foghorns of the north',
    text: 'Foghorns warn ships near the lighthouse.',
  },
];

interface Answer {
  total: number;
  spelling?: { query: string; automatic: boolean };
  suggestions: unknown[];
}

async function asked<T>(address: string): Promise<T> {
  return (await (await fetch(address)).json()) as T;
}

async function builtData(context: TestContext): Promise<string> {
  const directory = temporaryDirectory(context);
  const [data, file] = [join(directory, 'data'), join(directory, 'pages.jsonl')];
  writeFileSync(file, PAGES.map((page) => `${JSON.stringify(page)}\n`).join(''));
  for (const args of [['import', file], ['build'], ['rank']]) {
    const { code, stderr } = await gyre([...args, '--data', data]);
    assert.equal(code, 0, stderr);
  }
  return data;
}

test('a mistyped query is corrected on pages, API and command line, with a way to the original', async (context) => {
  const data = await builtData(context);
  const printed = await gyre(['search', '--data', data, 'lighthosue']);
  assert.match(printed.stdout, /No results as typed; these are results for: lighthouse\)\n2 documents/);
  const literal = await gyre(['search', '--data', data, '--as-typed', 'lighthosue']);
  assert.match(literal.stdout, /^0 documents/);
  const server = new Gyre(['serve', '--data', data, '--port', '0']);
  context.after(() => server.kill('SIGKILL'));
  const [, address] = await server.printed(/search at (\S+)/);
  const ask = (path: string) => asked<Answer>(`${address}${path}`);
  const answer = await ask('/api/v1/search?q=lighthosue');
  assert.deepEqual([answer.total, answer.spelling], [2, { query: 'lighthouse', automatic: true }]);
  assert.equal((await ask('/api/v1/search?q=lighthosue&spelling=off')).total, 0);
  assert.deepEqual((await ask('/api/v1/suggest?q=fohg')).suggestions, [
    { text: 'Foghorns of the north', url: 'https://a.example/fog' },
  ]);
  assert.deepEqual(await asked(`${address}/opensearch-suggest?q=light`), ['light', ['Lighthouse keepers']]);
});

test('queries are counted only if suggest.queries is on', async (context) => {
  const data = await builtData(context);
  for (const [queries, expected] of [
    ['off', ['Lighthouse keepers']],
    ['on', ['lighthouse warn', 'Lighthouse keepers']],
  ] as const) {
    const server = new Gyre(['serve', '--data', data, '--port', '0'], { GYRE_SUGGEST_QUERIES: queries });
    context.after(() => server.kill('SIGKILL'));
    const [, address] = await server.printed(/search at (\S+)/);
    for (let time = 0; time < 5; time++) await (await fetch(`${address}/search?q=lighthouse+warn`)).text();
    const [, suggestions] = await asked<[string, string[]]>(`${address}/opensearch-suggest?q=li`);
    assert.deepEqual(suggestions, expected, queries);
    await server.kill('SIGTERM');
  }
});

test('errors in a synonym file have the line number', async (context) => {
  const data = await builtData(context);
  const file = join(temporaryDirectory(context), 'synonyms.txt');
  writeFileSync(file, 'beacon => lighthouse\n');
  const listed = await gyre(['synonyms', '--data', data, '--file', file]);
  const [rule, sum] = listed.stdout.split('\n');
  assert.equal(rule, 'beacon: lighthouse 0.70 (operator)');
  assert.equal(sum, '1 word with synonyms; 1 rule of your own');
  writeFileSync(file, '# two words\nlight house, beacon\n');
  const refused = await gyre(['synonyms', '--data', data, '--file', file]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /synonyms\.txt line 2: "light house" is 2 words/);
});
