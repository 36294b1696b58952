/**
 * Several calls in one message: the calls that a gateway makes at the same moment to shards of one search node.
 * A message costs far more than a call. Most parts of the calls, such as the query, are equal, and each
 * distinct part is sent once.
 */
import { GyreError } from '../../base/mod.ts';
import { decodePart, encodePart } from './shard-message.ts';
import { type RequestHead, readRequestHead } from './shard-responder.ts';

/** A message has at most 255 parts, and a reply has two for each call. */
export const MAX_BATCH_CALLS = 48;

export interface ShardCallParts {
  head: RequestHead;
  parts: readonly Buffer[];
}

export function encodeCalls(calls: readonly ShardCallParts[]): Buffer[] {
  const all = [...new Set(calls.flatMap(({ parts }) => parts))];
  const numberOf = new Map(all.map((part, number) => [part, number]));
  const heads = calls.map(({ head, parts }) => [head, parts.map((part) => numberOf.get(part)!)]);
  return [encodePart(heads), ...all];
}

/**
 * Decodes a request message into calls: `first` has the head of each call and the numbers of its parts, `all`
 * has the parts. Throws a `GyreError` if `first` is malformed or names a part that is not there.
 */
export function decodeCalls([first, ...all]: readonly Buffer[]): ShardCallParts[] {
  const heads = first ? decodePart(first) : null;
  if (!Array.isArray(heads) || heads.length > MAX_BATCH_CALLS) throw refused();
  return heads.map((entry: unknown) => {
    const [head, numbers] = Array.isArray(entry) ? entry : [];
    const parts = Array.isArray(numbers) ? numbers.map((number) => all[number]) : [];
    if (parts.length === 0 || !parts.every((part) => part !== undefined)) throw refused();
    return { head: readRequestHead(head), parts };
  });
}

export function encodeReplies(replies: readonly (readonly Buffer[])[]): Buffer[] {
  return [encodePart(replies.map(({ length }) => length)), ...replies.flat()];
}

/**
 * Decodes a reply message. Returns the parts of each reply, in the order of the calls. Throws a `GyreError` if
 * the numbers of parts do not fit the message.
 */
export function decodeReplies([first, ...all]: readonly Buffer[]): Buffer[][] {
  const counts: unknown = first ? decodePart(first) : null;
  if (!isListOfCounts(counts) || counts.reduce((sum, count) => sum + count, 0) !== all.length)
    throw refused('replies of shards');
  let end = 0;
  return counts.map((count) => {
    end += count;
    return all.slice(end - count, end);
  });
}

function isListOfCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((count) => Number.isSafeInteger(count) && count >= 0);
}

function refused(what = 'calls of shards'): GyreError {
  return new GyreError('message-refused', `expected ${what}, got something else`);
}
