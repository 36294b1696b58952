import assert from 'node:assert/strict';
import { test } from 'node:test';
import { close, countsOf, evidenceOf, STATISTICS, word } from './evidence.fixture.ts';
import type { Evidence } from './evidence.ts';
import { builtInProfile, type ProfileName } from './profiles.ts';
import { COMPASS_TAGS, runWeight, tagWeight } from './published.ts';
import { explainScore } from './score.ts';

const explain = (name: ProfileName, words: Evidence['words'], rest: Partial<Evidence> = {}) => {
  const { total, shares } = explainScore(builtInProfile(name), STATISTICS, evidenceOf(words, rest));
  return { total, ...Object.fromEntries(shares.map(({ feature, value }) => [feature, value])) } as Record<
    string,
    number
  >;
};

test('compass: a run of length l weighs e^(l^l), and stays finite', () => {
  close(runWeight(1), Math.E);
  close(runWeight(2), Math.E ** 4);
  close(runWeight(3), Math.exp(27));
  assert.equal(runWeight(5), runWeight(6));
  assert.ok(Number.isFinite(runWeight(64) * 10_000));
});

test('compass: tags have the increments of the design', () => {
  assert.deepEqual(COMPASS_TAGS, {
    title: 0.3,
    h1: 0.1,
    h2: 0.08,
    h3: 0.066,
    h4: 0.04,
    h5: 0.033,
    other: 0.01,
  });
  const counts = countsOf({ title: 1, heading: 2, body: 3, link: 1 });
  close(tagWeight(counts, null), 0.3 + 2 * 0.08 + 4 * 0.01);
  close(tagWeight(counts, [1, 0, 1, 0, 0, 0]), 0.3 + 0.1 + 0.066 + 4 * 0.01);
  const six = countsOf({ heading: 6 });
  close(tagWeight(six, [1, 1, 1, 1, 1, 1]), 0.1 + 0.08 + 0.066 + 0.04 + 0.033 + 0.01);
});

test('compass: a score equals the value computed by hand', () => {
  // "http client … http" has runs of 2 words and of 1 word. http occurs twice and client once; the most
  // frequent word occurs 4 times.
  const words = [word('http', [5, 20]), word('client', [6])];
  const whole = { length: 40, maxFrequency: 4, norm: 1, headings: null, urlLength: 20, maxRank: 9 };
  const score = explain('compass', words, { length: 50, rank: 3, whole });
  close(score.hit, Math.E ** 4 + Math.E);
  close(score.logPageRank, Math.log(4));
  const weighted = (0.5 + 0.5 * (2 / 4)) * 0.02 * 40 + (0.5 + 0.5 * (1 / 4)) * 0.01 * 40;
  close(score.weightedFrequency, weighted);
  close(score.total, 0.45 * (Math.E ** 4 + Math.E) + 0.2 * Math.log(4) + 0.35 * weighted);
});

test('yase: a score equals the value computed by hand', () => {
  const words = [word('http', [0, 9], { counts: countsOf({ title: 1, body: 1 }), inHost: true }), null];
  const whole = { length: 90, maxFrequency: 2, norm: 6, headings: null, urlLength: 25, maxRank: 7 };
  const score = explain('yase', words, { length: 100, rank: 1, hostFill: 1, whole });
  // The vector of the document is (2 * 2, …). Its norm is 6 and its relative length 100/50. The vector of the
  // query is (2, 3), and its relative length 2/50.
  const cosine = (2 * 2 * 2 + 2 * 0.04) / (Math.hypot(6, 2) * Math.hypot(2, 3, 0.04));
  close(score.cosine, cosine);
  close(score.matches, 1 + 2);
  assert.equal(score.domain, 2);
  close(score.brevity, 1 / 5);
  close(score.pageRank, (10 * Math.log(2)) / Math.log(8));
  close(score.total, ((cosine * 3 * 2) / 5) * ((10 * Math.log(2)) / Math.log(8)));
});

test('yase: without ranks the factor is 1', () => {
  const whole = { length: 1, maxFrequency: 1, norm: 1, headings: null, urlLength: 1, maxRank: 0 };
  assert.equal(explain('yase', [word('http', [1]), null], { whole }).pageRank, 1);
});

test('snippet: a score equals the value computed by hand', () => {
  const words = [word('http', [5, 40], { counts: countsOf({ body: 1, url: 1 }) }), word('client', [14])];
  const score = explain('snippet', words, { urlDepth: 1 });
  close(score.tfIdf, (2 * (1 + Math.log(1)) + 3) / 5);
  // Positions 5 to 14 are ten positions, so both words are in one cluster.
  close(score.cluster, 1);
  close(score.url, 0.5 * (2 / 5) + 0.25 / 2);
  close(score.total, 1 + 1 + 0.2 + 0.125);
  close(explain('snippet', [word('http', [5]), word('client', [15])]).cluster, 3 / 5);
});

test('a word that is only in the URL is not a word of the text', () => {
  const inText = word('http', [5]);
  const inAddress = word('client', [60], { counts: countsOf({ url: 1 }) });
  const whole = { length: 40, maxFrequency: 1, norm: 6, headings: null, urlLength: 25, maxRank: 0 };
  const compass = explain('compass', [inText, inAddress], { whole });
  close(compass.hit, Math.E);
  close(compass.weightedFrequency, 0.01 * 40);
  const yase = explain('yase', [inText, inAddress], { whole });
  close(yase.cosine, explain('yase', [inText, null], { whole }).cosine!);
  close(yase.matches, 1 + 3);
  const snippet = explain('snippet', [inText, inAddress]);
  close(snippet.tfIdf, 2 / 5);
  close(snippet.cluster, 2 / 5);
});
