import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { inOrder, type Judgements, type Measures, meanOf, measure, measureRun } from './metrics.ts';
import { compareValues } from './significance.ts';
import { formatRun, parseQrels, parseTopics } from './trec-format.ts';

/** Test cases whose measures were calculated by hand, with four digits like the output of trec_eval. */
const CASES: { name: string; judged: [string, number][]; found: string[]; expected: Measures }[] = [
  {
    // The calculation: DCG = 2/1 + 1/2 = 2.5. The ideal DCG is 2 + 1/1.58496 + 1/2 = 3.13093. AP = (1/1 +
    // 2/3) / 3.
    name: 'grades count in nDCG alone',
    judged: [
      ['a', 2],
      ['b', 1],
      ['c', 1],
      ['d', 0],
    ],
    found: ['a', 'd', 'b'],
    expected: {
      'nDCG@10': 0.7985,
      MAP: 0.5556,
      MRR: 1,
      'P@10': 0.2,
      'recall@100': 0.6667,
      'success@1': 1,
      'success@3': 1,
    },
  },
  {
    // The calculation: the only relevant document is fourth, so nDCG is 1/log2(5) = 0.430677.
    name: 'what nobody judged is not relevant',
    judged: [['z', 1]],
    found: ['p', 'q', 'r', 'z'],
    expected: {
      'nDCG@10': 0.4307,
      MAP: 0.25,
      MRR: 0.25,
      'P@10': 0.1,
      'recall@100': 1,
      'success@1': 0,
      'success@3': 0,
    },
  },
  {
    name: 'below the tenth rank nDCG and precision see nothing',
    judged: [['z', 3]],
    found: [...'abcdefghijz'],
    expected: {
      'nDCG@10': 0,
      MAP: 0.0909,
      MRR: 0.0909,
      'P@10': 0,
      'recall@100': 1,
      'success@1': 0,
      'success@3': 0,
    },
  },
  {
    name: 'nothing found is nothing',
    judged: [['a', 1]],
    found: [],
    expected: { 'nDCG@10': 0, MAP: 0, MRR: 0, 'P@10': 0, 'recall@100': 0, 'success@1': 0, 'success@3': 0 },
  },
  {
    // A negative grade marks spam, which has no gain and is not relevant.
    name: 'negative grades have no gain, and a query without relevant documents has no value',
    judged: [
      ['a', -2],
      ['b', 0],
    ],
    found: ['a', 'b'],
    expected: { 'nDCG@10': 0, MAP: 0, MRR: 0, 'P@10': 0, 'recall@100': 0, 'success@1': 0, 'success@3': 0 },
  },
];

for (const { name, judged, found, expected } of CASES) {
  test(`measures equal values computed by hand: ${name}`, () => {
    const entries = found.map((doc, at) => ({ doc, score: 100 - at }));
    assert.deepEqual(rounded(measure(new Map(judged), entries)), expected);
  });
}

test('equal scores are ordered by falling identifier, and scores are compared as 32-bit floats', () => {
  const entries = [
    { doc: 'a', score: 1 },
    { doc: 'c', score: 1 + 1e-12 },
    { doc: 'b', score: 1 },
    { doc: 'd', score: 2 },
  ];
  assert.deepEqual(
    inOrder(entries).map(({ doc }) => doc),
    ['d', 'c', 'b', 'a'],
  );
});

test('measures equal a count of one document after the other', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 200; round++) {
    const names = Array.from({ length: 150 }, (_, at) => `d${at}`);
    const judged = new Map(names.filter(() => random.chance(0.2)).map((doc) => [doc, random.below(4)]));
    const entries = names
      .filter(() => random.chance(0.9))
      .map((doc) => ({ doc, score: random.below(1000) + random.next() }));
    const own = measure(judged, entries);
    const naive = measureSlowly(
      judged,
      entries.sort((a, b) => b.score - a.score).map(({ doc }) => doc),
    );
    for (const [metric, value] of Object.entries(naive)) {
      const difference = Math.abs(own[metric as keyof Measures] - value);
      assert.ok(
        difference < 1e-9,
        `seed ${seed}: ${metric} ${own[metric as keyof Measures]} is not ${value}`,
      );
    }
  }
});

test('the mean is over all judged queries, also those without results', () => {
  const qrels = parseQrels('1 0 a 1\n2 0 b 1\n', 'qrels');
  const run = new Map([
    ['1', [{ doc: 'a', score: 5 }]],
    ['3', [{ doc: 'c', score: 5 }]],
  ]);
  const measures = measureRun(qrels, run);
  assert.deepEqual([...measures.keys()], ['1', '2']);
  assert.equal(meanOf(measures.values()).MAP, 0.5);
});

test('no difference has p = 1, and a difference of all queries is significant', () => {
  const values = Array.from({ length: 12 }, (_, at) => at / 12);
  assert.deepEqual(compareValues(values, values), { difference: 0, p: 1 });
  const better = compareValues(
    values,
    values.map((value) => value + 0.05),
  );
  assert.ok(Math.abs(better.difference - 0.05) < 1e-9);
  // The probability that all twelve signs agree by chance is 1/2048.
  assert.ok(better.p < 0.002, `${better.p}`);
});

test('p is near its exact value over all combinations of signs', () => {
  const differences = [0.3, -0.1, 0.2, 0.05, -0.02, 0.15, 0.1, -0.05];
  const zero = differences.map(() => 0);
  const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0));
  let extreme = 0;
  for (let signs = 0; signs < 256; signs++) {
    const sum = differences.reduce((all, one, at) => all + ((signs >> at) & 1 ? one : -one), 0);
    if (Math.abs(sum) >= seen - 1e-12) extreme++;
  }
  assert.ok(Math.abs(compareValues(zero, differences).p - extreme / 256) < 0.02);
});

test('topics are parsed from lines and from the TREC format', () => {
  const expected = [
    { id: '7', text: 'a b, c' },
    { id: 'q-8', text: 'd' },
  ];
  assert.deepEqual(parseTopics('7\ta b, c\n\nq-8 d\r\n', 'f'), expected);
  const trec =
    '<top>\n<num> Number: 7\n<title> a b,\n c\n<desc> Description:\nx\n</top>\n<top><num>q-8</num><title>Topic: d</title></top>';
  assert.deepEqual(parseTopics(trec, 'f'), expected);
});

test('the error for a malformed line has file and line number', () => {
  assert.throws(() => parseQrels('1 0 a 1\n1 0 a\n', 'q.txt'), /q\.txt line 2: expected a judgement/);
  assert.throws(() => parseTopics('7\n', 't.tsv'), /t\.tsv line 1: expected a query/);
  assert.throws(() => parseTopics('<top><num>1</num></top>', 't'), /topic 1 lacks/);
});

test('a repeated query is rejected, and the last of repeated judgements counts', () => {
  assert.throws(
    () => parseTopics('1\ta\n2\tb\n1\tc', 'q.tsv'),
    /^UsageError: q\.tsv: query id 1 is used twice$/,
  );
  const topic = '<top> <num> Number: 7 <title> a </top>';
  assert.throws(() => parseTopics(topic + topic, 'q.trec'), /query id 7 is used twice/);
  assert.equal(parseQrels('1 0 d 1\n1 0 d 2', 'j').get('1')!.get('d'), 2);
});

test('a byte order mark is not part of the first query', () => {
  assert.deepEqual(parseTopics('\uFEFF1\ta', 'q.tsv'), [{ id: '1', text: 'a' }]);
});

test('a run is written with ranks and exact scores', () => {
  const run = new Map([
    [
      '1',
      [
        { doc: 'a', score: 0.1 + 0.2 },
        { doc: 'b', score: 1e-9 },
      ],
    ],
  ]);
  const text = formatRun(run, 'gyre');
  assert.equal(text.split('\n')[0], '1 Q0 a 1 0.30000000000000004 gyre');
});

function rounded(measures: Measures): Measures {
  const entries = Object.entries(measures).map(([metric, value]) => [metric, Number(value.toFixed(4))]);
  return Object.fromEntries(entries) as Measures;
}

function measureSlowly(judged: Judgements, docs: readonly string[]): Measures {
  const grade = (doc: string) => judged.get(doc) ?? 0;
  const relevant = [...judged.values()].filter((value) => value > 0);
  const out: Measures = {
    'nDCG@10': 0,
    MAP: 0,
    MRR: 0,
    'P@10': 0,
    'recall@100': 0,
    'success@1': 0,
    'success@3': 0,
  };
  let found = 0;
  for (let rank = 1; rank <= docs.length; rank++) {
    if (rank <= 10) out['nDCG@10'] += grade(docs[rank - 1]!) / (Math.log(rank + 1) / Math.log(2));
    if (grade(docs[rank - 1]!) <= 0) continue;
    found++;
    out.MAP += found / rank / relevant.length;
    if (found === 1) {
      out.MRR = 1 / rank;
      out['success@1'] = rank === 1 ? 1 : 0;
      out['success@3'] = rank <= 3 ? 1 : 0;
    }
    if (rank <= 10) out['P@10'] += 0.1;
    if (rank <= 100) out['recall@100'] += 1 / relevant.length;
  }
  const ideal = relevant.sort((a, b) => b - a).slice(0, 10);
  let best = 0;
  for (const [at, value] of ideal.entries()) best += value / (Math.log(at + 2) / Math.log(2));
  if (best > 0) out['nDCG@10'] /= best;
  return out;
}
