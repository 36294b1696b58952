import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { Random } from '../base/mod.ts';
import { fold, formOf } from './fold.ts';

test('spellings of one word fold to one form', () => {
  const same = [
    ['Café', 'CAFE\u0301', 'Ｃａｆé'],
    ['Straße', 'STRASSE', 'strasse'],
    ['Æsir', 'aesir'],
    ['ﬁle', 'FILE'],
    ['パリ', 'ﾊﾟﾘ'],
    ['한', '\u1112\u1161\u11ab'],
  ];
  for (const forms of same) assert.equal(new Set(forms.map(fold)).size, 1, forms.join(' '));
});

test('accents that distinguish words in their script stay', () => {
  assert.notEqual(fold('が'), fold('か'));
  assert.notEqual(fold('कि'), fold('क'));
});

test('folding twice equals folding once, for every character', () => {
  for (let code = 0; code <= 0x2ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const once = fold(String.fromCodePoint(code));
    if (fold(once) !== once) assert.fail(`U+${code.toString(16)}: ${once} then ${fold(once)}`);
  }
});

test('the form of a form is itself and has the same folded text, for every character', () => {
  for (let code = 0; code <= 0x2ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = String.fromCodePoint(code);
    const form = formOf(text);
    if (formOf(form) !== form) assert.fail(`U+${code.toString(16)}: ${form} then ${formOf(form)}`);
    if (fold(form) !== fold(text)) assert.fail(`U+${code.toString(16)}: ${fold(form)}, not ${fold(text)}`);
  }
});

test('a form keeps its accents, and loses case, width and points', () => {
  assert.equal(formOf('CAFE\u0301'), 'café');
  assert.equal(formOf('Ｃａｆé'), 'café');
  assert.equal(formOf('Straße'), 'straße');
  assert.equal(formOf('مُحَمَّد'), 'محمد');
});

test('letters of any script are folded alike, with or without ASCII letters beside them', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const letters: string[] = [];
  for (let code = 0x80; code < 0x30000; code++) {
    const letter = String.fromCodePoint(code);
    if (/^[\p{L}\p{N}]$/u.test(letter) && letter !== 'Σ') letters.push(letter);
  }
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: random.between(1, 4) }, () => random.pick(letters)).join('');
    assert.equal(fold(`É ${text}`), `e${fold(text)}`, `seed ${seed}: ${text}`);
    assert.equal(formOf(`É ${text}`), `é${formOf(text)}`, `seed ${seed}: ${text}`);
  }
});
