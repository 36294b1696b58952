import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { Random } from '../base/mod.ts';
import { formOf } from './fold.ts';
import { isHalfPair, MAX_TERM_LENGTH, tokenize } from './tokenize.ts';

const TABLE: [string, string][] = [
  ['', ''],
  [' \n\t.,;', ''],
  ['The Quick fox', 'the quick fox'],
  ["Don't panic", "don't panic"],
  ['don’t', "don't"],
  ["'quoted' rock 'n' roll", 'quoted rock n roll'],
  ["undici's parents' Node.js's", 'undici parents node js'],
  ['s', 's'],
  ["'s é's", 's é'],
  ["O'REILLY'S", "o'reilly"],
  ['node.js utf-8 foo_bar a/b', 'node js utf 8 foo bar a b'],
  ['C++ c++17 notepad++, a+b', 'c++ c++ 17 notepad++ a b'],
  ['C# F#. issue#12 foo# c#sharp', 'c# f# issue 12 foo c sharp'],
  ['.NET on .net. ASP.NET x.net .network .nets é.net', '.net on .net asp net x net network nets é net'],
  ['@scope/name foo@bar.org', 'scope name foo bar org'],
  ['v24.1.0 x86_64 3,14', 'v24 1 0 x86 64 3 14'],
  ['Café naïve ÜBER Łódź Straße Øresund', 'café naïve über łódź straße øresund'],
  ['cafe\u0301 e\u0301e\u0301', 'café éé'],
  ['Ｆｕｌｌ ｗｉｄｔｈ ﬁne №', 'full width fine'],
  ['İstanbul ΣΊΣΥΦΟΣ σίσυφος', 'i\u0307stanbul σίσυφος σίσυφος'],
  ['ёлка Ёлка', 'ёлка ёлка'],
  ['हिन्दी', 'हिन्दी'],
  ['مُحَمَّد محمد', 'محمد محمد'],
  ['می\u200Cخواهم', 'میخواهم'],
  ['soft\u00ADhyphen zero\u2060width', 'softhyphen zerowidth'],
  ['東京都', '東京 京都'],
  ['東', '東'],
  ['東京tower塔', '東京 tower 塔'],
  ['すごい、カメラー', 'すご ごい カメ メラ ラー'],
  ['ｶﾞﾗｽ ガラス', 'ガラ ラス ガラ ラス'],
  ['한국어', '한국 국어'],
  ['𠮷野家', '𠮷野 野家'],
  ['𝐁𝐨𝐥𝐝 x²', 'bold x'],
  ['🙂smile🙂', 'smile'],
  ['\ud83d lone \udc00', 'lone'],
];

test('texts of the table give their terms', () => {
  for (const [text, expected] of TABLE) assert.equal(termsOf(text).join(' '), expected, text);
});

test('offsets are those of the characters that made the term', () => {
  const text = "🙂 Café's C++ 東京都 ＡＢ";
  const slices: string[] = [];
  tokenize(text, (_, start, end) => slices.push(text.slice(start, end)));
  assert.deepEqual(slices, ['Café', 'C++', '東京', '京都', 'ＡＢ']);
});

test('a term is cut at its limit and never inside a surrogate pair', () => {
  assert.deepEqual(termsOf('a'.repeat(1000)), ['a'.repeat(MAX_TERM_LENGTH)]);
  const astral = `x${'𐐨'.repeat(40)}`;
  assert.deepEqual(termsOf(astral), [`x${'𐐨'.repeat(31)}`]);
  assert.deepEqual(termsOf('é'.repeat(1000)), ['é'.repeat(MAX_TERM_LENGTH)]);
});

test('for any text, terms are not empty, offsets ascend, and words are lower-case', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: 40 }, () => String.fromCodePoint(randomCodePoint(random))).join('');
    let last = -1;
    tokenize(text, (term, start, end) => {
      const where = `seed ${seed}: ${JSON.stringify(text)} at ${start}`;
      assert.ok(term.length > 0 && term.length <= MAX_TERM_LENGTH, where);
      assert.ok(start > last && end > start && end <= text.length, where);
      assert.ok(term.isWellFormed(), where);
      assert.equal(formOf(term), term, where);
      last = start;
    });
  }
});

function termsOf(text: string): string[] {
  const terms: string[] = [];
  tokenize(text, (term) => terms.push(term));
  return terms;
}

function randomCodePoint(random: Random): number {
  const range = random.pick([
    [0x20, 0x7f],
    [0xa0, 0x600],
    [0x600, 0x1000],
    [0x3000, 0x3100],
    [0xac00, 0xad00],
    [0xfe00, 0xfff0],
    [0x1d400, 0x1d500],
    [0x20000, 0x20100],
  ] as const);
  return random.between(range[0], range[1] - 1);
}

test('one character of a script without spaces is half of a pair', () => {
  for (const word of ['年', '𠀀', 'กี']) assert.ok(isHalfPair(word), word);
  for (const word of ['年度', 'a', '2', '', 'กีฬ']) assert.ok(!isHalfPair(word), word);
});
