import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from './fold.ts';

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

test('marks that change the word stay', () => {
  assert.notEqual(fold('が'), fold('か'));
  assert.notEqual(fold('कि'), fold('क'));
});

test('folding twice is folding once, for every character', () => {
  for (let code = 0; code <= 0x2ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const once = fold(String.fromCodePoint(code));
    if (fold(once) !== once) assert.fail(`U+${code.toString(16)}: ${once} then ${fold(once)}`);
  }
});
