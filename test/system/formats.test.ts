/** Tests that docs/formats.md describes every file of a data directory, with its name and its magic. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { test } from 'node:test';
import { startWeb } from '../../src/synthetic-web/server.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'formats.md'), 'utf8');

test('docs/formats.md describes every file of a data directory', async (context) => {
  const web = await startWeb({ seed: 9, hosts: 5, pages: 60 });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const path = join(directory, 'data');
  const run = async (...args: string[]) => {
    const { code, stderr } = await gyre([...args, '--data', path]);
    assert.equal(code, 0, stderr);
  };
  await run('crawl', '--config', writeConfig(directory, { delay: '2ms' }), ...web.seeds);
  await run('build');
  await run('rank');
  await run('build', '--from-archive');
  await run('pause');
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(path, join(parentPath, name)));
  for (const wanted of [
    'gyre.json',
    'control.json',
    'seen.log',
    'dedup/near.bins',
    'journal/generation.json',
  ]) {
    assert.ok(files.includes(wanted), `the crawl left no ${wanted}`);
  }
  const names = namesOnPage();
  for (const file of files) {
    const name = basename(file).replace(/\.part$/, '');
    assert.ok(
      names.some((each) => each.test(name)),
      `${file} is not in the section on the data directory`,
    );
    const magic = /^GY[A-Z0-9]{2}$/.exec(readFileSync(join(path, file)).toString('latin1', 0, 4))?.[0];
    if (magic) assert.match(PAGE, new RegExp(`magic ${magic}\\b`), `the magic of ${file}`);
  }
});

/**
 * Returns patterns for the file names in the first section of docs/formats.md. In them, `*` means a number.
 */
function namesOnPage(): RegExp[] {
  const [, section] = /\n## The data directory\n([\s\S]*?)\n## /.exec(PAGE)!;
  const names = section!.match(/[\w*][\w*.-]*\.[\w*.-]*[\w*]/g) ?? [];
  return names.map((name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[\\d-]+')}$`));
}
