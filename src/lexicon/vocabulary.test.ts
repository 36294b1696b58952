import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { Random } from '../base/mod.ts';
import { UNKNOWN_WORD, Vocabulary } from './vocabulary-reader.ts';
import { encodeVocabulary } from './vocabulary-writer.ts';
import { WordCounter } from './word-counter.ts';

function vocabularyOf(...texts: string[]): Vocabulary {
  const counter = new WordCounter();
  for (const text of texts) counter.add(text);
  return new Vocabulary(encodeVocabulary({ generation: 3, docs: texts.length }, counter.finish()));
}

test('words are counted as written, and pairs within a line', () => {
  const vocabulary = vocabularyOf('The event loop\nloop events', 'an event loop');
  const [event, loop, events] = ['event', 'loop', 'events'].map((word) => vocabulary.numberOf(word));
  assert.deepEqual(vocabulary.origin, { generation: 3, docs: 2 });
  assert.equal(vocabulary.total, 8);
  assert.equal(vocabulary.counts[loop!], 3);
  assert.equal(vocabulary.together(event!, loop!), 2);
  assert.equal(vocabulary.together(loop!, events!), 1);
  assert.equal(vocabulary.together(loop!, loop!), 0);
  assert.equal(vocabulary.numberOf('missing'), UNKNOWN_WORD);
  assert.equal(vocabulary.wordOf(event!), 'event');
});

test('rare words are dropped when there are too many', () => {
  const counter = new WordCounter({ words: 2, pairs: 10 });
  counter.add('a a a b b c');
  assert.deepEqual(
    [...counter.finish().words],
    [
      ['a', 3],
      ['b', 2],
    ],
  );
});

test('every word at edit distance one is found', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const letter = () => random.pick([...'abcdefgh']);
  for (let round = 0; round < 200; round++) {
    const word = Array.from({ length: random.between(3, 12) }, letter).join('');
    const at = random.below(word.length);
    const edits = [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + letter() + word.slice(at),
      word.slice(0, at) + letter() + word.slice(at + 1),
      word.slice(0, at) + word.slice(at + 1, at + 2) + word[at]! + word.slice(at + 2),
    ];
    const vocabulary = vocabularyOf(word);
    for (const typed of edits) {
      const found = [...vocabulary.neighboursOf(typed)].map((number) => vocabulary.wordOf(number));
      assert.ok(found.includes(word), `${typed} finds ${word}; seed ${seed}`);
    }
  }
});
