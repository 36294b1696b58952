import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('the frontier benchmark grows a little, restarts, and reports both sizes', () => {
  const args = ['--from', '3000', '--to', '6000', '--pages', '300', '--json'];
  const options = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts'), ...args];
  const output = execFileSync(process.execPath, options, { encoding: 'utf8' });
  const { rows, ratios } = JSON.parse(output.trim().split('\n').at(-1)!) as {
    rows: Record<string, number>[];
    ratios: Record<string, number>;
  };
  const [small, large, run, restart] = rows;
  assert.ok(small!.known! >= 3000 && large!.known! >= 6000);
  assert.ok(small!.pagesPerSecond! > 0 && large!.cpuSecondsPer1000! > 0);
  assert.ok(run!.peakRssMB! > 0);
  assert.ok(restart!.known! > large!.known!, 'what was known before the restart is known after it');
  assert.ok(restart!.seconds! > 0 && ratios.pagesPerSecondKept! > 0);
});

test('the benchmark of the seen set goes beyond its memory, and every answer is right', () => {
  const args = ['--urls', '200000', '--memory', '1Mi', '--pages', '300', '--json'];
  const options = [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'seen-main.ts'),
    ...args,
  ];
  const output = execFileSync(process.execPath, options, { encoding: 'utf8' });
  const { rows, ratios } = JSON.parse(output.trim().split('\n').at(-1)!) as {
    rows: Record<string, number>[];
    ratios: Record<string, number>;
  };
  const [small, , large, restart] = rows;
  assert.equal(small!.runs, 0);
  assert.ok(large!.runs! >= 4 && large!.known! >= 200_000);
  assert.ok(restart!.known! > large!.known!, 'what was known before the restart is known after it');
  assert.equal(ratios.wrong, 0);
});
