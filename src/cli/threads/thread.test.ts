import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThreadWork } from './thread.fixture.ts';
import { startThread } from './thread.ts';

async function startedThread(work: ThreadWork) {
  const reports: string[] = [];
  const started = Promise.withResolvers<void>();
  const thread = startThread<ThreadWork, string>(
    new URL('./thread.fixture.ts', import.meta.url),
    work,
    (report) => {
      reports.push(report);
      started.resolve();
    },
  );
  await started.promise;
  return { thread, reports };
}

test('a busy thread that is abandoned ends in the middle of its work, without an error', async () => {
  const { thread, reports } = await startedThread('busy');
  thread.abandon(1);
  await thread.ended;
  assert.deepEqual(reports, ['started']);
});

test('an abandoned thread that stops by itself ends cleanly, long before its grace', async () => {
  const { thread, reports } = await startedThread('waiting');
  thread.abandon(3_600_000);
  await thread.ended;
  assert.deepEqual(reports, ['started', 'saved']);
});

test('the error of a thread is reported', async () => {
  const { thread } = await startedThread('failing');
  await assert.rejects(thread.ended, /failed here/);
});
