import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { gyre } from '../../../test/helpers/gyre.ts';

test('bash completes commands and their options with the printed script', async () => {
  const { stdout: script } = await gyre(['completion', 'bash']);
  const complete = (...words: string[]): string[] => {
    const ask = `COMP_WORDS=(gyre ${words.join(' ')}); COMP_CWORD=${words.length}; _gyre; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { status, stdout } = spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
    assert.equal(status, 0);
    return stdout.trim().split('\n');
  };
  assert.deepEqual(complete('se'), ['serve', 'search', 'selftest']);
  assert.deepEqual(complete('crawl', '--del'), ['--delay']);
  assert.deepEqual(complete('import', 'package-l'), ['package-lock.json']);
});

test('an unknown shell is answered with those that are known', async () => {
  const { code, stderr } = await gyre(['completion', 'tcsh']);
  assert.equal(code, 2);
  assert.match(stderr, /^gyre: expected one of bash, zsh, fish, got "tcsh"; for example: /);
});
