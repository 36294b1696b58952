/**
 * The words of many documents in the order of a segment: by term, then by document, then by place.
 *
 * First the words are counted, for each stemming that the documents have. With the counts the host stems every word
 * once and decides under which term it goes, and as which of the term's forms. Then the words are laid out by term, for
 * some of the terms at a time: a counting sort, which keeps documents and places ascending.
 *
 *   document   where its tokens begin and end, stemming      three u32
 *   target     term, and in the top 8 bits the form          u32, per stemming and word
 *   pair       document, and in the top 8 bits the form; place
 */
import { place, startTokens, takeToken, word } from './tokens';

const DOCUMENT: usize = 12;
const LOW_BITS: u32 = 0xffffff;
/** Where a term begins that is not to be laid out now. */
const NOT_NOW: u32 = 0xffffffff;

/** Counts the words of each stemming; `counts` has `words` numbers for each of `stemmings`. */
export function countWords(documents: usize, docCount: u32, counts: usize, words: u32, stemmings: u32): void {
  memory.fill(counts, 0, (<usize>words * stemmings) << 2);
  for (let doc: u32 = 0; doc < docCount; doc++) {
    const row = documents + <usize>doc * DOCUMENT;
    const table = counts + ((<usize>load<u32>(row, 8) * words) << 2);
    const last: usize = load<u32>(row, 4);
    for (let at: usize = load<u32>(row); at < last; ) {
      at = takeToken(at);
      const count = table + ((<usize>word) << 2);
      store<u32>(count, load<u32>(count) + 1);
    }
  }
}

/**
 * `starts` has for each term where its words begin in `sorted`, or that they are not wanted, and is left with where they
 * end. `targets` has `words` numbers for each stemming.
 */
export function sortTokens(
  documents: usize,
  docCount: u32,
  targets: usize,
  words: u32,
  starts: usize,
  sorted: usize,
): void {
  for (let doc: u32 = 0; doc < docCount; doc++) {
    const row = documents + <usize>doc * DOCUMENT;
    const table = targets + ((<usize>load<u32>(row, 8) * words) << 2);
    const last: usize = load<u32>(row, 4);
    startTokens();
    for (let at: usize = load<u32>(row); at < last; ) {
      at = takeToken(at);
      const target = load<u32>(table + ((<usize>word) << 2));
      const slot = starts + ((<usize>(target & LOW_BITS)) << 2);
      const to = load<u32>(slot);
      if (to === NOT_NOW) continue;
      store<u32>(slot, to + 1);
      const pair = sorted + ((<usize>to) << 3);
      store<u32>(pair, doc | (target & ~LOW_BITS));
      store<u32>(pair, place, 4);
    }
  }
}
