import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latinDigits, plainFigures, readFigure } from './figures.ts';

test('decimal and group marks follow from the number itself or from its language', () => {
  const cases: [figure: string, english: string | null, german: string | null][] = [
    ['12', '12', '12'],
    ['1,234.5', '1234.5', '1234.5'],
    ['1.234,5', '1234.5', '1234.5'],
    ['1,234,567', '1234567', '1234567'],
    ['1.234', '1.234', '1234'],
    ['1,234', '1234', '1.234'],
    ['0.125', '0.125', '0.125'],
    ['0,5', '0.5', '0.5'],
    ['.5', '0.5', '0.5'],
    ['1.', '1.0', '1.0'],
    ['1.2.3', null, null],
    ['1,2,3', null, null],
    ['1,234.5,6', null, null],
    ['.', null, null],
  ];
  for (const [figure, english, german] of cases) {
    assert.equal(readFigure(figure, 'en'), english, figure);
    assert.equal(readFigure(figure, 'de'), german, `${figure} in German`);
  }
});

test('numbers are found in a text, also Arabic digits', () => {
  assert.equal(plainFigures('3,5 * (1.000 + 2)', 'de'), '3.5 * (1000 + 2)');
  assert.equal(plainFigures('10\u202f000 + 1 234 567,5', 'fr'), '10000 + 1234567.5');
  assert.equal(plainFigures('10 000', 'en'), '10 000');
  assert.equal(latinDigits('٣٫٥ × ١٬٠٠٠ و ۴'), '3.5 × 1,000 و 4');
});
