import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Gyre, temporaryDirectory } from '../../../test/helpers/gyre.ts';
import { FetchRate } from './mod.ts';

test('the rate is that since the last look', () => {
  const rate = new FetchRate();
  assert.equal(rate.measure(100, 1_000), '');
  assert.equal(rate.measure(124, 3_000), ' (12/s)');
  assert.equal(rate.measure(124, 5_000), ' (0/s)');
});

test('the state is shown again and again until Ctrl-C', async (context) => {
  const data = join(temporaryDirectory(context), 'data');
  mkdirSync(data);
  const status = new Gyre(['status', '--watch', '--data', data], { GYRE_MEANING_MODEL: 'off' });
  await status.printed(/0 seeds[\s\S]*0 fetched, [\s\S]*0 seeds[\s\S]*0 fetched \(0\/s\)/);
  const { code, stderr } = await status.kill('SIGINT');
  assert.deepEqual([code, stderr], [0, '']);
});
