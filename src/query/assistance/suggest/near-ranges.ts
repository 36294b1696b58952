/**
 * Finds the phrases that begin with the typed text except for one error: a wrong, missing or extra letter, or two
 * swapped letters. The first letter is assumed to be right, which is true for most typing errors and keeps the
 * search small. At each later position, every letter that some phrase has there is tried, and the rest of the text
 * must match. The last letter cannot be wrong or extra: suggestions for the text without it were shown one keystroke
 * earlier.
 *
 * A letter is a byte here. The keys of phrases are folded, so this is exact for Latin scripts. In other scripts,
 * letters that differ only in their last byte count as one error, other letters as two.
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

/**
 * Follows the bytes in the trie of phrases, starting at `node`. Returns the range of phrases that continue with
 * these bytes; null if there are none.
 */
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

/**
 * Yields the ranges of phrases that match if the typing error is at index `at` of the typed text. `node` is the
 * trie node for the typed text before `at`.
 */
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
 * Yields the range of phrases that match if the letters at `at` and `at + 1` were swapped. `child` is the trie
 * node for the text before `at`, followed by the letter at `at + 1`.
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
