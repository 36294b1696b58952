import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesAbove, readHostName } from './host-name.ts';

test('host names are parsed in all common forms', () => {
  const cases: [string, string | null][] = [
    ['Example.org', 'example.org'],
    [' .de ', 'de'],
    ['localhost:8090', 'localhost:8090'],
    ['Bücher.example:8080', 'xn--bcher-kva.example:8080'],
    ['[::1]:81', '[::1]:81'],
    ['10.0.0.1', '10.0.0.1'],
    ['example.org/x', null],
    ['https://example.org', null],
    ['me@example.org', null],
    ['two words', null],
    ['*', null],
    ['*.example.org', null],
    ['', null],
  ];
  for (const [text, expected] of cases) assert.equal(readHostName(text), expected, text);
});

test('a host is below its domains; an IP address is below no domain', () => {
  assert.deepEqual(namesAbove('a.b.example', ''), ['a.b.example', 'b.example', 'example']);
  assert.deepEqual(namesAbove('a.b', '81'), ['a.b', 'b', 'a.b:81', 'b:81']);
  assert.deepEqual(namesAbove('10.0.0.1', ''), ['10.0.0.1']);
  assert.deepEqual(namesAbove('[::1]', ''), ['[::1]']);
});
