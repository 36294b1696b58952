import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { sampleRoots } from './roots.ts';

const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'gyre-roots-')));
after(() => rmSync(temporary, { recursive: true }));

const nowhere = { env: {}, nodePath: join(temporary, 'nowhere', 'bin', 'node') };

function file(path: string): string {
  const whole = join(temporary, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, '{}');
  return whole;
}

test('a checkout has its packages below it', () => {
  file('checkout/node_modules/a/package.json');
  assert.deepEqual(sampleRoots(join(temporary, 'checkout'), nowhere), [
    join(temporary, 'checkout/node_modules'),
  ]);
});

test('an installed Gyre has its packages beside it', () => {
  file('app/node_modules/gyre/package.json');
  assert.deepEqual(sampleRoots(join(temporary, 'app/node_modules/gyre'), nowhere), [
    join(temporary, 'app/node_modules'),
  ]);
});

test('npm is found by the variable it sets, by the running node, and by the search path', () => {
  const npm = join(temporary, 'usr/lib/node_modules/npm');
  const program = file('usr/lib/node_modules/npm/bin/npm-cli.js');
  file('usr/lib/node_modules/npm/package.json');
  file('usr/lib/node_modules/npm/node_modules/abbrev/package.json');
  mkdirSync(join(temporary, 'usr/bin'));
  symlinkSync(program, join(temporary, 'usr/bin/npm'));
  const nodePath = join(temporary, 'usr/bin/node');
  const empty = join(temporary, 'empty');
  assert.deepEqual(sampleRoots(empty, { ...nowhere, env: { npm_execpath: program } }), [npm]);
  assert.deepEqual(sampleRoots(empty, { ...nowhere, nodePath }), [npm]);
  assert.deepEqual(sampleRoots(empty, { ...nowhere, env: { PATH: `/nowhere:${temporary}/usr/bin` } }), [npm]);
});

test('if npm is split into packages, their folder is a root too', () => {
  const program = file('share/nodejs/npm/bin/npm-cli.js');
  file('share/nodejs/npm/package.json');
  const roots = sampleRoots(join(temporary, 'empty'), { ...nowhere, env: { npm_execpath: program } });
  assert.deepEqual(roots, [join(temporary, 'share/nodejs/npm'), join(temporary, 'share/nodejs')]);
});

test('another package manager in npm_execpath is ignored', () => {
  const program = file('other/yarn/bin/yarn.js');
  file('other/yarn/package.json');
  assert.deepEqual(sampleRoots(join(temporary, 'empty'), { ...nowhere, env: { npm_execpath: program } }), []);
});
