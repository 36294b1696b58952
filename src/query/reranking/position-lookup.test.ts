import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random, silentLog } from '../../base/mod.ts';
import { Field, IndexReader, IndexWriter } from '../../index/mod.ts';
import { DEFAULT_PROFILE } from '../../scoring/mod.ts';
import { KernelSearch } from '../matching/kernel-search.ts';
import { addSegment, makeDocument, temporaryDirectory } from '../matching/naive.fixture.ts';
import { asTerms, lookUp } from '../terms/statistics.ts';
import { wantedForms } from '../terms/term-query.ts';
import type { WordTerm } from '../terms/word-terms.ts';
import { formBits, frequenciesOf, placesOf, type TypedForms } from './position-lookup.ts';

const WORDS = ['run', 'running', 'runs', 'http', 'client', 'the', 'the', 'the'];
/** The query words as terms of the index. No document has the last one. */
const TERMS = ['run', 'http', 'the', 'absent'];
const WEIGHTS = [0, 0.5, 0, 0.25];
const WITH_CLIENT = asTerms(TERMS).map((own, at): WordTerm[] => {
  const client = { ...asTerms(['client'])[0]![0]!, weight: WEIGHTS[at]!, role: 'synonym' as const };
  return client.weight > 0 ? [...own, client] : own;
});

test('for given documents the kernel returns the same places as cursors over the file', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  const documents = Array.from({ length: 700 }, (_, at) => {
    const text = Array.from({ length: random.below(60) }, () => random.pick(WORDS)).join(' ');
    const fieldRanges = [{ start: 0, end: random.below(40), field: Field.heading }];
    return makeDocument(`https://a.example/${at}`, text, { title: random.pick(WORDS), fieldRanges });
  });
  await addSegment(directory, writer, [
    ...documents,
    makeDocument('https://a.example/long', 'run '.repeat(3000)),
  ]);
  writer.commit();
  writer.close();
  const index = new IndexReader(directory, silentLog);
  const searched = lookUp(index.segments, WITH_CLIENT);
  const one = searched[0]!;
  const forms: TypedForms = (word, entry) => formBits([wantedForms(entry, word === 0 ? 'running' : 'the')]);
  const look = { searched, meanLength: 30, profile: DEFAULT_PROFILE };
  const kernel = new KernelSearch(1024 * 1024);
  for (let round = 0; round < 50; round++) {
    const chosen = Uint32Array.from({ length: random.between(1, 300) }, () => random.below(701));
    const docs = new Uint32Array([...new Set(chosen)]).sort();
    const where = `seed ${seed}, round ${round}`;
    const plain = (words: readonly (ArrayLike<number> | null)[]) =>
      words.map((list) => list && Array.from(list));
    assert.deepEqual(
      plain(frequenciesOf({ ...look, kernel }, one, docs)),
      plain(frequenciesOf({ ...look, kernel: null }, one, docs)),
      where,
    );
    const occurrences = (kernel: KernelSearch | null) => {
      const places = placesOf({ ...look, kernel }, one, docs, forms);
      return one.lists.map((_, word) => Array.from(docs, (_, at) => places.of(word, at)));
    };
    assert.deepEqual(occurrences(kernel), occurrences(null), where);
  }
  const { typed, positions } = placesOf({ ...look, kernel }, one, Uint32Array.of(700), forms).of(0, 0)!;
  assert.deepEqual({ typed, count: positions.length }, { typed: 0, count: 500 });
  index.close();
});

test('lists that do not fit into the kernel memory are read from the file', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  await addSegment(directory, writer, [makeDocument('https://a.example/', 'run http run')]);
  writer.commit();
  writer.close();
  const index = new IndexReader(directory, silentLog);
  const searched = lookUp(index.segments, asTerms(['run']));
  const look = { searched, meanLength: 3, profile: DEFAULT_PROFILE, kernel: new KernelSearch(1) };
  const found = placesOf(look, searched[0]!, Uint32Array.of(0), () => 0n);
  assert.equal(found.of(0, 0)!.positions.length, 2);
  index.close();
});
