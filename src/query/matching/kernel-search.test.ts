import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random, silentLog } from '../../base/mod.ts';
import type { AnchorText } from '../../index/anchors/anchor-lists-format.ts';
import { Field, IndexReader, IndexWriter } from '../../index/mod.ts';
import { DEFAULT_PROFILE } from '../../scoring/mod.ts';
import { Synonyms } from '../assistance/synonyms/synonyms.ts';
import { NO_DEADLINE } from '../deadline.ts';
import { readQueryIn, statisticsIn } from '../gateway/read-query.fixture.ts';
import { lookUp } from '../terms/statistics.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { KernelSearch } from './kernel-search.ts';
import { addSegment, makeDocument, temporaryDirectory } from './naive.fixture.ts';

const CACHE_BYTES = 16 * 1024 * 1024;

const SYNONYMS = new Synonyms(
  [{ word: 'w1', other: 'walkdk' }],
  [{ first: 'w4', second: 'w20', weight: 0.3 }],
);

test('the kernel equals a scan of all documents, to the last bit', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  for (const [withRanks, withAnchors, isMixed] of [
    [true, true, true],
    [true, true, false],
    [true, false, true],
    [false, true, true],
    [false, false, false],
  ] as const) {
    const reader = await randomIndex(t, random, withRanks, withAnchors, isMixed);
    const kernels = [new KernelSearch(CACHE_BYTES), new KernelSearch(CACHE_BYTES, 640)];
    for (let n = 0; n < 120; n++) {
      const kernel = kernels[n % 2]!;
      const query = randomQuery(random);
      const keep = random.pick([1, 10, 200, 5000]);
      const expected = await run(reader, query, keep, true, null);
      const where = `seed ${seed}: ${query}, best ${keep}`;
      const counted = await run(reader, query, keep, true, kernel);
      assert.deepEqual(counted, expected, where);
      const { matches } = await run(reader, query, keep, false, kernel);
      assert.deepEqual(matches, expected.matches, where);
    }
    reader.close();
  }
});

test('with little memory for lists the results are the same', async (t) => {
  const random = new Random(3);
  const reader = await randomIndex(t, random, true);
  for (const cacheBytes of [0, 3000, 20_000]) {
    const kernel = new KernelSearch(cacheBytes);
    for (let n = 0; n < 40; n++) {
      const query = randomQuery(random);
      assert.deepEqual(
        await run(reader, query, 10, true, kernel),
        await run(reader, query, 10, true, null),
        query,
      );
    }
  }
  reader.close();
});

test('a phrase with more places than the kernel memory is still found', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  await addSegment(directory, writer, [makeDocument('https://a.example/', `${'b a '.repeat(200_000)}a b c`)]);
  await addSegment(directory, writer, [makeDocument('https://b.example/', 'a b c')]);
  writer.commit();
  writer.close();
  const reader = new IndexReader(directory, silentLog);
  const kernel = new KernelSearch(CACHE_BYTES);
  for (const query of ['"a b c"', '"b c a"', 'a b', '"b c"']) {
    const expected = await run(reader, query, 10, true, null);
    assert.deepEqual(await run(reader, query, 10, true, kernel), expected, query);
  }
  reader.close();
});

test('another profile gives other scores', async (t) => {
  const reader = await randomIndex(t, new Random(5), true);
  const kernel = new KernelSearch(CACHE_BYTES);
  for (const profile of [DEFAULT_PROFILE, { ...DEFAULT_PROFILE, k1: 2, b: 0.3 }, DEFAULT_PROFILE]) {
    const expected = await run(reader, 'w1 w20', 10, true, null, profile);
    assert.deepEqual(await run(reader, 'w1 w20', 10, true, kernel, profile), expected);
  }
  reader.close();
});

async function run(
  reader: IndexReader,
  text: string,
  keep: number,
  count: boolean,
  kernel: KernelSearch | null,
  profile = DEFAULT_PROFILE,
): Promise<Omit<Evaluation, 'matches'> & { matches: object[] }> {
  const query = await readQueryIn(reader, text, SYNONYMS);
  const searched = lookUp(reader.segments, query.terms);
  const statistics = statisticsIn(searched, query);
  const limits = { keep, count, deadline: NO_DEADLINE };
  const found = evaluate(query, searched, statistics, profile, limits, kernel);
  const matches = found.matches.map(({ segment, doc, score }) => ({ in: segment.reader.name, doc, score }));
  return { ...found, matches };
}

/**
 * Builds an index of several thousand documents in segments of different sizes, with common and rare words. Some
 * documents are deleted.
 */
async function randomIndex(
  t: TestContext,
  random: Random,
  withRanks: boolean,
  withAnchors = true,
  isMixed = false,
): Promise<IndexReader> {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  let number = 0;
  for (const size of [5000, 700, 130, 3]) {
    /** In the last segment all documents have the same language. */
    const languageOf = () => (isMixed && size > 3 ? random.pick(['en', 'en', 'en', 'de', 'fr']) : 'en');
    const documents = Array.from({ length: size }, () => {
      const start = random.below(60);
      const fieldRanges = random.chance(0.2) ? [{ start, end: start + 20, field: Field.heading }] : [];
      const document = makeDocument(`https://a.example/${number++}`, randomText(random), {
        title: random.chance(0.3) ? randomWord(random) : '',
        fieldRanges,
      });
      return { ...document, stored: { ...document.stored, language: languageOf() } };
    });
    const rankOf = (key: bigint) => (withRanks ? Number(key & 15n) : 0);
    const textsOf = () => (withAnchors && random.chance(0.4) ? randomAnchors(random) : []);
    await addSegment(directory, writer, documents, rankOf, textsOf);
    const gone = documents.filter(() => random.chance(size > 1000 ? 0.1 : 0));
    writer.deleteDocuments(gone.map(({ fingerprint }) => fingerprint));
  }
  writer.commit();
  writer.close();
  return new IndexReader(directory, silentLog);
}

function randomText(random: Random): string {
  const length = random.chance(0.01) ? 400 : random.between(1, 40);
  return Array.from({ length }, () => randomWord(random)).join(random.chance(0.9) ? ' ' : '\n');
}

function randomAnchors(random: Random): AnchorText[] {
  return Array.from({ length: random.between(1, 4) }, () => ({
    text: Array.from({ length: random.between(1, 4) }, () => randomWord(random)).join(' '),
    weight: 4 * random.next(),
  }));
}

/**
 * Returns a random word from w0, which is in most documents, to w79, which is in very few. Some words have several
 * forms.
 */
function randomWord(random: Random): string {
  const number = Math.floor(80 * random.next() ** 3);
  if (number % 3 > 0) return `w${number}`;
  return `walk${String.fromCharCode(97 + (number % 26))}k${random.pick(['', '', 'ing', 's', 'ed'])}`;
}

/** Returns a random word or prefix: `walka*` matches all forms of a stem, `walkaki*` only some. */
function randomPlain(random: Random): string {
  const word = randomWord(random);
  return random.chance(0.2) ? `${word.slice(0, random.between(2, 7))}*` : word;
}

function randomQuery(random: Random): string {
  const words = (count: number) => Array.from({ length: count }, () => randomWord(random)).join(' ');
  const clauses = Array.from({ length: random.between(1, 4) }, () =>
    random.chance(0.25)
      ? `"${words(random.between(1, 3))}"`
      : random.pick(['', '', '+']) + randomPlain(random),
  );
  return clauses.join(' ');
}
