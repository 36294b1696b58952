import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('a little load is answered, measured and reported', () => {
  const script = join(import.meta.dirname, 'main.ts');
  const args = ['--disable-warning=ExperimentalWarning', script, '--docs', '300', '--seconds', '1', '--json'];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const { rows } = JSON.parse(output.trimEnd().split('\n').at(-1)!);
  assert.equal(rows[0].name, 'cache off');
  assert.ok(rows[0]['pages/s'] > 1);
  assert.ok(rows[0]['half p99 ms'] > 0);
  assert.ok(rows[0]['rss MiB'] > 1);
});
