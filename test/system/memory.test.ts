/**
 * Tests that whole commands stay within the memory limit, measured from outside, and that a limit that is too
 * low is refused.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWeb } from '../../src/synthetic-web/server.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';

const KIB_PER_MIB = 1024;
const SAMPLE_MS = 50;

/** Runs a command to its end and returns the highest resident memory that Linux has counted. */
async function peakMemoryMiB(args: readonly string[]): Promise<{ code: number | null; peakMiB: number }> {
  const program = new Gyre(args);
  let peakKiB = 0;
  const timer = setInterval(() => {
    const path = `/proc/${program.child.pid}/status`;
    if (!existsSync(path)) return;
    peakKiB = Math.max(peakKiB, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1] ?? 0));
  }, SAMPLE_MS);
  const { code } = await program.ended();
  clearInterval(timer);
  return { code, peakMiB: peakKiB / KIB_PER_MIB };
}

test('crawl, build and rank stay within a small memory limit', async (context) => {
  if (process.platform !== 'linux') return context.skip('the peak is read from /proc');
  const web = await startWeb({ seed: 16, hosts: 10, pages: 600 });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const data = ['--data', join(directory, 'data'), '--memory', '384Mi'];
  const config = ['--config', writeConfig(directory, { delay: '0ms' })];
  for (const command of [['crawl', ...web.seeds, ...config], ['build'], ['rank']]) {
    const { code, peakMiB } = await peakMemoryMiB([...command, ...data]);
    assert.equal(code, 0, command[0]);
    assert.ok(peakMiB > 0 && peakMiB <= 384, `gyre ${command[0]} took ${peakMiB} MiB`);
  }
  const { stdout } = await gyre(['status', '--data', join(directory, 'data')]);
  assert.match(stdout, /index +600 documents/);
});

test('a limit below the least one of a command is refused, with that one', async (context) => {
  const directory = temporaryDirectory(context);
  const { code, stderr } = await gyre(['up', '--data', join(directory, 'data'), '--memory', '500Mi']);
  assert.equal(code, 2);
  assert.equal(
    stderr,
    'gyre: memory is 500.0 MiB, but this command needs at least 512.0 MiB: set memory to that or more\n',
  );
  assert.ok(!existsSync(join(directory, 'data')));
});
