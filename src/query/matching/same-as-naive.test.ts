import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { type Directory, Random, silentLog, systemClock } from '../../base/mod.ts';
import type { IndexDocument } from '../../index/mod.ts';
import { parseQuery } from '../language/parse.ts';
import { openSearcher } from '../local-searcher.ts';
import { NAIVE_PROFILE, searchNaively, temporaryDirectory } from './naive.fixture.ts';
import {
  buildAtOnce,
  buildInRounds,
  LINKS,
  lookupsAmong,
  randomQuery,
  rankOf,
  SYNONYMS,
  signalsOf,
  textsOf,
} from './random-corpus.fixture.ts';

const QUERIES = 150;

test('matches, order and scores equal those of the naive engine, for any division into segments', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let corpus = 0; corpus < 3; corpus++) {
    const documents = new Map<string, IndexDocument>();
    const cut = temporaryDirectory(t);
    const whole = temporaryDirectory(t);
    await buildInRounds(cut, random, documents);
    await buildAtOnce(whole, documents);
    for (let n = 0; n < QUERIES; n++) {
      const query = randomQuery(random);
      const reading = parseQuery(query, lookupsAmong([...documents.values()]));
      const expected = searchNaively([...documents.values()], rankOf, reading, textsOf, signalsOf);
      for (const index of [cut, whole]) {
        assert.deepEqual(await search(index, query), expected, `seed ${seed}: ${query}`);
      }
    }
  }
});

async function search(index: Directory, query: string): Promise<{ url: string; score: number }[]> {
  const searcher = openSearcher(index, {
    log: silentLog,
    clock: systemClock,
    links: () => LINKS,
    synonyms: () => ({ known: SYNONYMS, version: '' }),
    profile: NAIVE_PROFILE,
  });
  const { results, total, partial } = await searcher.search({ query, offset: 0, limit: 200 });
  searcher.close();
  assert.equal(partial, false);
  assert.equal(total, results.length);
  return results.map(({ url, score }) => ({ url, score }));
}
