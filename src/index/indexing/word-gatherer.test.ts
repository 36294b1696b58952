import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { STEMMINGS, termOf, tokenizeIdentifiers, UNSTEMMED } from '../../text/mod.ts';
import { Field, fieldOf, positionOf } from '../fields.ts';
import { WordGatherer } from './word-gatherer.ts';
import { PAIR_BYTES } from './word-sorter.ts';

const PIECES = [
  'word',
  'Node',
  'C++',
  '.NET',
  '.net',
  'c#',
  'é#',
  "don't",
  'don’t',
  "undici's",
  'undici’S',
  "'s",
  's',
  'Straße',
  'ﬁne',
  'CAFÉ',
  'e\u0301',
  '東京都',
  '東',
  'ｶﾞﾗｽ',
  '한국어',
  '𠮷野家',
  '𐐨𐐨',
  '𝐁𝐨',
  'हिन्दी',
  'مُحَمَّد',
  '\u00ad',
  '\u200d',
  '\ud83d',
  '🙂',
  '№',
  '½',
  'x'.repeat(70),
  'é'.repeat(300),
  'foo_bar',
  'MAX_SIZE_T',
  'vtkRenderWindow',
  'XMLHttpRequest',
  'RandomForestClassifier',
  '3',
  'v11',
  `${'ab_'.repeat(40)}c`,
];
const GAPS = [
  '',
  '',
  ' ',
  ' ',
  '\n',
  '.',
  '-',
  '_',
  "'",
  '’',
  '+',
  '++',
  '#',
  '\n\n',
  '\0',
  '::',
  '->',
  ':',
  '__',
];

test('the kernel splits text exactly as the tokenizer does, and groups words by their terms', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const words = new WordGatherer();
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: 30 }, () => random.pick(PIECES) + random.pick(GAPS)).join('');
    const fieldRanges = [
      { start: 5, end: 30, field: Field.link },
      { start: 20, end: 90, field: Field.heading },
      { start: 160, end: 161, field: Field.emphasis },
    ];
    words.clear();
    words.startDocument();
    const tokensAt = words.tokensEnd;
    const end = words.add(text, 100, Field.body, fieldRanges);
    const documents = Uint32Array.of(tokensAt, words.tokensEnd, 0);
    const stemming = random.pick([0, STEMMINGS.indexOf('de'), UNSTEMMED]);
    const groups = words.groupWords(documents, [stemming]);
    const texts = words.texts();
    const sorter = words.newSorter(groups, random.between(8, 300));
    const found: [string, number, number][] = [];
    let laidOut = 0;
    for (const [at, number] of groups.order.entries()) {
      if (at === laidOut) laidOut = sorter.layOut(groups.order, at);
      const end = sorter.endOf(number);
      const pairs = words.pairsOf(end - PAIR_BYTES * groups.totals[number]!, end);
      for (let i = 1; i < pairs.length; i += 2) {
        found.push([texts[number]!, positionOf(pairs[i]!), fieldOf(pairs[i]!)]);
      }
    }
    found.sort(byPosition);
    const tokens = tokensOf(text);
    const expected = tokens
      .map(([word, position, field]): [string, number, number] => [termOf(word, stemming), position, field])
      .sort(byPosition);
    assert.deepEqual(found, expected, `seed ${seed}: ${JSON.stringify(text)}`);
    assert.equal(end, (expected.at(-1)?.[1] ?? 99) + 1);
    const ascending = Array.from(groups.order, (number) => texts[number]!);
    const all = new Set([...expected, ...tokens].map(([word]) => word));
    assert.deepEqual(ascending, [...all].sort(), `seed ${seed}`);
  }
});

test('many terms are sorted', () => {
  const random = new Random(1);
  const text = Array.from({ length: 20_000 }, () => random.below(1e9).toString(random.between(2, 36))).join(
    ' ',
  );
  const words = new WordGatherer();
  words.add(
    `${text} \u{20000}\u{20001} \uffc7x \u{10428}\u{10429} \uff76 \ufb50 z\u{10428} z\ufb50`,
    0,
    Field.body,
    [],
  );
  const { order } = words.groupWords(new Uint32Array(0), []);
  const texts = words.texts();
  const ascending = Array.from(order, (number) => texts[number]!);
  assert.deepEqual(ascending, [...new Set(texts)].sort());
  assert.equal(ascending.length, words.termCount);
});

test('the kernel stems English words as the stemmer does', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const begin = [
    '',
    'gener',
    'commun',
    'arsen',
    'y',
    'b',
    'str',
    'app',
    'cri',
    'say',
    'ho',
    'ski',
    "o'",
    'succ',
  ];
  const end =
    "' 's 's' s ss us sses ied ies eed eedly ed edly ing ingly y ational tional enci anci abli entli izer ization ation " +
    'ator alism aliti alli fulness fulli ousli ousness iveness iviti biliti bli lessli logi ogi li alize icate iciti ical ' +
    'ful ness ative al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize sion tion ion e le ll tt';
  const syllables = [
    'a',
    'e',
    'i',
    'o',
    'u',
    'y',
    'at',
    'bl',
    'iz',
    'dd',
    'w',
    'x',
    'ay',
    'in',
    'n',
    'r',
    't',
    'l',
  ];
  const exceptions =
    'skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes inning outing ' +
    'canning herring earring proceed exceed succeed';
  const made = Array.from({ length: 20_000 }, () => {
    const middle = Array.from({ length: random.below(4) }, () => random.pick(syllables)).join('');
    return random.pick(begin) + middle + random.pick(end.split(' ')) + random.pick(['', '', 's', 'ly', 'ed']);
  });
  const words = new WordGatherer();
  words.startDocument();
  const tokensAt = words.tokensEnd;
  words.add([...exceptions.split(' '), ...made].join(' '), 0, Field.body, []);
  const documents = Uint32Array.of(tokensAt, words.tokensEnd, 0);
  const known = words.texts();
  const { order, targets } = words.groupWords(documents, [0]);
  const stems = known.map((word) => termOf(word, 0));
  const texts = words.texts();
  const all = Array.from(order, (number) => texts[number]!);
  assert.deepEqual(all, [...new Set([...known, ...stems])].sort(), `seed ${seed}`);
  for (const [number, stem] of stems.entries())
    assert.equal(texts[targets[number]! & 0xffffff], stem, known[number]);
});

function byPosition(a: [string, number, number], b: [string, number, number]): number {
  return a[1] - b[1] || (a[0] < b[0] ? -1 : 1);
}

/** Splits a text into tokens and returns the term, position and field of each. */
function tokensOf(text: string): [string, number, number][] {
  const tokens: [string, number, number][] = [];
  let position = 99;
  let lastEnd = 0;
  const fieldAt = (start: number) => {
    if (start >= 20 && start < 90) return Field.heading;
    if (start === 160) return Field.emphasis;
    return start >= 5 && start < 30 ? Field.link : Field.body;
  };
  const isNameAt = (start: number) => fieldAt(start) === Field.heading;
  tokenizeIdentifiers(text, isNameAt, (term, start, end, isExtra) => {
    if (!isExtra) position += text.slice(lastEnd, start).includes('\n') ? 3 : 1;
    lastEnd = end;
    tokens.push([term, position, fieldAt(start)]);
  });
  return tokens;
}
