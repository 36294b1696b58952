import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenizeIdentifiers } from './identifiers.ts';

/** Returns the words of a text. The additional terms of a word follow it in parentheses. */
function termsOf(text: string, isName: boolean): string {
  const terms: string[] = [];
  tokenizeIdentifiers(
    text,
    () => isName,
    (word, _start, _end, isExtra) => terms.push(isExtra ? `(${word})` : word),
  );
  return terms.join(' ');
}

test('words with underscores are also joined, in names and, if they are long, in any text', () => {
  assert.equal(termsOf('a_n x_i', true), 'a (an) n x (xi) i');
  assert.equal(termsOf('a_n x_i', false), 'a n x i');
  const table: [string, string][] = [
    ['MAX_SIZE is_int', 'max (maxsize) size is (isint) int'],
    ['read_or_fail', 'read (readorfail) or fail'],
    ['__init__ MAX__SIZE_T', 'init max (maxsizet) size t'],
    ['a_ b', 'a b'],
    ['1_000_000', '1 (1000000) 000 000'],
    ['größe_max max_größe', 'größe max max größe'],
  ];
  for (const [text, expected] of table) {
    assert.equal(termsOf(text, false), expected, text);
    assert.equal(termsOf(text, true), expected, text);
  }
});

test('words that punctuation joins are also pairs, in names only', () => {
  const table: [string, string][] = [
    ['Frame.pivot', 'frame pivot (framepivot)'],
    ['geo::Point', 'geo point (geopoint)'],
    ['geo::to_point', 'geo to (topoint) (geotopoint) point'],
    [
      'ptr->next Map#get e-mail node:fs',
      'ptr next (ptrnext) map get (mapget) e mail (email) node fs (nodefs)',
    ],
    ['End. Start: go a, b', 'end start go a b'],
    ["o'neil.org x's.y", "o'neil org x y"],
  ];
  for (const [text, expected] of table) {
    assert.equal(termsOf(text, true), expected, text);
    assert.doesNotMatch(termsOf('Frame.pivot geo::Point', false), /\(/, text);
  }
});

test('numbers of a version are joined by their dot, and only by it', () => {
  assert.equal(termsOf('Tool 3.11.2', true), 'tool 3 11 (3.11) 2 (11.2)');
  assert.equal(termsOf('v3.11', true), 'v3 11 (3.11)');
  assert.equal(termsOf('2024-05', true), '2024 05');
});

test('names of three parts or more are also split, in names only', () => {
  const table: [string, string][] = [
    ['gridRenderWindow', 'gridrenderwindow (grid) (render) (window)'],
    ['XMLHttpReader', 'xmlhttpreader (xml) (http) (reader)'],
    ['QTreeView', 'qtreeview (tree) (view)'],
    ['JavaScript GitHub openSSL HTTPServer', 'javascript github openssl httpserver'],
  ];
  for (const [text, expected] of table) assert.equal(termsOf(text, true), expected, text);
  assert.equal(termsOf('gridRenderWindow', false), 'gridrenderwindow');
});
