/**
 * Compares the stores of one crawl with those of an earlier moment of the same crawl, as after a restore of single files
 * from an old backup.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gyre } from '../../../test/helpers/gyre.ts';
import { crawlOptions } from '../../../test/helpers/synthetic-crawl.ts';
import { parseSealedJson, sealJson } from '../../base/mod.ts';
import { startWeb } from '../../synthetic-web/mod.ts';
import { openData } from '../data-directory.ts';
import { compareStores } from './compare-stores.ts';

const directory = mkdtempSync(join(tmpdir(), 'gyre-references-'));
const [now, earlier, mixed] = ['data', 'earlier', 'mixed'].map((name) => join(directory, name)) as [
  string,
  string,
  string,
];
const run = async (...args: string[]) => {
  const { code, stderr } = await gyre(args);
  assert.equal(code, 0, stderr);
};

before(async () => {
  const features = {
    redirects: 1,
    exactDuplicates: 3,
    noindex: 4,
    errors404: 2,
    canonical: 3,
    robots: 1,
  } as const;
  const web = await startWeb({ seed: 5, hosts: 3, pages: 40, features });
  try {
    const options = crawlOptions(directory, { delay: '0s' });
    await run('crawl', ...web.seeds, ...options, '--max-pages', '15');
    await run('build', ...options);
    await run('rank', ...options);
    cpSync(now, earlier, { recursive: true });
    await run('crawl', ...options);
    await run('build', ...options);
    await run('rank', ...options);
  } finally {
    await web.close();
  }
});

after(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the broken references of a directory whose stores with these names are from an earlier moment. */
async function brokenWith(names: readonly string[], change: () => void = () => {}): Promise<string[]> {
  rmSync(mixed, { recursive: true, force: true });
  cpSync(now, mixed, { recursive: true });
  for (const name of names) {
    rmSync(join(mixed, name), { recursive: true, force: true });
    cpSync(join(earlier, name), join(mixed, name), { recursive: true });
  }
  change();
  const { broken } = await compareStores(openData(mixed), new AbortController().signal);
  for (const { count, examples, advice } of broken) {
    assert.ok(count > 0 && examples.length > 0);
    assert.match(advice, /\bgyre (?:build|crawl|import|rank)\b/);
  }
  return broken.map(({ from, to }) => `${from} -> ${to}`).sort();
}

/**
 * Asserts that at least these references are broken. The crawl may have made a page of the earlier moment another name of a
 * page since, which breaks others too.
 */
async function assertBroken(
  expected: readonly string[],
  ...change: Parameters<typeof brokenWith>
): Promise<void> {
  const broken = new Set(await brokenWith(...change));
  assert.deepEqual(
    [...broken].filter((each) => expected.includes(each)),
    [...expected].sort(),
  );
}

test('the stores of a crawl have what the others need', async () => {
  assert.deepEqual(await brokenWith([]), []);
});

test('an import has what the others need, also for pages that searches never find', async () => {
  const imported = join(directory, 'imported');
  const files = readdirSync(join(now, 'archive')).filter((name) => /\.warc\b/.test(name));
  await run('import', '--data', imported, ...files.map((name) => join(now, 'archive', name)));
  await run('build', '--data', imported);
  const { broken, pageCount } = await compareStores(openData(imported), new AbortController().signal);
  assert.ok(pageCount > 0);
  assert.deepEqual(broken, []);
});

test('pages and documents without a capture are reported', async () => {
  await assertBroken(['journal -> archive'], ['archive']);
  assert.ok((await brokenWith(['archive', 'journal'])).includes('crawl.db -> archive'));
});

test('pages that the crawl does not know are reported', async () => {
  await assertBroken(['journal -> crawl.db'], ['crawl.db', 'crawl.db.seal']);
});

test('documents of crawl and index without a page in the journal are reported', async () => {
  await assertBroken(['crawl.db -> journal', 'index -> journal'], ['journal']);
});

test('indexed pages without a document are reported', async () => {
  const manifestOf = (path: string) => {
    const bytes = openData(path).index.read('manifest.json');
    return parseSealedJson(bytes, { file: 'manifest.json', keys: [], advice: '' });
  };
  const pretend = () => {
    const manifest = { ...manifestOf(mixed), journal: manifestOf(now).journal };
    openData(mixed).index.replace('manifest.json', sealJson(manifest));
  };
  await assertBroken(['journal -> index'], ['index'], pretend);
});

test('ranked pages without a rank are reported', async () => {
  const ranksIn = (path: string) =>
    readdirSync(join(path, 'graph')).filter((name) => name.endsWith('.ranks'));
  const replaceRanks = () => {
    const [from, to] = [ranksIn(earlier).at(-1)!, ranksIn(mixed).at(-1)!];
    cpSync(join(earlier, 'graph', from), join(mixed, 'graph', to));
  };
  await assertBroken(['journal -> graph'], [], replaceRanks);
});

test('gyre doctor --deep reports broken references with the command that helps', async () => {
  await brokenWith(['journal']);
  const { code, stdout } = await gyre(['doctor', '--deep', '--data', mixed]);
  assert.equal(code, 1);
  assert.match(stdout, /references +damaged/);
  assert.match(stdout, /journal: lacks \d+ URLs of index: http\S+ .*; run gyre build --rebuild/);
});
