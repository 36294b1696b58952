import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random, silentLog } from '../../base/mod.ts';
import { type IndexDocument, IndexReader, IndexWriter, ResidentLists } from '../../index/mod.ts';
import { DEFAULT_PROFILE, lengthNorm, staticScore, termScore } from '../../scoring/mod.ts';
import { NO_DEADLINE } from '../deadline.ts';
import type { KernelQuery } from './kernel-query.ts';
import { KernelSearch } from './kernel-search.ts';
import { addSegment, makeDocument, temporaryDirectory } from './naive.fixture.ts';

/** A word of a test query: terms with their weights. */
interface GroupedWord {
  terms: { term: string; scale: number; mass: number }[];
  phraseLists: number;
}

interface GroupedQuery {
  words: GroupedWord[];
  phrases: number[][];
  weight: number;
}

interface Corpus {
  reader: IndexReader;
  documents: IndexDocument[];
  meanLength: number;
}

const rankOf = (fingerprint: bigint) => Number(fingerprint & 15n);

test('words with several lists equal a scan of all documents, to the last bit', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  const corpus = await randomCorpus(t, random);
  const kernel = new KernelSearch(16 * 1024 * 1024);
  for (let n = 0; n < 150; n++) {
    const query = randomQuery(random);
    const keep = random.pick([1, 10, 200, 5000]);
    const expected = searchNaively(corpus, query);
    const where = `seed ${seed}, query ${n}, best ${keep}: ${JSON.stringify(query)}`;
    for (const count of [true, false]) {
      const found = kernel.search(kernelQueryOf(corpus, query), DEFAULT_PROFILE, {
        keep,
        count,
        deadline: NO_DEADLINE,
      })!;
      if (count) assert.equal(found.total, expected.length, where);
      const matches = found.matches.map(({ segment, doc, score }) => ({
        fingerprint: segment.reader.table.fingerprints[doc]!,
        score,
      }));
      assert.deepEqual(matches, expected.slice(0, keep), where);
    }
  }
  corpus.reader.close();
});

test('the kernel and scoring/ have the same formula', () => {
  const random = new Random(11);
  const { calls } = new ResidentLists(0).kernel;
  calls.setUp(1024, DEFAULT_PROFILE.k1);
  for (let n = 0; n < 10_000; n++) {
    const idf = random.next() * 20;
    const frequency = random.between(1, 100_000);
    const relativeLength = random.next() * 50;
    const norm = lengthNorm(DEFAULT_PROFILE, relativeLength);
    const expected = termScore(DEFAULT_PROFILE, idf, frequency, relativeLength);
    assert.equal(calls.termScore(idf, frequency, norm), expected, `${idf} ${frequency} ${relativeLength}`);
  }
});

function searchNaively(
  { documents, meanLength }: Corpus,
  query: GroupedQuery,
): { fingerprint: bigint; score: number }[] {
  return documents
    .map((document) => ({ document, tokens: document.text.split(' ') }))
    .filter(({ tokens }) => isMatch(tokens, query))
    .map(({ document, tokens }) => {
      let sum = 0;
      let mass = 0;
      for (const { terms } of query.words) {
        let most = 0;
        for (const one of terms) {
          const count = tokens.filter((token) => token === one.term).length;
          if (count === 0) continue;
          sum += termScore(DEFAULT_PROFILE, one.scale, 4 * count, tokens.length / meanLength);
          most = Math.max(most, one.mass);
        }
        mass += most;
      }
      const rank = staticScore(
        DEFAULT_PROFILE,
        rankOf(document.fingerprint),
        document.isEntry ?? false,
        document.urlDepth,
      );
      return { document, score: sum * (mass / query.weight) + rank };
    })
    .sort((a, b) => b.score - a.score || (a.document.fingerprint < b.document.fingerprint ? -1 : 1))
    .map(({ document, score }) => ({ fingerprint: document.fingerprint, score }));
}

function isMatch(tokens: readonly string[], { words, phrases }: GroupedQuery): boolean {
  const has = (word: number) => words[word]!.terms.some(({ term }) => tokens.includes(term));
  if (phrases.length === 0) return [...words.keys()].some(has);
  const stands = (word: number, at: number) =>
    words[word]!.terms.slice(0, words[word]!.phraseLists).some(({ term }) => tokens[at] === term);
  return phrases.every((phrase) =>
    phrase.length === 1
      ? has(phrase[0]!)
      : tokens.some((_, start) => phrase.every((word, i) => stands(word, start + i))),
  );
}

function kernelQueryOf(
  { reader, meanLength }: Corpus,
  { words, phrases, weight }: GroupedQuery,
): KernelQuery {
  const { segments } = reader;
  return {
    segments,
    words: words.map(({ terms, phraseLists }) => ({
      lists: terms.map(({ term, scale, mass }) => ({
        entries: segments.map((segment) => segment.reader.findTerm(term)),
        scale,
        mass,
      })),
      phraseLists,
    })),
    phrases: phrases.map((phrase) => phrase.map((word) => ({ word, forms: null }))),
    weight,
    meanLength,
  };
}

/**
 * Returns a random query of up to four words with up to four terms each. The first term of a word has the greatest
 * weight. No term is used twice.
 */
function randomQuery(random: Random): GroupedQuery {
  const used = new Set<string>();
  const words = Array.from({ length: random.between(1, 4) }, () => {
    const idf = 0.1 + 6 * random.next();
    const names = Array.from({ length: random.between(1, 4) }, () => randomWord(random)).filter((term) => {
      const isNew = !used.has(term);
      used.add(term);
      return isNew;
    });
    const terms = names.map((term, i) => {
      const weight = i === 0 ? 1 : random.next();
      return { term, scale: idf * weight, mass: random.chance(0.5) ? idf * weight : idf };
    });
    return { terms, phraseLists: random.between(0, terms.length), idf };
  }).filter(({ terms }) => terms.length > 0);
  const weight = words.reduce((sum, { idf }) => sum + idf, 0);
  const phrases = random.chance(0.5)
    ? []
    : Array.from({ length: random.between(1, 2) }, () =>
        Array.from({ length: random.between(1, 3) }, () => random.below(words.length)),
      );
  return { words, phrases, weight };
}

async function randomCorpus(t: TestContext, random: Random): Promise<Corpus> {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  const live: IndexDocument[] = [];
  let number = 0;
  for (const size of [1500, 400, 130, 3]) {
    const documents = Array.from({ length: size }, () =>
      makeDocument(`https://a.example/${number++}`, randomText(random)),
    );
    await addSegment(directory, writer, documents, rankOf);
    const gone = new Set(documents.filter(() => random.chance(0.1)));
    writer.deleteDocuments([...gone].map(({ fingerprint }) => fingerprint));
    live.push(...documents.filter((document) => !gone.has(document)));
  }
  writer.commit();
  writer.close();
  const length = live.reduce((sum, { text }) => sum + text.split(' ').length, 0);
  return { reader: new IndexReader(directory, silentLog), documents: live, meanLength: length / live.length };
}

function randomText(random: Random): string {
  const length = random.chance(0.01) ? 300 : random.between(1, 30);
  return Array.from({ length }, () => randomWord(random)).join(' ');
}

/** Returns a random word from w0, which is in most documents, to w59, which is in very few. */
function randomWord(random: Random): string {
  return `w${Math.floor(60 * random.next() ** 2.5)}`;
}
