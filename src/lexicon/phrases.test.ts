import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CorruptError, openDirectory } from '../base/mod.ts';
import { PhraseGatherer } from './phrase-gatherer.ts';
import { keyOf, PHRASES_NAME } from './phrases-format.ts';
import { openPhrases } from './phrases-reader.ts';
import { writePhrases } from './phrases-writer.ts';

test('a key is folded, with one space between words', () => {
  assert.equal(keyOf('  Node.js: the Café'), 'node js the cafe');
  assert.equal(keyOf('C++ & C#'), 'c++ c#');
});

test('a key keeps a space at its end', () => {
  assert.equal(keyOf('http '), 'http ');
});

test('phrases are read from the file in the order of their keys', (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-words-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const directory = openDirectory(path);
  assert.equal(openPhrases(directory), null);
  const gatherer = new PhraseGatherer(10);
  gatherer.addTitle('Zebra', 'https://a.example/z', 1);
  gatherer.addTitle('Äpfel', 'https://a.example/a', 1);
  gatherer.addText('plain words', 1);
  writePhrases(directory, { generation: 7, docs: 3 }, gatherer.finish());
  const table = openPhrases(directory)!;
  assert.deepEqual(table.origin, { generation: 7, docs: 3 });
  const phrases = [0, 1, 2].map((at) => table.phrase(at));
  assert.deepEqual(
    phrases.map(({ text, url }) => [text, url]),
    [
      ['Äpfel', 'https://a.example/a'],
      ['plain words', ''],
      ['Zebra', 'https://a.example/z'],
    ],
  );
  truncateSync(join(path, PHRASES_NAME), 60);
  assert.throws(() => openPhrases(directory), CorruptError);
});

test('a title is also a phrase without its site name, and has no URL if two pages have it', () => {
  const gatherer = new PhraseGatherer(10);
  gatherer.addTitle('Routing | Express', 'https://a.example/1', 1);
  gatherer.addTitle('Routing | Koa', 'https://a.example/2', 1);
  const phrases = gatherer.finish();
  assert.deepEqual([...phrases.keys()].sort(), ['routing', 'routing express', 'routing koa']);
  assert.equal(phrases.get('routing')!.url, '');
  assert.equal(phrases.get('routing express')!.url, 'https://a.example/1');
  assert.ok(phrases.get('routing')!.weight > phrases.get('routing koa')!.weight);
});

test('sentences, numbers and fragments are not phrases, and the lightest phrases are dropped first', () => {
  const gatherer = new PhraseGatherer(2);
  for (const text of ['x'.repeat(100), '12 34', 'ab']) gatherer.addText(text, 1);
  assert.equal(gatherer.finish().size, 0);
  for (const [weight, text] of ['one phrase', 'two phrase', 'three phrase'].entries())
    gatherer.addText(text, weight + 1);
  assert.deepEqual([...gatherer.finish().keys()].sort(), ['three phrase', 'two phrase']);
});

test('signs around a phrase are removed, code is left out, and names with colons stay whole', () => {
  const gatherer = new PhraseGatherer(100);
  gatherer.addText('» How-to guides¶', 1);
  gatherer.addText('◆ debug()', 1);
  gatherer.addText('C++ (the language)', 1);
  gatherer.addTitle('std::sort - reference', 'https://a.example/', 1);
  gatherer.addText('C# basics', 1);
  const texts = [...gatherer.finish().values()].map(({ text }) => text);
  assert.deepEqual(texts, [
    'How-to guides',
    'C++ (the language)',
    'std::sort - reference',
    'std::sort',
    'C# basics',
  ]);
});
