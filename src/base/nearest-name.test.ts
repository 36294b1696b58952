import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from './nearest-name.ts';

const COMMANDS = ['search', 'serve', 'status', 'stop', 'up', 'url'];

for (const [typed, expected] of [
  ['serach', 'search'],
  ['stauts', 'status'],
  ['Searhc', 'search'],
  ['sop', 'stop'],
  ['ul', 'up'],
  ['urls', 'url'],
  ['delete', null],
  ['x', null],
  ['', null],
] as const) {
  test(`"${typed}" ${expected === null ? 'is near no command' : `was meant to be "${expected}"`}`, () => {
    assert.equal(nearestName(typed, COMMANDS), expected);
  });
}

test('the first of equally near names is returned', () => {
  assert.equal(nearestName('sto', ['stop', 'stow']), 'stop');
});
