/**
 * The words of many documents in the order of a segment: by term, then by document, then by place.
 *
 * First the words are counted, for each stemming that the documents have. With the counts the host stems every word
 * once and decides under which term it goes, and as which of the term's forms. Then the words are laid out by term, in
 * one pass: a counting sort, which keeps documents and places ascending.
 *
 *   document   first token, last token + 1, stemming        three u32
 *   target     term, and in the top 8 bits the form          u32, per stemming and word
 *   pair       document, and in the top 8 bits the form; place
 */
import { tokensAt } from './gather';

const DOCUMENT: usize = 12;
const LOW_BITS: u32 = 0xffffff;

/** Counts the words of each stemming; `counts` has `words` numbers for each of `stemmings`. */
export function countWords(documents: usize, docCount: u32, counts: usize, words: u32, stemmings: u32): void {
  memory.fill(counts, 0, (<usize>words * stemmings) << 2);
  const tokens = tokensAt();
  for (let doc: u32 = 0; doc < docCount; doc++) {
    const row = documents + <usize>doc * DOCUMENT;
    const table = counts + ((<usize>load<u32>(row, 8) * words) << 2);
    const last = tokens + ((<usize>load<u32>(row, 4)) << 3);
    for (let from = tokens + ((<usize>load<u32>(row)) << 3); from < last; from += 8) {
      const count = table + ((<usize>load<u32>(from)) << 2);
      store<u32>(count, load<u32>(count) + 1);
    }
  }
}

/**
 * `starts` has for each term where its words begin in `sorted`, and is left with where they end. `targets` has `words`
 * numbers for each stemming.
 */
export function sortTokens(
  documents: usize,
  docCount: u32,
  targets: usize,
  words: u32,
  starts: usize,
  sorted: usize,
): void {
  const tokens = tokensAt();
  for (let doc: u32 = 0; doc < docCount; doc++) {
    const row = documents + <usize>doc * DOCUMENT;
    const table = targets + ((<usize>load<u32>(row, 8) * words) << 2);
    const last = tokens + ((<usize>load<u32>(row, 4)) << 3);
    for (let from = tokens + ((<usize>load<u32>(row)) << 3); from < last; from += 8) {
      const token = load<u64>(from);
      const target = load<u32>(table + ((<usize>(<u32>token)) << 2));
      const slot = starts + ((<usize>(target & LOW_BITS)) << 2);
      const to = load<u32>(slot);
      store<u32>(slot, to + 1);
      const pair = (token & 0xffffffff00000000) | <u64>(doc | (target & ~LOW_BITS));
      store<u64>(sorted + ((<usize>to) << 3), pair);
    }
  }
}
