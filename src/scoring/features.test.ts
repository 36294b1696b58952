import assert from 'node:assert/strict';
import { test } from 'node:test';
import { close, countsOf, evidenceOf, STATISTICS, word } from './evidence.fixture.ts';
import type { Evidence } from './evidence.ts';
import { FEATURE_NAMES, type Feature, featuresOf } from './features.ts';
import { DEFAULT_PROFILE } from './profiles.ts';
import { explainScore } from './score.ts';

const profile = { ...DEFAULT_PROFILE, k1: 1.2, b: 0.75 };
const valueIn = (feature: Feature, words: Evidence['words'], rest: Partial<Evidence> = {}) =>
  featuresOf(profile, STATISTICS, evidenceOf(words, rest))[FEATURE_NAMES.indexOf(feature)];

test('text is BM25 over weighted fields, as a share of the weight', () => {
  // The word occurs once in the text of a document of mean length, so BM25 is 1 * 2.2 / (1 + 1.2) = 1. The
  // word has 2 of the weight 5 of the query.
  close(valueIn('text', [word('http', [7]), null]), 2 / 5);
  // The word occurs once in the title, which counts four times: 4 * 2.2 / (4 + 1.2).
  const inTitle = word('http', [0], { counts: countsOf({ title: 1 }) });
  close(valueIn('text', [inTitle, null]), ((2 / 5) * 8.8) / 5.2);
  // The document has twice the mean length: 2.2 / (1 + 1.2 * 1.75).
  close(valueIn('text', [word('http', [7]), null], { length: 100 }), ((2 / 5) * 2.2) / 3.1);
});

test('a word that is only in the URL is not text', () => {
  assert.equal(valueIn('text', [word('http', [90], { counts: countsOf({ url: 1 }) }), null]), 0);
});

test('complete is 1 for all words, and the square of the share for one of two', () => {
  close(valueIn('complete', [word('http', [1]), word('client', [9])]), 1);
  close(valueIn('complete', [null, word('client', [9])]), (3 / 5) ** 2);
});

test('pairs are neighbours of the query at the same distance in the document', () => {
  // The two words are adjacent once: min(2, 3) of 5, times 2.2 / 2.2.
  close(valueIn('pairs', [word('http', [10]), word('client', [11])]), 2 / 5);
  // The two words are adjacent twice: 2 * 2.2 / 3.2.
  close(valueIn('pairs', [word('http', [10, 20]), word('client', [11, 21])]), ((2 / 5) * 4.4) / 3.2);
  assert.equal(valueIn('pairs', [word('http', [11]), word('client', [10])]), 0);
});

test('a function word between two others is a gap of one', () => {
  const statistics = {
    ...STATISTICS,
    idfs: [2, 0.1, 3],
    rarities: [2, 1, 3],
    isFunction: [false, true, false],
  };
  const words = [word('history', [10]), null, word('computers', [12])];
  const values = featuresOf(profile, { ...statistics, weight: 5.1 }, evidenceOf(words));
  close(values[FEATURE_NAMES.indexOf('pairs')], 2 / 5.1);
});

test('longer runs count disproportionately', () => {
  const four = { ...STATISTICS, idfs: [1, 1, 1, 1], rarities: [1, 1, 1, 1], weight: 4, isFunction: [] };
  const run = (...positions: number[]) =>
    featuresOf(profile, four, evidenceOf(positions.map((at, i) => word(`w${i}`, [at]))))[
      FEATURE_NAMES.indexOf('run')
    ];
  close(run(1, 2, 3, 4), 1);
  close(run(1, 2, 3, 50), (2 / 3) ** 2);
  close(run(1, 2, 50, 51), (1 / 3) ** 2);
  assert.equal(run(4, 3, 2, 1), 0);
});

test('a passage counts by the words that it has, outside of title and URL', () => {
  close(valueIn('passage', [word('http', [10]), word('client', [49])]), 1);
  close(valueIn('passage', [word('http', [10]), word('client', [50])]), 3 / 5);
  close(valueIn('passage', [word('http', [0]), word('client', [20])]), 3 / 5);
  const inUrl = word('client', [11], { counts: countsOf({ url: 1 }) });
  close(valueIn('passage', [word('http', [10]), inUrl]), 2 / 5);
});

test('a word counts more the earlier it first occurs after the menus', () => {
  close(
    valueIn('early', [word('http', [20, 90]), word('client', [70])], { contentStart: 20 }),
    (2 + 3 / 2) / 5,
  );
  assert.equal(valueIn('early', [word('http', [10]), null], { contentStart: 20 }), 0);
});

test('the last part of the URL counts more if it has few other words', () => {
  const words = [word('http', [70], { counts: countsOf({ name: 1 }) }), null];
  close(valueIn('name', words, { nameLength: 1 }), 2 / 5);
  close(valueIn('name', words, { nameLength: 4 }), 1 / 5);
  // On a host that is called "client", the word weighs 0.3 * 3, and counts as if it were in the URL's last part.
  close(valueIn('name', [words[0]!, word('client', [9], { inHost: true })], { nameLength: 1 }), 1);
  assert.equal(valueIn('name', [word('http', [70], { counts: countsOf({ url: 1 }) }), null]), 0);
});

test('words of the host name choose the site, and the other words the page', () => {
  const words = [
    word('http', [5], { inHost: true }),
    word('client', [9], { counts: countsOf({ heading: 1 }) }),
  ];
  close(valueIn('site', words), 2 / 5);
  close(valueIn('heading', words), 3 / (3 + 0.3 * 2));
  const both = words.map((one) => ({ ...one, inHost: true, counts: countsOf({ heading: 1 }) }));
  close(valueIn('heading', both), 1);
  close(valueIn('site', both), 1);
});

test('a start page whose name, title or headings have all words is an entry', () => {
  const words = [
    word('http', [5], { inHost: true }),
    word('client', [9], { counts: countsOf({ title: 1 }) }),
  ];
  close(valueIn('entry', words, { isEntry: true }), 1);
  assert.equal(valueIn('entry', words), 0);
  close(valueIn('entry', [words[0]!, word('client', [9])], { isEntry: true }), (2 / 5) ** 2);
  const docs = { ...STATISTICS, isGeneric: [false, true] };
  const values = featuresOf(profile, docs, evidenceOf([words[0]!, null], { isEntry: true }));
  close(values[FEATURE_NAMES.indexOf('entry')], 1);
});

test('a title scores higher if it has few other words', () => {
  const words = [word('http', [0], { counts: countsOf({ title: 1 }) }), null];
  close(valueIn('title', words, { subjectLength: 1, subjectSize: 4 }), 2 / 5);
  close(valueIn('title', words, { subjectLength: 4, subjectSize: 8 }), (2 / 5) * 0.5);
  assert.equal(valueIn('title', [word('http', [9]), null]), 0);
});

test('a whole title leaves out the name of the site', () => {
  const words = [
    word('http', [3], { counts: countsOf({ title: 1 }), inHost: true }),
    word('client', [1], { counts: countsOf({ title: 1 }) }),
  ];
  assert.equal(valueIn('wholeTitle', words, { subjectStart: 1, subjectLength: 1, subjectSize: 6 }), 1);
  assert.equal(valueIn('wholeTitle', words, { subjectStart: 0, subjectLength: 2, subjectSize: 12 }), 0);
  const [, client] = words;
  const unnamed = word('http', [90], { inHost: true });
  assert.equal(
    valueIn('wholeTitle', [unnamed, client!], { subjectStart: 1, subjectLength: 1, subjectSize: 6 }),
    1,
  );
});

test('a part of an identifier is not the whole title, and an identifier without its ending is', () => {
  const inTitle = { counts: countsOf({ title: 1 }) };
  const title = { subjectStart: 0, subjectLength: 1, subjectSize: 18 };
  const part = [word('http', [0], inTitle), word('client', [0], inTitle)];
  assert.equal(valueIn('wholeTitle', part, { ...title, subjectSize: 20 }), 0);
  assert.equal(valueIn('wholeTitle', part, { ...title, subjectSize: 12 }), 1);
  const whole = [word('onhttpclientclos', [2], inTitle), word('client', [90], { inHost: true })];
  assert.equal(valueIn('wholeTitle', whole, { ...title, subjectLength: 4 }), 1);
});

test('a substitute fills a title only with its own letters', () => {
  const title = { subjectStart: 0, subjectLength: 3, subjectSize: 17 };
  const std = word('std', [0], { counts: countsOf({ title: 1 }) });
  const iterator = { counts: countsOf({ title: 1 }), share: 0.95 };
  const through = (term: string) => [{ term, weight: 0.95, frequency: 1 }];
  const part = word('frontinsertiter', [1], { ...iterator, through: through('iter') });
  assert.equal(valueIn('wholeTitle', [std, part], title), 0);
  const synonym = word('it', [1], { ...iterator, through: through('iteratortraits') });
  assert.equal(valueIn('wholeTitle', [std, synonym], title), 1);
});

test('a host name match counts most for the home page and a query without other words', () => {
  const words = [word('http', [0], { inHost: true }), word('client', [1], { inHost: true })];
  close(valueIn('host', words, { urlDepth: 0, hostFill: 1 }), 1);
  close(valueIn('host', words, { urlDepth: 1, hostFill: 1 }), 1 / 4);
  close(valueIn('host', words, { urlDepth: 0, hostFill: 0.25 }), 0.5);
  close(valueIn('host', [words[0]!, null], { urlDepth: 0, hostFill: 1 }), (2 / 5) ** 8);
});

test('url, anchor and exact are shares of the query', () => {
  const words = [word('http', [3], { counts: countsOf({ url: 1 }), inAnchors: 0.5, exact: 1 }), null];
  close(valueIn('url', words), 2 / 5);
  close(valueIn('anchor', words), 1 / 5);
  close(valueIn('exact', words), 2 / 5);
});

test('anchor votes are a field of BM25F and need no position in the page', () => {
  const fields = { ...profile.fields, body: 1, anchor: 2 };
  const called = word('http', [], { votes: 1.5 });
  const text = (words: Evidence['words']) =>
    featuresOf({ ...profile, fields }, STATISTICS, evidenceOf(words))[FEATURE_NAMES.indexOf('text')]!;
  close(text([called, null]), text([word('http', [0, 1, 2]), null]));
  close(text([word('http', [4], { votes: 1 }), null]), text([word('http', [0, 1, 2]), null]));
  close(valueIn('complete', [called, word('client', [1])]), 1);
  for (const feature of ['pairs', 'run', 'title'] as const)
    assert.equal(valueIn(feature, [called, word('client', [1])]), 0, feature);
});

test('query-independent features have their defined values', () => {
  close(valueIn('depth', [], { urlDepth: 0 }), 1);
  close(valueIn('depth', [], { urlDepth: 3 }), 1 / 4);
  close(valueIn('pageRank', [], { rank: 15 }), 4 / 8);
  close(valueIn('pageRank', [], { rank: 1e9 }), 1);
  close(valueIn('hostRank', [], { hostRank: 3 }), 2 / 8);
  close(valueIn('trust', [], { trust: 1 }), 0.5);
  close(valueIn('trust', [], { trust: 0 }), 0);
  close(valueIn('noFarm', [], { farm: 0.8 }), 0.2);
  close(valueIn('independent', [], { concentration: 0 }), 1);
  close(valueIn('freshness', [], { ageDays: 30 }), 0.5);
  close(valueIn('language', [], { isReadable: true }), 1);
  close(valueIn('quality', [], { quality: 0.7 }), 0.7);
  close(valueIn('length', [], { length: 140 }), 3 / 10);
  close(valueIn('ordinary', []), 1);
  close(valueIn('urlLanguage', [], { urlLanguage: 0.5 }), 0.5);
  close(valueIn('ordinary', [], { isAuxiliary: true }), 0);
  close(valueIn('feedback', [], { expansion: 0.4 }), 0.4);
});

test('a feature without data is 0 for every document', () => {
  for (const feature of [
    'hostRank',
    'trust',
    'noFarm',
    'independent',
    'freshness',
    'language',
    'quality',
    'anchor',
    'exact',
    'feedback',
  ] as const)
    assert.equal(valueIn(feature, [word('http', [1]), null]), 0, feature);
});

test('the shares of an explanation add up to the score, each weight times value times the weight of the query', () => {
  const words = [
    word('http', [0, 9], { counts: countsOf({ title: 1, body: 1 }), inHost: true }),
    word('client', [10]),
  ];
  const { total, is, shares, terms } = explainScore(
    profile,
    STATISTICS,
    evidenceOf(words, { rank: 3, urlDepth: 0 }),
  );
  assert.equal(is, 'sum');
  close(
    total,
    shares.reduce((sum, { share }) => sum + share, 0),
  );
  for (const { value, weight, share } of shares) close(share, 5 * weight * value);
  assert.ok(shares.every(({ share }) => share >= 0));
  const text = shares.find(({ feature }) => feature === 'text')!;
  close(
    text.value * (0.3 * 2 + 3),
    terms.reduce((sum, { score }) => sum + score, 0),
  );
});

test('an empty query and an empty document give a score', () => {
  const none = { ...STATISTICS, idfs: [], rarities: [], isFunction: [], weight: 0 };
  assert.ok(Number.isFinite(explainScore(profile, none, evidenceOf([])).total));
});
