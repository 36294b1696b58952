import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';

function logged(format: 'json' | 'text'): string[] {
  const lines: string[] = [];
  const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) } as Parameters<typeof createLog>[0]['clock'];
  const log = createLog({ level: 'warn', format, clock, write: (line) => lines.push(line) });
  log.info('not shown');
  const advice = 'run gyre doctor';
  log.warn('segment damaged', { segment: 'seg-7', freeBytes: 12, reason: 'bad magic', advice });
  log.error('merge failed\u001b[2J', { host: undefined });
  return lines;
}

test('on a terminal an event is prose: what, facts, reason and advice', () => {
  const [warning, error] = logged('text');
  assert.match(
    warning!,
    /^\d\d:\d\d:\d\d warning: segment damaged \(segment seg-7, free bytes 12\): bad magic; run gyre doctor\n$/,
  );
  assert.match(error!, /^\d\d:\d\d:\d\d error: merge failed/);
  assert.ok(!error!.includes('\u001b'), 'control characters are escaped');
});

test('elsewhere an event is one line of JSON', () => {
  const [warning] = logged('json');
  assert.deepEqual(JSON.parse(warning!), {
    time: '2026-01-02T03:04:05.000Z',
    level: 'warn',
    event: 'segment damaged',
    segment: 'seg-7',
    freeBytes: 12,
    reason: 'bad magic',
    advice: 'run gyre doctor',
  });
});
