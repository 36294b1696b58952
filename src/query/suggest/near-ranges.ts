/**
 * Ranges of phrases that begin nearly as typed: one letter wrong, missing, too many, or two in the wrong order. The
 * first letter counts as right, which people's typing errors bear out and which keeps the walk small: at each of the
 * following places every letter that any phrase has there is tried, and the rest must fit as it is. The last letter
 * cannot be wrong or too many: without it the rest is a beginning that was typed before.
 *
 * Letters are bytes here. Keys are folded, so this is exact for Latin scripts; in others, letters that share all but
 * their last byte are one error apart and the rest two.
 */
import type { PhraseTable } from '../../words/mod.ts';

export interface Node {
  low: number;
  high: number;
  depth: number;
}

export function rootOf(table: PhraseTable): Node {
  return { low: 0, high: table.count, depth: 0 };
}

/** The phrases below `node` that go on with these bytes; null if there are none. */
export function descend(table: PhraseTable, node: Node, bytes: Uint8Array, from = 0): Node | null {
  let { low, high, depth } = node;
  for (let at = from; at < bytes.length; at++, depth++) {
    low = table.lowerBound(low, high, depth, bytes[at]!);
    if (low === high || table.byteAt(low, depth) !== bytes[at]!) return null;
    high = table.lowerBound(low, high, depth, bytes[at]! + 1);
  }
  return { low, high, depth };
}

export function* nearRanges(table: PhraseTable, typed: Uint8Array): Generator<Node> {
  let node: Node | null = rootOf(table);
  for (let at = 0; node !== null && at < typed.length; at++) {
    if (at > 0) yield* withErrorAt(table, node, typed, at);
    node = descend(table, node, typed.subarray(at, at + 1));
  }
}

/** `node` is what fits before `at`. */
function* withErrorAt(table: PhraseTable, node: Node, typed: Uint8Array, at: number): Generator<Node> {
  const tooMany = descend(table, node, typed, at + 1);
  if (tooMany && at + 1 < typed.length) yield tooMany;
  for (const { byte, child } of childrenOf(table, node)) {
    if (byte === typed[at]) continue;
    const wrong = descend(table, child, typed, at + 1);
    if (wrong && at + 1 < typed.length) yield wrong;
    const missing = descend(table, child, typed, at);
    if (missing) yield missing;
    if (byte === typed[at + 1]) yield* swapped(table, child, typed, at);
  }
}

/** `child` has the second of two letters in the place of the first. */
function* swapped(table: PhraseTable, child: Node, typed: Uint8Array, at: number): Generator<Node> {
  const second = descend(table, child, typed.subarray(at, at + 1));
  const rest = second && descend(table, second, typed, at + 2);
  if (rest) yield rest;
}

function* childrenOf(
  table: PhraseTable,
  { low, high, depth }: Node,
): Generator<{ byte: number; child: Node }> {
  for (let from = table.lowerBound(low, high, depth, 0); from < high; ) {
    const byte = table.byteAt(from, depth);
    const to = table.lowerBound(from, high, depth, byte + 1);
    yield { byte, child: { low: from, high: to, depth: depth + 1 } };
    from = to;
  }
}
