import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import { IndexReader, IndexWriter } from '../../index/mod.ts';
import { DEFAULT_STEMMING } from '../../text/mod.ts';
import { MAX_QUERY_WORDS, parseQuery } from '../language/parse.ts';
import { addSegment, makeDocument, temporaryDirectory } from '../matching/naive.fixture.ts';
import { contentWordsOf, readLongText } from './long-query.ts';
import { lookUp, partStatisticsOf } from './statistics.ts';
import { termQueryOf } from './term-query.ts';
import { usesOf } from './word-use.ts';

const usesIn = (text: string) => {
  const query = termQueryOf(parseQuery(text), {
    docCounts: new Map([[DEFAULT_STEMMING, 1]]),
    frequencyOf: () => 1,
    spellingsOf: () => [],
  });
  return usesOf(text, query).map((use, at) => ({ ...use, term: query.words[at]! }));
};
const functionWords = (text: string) =>
  usesIn(text)
    .filter(({ isFunction }) => isFunction)
    .map(({ term }) => term);

test('a repeated word counts twice, in any form', () => {
  assert.deepEqual(
    usesIn('Compilers, and a compiler of compilers').map(({ term, count }) => [term, count]),
    [
      ['compil', 3],
      ['and', 1],
      ['a', 1],
      ['of', 1],
    ],
  );
});

test('function words are recognized, unless they are quoted or the whole query', () => {
  assert.deepEqual(functionWords('what does the frontier do'), ['what', 'doe', 'the', 'do']);
  assert.deepEqual(functionWords('the "the who" band'), []);
  assert.deepEqual(functionWords('tables with many to many relations'), ['with']);
  assert.deepEqual(functionWords('to be or not to be'), []);
});

test('a too long query keeps its rare words in their order', async (t) => {
  const index = temporaryDirectory(t);
  const writer = new IndexWriter(index, silentLog);
  const common = Array.from({ length: 80 }, (_, at) => `common${at}`);
  const documents = ['x', 'y', 'z'].map((name) =>
    makeDocument(`https://a.example/${name}`, `${common.join(' ')}${name === 'z' ? ' quark lepton' : ''}`),
  );
  await addSegment(index, writer, documents);
  writer.commit();
  writer.close();
  const reader = new IndexReader(index, silentLog);
  const contentWords = (text: string) => {
    const long = readLongText(text, DEFAULT_STEMMING);
    return contentWordsOf(long, [partStatisticsOf(lookUp(reader.segments, long.terms), long.terms)]);
  };
  const words = contentWords(`the quark ${common.join(' ')} of absent lepton`);
  const short = contentWords('a short text');
  reader.close();
  assert.equal(words.length, MAX_QUERY_WORDS);
  assert.equal(words[0], 'quark');
  assert.equal(words.at(-1), 'lepton');
  assert.ok(!words.includes('the') && !words.includes('absent'));
  assert.deepEqual(short, ['a', 'short', 'text']);
});
