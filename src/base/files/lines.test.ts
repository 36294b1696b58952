import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../random.ts';
import { type Line, readLines } from './lines.ts';

async function linesOf(chunks: readonly Buffer[], maxBytes = 1000): Promise<Line[]> {
  async function* source(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  const lines: Line[] = [];
  for await (const line of readLines(source(), maxBytes)) lines.push(line);
  return lines;
}

test('lines are the same however the stream is cut into chunks', async () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 100; round++) {
    const texts = Array.from({ length: random.below(20) }, () => 'ä'.repeat(random.below(30)));
    const whole = Buffer.from(texts.map((text) => `${text}\n`).join(''));
    const chunks: Buffer[] = [];
    for (let at = 0; at < whole.length; ) {
      const end = at + 1 + random.below(40);
      chunks.push(whole.subarray(at, end));
      at = end;
    }
    const lines = await linesOf(chunks);
    assert.deepEqual(
      lines.map(({ bytes }) => bytes!.toString()),
      texts,
      `seed ${seed}, round ${round}`,
    );
    assert.deepEqual(
      lines.map(({ number }) => number),
      texts.map((_, at) => at + 1),
    );
  }
});

test('the last line needs no newline, and an empty stream has no lines', async () => {
  const texts = (await linesOf([Buffer.from('a\nb')])).map(({ bytes }) => bytes!.toString());
  assert.deepEqual(texts, ['a', 'b']);
  assert.deepEqual(await linesOf([]), []);
});

test('a line beyond the limit is measured but not returned, and the other lines are', async () => {
  const long = Array.from({ length: 100 }, () => Buffer.from('0123456789'));
  const chunks = [Buffer.from('before\n'), ...long, Buffer.from('\nafter\n')];
  const lines = await linesOf(chunks, 999);
  assert.deepEqual(
    lines.map(({ bytes, sizeBytes }) => bytes?.toString() ?? sizeBytes),
    ['before', 1000, 'after'],
  );
});
