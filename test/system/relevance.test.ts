/**
 * Tests the relevance of results: known items and home pages on the sample web, and judged queries from
 * files.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HomePages } from '../../src/query/mod.ts';
import { DEFAULT_PROFILE } from '../../src/scoring/mod.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';

interface KnownItems {
  queries: number;
  mrr: number;
  homePages: HomePages;
}

const DOCUMENTS = [
  { id: 'a', title: 'Frontier of a crawler', text: 'The frontier decides which address is fetched next.' },
  { id: 'b', title: 'Gardens', text: 'Roses want sun. A frontier is not a garden.' },
  { id: 'c/1', title: 'Politeness', text: 'A crawler waits between two requests to the same host.' },
];

test('on the sample web known pages are found, and the home page of a site by its name', async (context) => {
  const data = temporaryDirectory(context);
  const up = new Gyre(['up', '--data', data, '--port', '0']);
  context.after(() => up.child.kill('SIGKILL'));
  await up.printed(/ready: (\d+) documents/);
  assert.equal((await up.kill('SIGINT')).code, 0);

  const { stdout } = await gyre(['eval', '--data', data, '--known-item', '200', '--json']);
  const [known] = JSON.parse(stdout) as KnownItems[];
  assert.ok(known!.queries >= 100, stdout);
  assert.ok(known!.mrr >= 0.85, `MRR ${known!.mrr} on known pages`);

  const { hosts, missed } = known!.homePages;
  assert.ok(hosts >= 200, `${hosts} hosts`);
  assert.ok(missed.length <= 0.05 * hosts, `not found: ${missed.join(', ')}`);
});

test('judged queries are measured, compared and written as a run; weights are fitted and published, worse ones refused', async (context) => {
  const data = temporaryDirectory(context);
  const file = (name: string, text: string) => {
    const path = join(data, name);
    writeFileSync(path, text);
    return path;
  };
  const corpus = file('news.jsonl', DOCUMENTS.map((document) => `${JSON.stringify(document)}\n`).join(''));
  const queries = file('queries.tsv', '1\twhat is the frontier of a crawler?\n2\tgardens\n9\tnot judged\n');
  const qrels = file('qrels.txt', '1 0 a 2\n1 0 c/1 1\n2 0 b 1\n');
  const run = join(data, 'found.run');
  assert.equal((await gyre(['import', '--data', data, corpus])).code, 0);
  assert.equal((await gyre(['build', '--data', data])).code, 0);
  const files = ['--data', data, '--queries', queries, '--qrels', qrels, '--json'];

  const evaluated = await gyre([
    'eval',
    ...files,
    '--profile',
    'default',
    '--profile',
    'compass',
    '--run',
    run,
  ]);
  assert.equal(evaluated.code, 0, evaluated.stderr);
  const result = JSON.parse(evaluated.stdout);
  assert.equal(result.queries, 2);
  assert.equal(result.profiles[0].MRR, 1);
  assert.equal(result.compared[0].with, 'default');
  assert.match(readFileSync(run, 'utf8'), /^1 Q0 a 1 1000 default\n1 Q0 \S+ 2 999 default\n/);

  const tuned = await gyre(['tune', ...files, '--publish']);
  assert.equal(tuned.code, 0, tuned.stderr);
  const explained = await gyre(['search', '--data', data, '--explain', 'crawler frontier']);
  assert.match(explained.stdout, /is the sum of.*\n\s+[\d.]+ {2}text/);
  const unknown = await gyre(['search', '--data', data, '--profile', 'nobody', 'frontier']);
  assert.equal(unknown.code, 2);
  assert.match(
    unknown.stderr,
    /unknown profile "nobody": expected one of default, .*, tuned, or a JSON file/,
  );

  // Without the weights of text and title, another document is the first.
  const worse = { ...DEFAULT_PROFILE, name: 'worse', weights: { quality: 50 } };
  const written = file('profiles/worse.json', JSON.stringify(worse));
  const searched = await gyre(['search', '--data', data, 'frontier'], { GYRE_SERVE_PROFILE: 'worse' });
  assert.equal(searched.code, 2);
  assert.match(searched.stderr, /refuse it: run gyre eval --data \S+ --profile \S+worse\.json --publish/);
  const refused = await gyre(['eval', ...files.slice(0, -1), '--profile', written, '--publish']);
  assert.equal(refused.code, 2, refused.stdout);
  assert.match(refused.stderr, /not published: worse is worse than tuned, nDCG@10 0\.\d+ instead of 1\.0000/);
  const history = JSON.parse((await gyre(['eval', '--data', data, '--history', '--json'])).stdout);
  assert.equal(history.inForce, 'tuned');
  const [published] = history.history;
  assert.deepEqual([published.action, published.profile], ['publish', 'tuned']);
  assert.match(readFileSync(join(data, 'audit.log'), 'utf8'), /"action":"publish-profile","target":"tuned"/);
});
