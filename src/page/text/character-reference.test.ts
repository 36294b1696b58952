import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { decodeReferences } from './character-reference.ts';
import { LEGACY_NAMES, NAMED_CHARACTERS } from './named-characters.ts';

function inText(text: string): string {
  const bytes = Buffer.from(text);
  return decodeReferences(bytes, 0, bytes.length, false);
}

function inAttribute(text: string): string {
  const bytes = Buffer.from(text);
  return decodeReferences(bytes, 0, bytes.length, true);
}

test('every named reference gives the same character as parse5, with and without semicolon', () => {
  for (const name of NAMED_CHARACTERS.keys()) {
    for (const reference of [`&${name};`, `&${name}`, `&${name}z`, `&${name};;`]) {
      assert.equal(inText(reference), parsedText(reference), reference);
    }
  }
});

test('references in text are decoded as by parse5', () => {
  const cases = [
    ...[
      '&',
      '&&',
      '& amp;',
      '&;',
      '&#',
      '&#;',
      '&#x',
      '&#x;',
      '&#xg',
      '&#g',
      '&amp',
      '&amp;amp;',
      '&AMP;',
      '&Amp;',
    ],
    ...[
      '&notin;',
      '&notin',
      '&notit;',
      '&copy2024',
      '&unknown;',
      '&lt;b&gt;',
      '&#65',
      '&#65;',
      '&#x41',
      '&#X41;',
    ],
    ...[
      '&#128;',
      '&#x9f;',
      '&#x81;',
      '&#xd800;',
      '&#x110000;',
      '&#99999999999999999999;',
      '&#x1f600;',
      '&#38;amp;',
    ],
    ...['a&eacute;b&#233;c', '&eacute', '漢&amp;字', '&nbsp;', `&${'x'.repeat(99)};`],
  ];
  for (const text of cases) assert.equal(inText(text), parsedText(text), text);
});

test('a reference without semicolon in an attribute stays if a letter or digit follows', () => {
  const cases = [
    '?a=1&copy=2',
    '?a=1&copy2',
    '?a&copy;b',
    '?a&copy',
    '?a&amp;b&lt',
    '?x&notin=1',
    '?a&#65=1',
    '&sect;&sect&sect ',
  ];
  for (const value of cases) assert.equal(inAttribute(value), parsedAttribute(value), value);
});

test('the names without a semicolon are those of the standard', () => {
  assert.equal(LEGACY_NAMES.size, 106);
});

function parsedText(text: string): string {
  return (parseFragment(text).childNodes[0] as DefaultTreeAdapterTypes.TextNode).value;
}

function parsedAttribute(value: string): string {
  const element = parseFragment(`<a href="${value}">`).childNodes[0] as DefaultTreeAdapterTypes.Element;
  return element.attrs[0]!.value;
}
