import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CorruptError, openDirectory } from '../base/mod.ts';
import { NaiveLexicon } from './lexicon.fixture.ts';
import { PhraseGatherer } from './phrase-gatherer.ts';
import { keyOf, nameOfTitle, phraseOfText, phraseOfTitle } from './phrase-rules.ts';
import { importanceOf, phrasesOfSegment } from './phrase-table.ts';
import { PHRASES_NAME } from './phrases-format.ts';
import { openPhrases } from './phrases-reader.ts';
import { writePhrases } from './phrases-writer.ts';
import { PhraseUse, USE_BITS } from './segments/segment-lexicon-format.ts';

test('a key is folded, with one space between words', () => {
  assert.equal(keyOf('  Node.js: the Café'), 'node js the cafe');
  assert.equal(keyOf('C++ & C#'), 'c++ c#');
});

test('a key keeps a space at its end', () => {
  assert.equal(keyOf('http '), 'http ');
});

test('anchor texts are read from the file in the order of their keys', (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-words-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const directory = openDirectory(path);
  assert.equal(openPhrases(directory), null);
  const gatherer = new PhraseGatherer(10);
  for (const text of ['Zebra', 'Äpfel', 'plain words', 'zebra']) gatherer.add(text, 1);
  writePhrases(directory, { generation: 7, docs: 3 }, gatherer.finish());
  const table = openPhrases(directory)!;
  assert.deepEqual(
    [0, 1, 2].map((at) => [table.phrase(at).text, table.popularity[at]]),
    [
      ['Äpfel', 1],
      ['plain words', 1],
      ['Zebra', 2],
    ],
  );
  truncateSync(join(path, PHRASES_NAME), 60);
  assert.throws(() => openPhrases(directory), CorruptError);
});

test('only the most popular anchor texts are kept', () => {
  const gatherer = new PhraseGatherer(2);
  for (const [weight, text] of ['one phrase', 'two phrase', 'three phrase'].entries())
    gatherer.add(text, weight + 1);
  assert.deepEqual([...gatherer.finish().keys()].sort(), ['three phrase', 'two phrase']);
});

test('the site name after a title is not part of the name', () => {
  assert.equal(nameOfTitle('Routing | Express'), 'Routing');
  assert.equal(nameOfTitle('std::sort - reference'), 'std::sort');
  assert.equal(nameOfTitle('How-to guides'), 'How-to guides');
});

test('sentences, numbers, fragments and code are not phrases, and signs around a phrase are removed', () => {
  for (const text of ['x'.repeat(100), '12 34', 'ab', '◆ debug()', 'a = b', 'index.html'])
    assert.equal(phraseOfText(text), null, text);
  assert.equal(phraseOfText('» How-to guides¶')?.text, 'How-to guides');
  assert.equal(phraseOfText('C++ (the language)')?.text, 'C++ (the language)');
  assert.equal(phraseOfTitle('JS')?.isSuggested, false);
});

test('a phrase weighs as much as its live pages, and has a URL if it is the title of one of them', () => {
  const naive = new NaiveLexicon();
  naive.urls.push('https://a.example/1', 'https://a.example/2', 'https://a.example/3');
  const use = (doc: number, bits: number) => (doc << USE_BITS) | bits;
  naive.phrases.push(
    { key: 'routing', text: 'Routing', usedBy: [use(0, PhraseUse.title), use(1, PhraseUse.title)] },
    { key: 'usage', text: 'Usage', usedBy: [use(1, PhraseUse.heading), use(2, PhraseUse.title)] },
    { key: 'js', text: 'JS', usedBy: [use(0, PhraseUse.name)] },
  );
  const lexicon = naive.asRead();
  const shown = (ranks: number[]) => {
    const table = phrasesOfSegment(lexicon, Float32Array.from(ranks));
    return [0, 1, 2].map((at) => [table.phrase(at).text, table.phrase(at).url, table.popularity[at]]);
  };
  assert.deepEqual(shown([0, 0, 0]), [
    ['JS', '', 0],
    ['Routing', '', 8],
    ['Usage', 'https://a.example/3', 5],
  ]);
  assert.deepEqual(shown([-1, 1, -1]), [
    ['JS', '', 0],
    ['Routing', 'https://a.example/2', 4 * importanceOf(1)],
    ['Usage', '', importanceOf(1)],
  ]);
});
