import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { Condition } from './condition.ts';
import { conditionText } from './condition-text.fixture.ts';
import { FIELD_NAMES } from './fields.ts';
import { NO_LOOKUPS, type QueryLookups } from './lookups.ts';
import { MAX_QUERY_WORDS, parseQuery, readTokens } from './parse.ts';
import { MAX_PREFIX_WORDS } from './prefix.ts';
import type { QueryNote } from './query-note.ts';
import { MAX_QUERY_NESTING } from './tokens.ts';

interface Expected {
  /** The expected condition, as text. */
  must: string;
  /** The expected words that rank documents. */
  words: string;
  /** The expected text for display, if it differs from the query. */
  text?: string;
  notes?: QueryNote[];
}

const plainly = (text: string): QueryNote[] => [{ code: 'plain-words', values: { text } }];
const LEAVES_OUT: QueryNote[] = [{ code: 'only-excluding', values: {} }];

const TABLE: [string, Expected][] = [
  // Queries of plain words.
  ['', { must: 'nothing', words: '' }],
  ['   ', { must: 'nothing', words: '', text: '' }],
  ['!!! ???', { must: 'nothing', words: '', text: '' }],
  ['HTTP Client', { must: '(or http client)', words: 'http client' }],
  ['  spaced   out ', { must: '(or spaced out)', words: 'spaced out', text: 'spaced out' }],
  ['a b a', { must: '(or a b a)', words: 'a b' }],
  ['node.js', { must: '(or node js)', words: 'node js' }],
  ['list::take_or_fail', { must: '(or list takeorfail take)', words: 'list takeorfail' }],
  ['tool 3.11', { must: '(or tool 3 11 3.11)', words: 'tool 3 11' }],
  ['qlc+ c++', { must: '(or qlc qlcplus c++)', words: 'qlc c++' }],
  ['foo-bar', { must: '(or foo bar)', words: 'foo bar' }],
  ['std::vector http://a.org/', { must: '(or std vector http a org)', words: 'std vector http a org' }],
  // Queries with quoted phrases.
  ['"http client"', { must: '"http client"', words: 'http client' }],
  ['“smart quotes”', { must: '"smart quotes"', words: 'smart quotes', text: '"smart quotes"' }],
  ['fast "http client" fast', { must: '"http client"', words: 'fast http client' }],
  ['"one"', { must: 'one', words: 'one' }],
  ['a"b c"d', { must: '"b c"', words: 'a b c d', text: 'a "b c" d' }],
  ['cat "dog', { must: '(or cat dog)', words: 'cat dog', text: 'cat dog', notes: plainly('"dog') }],
  ['-"cat -dog', { must: '(or cat dog)', words: 'cat dog', text: 'cat dog', notes: plainly('-"cat -dog') }],
  ['"', { must: 'nothing', words: '', text: '', notes: plainly('"') }],
  ['""', { must: 'nothing', words: '', text: '', notes: plainly('""') }],
  // Queries with required and excluded words.
  ['cat +dog', { must: 'dog', words: 'cat dog' }],
  ['+node.js fast', { must: '"node js"', words: 'node js fast' }],
  ['C++ -C#', { must: '(and c++ (not c#))', words: 'c++' }],
  ['cat -dog', { must: '(and cat (not dog))', words: 'cat' }],
  ['cat -"big dog"', { must: '(and cat (not "big dog"))', words: 'cat' }],
  ['cat -node.js', { must: '(and cat (not "node js"))', words: 'cat' }],
  ['cat NOT dog', { must: '(and cat (not dog))', words: 'cat', text: 'cat -dog' }],
  ['cat -(dog bird)', { must: '(and cat (not (or dog bird)))', words: 'cat' }],
  ['-cat', { must: 'nothing', words: '', notes: LEAVES_OUT }],
  ['-site:a.org', { must: 'nothing', words: '', notes: LEAVES_OUT }],
  // A single plus or minus sign and the parentheses of an arithmetic expression are not operators.
  ['a - b', { must: '(or a b)', words: 'a b', text: 'a b' }],
  ['a + b * c', { must: '(or a b c)', words: 'a b c', text: 'a b c' }],
  ['0.1 + 0.2', { must: '(or 0 1 0.1 0 2 0.2)', words: '0 1 2', text: '0.1 0.2' }],
  ['(1+2)*3 - 4', { must: '(or 1 2 3 4)', words: '1 2 3 4', text: '1+2.*3 4' }],
  ['a -> b', { must: '(or a b)', words: 'a b', text: 'a b' }],
  // A minus before a command-line option does not exclude the word.
  ['--save-dev', { must: '(or save dev)', words: 'save dev' }],
  ['history edit -i', { must: '(or history edit i)', words: 'history edit i' }],
  ['tar -xzf ls -la', { must: '(or tar xzf ls la)', words: 'tar xzf ls la' }],
  ['server -html +http', { must: '(and http (not html))', words: 'server http' }],
  ['plan NOT b', { must: '(and plan (not b))', words: 'plan', text: 'plan -(b)' }],
  ['gcc -Wall -O2 -std=c11', { must: '(or gcc wall o2 std c11)', words: 'gcc wall o2 std c11' }],
  ['fetch -sSL', { must: '(or fetch ssl)', words: 'fetch ssl' }],
  ['chmod +x', { must: '(or chmod x)', words: 'chmod x' }],
  ['flex -webkit-box', { must: '(or flex webkit box)', words: 'flex webkit box' }],
  ['laptop -Windows', { must: '(and laptop (not windows))', words: 'laptop' }],
  ['music -mp3 -2024', { must: '(and music (not mp3) (not 2024))', words: 'music' }],
  ['server -XML -東京', { must: '(and server (not xml) (not 東京))', words: 'server' }],
  ['-!', { must: 'nothing', words: '', text: '', notes: plainly('-!') }],
  // Queries with AND, OR, NOT and parentheses.
  ['cat AND dog', { must: '(and cat dog)', words: 'cat dog' }],
  ['cat AND dog bird', { must: '(and cat dog)', words: 'cat dog bird' }],
  ['cat AND NOT dog', { must: '(and cat (not dog))', words: 'cat', text: 'cat AND -dog' }],
  ['cat OR dog', { must: '(or cat dog)', words: 'cat dog' }],
  ['red cat OR dog', { must: '(or cat dog)', words: 'red cat dog' }],
  ['a AND b OR c', { must: '(or (and a b) c)', words: 'a b c' }],
  ['a AND (b OR c)', { must: '(and a (or b c))', words: 'a b c' }],
  ['(a OR b) OR c', { must: '(or a b c)', words: 'a b c', text: 'a OR b OR c' }],
  ['(red cat) dog', { must: '(or red cat dog)', words: 'red cat dog', text: 'red cat dog' }],
  ['(red cat) AND dog', { must: '(and (or red cat) dog)', words: 'red cat dog' }],
  ['("red cat" big) OR dog', { must: '(or "red cat" dog)', words: 'red cat big dog' }],
  ['+(cat dog) red', { must: '(or cat dog)', words: 'cat dog red' }],
  ['(cat OR -dog) AND red', { must: '(and (or cat (not dog)) red)', words: 'cat red' }],
  ['node.js OR deno', { must: '(or "node js" deno)', words: 'node js deno' }],
  ['cat (-"big dog")', { must: '(and cat (not "big dog"))', words: 'cat', text: 'cat -"big dog"' }],
  [
    '(intitle:"big dog" OR cat)',
    { must: '(or title:"big dog" cat)', words: 'big dog cat', text: 'intitle:"big dog" OR cat' },
  ],
  ['print(x) f()', { must: '(or print x f)', words: 'print x f' }],
  ['and or not', { must: '(or and or not)', words: 'and or not' }],
  ['OR cat', { must: '(or or cat)', words: 'or cat', text: 'or cat', notes: plainly('OR') }],
  ['cat AND', { must: '(or cat and)', words: 'cat and', text: 'cat and', notes: plainly('AND') }],
  [
    'cat AND OR dog',
    {
      must: '(or cat and or dog)',
      words: 'cat and or dog',
      text: 'cat and or dog',
      notes: [...plainly('AND'), ...plainly('OR')],
    },
  ],
  ['cat NOT', { must: '(or cat not)', words: 'cat not', text: 'cat not', notes: plainly('NOT') }],
  ['(cat', { must: 'cat', words: 'cat', text: 'cat', notes: plainly('(') }],
  ['cat)', { must: 'cat', words: 'cat', text: 'cat', notes: plainly(')') }],
  ['cat ()', { must: 'cat', words: 'cat', text: 'cat', notes: plainly('()') }],
  // The operator NEAR.
  ['cat NEAR/3 dog', { must: 'cat ~3 dog', words: 'cat dog' }],
  [
    '"big cat" NEAR/3 dog NEAR/5 node.js',
    { must: '"big cat" ~3 dog ~5 "node js"', words: 'big cat dog node js' },
  ],
  [
    'cat NEAR/0 dog',
    {
      must: '(or cat near 0 dog)',
      words: 'cat near 0 dog',
      text: 'cat near 0 dog',
      notes: plainly('NEAR/0'),
    },
  ],
  [
    'cat NEAR/3 -dog',
    {
      must: '(and (or cat near 3) (not dog))',
      words: 'cat near 3',
      text: 'cat near 3 -dog',
      notes: plainly('NEAR/3'),
    },
  ],
  ['cat NEAR dog', { must: '(or cat near dog)', words: 'cat near dog' }],
  // Prefixes, such as `conn*`.
  ['conn*', { must: '(or conn connect connection)', words: 'conn' }],
  ['http conn*', { must: '(or http (or conn connect connection))', words: 'http conn' }],
  ['http -conn*', { must: '(and http (not (or conn connect connection)))', words: 'http' }],
  ['none*', { must: 'none', words: 'none' }],
  ['c*', { must: 'c', words: 'c', text: 'c', notes: plainly('c*') }],
  ['node.js*', { must: '(or node js)', words: 'node js', text: 'node js', notes: plainly('node.js*') }],
  // Fields that search for words, such as `intitle:`.
  ['intitle:cat dog', { must: 'title:cat', words: 'cat dog' }],
  ['intitle:"big cat"', { must: 'title:"big cat"', words: 'big cat' }],
  ['INURL:node.js', { must: 'url:"node js"', words: 'node js', text: 'inurl:node.js' }],
  ['cat -inbody:dog', { must: '(and cat (not body:dog))', words: 'cat' }],
  ['-intitle:"big cat" dog', { must: '(and dog (not title:"big cat"))', words: 'dog' }],
  ['inanchor:"big cat"', { must: 'anchor:"big cat"', words: 'big cat' }],
  ['inanchor:conn*', { must: '(or anchor:conn anchor:connect anchor:connection)', words: 'conn' }],
  [
    '-inanchor:conn* cat',
    { must: '(and cat (not (or anchor:conn anchor:connect anchor:connection)))', words: 'cat' },
  ],
  ['intitle:', { must: 'intitle', words: 'intitle', text: 'intitle', notes: plainly('intitle:') }],
  // Filters, such as `site:`.
  ['cat site:example.org', { must: '(and cat site:example.org)', words: 'cat' }],
  ['SITE:Example.ORG', { must: 'site:example.org', words: '', text: 'site:example.org' }],
  ['cat site:a.org site:b.org', { must: '(and cat (or site:a.org site:b.org))', words: 'cat' }],
  [
    'cat (site:a.org OR site:b.org)',
    { must: '(and cat (or site:a.org site:b.org))', words: 'cat', text: 'cat site:a.org OR site:b.org' },
  ],
  ['cat -site:example.org', { must: '(and cat (not site:example.org))', words: 'cat' }],
  ['site:.example.org', { must: 'site:example.org', words: '', text: 'site:example.org' }],
  ['site:a)b(c', { must: 'site:a.b.c', words: '', text: 'site:a.b.c' }],
  ['site:*.example.org', { must: 'site:example.org', words: '', text: 'site:example.org' }],
  ['site:http://example.org:8080/', { must: 'site:example.org', words: '', text: 'site:example.org' }],
  [
    'site:bücher.example',
    { must: 'site:xn--bcher-kva.example', words: '', text: 'site:xn--bcher-kva.example' },
  ],
  ['site:example.org/docs', { must: 'site:example.org "example org docs"', words: '' }],
  [
    'site:https://Example.org:8443/Docs/a%20b/',
    {
      must: 'site:example.org "example org docs a b"',
      words: '',
      text: 'site:example.org/Docs/a%20b/',
    },
  ],
  ['site:example.org/-/', { must: 'site:example.org', words: '', text: 'site:example.org' }],
  [
    'cat site:a.org/x site:b.org',
    {
      must: '(and cat (or site:a.org "a org x" site:b.org))',
      words: 'cat',
      text: 'cat site:a.org/x site:b.org',
    },
  ],
  ['cat site:', { must: '(or cat site)', words: 'cat site', text: 'cat site', notes: plainly('site:') }],
  ['site:a%b', { must: '(or site a b)', words: 'site a b', text: 'site a b', notes: plainly('site:a%b') }],
  ['cat lang:EN', { must: '(and cat language:en)', words: 'cat', text: 'cat lang:en' }],
  [
    'cat lang:english',
    {
      must: '(or cat lang english)',
      words: 'cat lang english',
      text: 'cat lang english',
      notes: plainly('lang:english'),
    },
  ],
  ['cat filetype:PDF', { must: '(and cat type:pdf)', words: 'cat', text: 'cat filetype:pdf' }],
  ['cat kind:Article', { must: '(and cat kind:news)', words: 'cat', text: 'cat kind:news' }],
  [
    'cat filetype:htm filetype:pdf',
    { must: '(and cat (or type:html type:pdf))', words: 'cat', text: 'cat filetype:html filetype:pdf' },
  ],
  ['cat after:2024 before:2024-06', { must: '(and cat since:2024-01-01 before:2024-06-01)', words: 'cat' }],
  [
    'cat after:2024-02-30',
    {
      must: '(or cat after 2024 02 30)',
      words: 'cat after 2024 02 30',
      text: 'cat after 2024 02 30',
      notes: plainly('after:2024-02-30'),
    },
  ],
  // The fields `link:` and `related:`.
  ['link:example.org', { must: '3-documents', words: '' }],
  ['cat link:https://example.org/', { must: '(and cat 2-documents)', words: 'cat' }],
  // `link:` with an alias of a page, and with URLs that lack the scheme or `www.`, or have a superfluous slash.
  ['link:example.org/moved', { must: '2-documents', words: '' }],
  ['link:https://www.example.org', { must: '3-documents', words: '' }],
  ['link:https://plain.org/page/', { must: '1-documents', words: '' }],
  ['link:plain.org/page', { must: '1-documents', words: '' }],
  [
    'link:nowhere.org',
    { must: '0-documents', words: '', notes: [{ code: 'unlinked-page', values: { text: 'nowhere.org' } }] },
  ],
  ['related:example.org', { must: '(and (or apples pears) (not 2-documents))', words: 'apples pears' }],
  [
    'related:elsewhere.org',
    {
      must: '(and (or) (not 0-documents))',
      words: '',
      notes: [{ code: 'unknown-page', values: { text: 'elsewhere.org' } }],
    },
  ],
  [
    'related:http://www.example.org/moved/',
    { must: '(and (or apples pears) (not 1-documents))', words: 'apples pears' },
  ],
  // Synonyms match a plain word. A word under an operator matches only as typed.
  ['upenn', { must: '(or upenn penn)', words: 'upenn' }],
  ['upenn library', { must: '(or upenn penn library)', words: 'upenn library' }],
  ['+upenn', { must: 'upenn', words: 'upenn' }],
  ['"upenn" map', { must: 'upenn', words: 'upenn map' }],
  ['upenn AND map', { must: '(and upenn map)', words: 'upenn map' }],
  ['upenn OR map', { must: '(or upenn map)', words: 'upenn map' }],
  ['link:', { must: 'link', words: 'link', text: 'link', notes: plainly('link:') }],
];

const LOOKUPS: QueryLookups = {
  hasLinks: true,
  wordsBeginning: (prefix) => ['connect', 'connection'].filter((word) => word.startsWith(prefix)),
  linksTo: (url) => LINKS[url] ?? [],
  documentOf: (url) => ALIASES[url] ?? (url in LINKS ? url : null),
  hasWord: (word) => word === 'dataframe',
  synonymsOf: (word) => (word === 'upenn' ? [{ term: 'penn', weight: 0.5 }] : []),
  contentWords: (url) => (url.includes('//example.org/') ? ['apples', 'pears'] : []),
};

const LINKS = {
  'https://example.org/': ['https://a.org/', 'https://b.org/'],
  'http://example.org/': ['https://c.org/'],
  'http://plain.org/page': ['https://d.org/'],
} as unknown as Record<string, ReturnType<QueryLookups['linksTo']>>;

const ALIASES = { 'https://example.org/moved': 'https://example.org/' } as unknown as Record<
  string,
  CanonicalUrl
>;

test('queries of the table are parsed as listed', () => {
  for (const [query, { must, words, text = query, notes = [] }] of TABLE) {
    const reading = parseQuery(query, LOOKUPS);
    const actual = {
      must: conditionText(reading.condition),
      words: reading.words.join(' '),
      text: reading.text,
      notes: reading.notes,
    };
    assert.deepEqual(actual, { must, words, text, notes }, query);
  }
});

test('a too long phrase is cut to its beginning', () => {
  const paragraph = Array.from({ length: 100 }, (_, at) => `w${at}`);
  const beginning = paragraph.slice(0, 64).join(' ');
  for (const field of ['', 'intitle:', 'inanchor:']) {
    const { text, words, notes } = parseQuery(`${field}"${paragraph.join(' ')}"`, LOOKUPS);
    assert.deepEqual([text, words.length, notes.length], [`${field}"${beginning}"`, 64, 1]);
  }
  const none = parseQuery(`${beginning} intitle:"a b" site:a.org "c"`, LOOKUPS);
  assert.deepEqual(
    [none.text, none.notes],
    [beginning, [{ code: 'too-many-words', values: { number: 64 } }]],
  );
  const second = parseQuery(`${paragraph.slice(0, 60).join(' ')} "${paragraph.slice(60).join(' ')}" more`);
  assert.match(second.text, / "w60 w61 w62 w63"$/);
});

test('a query has few and short notes, however malformed it is', () => {
  const { notes } = parseQuery(Array.from({ length: 3000 }, (_, at) => `++a${at}`).join(' '));
  assert.equal(notes.length, 8);
  const [note] = parseQuery(`site:${'/'.repeat(9000)}`).notes;
  assert.deepEqual([note], plainly(`site:${'/'.repeat(75)}…`));
});

test('NEAR without a distance is read as words, with a note', () => {
  for (const near of ['NEAR/', 'NEAR/0', 'NEAR/101', 'NEAR/1000', 'NEAR/x'])
    assert.deepEqual(parseQuery(`cat ${near} dog`).notes, plainly(near));
});

test('plain queries are those that the kernel can answer', () => {
  const plain: [string, string[][]][] = [
    ['http client', []],
    ['http OR client', []],
    ['http "big client"', [['big', 'client']]],
    ['+http client', [['http']]],
    ['http AND "big client"', [['http'], ['big', 'client']]],
    ['conn*', []],
  ];
  for (const [query, phrases] of plain) {
    const { isPlain, phrases: read } = parseQuery(query, LOOKUPS);
    const found = read.map((phrase) => phrase.map(({ term }) => term));
    assert.deepEqual({ isPlain, found }, { isPlain: true, found: phrases }, query);
  }
  for (const query of ['', 'a -bird', 'a site:b.org', 'a b OR c', 'a NEAR/2 b', 'intitle:a', '+conn*']) {
    assert.equal(parseQuery(query, LOOKUPS).isPlain, false, query);
  }
});

type Phrase = Condition & { kind: 'phrase' };

test('quoted words match exactly, and other words in any form', () => {
  const [quoted, required] = parseQuery('"running shoes" +walked').phrases;
  assert.deepEqual(quoted, [
    { term: 'running', exact: 'running', variants: [] },
    { term: 'shoes', exact: 'shoes', variants: [] },
  ]);
  assert.deepEqual(required, [{ term: 'walked', exact: null, variants: [] }]);
  const exactly = (query: string) => (parseQuery(query).condition as Phrase).terms[0]!.exact;
  assert.equal(exactly('intitle:"running"'), 'running');
  assert.equal(exactly('intitle:running'), null);
});

test('the words of a prefix are ranked as one word', () => {
  const { words, alternatives } = parseQuery('http conn*', LOOKUPS);
  assert.deepEqual(words, ['http', 'conn']);
  assert.deepEqual(alternatives, [
    [],
    [
      { term: 'connect', weight: 1, isCompletion: true },
      { term: 'connection', weight: 1, isCompletion: true },
    ],
  ]);
});

test('neighbouring words also count as one word that the index has', () => {
  const { words, alternatives, condition } = parseQuery('merge data frame', LOOKUPS);
  const others = alternatives.map((list) => list.map(({ term, weight }) => `${term} ${weight}`));
  assert.deepEqual(words, ['merge', 'data', 'frame']);
  assert.deepEqual(others, [[], ['dataframe 0.9'], ['dataframe 0.9']]);
  assert.equal(conditionText(condition), '(or merge data dataframe frame dataframe)');
  for (const query of ['data +frame', 'data OR frame', '"data frame"', 'a data frame of one two three'])
    assert.ok(
      parseQuery(query, LOOKUPS).alternatives.every(({ length }) => length === 0),
      query,
    );
});

test('the longest part of an identifier matches only if no document has the identifier', () => {
  const partsOf = (hasWord: (word: string) => boolean) =>
    parseQuery('skip_r_path variable', { ...LOOKUPS, hasWord }).alternatives[0]!.map(({ term }) => term);
  assert.deepEqual(
    partsOf(() => false),
    ['skip'],
  );
  assert.deepEqual(
    partsOf((word) => word === 'skiprpath'),
    [],
  );
  assert.deepEqual(readTokens('skip_r_path "a_b_c"').needed.joined, ['skiprpath']);
});

test('an identifier of two words is one word if the index has it, and two words otherwise', () => {
  const wordsOf = (query: string, ...known: string[]) =>
    parseQuery(query, { ...LOOKUPS, hasWord: (word) => known.includes(word) }).words.join(' ');
  assert.equal(wordsOf('sage is_prime', 'isprime'), 'sage isprime');
  assert.equal(wordsOf('sage is_prime'), 'sage is prime');
  assert.equal(wordsOf('a_n', 'an'), 'a n');
  assert.deepEqual(readTokens('IS_PRIME').needed.joined, ['isprime']);
});

test('a field accepts a prefix', () => {
  const { condition, words, alternatives, text } = parseQuery('-bird intitle:Conn*', LOOKUPS);
  const must = '(and (or title:conn title:connect title:connection) (not bird))';
  assert.deepEqual([conditionText(condition), words, text], [must, ['conn'], '-bird intitle:conn*']);
  assert.deepEqual(
    alternatives[0]!.map(({ term }) => term),
    ['connect', 'connection'],
  );
  for (const query of ['intitle:c*', 'inurl:a.conn*', 'inanchor:c*']) {
    assert.deepEqual(parseQuery(query, LOOKUPS).notes, plainly(query), query);
  }
});

test('a prefix of very many words uses the most common ones', () => {
  const wordsBeginning = (prefix: string, limit: number) =>
    Array.from({ length: limit }, (_, n) => `${prefix}${n}`);
  const { alternatives, notes } = parseQuery('te*', { ...NO_LOOKUPS, wordsBeginning });
  assert.equal(alternatives[0]!.length, MAX_PREFIX_WORDS);
  assert.deepEqual(notes, [{ code: 'prefix-words', values: { text: 'te*', number: MAX_PREFIX_WORDS } }]);
});

test('words beyond the limit are ignored with a note', () => {
  const words = Array.from({ length: 100 }, (_, n) => `w${n}`);
  const query = parseQuery(words.join(' '));
  assert.deepEqual(query.words, words.slice(0, MAX_QUERY_WORDS));
  assert.deepEqual(query.notes, [{ code: 'too-many-words', values: { number: MAX_QUERY_WORDS } }]);
  const long = parseQuery(words.join('.'));
  assert.deepEqual(long.words, words.slice(0, MAX_QUERY_WORDS));
  const phrase = parseQuery(`${words.slice(0, 60).join(' ')} "a b c d e" -f site:g.org tail`);
  assert.deepEqual(phrase.words.slice(60), ['a', 'b', 'c', 'd']);
  assert.equal(phrase.isPlain, true);
});

test('too deep parentheses are ignored', () => {
  const { words, notes } = parseQuery(`${'(a AND '.repeat(30)}b${')'.repeat(30)}`);
  assert.deepEqual(words, ['a', 'b']);
  assert.deepEqual(notes, [{ code: 'too-deep', values: { number: MAX_QUERY_NESTING } }]);
  assert.deepEqual(parseQuery(`${'('.repeat(2000)}a${')'.repeat(2000)}`).words, ['a']);
});

test('without a link graph, link operators give a note', () => {
  assert.deepEqual(parseQuery('link:a.org').notes, [{ code: 'no-links', values: { text: 'link' } }]);
  assert.deepEqual(parseQuery('inanchor:cat').notes, [{ code: 'no-links', values: { text: 'inanchor' } }]);
});

test('a formatted query is parsed to the same tree', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const pieces = [
    'cat',
    'AND',
    'OR',
    'NOT',
    'NEAR/3',
    '(',
    ')',
    '"big dog"',
    '-',
    '+',
    'c*',
    'con*',
    '"',
    '!',
  ];
  const fields = FIELD_NAMES.map((name) => `${name}:2024`);
  const random1 = () =>
    Array.from(
      { length: random.below(12) },
      () => random.pick([...pieces, ...fields]) + random.pick(['', ' ']),
    );
  const queries = [
    ...TABLE.map(([query]) => query),
    ...Array.from({ length: 3000 }, () => random1().join('')),
  ];
  for (const query of queries) {
    const once = parseQuery(query, LOOKUPS);
    const twice = parseQuery(once.text, LOOKUPS);
    const where = `seed ${seed}: ${query} -> ${once.text}`;
    assert.equal(conditionText(twice.condition), conditionText(once.condition), where);
    assert.deepEqual(
      [twice.words, twice.alternatives, twice.text],
      [once.words, once.alternatives, once.text],
      where,
    );
  }
});

test('the examples of docs/query-language.md are parsed as documented', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/query-language.md'), 'utf8');
  const rows = [...page.slice(page.indexOf('## Examples')).matchAll(/^\| `(.+?)` \| `(.+?)` \|/gm)];
  assert.ok(rows.length >= 20, `${rows.length} examples`);
  for (const [, query, must] of rows) {
    assert.equal(conditionText(parseQuery(query!, LOOKUPS).condition), must, query);
  }
  for (const name of FIELD_NAMES) assert.ok(page.includes(`\`${name}:`), `${name}: is not described`);
});
