import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';
import { escapeControls } from './printable.ts';

const HOSTILE = 'a\u009b31mb\u202ec\u2028d\u2066e\u007ff\u200fg\ufeff';

test('control characters, direction marks and line separators are escaped; text of every script stays', () => {
  assert.equal(escapeControls(HOSTILE), 'a\\u009b31mb\\u202ec\\u2028d\\u2066e\\u007ff\\u200fg\\ufeff');
  assert.equal(escapeControls('x\u001b]0;title\u0007\r'), 'x\\u001b]0;title\\u0007\\u000d');
  for (const text of ['\u001b[1mbold\u001b[22m', 'a\tb\n', 'می‌خواهم 👩‍💻 שלום'])
    assert.equal(escapeControls(text), text);
});

test('a log line has no raw control characters, and its JSON has the same value', () => {
  const lines: string[] = [];
  for (const format of ['json', 'text'] as const) {
    const write = (line: string) => void lines.push(line);
    createLog({ level: 'info', format, clock: { now: () => 0 }, write }).info('page failed', {
      url: HOSTILE,
    });
  }
  for (const line of lines) assert.doesNotMatch(line.slice(0, -1), /[\p{Cc}\p{Cf}\u2028\u2029]/u);
  assert.equal(JSON.parse(lines[0]!).url, HOSTILE);
});
