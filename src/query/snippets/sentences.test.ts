import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProse, isSentenceStart } from './sentences.ts';

function sentencesOf(text: string): string[] {
  const starts = [...Array(text.length).keys()].filter((at) => isSentenceStart(text, at));
  return starts.map((start, at) => text.slice(start, starts[at + 1]).trim());
}

const whole = (text: string) => isProse(text, 0, text.length);

test('a sentence begins after a full stop and a space, in any script', () => {
  assert.deepEqual(sentencesOf('One. Two! "Three?" Four\nFive'), [
    'One.',
    'Two!',
    '"Three?"',
    'Four',
    'Five',
  ]);
  assert.deepEqual(sentencesOf('これはペンです。それも。'), ['これはペンです。', 'それも。']);
  assert.deepEqual(sentencesOf('यह एक है। वह दो है। ما هذا؟ هذا'), ['यह एक है।', 'वह दो है।', 'ما هذا؟', 'هذا']);
});

test('a dot after an abbreviation, an initial, a version or an item number does not end a sentence', () => {
  for (const text of [
    'Databases, e.g. SQLite, and J. Smith of the U.S. Army.',
    'Zahlen, z. B. drei.',
    'Node.js 8.12 it is.',
    '5. Run the program.',
    '2.10.3. Run the program.',
  ])
    assert.deepEqual(sentencesOf(text), [text]);
  assert.equal(sentencesOf('It came with version 3. Then it went.').length, 2);
});

test('running text is as long as a sentence, and ends like one', () => {
  assert.ok(whole('A sentence of some length that ends as it should.'));
  assert.ok(whole('A sentence of some length ends here. And one continues'));
  assert.ok(whole('これはかなり長いペンだと思います。'));
  assert.ok(!whole('Too short.'));
  assert.ok(!whole('http, request, fetch, caching, cache, subresource integrity, and so on'));
});
