import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { inverseDocumentFrequency, termScore } from './bm25.ts';
import { DEFAULT_PROFILE as profile } from './profile.ts';
import { longestRun, smallestWindow } from './proximity.ts';
import { type Evidence, explainScore, staticScore, type WordEvidence } from './score.ts';

const STATISTICS = { docCount: 100, meanLength: 50, idfs: [2, 3], weight: 5 };

test('BM25 gives the values of the formula', () => {
  close(inverseDocumentFrequency(100, 10), Math.log(1 + 90.5 / 10.5));
  // Once in plain text in a document of mean length: tf (k1 + 1) / (tf + k1) = 2.2 / 2.2.
  close(termScore(profile, 3, 4, 1), 3);
  // Twice, in a document of twice the mean length: 2 * 2.2 / (2 + 1.2 * 1.75).
  close(termScore(profile, 3, 8, 2), (3 * 4.4) / 4.1);
});

test('a word is worth something even if every document has it, and more the rarer it is', () => {
  let last = Number.POSITIVE_INFINITY;
  for (let frequency = 1; frequency <= 100; frequency++) {
    const idf = inverseDocumentFrequency(100, frequency);
    assert.ok(idf > 0 && idf < last, `${frequency} documents`);
    last = idf;
  }
});

test('further occurrences help less and less, and length holds back', () => {
  const score = (frequency: number, length: number) => termScore(profile, 1, frequency, length);
  assert.ok(score(8, 1) - score(4, 1) > score(12, 1) - score(8, 1));
  assert.ok(score(400_000, 1) <= 2.2);
  assert.ok(score(4, 0.5) > score(4, 1) && score(4, 1) > score(4, 2));
});

test('the rank by links is bounded, grows slowly, and is nothing for an unknown page', () => {
  assert.equal(staticScore(profile, 0), 0);
  close(staticScore(profile, 1), 0.3);
  close(staticScore(profile, 7), 0.9);
  assert.equal(staticScore(profile, 1e9), profile.staticLimit);
});

test('the smallest window and the longest run are those that trying everything finds', () => {
  const seed = Date.now() >>> 0;
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const owners = Array.from({ length: random.between(1, 30) }, () => random.below(5));
    const lists = Array.from({ length: random.between(1, 4) }, (_, list) =>
      owners.flatMap((owner, position) => (owner === list ? [position] : [])),
    );
    const where = `seed ${seed}: ${JSON.stringify(lists)}`;
    assert.equal(smallestWindow(lists), naiveWindow(lists), where);
    assert.equal(longestRun(lists), naiveRun(lists), where);
  }
  assert.equal(smallestWindow([]), 0);
  assert.equal(longestRun([]), 0);
});

test('a document with both words beats one with more of a single word', () => {
  const both = explain([word('http', 4, [5]), word('client', 4, [50])]);
  const many = explain([null, word('client', 80, [1, 3, 5, 7, 9])]);
  assert.ok(both.total > many.total);
  assert.equal(both.coordination, 1);
  assert.equal(many.coordination, 0.6);
});

test('words side by side and in order beat the same words apart', () => {
  const total = (first: number, second: number) =>
    explain([word('http', 4, [first]), word('client', 4, [second])]).total;
  assert.ok(total(10, 11) > total(11, 10));
  assert.ok(total(11, 10) > total(10, 13));
  assert.ok(total(10, 13) > total(10, 40));
});

test('a fitting title, host and home page help, the rest of the title and the path hold back', () => {
  const words = (inTitle: number, inHost: boolean) => [{ ...word('http', 4, [1]), inTitle, inHost }, null];
  const plain = explain(words(0, false)).total;
  assert.ok(explain(words(1, false), { titleLength: 9 }).total > plain);
  assert.ok(
    explain(words(1, false), { titleLength: 1 }).total > explain(words(1, false), { titleLength: 9 }).total,
  );
  const host = (urlDepth: number, hostFill: number) => explain(words(0, true), { urlDepth, hostFill }).host;
  assert.ok(host(0, 1) > host(0, 0.5) && host(0, 1) > host(1, 1) && host(1, 1) > 0);
  assert.ok(
    explain(words(0, false), { urlDepth: 0 }).total > explain(words(0, false), { urlDepth: 4 }).total,
  );
});

test('the parts of a breakdown add up, and no bonus is negative', () => {
  const evidence = { rank: 3, titleLength: 4, hostFill: 0.5, urlDepth: 1 };
  const all = explain(
    [word('http', 16, [0, 9]), { ...word('client', 4, [10]), inTitle: 1, inHost: true }],
    evidence,
  );
  const bonuses = [all.proximity, all.order, all.title, all.host, all.shallow];
  const sum = all.text * all.coordination + all.static + bonuses.reduce((a, b) => a + b);
  close(all.total, sum);
  assert.ok(bonuses.every((bonus) => bonus > 0));
  close(all.text, all.terms[0]!.score + all.terms[1]!.score);
  const none = explain([null, null]);
  assert.equal(none.text, 0);
  assert.ok(
    Number.isFinite(explainScore(profile, { ...STATISTICS, idfs: [], weight: 0 }, evidenceOf([])).total),
  );
});

function word(term: string, frequency: number, positions: number[]): WordEvidence {
  return { term, frequency, positions, inTitle: 0, inHost: false };
}

function evidenceOf(words: (WordEvidence | null)[], rest: Partial<Evidence> = {}): Evidence {
  return { length: 50, titleLength: 3, urlDepth: 2, hostFill: 0, rank: 0, words, ...rest };
}

function explain(words: (WordEvidence | null)[], rest: Partial<Evidence> = {}) {
  return explainScore(profile, STATISTICS, evidenceOf(words, rest));
}

function naiveWindow(lists: readonly number[][]): number {
  if (lists.some((list) => list.length === 0)) return 0;
  let combinations: number[][] = [[]];
  for (const list of lists)
    combinations = combinations.flatMap((head) => list.map((next) => [...head, next]));
  return Math.min(...combinations.map((places) => Math.max(...places) - Math.min(...places) + 1));
}

function naiveRun(lists: readonly number[][]): number {
  let longest = 0;
  for (const [first, list] of lists.entries()) {
    for (const position of list) {
      let run = 1;
      while (lists[first + run]?.includes(position + run)) run++;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}

function close(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}
