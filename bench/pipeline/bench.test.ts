import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { BenchRow } from '../report.ts';
import { startTinyWeb } from '../tiny-web.fixture.ts';

const PAGE_COUNT = 12;

test('a tiny web passes all stages, and the cost of each is reported for every size', async (context) => {
  const paths = Array.from({ length: PAGE_COUNT }, (_, n) => `/${n === 0 ? '' : `${n}.html`}`);
  const links = paths.map((path) => `<a href="${path}">the page ${path}</a>`).join(' ');
  const pages = paths.map((path, n) => [
    `a.docs.test${path}`,
    `<title>How to install part ${n}</title><p>Part ${n} is installed with step ${n} of the manual. ${links}</p>`,
  ]);
  const directory = await startTinyWeb(context, Object.fromEntries(pages), ['a.docs.test/']);
  const script = join(import.meta.dirname, 'main.ts');
  const args = ['--disable-warning=ExperimentalWarning', script, '--dir', directory];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--pages', '4,100', '--json']);
  const { rows, ratios } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
    rows: BenchRow[];
    ratios: Record<string, number>;
  };
  assert.deepEqual(
    rows.filter(({ stage }) => !String(stage).includes('core')).map(({ pages, stage }) => [pages, stage]),
    [4, PAGE_COUNT].flatMap((count) =>
      ['crawl', 'build', 'rank', 'serve', 'disk'].map((stage) => [count, stage]),
    ),
  );
  for (const row of rows.filter(({ stage }) => stage !== 'disk'))
    for (const column of ['seconds', 'cpu s', 'peak RSS MB']) assert.ok(Number(row[column]) > 0, row.name);
  assert.ok(Number(rows.at(-1)!['disk MB']) > 0);
  for (const stage of ['crawl', 'build', 'rank', 'serve', 'disk'])
    assert.ok(ratios[`${stage} growth per page`]! > 0, stage);
  if (availableParallelism() > 1) assert.ok(ratios['build time, 1 core over 2']! > 0);
});
