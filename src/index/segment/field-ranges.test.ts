import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Field } from '../fields.ts';
import { fieldAt } from './field-ranges.ts';

test('the heaviest open mark gives the field, and plain text is body', () => {
  const field = fieldAt([
    { start: 0, end: 10, field: Field.heading },
    { start: 4, end: 6, field: Field.link },
    { start: 8, end: 20, field: Field.emphasis },
    { start: 30, end: 30, field: Field.heading },
    { start: 31, end: 35, field: Field.link },
    { start: 31, end: 33, field: Field.emphasis },
  ]);
  const expected: [number, Field][] = [
    [0, Field.heading],
    [5, Field.heading],
    [9, Field.heading],
    [10, Field.emphasis],
    [19, Field.emphasis],
    [20, Field.body],
    [30, Field.body],
    [32, Field.emphasis],
    [33, Field.link],
    [99, Field.body],
  ];
  for (const [offset, wanted] of expected) assert.equal(field(offset), wanted, `at ${offset}`);
});
