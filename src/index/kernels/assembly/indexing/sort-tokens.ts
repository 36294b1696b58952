/**
 * Sorts the words of many documents into the order of a segment: by term, then by document, then by place.
 *
 * First the words are counted, separately for each set of stemming rules. Then each word is stemmed once, which
 * gives its term and its form (group-words.ts). Last, the occurrences are sorted by term, for some of the terms
 * at a time. This is a counting sort, which keeps documents and places ascending.
 *
 *   document   start and end of its tokens, stemming         three u32
 *   target     term, and in the top 8 bits the form          u32, per stemming and word
 *   chosen     1 if this pass sorts the word's term        a bit, per stemming and word
 *   pair       an occurrence: document, with the form in the top 8 bits; place     two u32
 *
 * The bits of `chosen` are for speed: each pass skips most words, and all bits fit into the processor's cache,
 * while the targets do not.
 */
import { place, startTokens, takeToken, word } from './tokens';

const DOCUMENT: usize = 12;
const LOW_BITS: u32 = 0xffffff;
/** Marks a term whose occurrences are not sorted in the current pass. */
const NOT_NOW: u32 = 0xffffffff;

/**
 * Counts the occurrences of each word in the documents `from` to `end`. `counts` is an array of `words` counts
 * for each set of stemming rules.
 */
export function countWords(documents: usize, from: u32, end: u32, counts: usize, words: u32): void {
  for (let doc = from; doc < end; doc++) {
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
 * Sets the bits in `chosen` of the words whose occurrences are sorted in the current pass: the words whose
 * term has an entry other than `NOT_NOW` in `starts`.
 */
export function chooseWords(targets: usize, count: u32, starts: usize, chosen: usize): void {
  memory.fill(chosen, 0, (count + 7) >> 3);
  for (let word: u32 = 0; word < count; word++) {
    const target = load<u32>(targets + ((<usize>word) << 2));
    if (load<u32>(starts + ((<usize>(target & LOW_BITS)) << 2)) === NOT_NOW) continue;
    const bits = chosen + (word >> 3);
    store<u8>(bits, <u8>(<u32>load<u8>(bits) | (1 << (word & 7))));
  }
}

/**
 * Sorts the occurrences of the chosen words in the documents `from` to `end` into the array `sorted`. For each
 * term of the current pass, `starts` has the index in `sorted` at which the next occurrence of the term is
 * written. `targets` is an array of `words` terms for each set of stemming rules.
 */
export function sortTokens(
  documents: usize,
  from: u32,
  end: u32,
  targets: usize,
  words: u32,
  starts: usize,
  chosen: usize,
  sorted: usize,
): void {
  for (let doc = from; doc < end; doc++) {
    const row = documents + <usize>doc * DOCUMENT;
    const first = load<u32>(row, 8) * words;
    const table = targets + ((<usize>first) << 2);
    const last: usize = load<u32>(row, 4);
    startTokens();
    for (let at: usize = load<u32>(row); at < last; ) {
      at = takeToken(at);
      if (!isChosen(chosen, first + word)) continue;
      const target = load<u32>(table + ((<usize>word) << 2));
      const slot = starts + ((<usize>(target & LOW_BITS)) << 2);
      const to = load<u32>(slot);
      store<u32>(slot, to + 1);
      const pair = sorted + ((<usize>to) << 3);
      store<u32>(pair, doc | (target & ~LOW_BITS));
      store<u32>(pair, place, 4);
    }
  }
}

function isChosen(chosen: usize, index: u32): bool {
  return ((load<u8>(chosen + (index >> 3)) >> (index & 7)) & 1) !== 0;
}
