import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('a little load is answered, measured and reported', () => {
  const script = join(import.meta.dirname, 'main.ts');
  const args = ['--disable-warning=ExperimentalWarning', script, '--docs', '300', '--seconds', '1', '--json'];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const { rows, bars } = JSON.parse(output.trimEnd().split('\n').at(-1)!);
  assert.deepEqual(
    rows.map(({ name }: { name: string }) => name),
    ['cache off', 'cache on', 'cached'],
  );
  const isBarOf = (what: string) => bars.some(({ bar }: { bar: string }) => bar.startsWith(what));
  assert.ok(isBarOf('cache off: pages a second') && isBarOf('cached: pages a second'));
  for (const name of ['cache off', 'cached'])
    for (const what of ['first byte p95', 'p99 (ms) at', 'memory at the end', 'memory after a thousand'])
      assert.ok(isBarOf(`${name}: ${what}`), what);
  for (const row of rows) {
    assert.ok(row['pages/s'] > 1);
    assert.ok(row['first byte p95 ms'] > 0);
    assert.ok(row['half p99 ms'] > 0);
    assert.ok(row['rss MiB'] > 1);
  }
});
