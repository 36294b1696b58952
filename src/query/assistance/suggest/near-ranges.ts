/**
 * Finds ranges of phrases that begin with the typed text except for one error: a wrong, missing or extra
 * letter, or two swapped letters. The first letter is assumed to be right, which is true for most typing
 * errors and keeps the search small: at each following place, every letter that any phrase has there is
 * tried, and the rest must match. The last letter cannot be wrong or extra, because the text without it was
 * the input one keystroke earlier.
 *
 * Letters are bytes here. Keys are folded, so this is exact for Latin scripts. In other scripts, letters that
 * differ only in their last byte are one error apart, all others two.
 */
import type { PhraseTable } from '../../../lexicon/mod.ts';

interface TrieNode {
  low: number;
  high: number;
  depth: number;
}

export function rootOf(table: PhraseTable): TrieNode {
  return { low: 0, high: table.count, depth: 0 };
}

/** Returns the phrases below `node` that continue with these bytes; null if there are none. */
export function descend(table: PhraseTable, node: TrieNode, bytes: Uint8Array, from = 0): TrieNode | null {
  let { low, high, depth } = node;
  for (let at = from; at < bytes.length; at++, depth++) {
    low = table.lowerBound(low, high, depth, bytes[at]!);
    if (low === high || table.byteAt(low, depth) !== bytes[at]!) return null;
    high = table.lowerBound(low, high, depth, bytes[at]! + 1);
  }
  return { low, high, depth };
}

export function* nearRanges(table: PhraseTable, typed: Uint8Array): Generator<TrieNode> {
  let node: TrieNode | null = rootOf(table);
  for (let at = 0; node !== null && at < typed.length; at++) {
    if (at > 0) yield* withErrorAt(table, node, typed, at);
    node = descend(table, node, typed.subarray(at, at + 1));
  }
}

/** Yields the ranges that match if the error is at `at`. `node` matches the typed text before `at`. */
function* withErrorAt(
  table: PhraseTable,
  node: TrieNode,
  typed: Uint8Array,
  at: number,
): Generator<TrieNode> {
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

/**
 * Yields the range that matches if the letters at `at` and `at + 1` were swapped. `child` matches the text up to `at`,
 * with the letter of `at + 1` at `at`.
 */
function* swapped(table: PhraseTable, child: TrieNode, typed: Uint8Array, at: number): Generator<TrieNode> {
  const second = descend(table, child, typed.subarray(at, at + 1));
  const rest = second && descend(table, second, typed, at + 2);
  if (rest) yield rest;
}

function* childrenOf(
  table: PhraseTable,
  { low, high, depth }: TrieNode,
): Generator<{ byte: number; child: TrieNode }> {
  for (let from = table.lowerBound(low, high, depth, 0); from < high; ) {
    const byte = table.byteAt(from, depth);
    const to = table.lowerBound(from, high, depth, byte + 1);
    yield { byte, child: { low: from, high: to, depth: depth + 1 } };
    from = to;
  }
}
