import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../base/mod.ts';
import { IndexReader, IndexWriter } from '../index/mod.ts';
import { mostTelling } from './long-query.ts';
import { addSegment, makeDocument, temporaryDirectory } from './naive.fixture.ts';
import { MAX_WORDS } from './parse.ts';
import { usesOf } from './word-use.ts';

const functionWords = (text: string, words: string[], phrases: string[][] = []) =>
  words.filter((_, at) => usesOf(text, words, phrases)[at]!.isFunction);

test('what is said twice counts twice', () => {
  const uses = usesOf('Compilers, and compilers of compilers', ['compilers', 'and', 'of']);
  assert.deepEqual(
    uses.map(({ count }) => count),
    [3, 1, 1],
  );
});

test('function words are told from the others, unless they are quoted or all there is', () => {
  assert.deepEqual(functionWords('what is the frontier', ['what', 'is', 'the', 'frontier']), [
    'what',
    'is',
    'the',
  ]);
  assert.deepEqual(functionWords('the "the who" band', ['the', 'who', 'band'], [['the', 'who']]), []);
  assert.deepEqual(functionWords('to be or not to be', ['to', 'be', 'or', 'not']), []);
});

test('of a text that is too long the rare words of the index stay, in their order', async (t) => {
  const index = temporaryDirectory(t);
  const writer = new IndexWriter(index, silentLog);
  const common = Array.from({ length: 80 }, (_, at) => `common${at}`);
  const documents = ['x', 'y', 'z'].map((name) =>
    makeDocument(`https://a.example/${name}`, `${common.join(' ')}${name === 'z' ? ' quark lepton' : ''}`),
  );
  await addSegment(index, writer, documents);
  writer.commit('1');
  writer.close();
  const reader = new IndexReader(index, silentLog);
  const words = mostTelling(`the quark ${common.join(' ')} of absent lepton`, reader.segments);
  reader.close();
  assert.equal(words.length, MAX_WORDS);
  assert.equal(words[0], 'quark');
  assert.equal(words.at(-1), 'lepton');
  assert.ok(!words.includes('the') && !words.includes('absent'));
  assert.deepEqual(mostTelling('a short text', []), ['a', 'short', 'text']);
});
