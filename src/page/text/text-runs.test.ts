import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { endOfRun, useRuns } from './text-runs.ts';

const seed = testSeed();

test(`a run ends where a byte-by-byte scan ends it (seed ${seed})`, () => {
  const random = new Random(seed);
  const pieces = [
    'word',
    ' ',
    ' ',
    '  ',
    '\n',
    '<b>',
    '&amp;',
    '\0',
    'ä',
    '語',
    ', a longer stretch of plain text. ',
  ];
  for (let round = 0; round < 400; round++) {
    const text = Array.from({ length: 1 + random.below(60) }, () => pieces[random.below(pieces.length)]).join(
      '',
    );
    const source = Buffer.from(text);
    const other = Buffer.from(source);
    useRuns(source);
    for (let from = 1; from <= source.length; from++) {
      if (!isPlain(source[from - 1]!)) continue;
      const end = from + random.below(source.length - from + 1);
      assert.equal(
        endOfRun(source, from, end),
        endOfRun(other, from, end),
        JSON.stringify({ text, from, end }),
      );
    }
  }
});

test('a page that is too long for the kernel is parsed without it', () => {
  const source = Buffer.from(`${'word '.repeat(300_000)}<b>`);
  useRuns(source);
  assert.equal(endOfRun(source, 1, source.length), 300_000 * 5 - 1);
});

function isPlain(byte: number): boolean {
  return byte > 0x20 && byte < 0xc0 && byte !== 0x3c && byte !== 0x26;
}
