import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleLines } from './title-lines.ts';

function linesOf(text: string, title: string): string[] {
  return titleLines(text, title).map(([start, end]) => text.slice(start, end));
}

test('lines with words of the title are found, in any order and with other numbers', () => {
  const text = 'Undici 8.12.4\nhttp client: UNDICI\nUndici is a client\n8.12\n東京';
  assert.deepEqual(linesOf(text, 'Undici — HTTP client'), ['Undici 8.12.4', 'http client: UNDICI']);
  assert.deepEqual(linesOf(text, '東京 - Japan'), ['東京']);
  assert.deepEqual(linesOf(text, ''), []);
});

test('only the beginning of a text is searched', () => {
  const text = `${'Some line\n'.repeat(300)}Undici`;
  assert.deepEqual(linesOf(text, 'Undici'), []);
});
