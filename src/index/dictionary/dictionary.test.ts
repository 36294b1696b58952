import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { ByteReader, ByteWriter, Random, type RandomFile } from '../../base/mod.ts';
import { fold } from '../../text/mod.ts';
import type { TermEntry } from './dictionary-format.ts';
import { DictionaryReader, WordsReader } from './dictionary-reader.ts';
import { DictionaryWriter, WordsWriter } from './dictionary-writer.ts';

test('the worked example of the format is encoded byte by byte', () => {
  const writer = new DictionaryWriter();
  const forms = ['nods', 'nodding'].map((word) => ({ word, docCount: 1 }));
  writer.add({ term: 'nod', docCount: 2, postingsAt: 300, postingsBytes: 8, positionBytes: 30, forms });
  writer.add({ term: 'node', docCount: 1, postingsAt: 338, postingsBytes: 7, positionBytes: 2, forms: null });
  const nod = 'ac02' + '0500081e' + '02' + '317301' + '3464696e6701';
  const node = '3165' + '0272';
  assert.equal(writer.blocks().toString('hex'), `${nod}${node}`);
});

test('words are walked with their terms from any point, also words with two terms', () => {
  const terms = Array.from({ length: 90 }, (_, i) => `term${i + 10}`).sort();
  const words = terms.flatMap((term) => [
    { word: `${term.slice(0, 4)}ing`, term },
    { word: `${term}s`, term },
  ]);
  words.sort((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : a.term < b.term ? -1 : 1));
  const writer = new WordsWriter();
  for (const word of words) writer.add(word);
  const tables = new ByteWriter();
  writer.writeSamples(tables);
  const reader = new WordsReader(fileOf(writer.blocks()), 0, words.length, new ByteReader(tables.view()));
  for (const from of ['', 'term', 'term3ing', 'term49s', 'zz']) {
    assert.deepEqual(
      [...reader.words(from)],
      words.filter(({ word }) => word >= from),
      from,
    );
  }
});

test('every written term is found, and no other term is', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (const count of [0, 1, 31, 32, 33, 500]) {
    const entries = randomEntries(random, count);
    const reader = dictionaryOf(entries);
    for (const entry of entries) assert.deepEqual(reader.find(entry.term), entry, `seed ${seed}`);
    for (const absent of ['', '0', 'a', 'zz', 'term-x', '\u{10ffff}x']) {
      assert.equal(reader.find(absent), null, `seed ${seed}: ${absent}`);
    }
    assert.deepEqual([...reader.terms()], entries, `seed ${seed}`);
  }
});

test('a word is found among its neighbours by bytes, also between words with a common prefix', () => {
  const terms = [
    'con',
    'cona',
    'conn',
    'connect',
    'connectable',
    'conné',
    'connéa',
    'coz',
    'c𠮷',
    'c𠮾',
    'c𠮾x',
  ];
  const entries = terms.sort().map((term, at) => ({
    term,
    docCount: 1,
    postingsAt: 20 * at,
    postingsBytes: 18,
    positionBytes: 2,
    forms: null,
  }));
  const reader = dictionaryOf(entries);
  for (const entry of entries) assert.deepEqual(reader.find(entry.term), entry, entry.term);
  for (const absent of ['co', 'connec', 'connects', 'connectab', 'connê', 'connéab', 'c𠮸', 'c𠮾y', 'd'])
    assert.equal(reader.find(absent), null, absent);
});

test('the other spellings of a word are found, also among random words', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const letters = ['a', 'à', 'ä', 'e', 'é', 's', 'ß', 'æ', 'z', 'ё', 'е', '東'];
  for (let round = 0; round < 40; round++) {
    const word = () => Array.from({ length: random.between(1, 4) }, () => random.pick(letters)).join('');
    const words = [...new Set(Array.from({ length: 100 }, word))].sort();
    const writer = new WordsWriter();
    for (const one of words) writer.add({ word: one, term: `${one}x` });
    const tables = new ByteWriter();
    writer.writeSamples(tables);
    const reader = new WordsReader(fileOf(writer.blocks()), 0, words.length, new ByteReader(tables.view()));
    for (const folded of Array.from({ length: 20 }, () => fold(word()))) {
      const expected = words.filter((one) => one !== folded && fold(one) === folded).slice(0, 16);
      assert.deepEqual(reader.spellingsOf(folded), expected, `seed ${seed}: ${folded}`);
    }
  }
});

test('terms are walked from any point, existing or not', () => {
  const entries = randomEntries(new Random(7), 200);
  const reader = dictionaryOf(entries);
  for (const from of ['', 'b', entries[3]!.term, entries[150]!.term, `${entries[31]!.term}~`, '\uffff']) {
    const expected = entries.filter(({ term }) => term >= from);
    assert.deepEqual([...reader.terms(from)], expected, from);
  }
});

function dictionaryOf(entries: readonly TermEntry[]): DictionaryReader {
  const writer = new DictionaryWriter();
  for (const entry of entries) writer.add(entry);
  const tables = new ByteWriter();
  writer.writeSamples(tables);
  const file = fileOf(Buffer.concat([Buffer.alloc(10), writer.blocks()]));
  return new DictionaryReader(file, 10, entries.length, new ByteReader(tables.view()));
}

function fileOf(bytes: Buffer): RandomFile {
  const read = (position: number, length: number) => bytes.subarray(position, position + length);
  return { name: 'test', size: bytes.length, read, close() {} };
}

function randomEntries(random: Random, count: number): TermEntry[] {
  const terms = new Set<string>();
  while (terms.size < count) {
    const letters = ['ab', 'c', 'é', '東', '𠮷', '𠮾', '𐐨', '\ufb01'];
    terms.add(Array.from({ length: random.between(1, 6) }, () => random.pick(letters)).join(''));
  }
  let postingsAt = 1000;
  return [...terms].sort().map((term) => {
    const postingsBytes = random.between(1, random.pick([12, 100_000]));
    const positionBytes = random.below(random.pick([3, 20, 100_000]));
    const forms = random.chance(0.5)
      ? null
      : [`${term}s`, term, 'other'].map((word) => ({ word, docCount: 3 }));
    const docCount = random.between(1, 1000);
    const entry = { term, docCount, postingsAt, postingsBytes, positionBytes, forms };
    postingsAt += postingsBytes + positionBytes;
    return entry;
  });
}
