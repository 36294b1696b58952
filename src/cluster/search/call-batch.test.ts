import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeCalls, decodeReplies, encodeCalls, encodeReplies, MAX_BATCH_CALLS } from './call-batch.ts';
import { encodePart } from './shard-message.ts';

const REFUSED = { code: 'message-refused' };
const PART = encodePart('a part of both calls');

function headOf(shard: string) {
  return { shard, method: 'urls' as const, route: 7 };
}

test('calls and replies survive a message, and a common part is sent once', () => {
  const calls = ['s0', 's1'].map((shard) => ({ head: headOf(shard), parts: [encodePart(shard), PART] }));
  const message = encodeCalls(calls);
  assert.equal(message.length, 1 + 3);
  assert.deepEqual(decodeCalls(message), calls);
  const replies = [[PART], [PART, encodePart(1)]];
  assert.deepEqual(decodeReplies(encodeReplies(replies)), replies);
});

test('parts that are not calls of shards are refused', () => {
  const wrong: unknown[] = [
    null,
    'text',
    [null],
    [[headOf('s0')]],
    [[headOf('s0'), []]],
    [[headOf('s0'), [1]]],
    [[headOf('s0'), [-1]]],
    [[{ ...headOf('s0'), method: 'close' }, [0]]],
    [[{ ...headOf('s0'), method: 'constructor' }, [0]]],
    [[{ ...headOf('s0'), shard: 3 }, [0]]],
    Array.from({ length: MAX_BATCH_CALLS + 1 }, () => [headOf('s0'), [0]]),
  ];
  for (const heads of wrong)
    assert.throws(() => decodeCalls([encodePart(heads), PART]), REFUSED, JSON.stringify(heads));
  assert.throws(() => decodeCalls([]), REFUSED);
});
