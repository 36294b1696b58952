import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const [ENDING, OUTPUT] = ['end-process.ts', 'output.ts'].map((name) => join(import.meta.dirname, name));

test('a process with a server and a busy thread ends with the code, and its output is complete', () => {
  const script = `
    import { createServer } from 'node:http';
    import { Worker } from 'node:worker_threads';
    import { endProcess } from ${JSON.stringify(ENDING)};
    import { flushOutput } from ${JSON.stringify(OUTPUT)};
    createServer().listen(0, '127.0.0.1', () => {
      const worker = new Worker('const { parentPort } = await import("node:worker_threads"); parentPort.postMessage(1); for (;;);', { eval: true });
      worker.on('message', async () => {
        process.stdout.write('x'.repeat(1_000_000));
        process.stderr.write('the reason\\n');
        await flushOutput();
        endProcess(7);
      });
    });`;
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const ended = spawnSync(process.execPath, flags, {
    encoding: 'utf8',
    maxBuffer: 4_000_000,
    timeout: 30_000,
  });
  assert.deepEqual(
    [ended.status, ended.signal, ended.stdout.length, ended.stderr],
    [7, null, 1_000_000, 'the reason\n'],
  );
});
