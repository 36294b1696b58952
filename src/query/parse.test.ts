import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_WORDS, type ParsedQuery, parseQuery } from './parse.ts';

/** A query, and what is not empty in its reading. `text` is given where it differs from the query. */
const TABLE: [string, Partial<ParsedQuery>][] = [
  ['', {}],
  ['   ', { text: '' }],
  ['HTTP Client', { words: ['http', 'client'] }],
  ['  spaced   out ', { text: 'spaced out', words: ['spaced', 'out'] }],
  ['a b a', { words: ['a', 'b'] }],
  ['node.js', { words: ['node', 'js'] }],
  ['foo-bar', { words: ['foo', 'bar'] }],
  ['C++ -C#', { words: ['c++'], excluded: [{ words: ['c#'], isExact: false }] }],
  ['"http client"', { words: ['http', 'client'], phrases: [{ words: ['http', 'client'], isExact: true }] }],
  [
    '“smart quotes”',
    {
      text: '"smart quotes"',
      words: ['smart', 'quotes'],
      phrases: [{ words: ['smart', 'quotes'], isExact: true }],
    },
  ],
  [
    'fast "http client" fast',
    { words: ['fast', 'http', 'client'], phrases: [{ words: ['http', 'client'], isExact: true }] },
  ],
  ['"one"', { words: ['one'], phrases: [{ words: ['one'], isExact: true }] }],
  [
    'a"b c"d',
    { text: 'a "b c" d', words: ['a', 'b', 'c', 'd'], phrases: [{ words: ['b', 'c'], isExact: true }] },
  ],
  ['cat -dog', { words: ['cat'], excluded: [{ words: ['dog'], isExact: false }] }],
  ['cat -"big dog"', { words: ['cat'], excluded: [{ words: ['big', 'dog'], isExact: true }] }],
  ['cat -node.js', { words: ['cat'], excluded: [{ words: ['node', 'js'], isExact: false }] }],
  ['+cat dog', { words: ['cat', 'dog'], phrases: [{ words: ['cat'], isExact: false }] }],
  ['a + b', { text: 'a b', words: ['a', 'b'] }],
  ['cat site:example.org', { words: ['cat'], sites: ['example.org'] }],
  ['SITE:Example.ORG', { text: 'site:example.org', sites: ['example.org'] }],
  ['site:a.org site:b.org site:a.org', { sites: ['a.org', 'b.org'] }],
  ['cat -site:example.org', { words: ['cat'], excludedSites: ['example.org'] }],
  ['site:.example.org', { text: 'site:example.org', sites: ['example.org'] }],
  ['site:*.example.org', { text: 'site:example.org', sites: ['example.org'] }],
  ['site:http://example.org:8080/', { text: 'site:example.org', sites: ['example.org'] }],
  ['site:bücher.example', { text: 'site:xn--bcher-kva.example', sites: ['xn--bcher-kva.example'] }],
  [
    'site:example.org/docs',
    {
      text: 'site:example.org',
      sites: ['example.org'],
      notes: ['site: looks at the host alone: example.org'],
    },
  ],
  ['cat "dog', { text: 'cat dog', words: ['cat', 'dog'], notes: ['Read as plain words: "dog'] }],
  ['-"cat -dog', { text: 'cat dog', words: ['cat', 'dog'], notes: ['Read as plain words: -"cat -dog'] }],
  ['"', { text: '', notes: ['Read as plain words: "'] }],
  ['""', { text: '', notes: ['Read as plain words: ""'] }],
  ['a - b', { text: 'a b', words: ['a', 'b'], notes: ['Read as plain words: -'] }],
  ['--save-dev', { text: 'save dev', words: ['save', 'dev'], notes: ['Read as plain words: --save-dev'] }],
  ['-!', { text: '', notes: ['Read as plain words: -!'] }],
  ['cat site:', { text: 'cat site', words: ['cat', 'site'], notes: ['Read as plain words: site:'] }],
  ['-site:', { text: 'site', words: ['site'], notes: ['Read as plain words: -site:'] }],
  ['site:a%b', { text: 'site a b', words: ['site', 'a', 'b'], notes: ['Read as plain words: site:a%b'] }],
  ['!!! ???', { text: '' }],
  [
    '-cat',
    {
      excluded: [{ words: ['cat'], isExact: false }],
      notes: ['The query only says what to leave out; add a word to search for.'],
    },
  ],
  [
    '-site:a.org',
    { excludedSites: ['a.org'], notes: ['The query only says what to leave out; add a word to search for.'] },
  ],
];

test('the table of queries and their readings', () => {
  for (const [query, expected] of TABLE) {
    const empty = { notes: [], words: [], phrases: [], excluded: [], sites: [], excludedSites: [] };
    assert.deepEqual(parseQuery(query), { text: query, ...empty, ...expected }, query);
  }
});

test('words beyond the limit are ignored with a note', () => {
  const words = Array.from({ length: 100 }, (_, n) => `w${n}`);
  const query = parseQuery(words.join(' '));
  assert.deepEqual(query.words, words.slice(0, MAX_WORDS));
  assert.deepEqual(query.notes, [`Only the first ${MAX_WORDS} words are used.`]);
  const long = parseQuery(words.join('.'));
  assert.deepEqual(long.words, words.slice(0, MAX_WORDS));
  const phrase = parseQuery(`${words.slice(0, 60).join(' ')} "a b c d e" -f site:g.org tail`);
  assert.equal(phrase.words.length, 60);
  assert.deepEqual([phrase.phrases, phrase.excluded, phrase.sites], [[], [], []]);
});

test('a reading, read again, is the same reading', () => {
  for (const [query] of TABLE) {
    const once = parseQuery(query);
    assert.deepEqual({ ...parseQuery(once.text), notes: [] }, { ...once, notes: [] }, query);
  }
});
