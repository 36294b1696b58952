import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { Random } from '../base/mod.ts';
import { NaiveLexicon, vocabularyOf } from './lexicon.fixture.ts';
import { UNKNOWN_WORD } from './segments/word-table.ts';
import { Vocabulary } from './vocabulary.ts';

const tableOf = (...texts: string[]) => {
  const naive = new NaiveLexicon();
  for (const text of texts) naive.add(text);
  return naive.asRead().words;
};

test('words are counted as written, and pairs within a line, over all segments', () => {
  const vocabulary = new Vocabulary();
  vocabulary.setTables([tableOf('The event loop\nloop events'), tableOf('an event loop')]);
  const [event, loop, events] = ['event', 'loop', 'events'].map((word) => vocabulary.numberOf(word));
  assert.equal(vocabulary.total, 8);
  assert.equal(vocabulary.countOf(loop!), 3);
  assert.equal(vocabulary.together(event!, loop!), 2);
  assert.equal(vocabulary.together(loop!, events!), 1);
  assert.equal(vocabulary.together(loop!, loop!), 0);
  assert.equal(vocabulary.numberOf('missing'), UNKNOWN_WORD);
  assert.equal(vocabulary.countOf(UNKNOWN_WORD), 0);
  assert.equal(vocabulary.wordOf(event!), 'event');
});

test('the words of segments that are gone are unknown, and most of them make a vocabulary wasteful', () => {
  const [first, second] = [tableOf('event loop of the http client'), tableOf('event')];
  const vocabulary = new Vocabulary();
  vocabulary.setTables([first, second]);
  assert.equal(vocabulary.isWasteful, false);
  vocabulary.setTables([second]);
  assert.equal(vocabulary.numberOf('loop'), UNKNOWN_WORD);
  assert.deepEqual([...vocabulary.neighboursOf('lop')], []);
  assert.equal(vocabulary.countOf(vocabulary.numberOf('event')), 1);
  assert.equal(vocabulary.total, 1);
  assert.equal(vocabulary.isWasteful, true);
  vocabulary.setTables([second, first]);
  assert.equal(vocabulary.countOf(vocabulary.numberOf('event')), 2);
  assert.equal(vocabulary.isWasteful, false);
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
    const vocabulary = vocabularyOf([word, 1]);
    for (const typed of edits) {
      const found = [...vocabulary.neighboursOf(typed)].map((number) => vocabulary.wordOf(number));
      assert.ok(found.includes(word), `${typed} finds ${word}; seed ${seed}`);
    }
  }
});
