import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

const PASS = `import { test } from 'node:test'; test('NAME passes', () => {});`;
const FAIL = `import { test } from 'node:test'; test('NAME fails', () => { throw new Error('on purpose'); });`;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gyre-run-tests-'));
  mkdirSync(join(root, 'scripts'));
  copyFileSync(join(import.meta.dirname, 'run-tests.ts'), join(root, 'scripts/run-tests.ts'));
  write('package.json', '{"type":"module"}');
  write('src/room/deep/a.test.ts', PASS.replace('NAME', 'unit'));
  write('test/system/b.test.ts', PASS.replace('NAME', 'system'));
  write('test/system/helper.ts', `throw new Error('a helper was run')`);
});

afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

/**
 * Runs run-tests.ts with a clean environment. Otherwise its test runner would report to the runner of this
 * file.
 */
function run(...args: string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const script = join(root, 'scripts/run-tests.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('a group runs its own files, not their helpers, and ends with the summary of the runner', () => {
  const { status, output } = run('system');
  assert.equal(status, 0, output);
  assert.match(output, /system passes/);
  assert.doesNotMatch(output, /unit passes/);
  assert.match(output, /tests 1\n(?:.*\n)*.*duration_ms/);
});

test('all groups run as one, and a failure is passed on', () => {
  write('test/browser/c.test.ts', FAIL.replace('NAME', 'browser'));
  const { status, output } = run('all');
  assert.equal(status, 1);
  for (const line of [/unit passes/, /system passes/, /browser fails/, /tests 3\n/])
    assert.match(output, line);
});

test('further arguments reach the runner', () => {
  write('test/system/c.test.ts', FAIL.replace('NAME', 'other'));
  const { status, output } = run('system', '--test-name-pattern=passes');
  assert.equal(status, 0, output);
});

test('a group without files fails, alone and among all', () => {
  for (const group of ['browser', 'all']) {
    const { status, output } = run(group);
    assert.equal(status, 1);
    assert.match(output, /no test files for "browser": expected test\/browser\/\*\.test\.ts/);
  }
});

test('an unknown group is a usage error', () => {
  for (const args of [[], ['nothing'], ['constructor']]) {
    const { status, output } = run(...args);
    assert.equal(status, 2);
    assert.match(output, /^usage: /);
  }
});
