/**
 * Groups the words of a segment buffer by term. Each word is stemmed once for each set of stemming rules with
 * which it occurs. The words of a term are its forms; they get temporary numbers here, for sorting.
 *
 *   count     occurrences                                 u32, per stemming and word
 *   target    term, and in the top 8 bits the form        u32, per stemming and word
 *   total     occurrences of all words of a term          u32, per term
 *   first     the first use of a term in its chain; the highest bit is set if it has a form other than itself
 *                                                         u32, per term
 *   next      the next use of the same term               u32, per stemming and word
 *
 * A use is an index into the table of targets. The uses of a term are linked in ascending order. English words
 * in ASCII are stemmed here; for other words JavaScript is called.
 */
import { stemEnglish } from './stem-english';
import { add, find, recordOf, termCount } from './terms';

/**
 * A JavaScript function that stems the word at `from` and writes the term to `to`. Returns the length of the
 * term.
 */
declare function stemOf(from: usize, length: u32, stemming: u32, to: usize): u32;

export const TERM_MASK: u32 = 0xffffff;
export const FORM_SHIFT: u32 = 24;
export const MAX_FORMS: u32 = 256;
export const NO_USE: u32 = 0x7fffffff;
const HAS_OTHERS: u32 = 0x80000000;
/**
 * Ways to stem words in ASCII. Words with the rule `ENGLISH` are stemmed in this file, words with `UNSTEMMED`
 * stay as they are, and JavaScript stems all other words.
 */
const ENGLISH: u32 = 1;
const UNSTEMMED: u32 = 2;

/**
 * The number of words. In the table of terms, words have numbers below this one, and stems that are not words
 * have higher numbers.
 */
export let words: u32 = 0;
export let uses: u32 = 0;
export let counts: usize = 0;
export let targets: usize = 0;
let totals: usize = 0;
let firsts: usize = 0;
let nexts: usize = 0;
/** The address of a buffer for a stem; there are 8 zero bytes before it. */
let stem: usize = 0;

/** Starts to group `wordCount` words for `stemmings` sets of stemming rules. The words are already counted. */
export function startGroups(
  stemAt: usize,
  wordCount: u32,
  stemmings: u32,
  countsAt: usize,
  targetsAt: usize,
): void {
  store<u64>(stemAt, 0);
  stem = stemAt + 8;
  words = wordCount;
  uses = wordCount * stemmings;
  counts = countsAt;
  targets = targetsAt;
}

/**
 * Finds the terms of the words with the numbers `from` to `end` by one set of stemming rules. `index` is the
 * index of this set in the segment buffer, and `stemming` is its number in JavaScript. `rule` is `ENGLISH`,
 * `UNSTEMMED` or another number for words that JavaScript stems.
 */
export function stemWords(index: u32, stemming: u32, rule: u32, from: u32, end: u32): void {
  const first = index * words;
  for (let word = from; word < end; word++) {
    const slot = (<usize>(first + word)) << 2;
    if (load<u32>(counts + slot) === 0) continue;
    store<u32>(targets + slot, termOfWord(word, stemming, rule));
  }
}

function termOfWord(word: u32, stemming: u32, rule: u32): u32 {
  const record = recordOf(word);
  const from = record + 8;
  const length = load<u32>(record, 4);
  let bits: u32 = 0;
  let hasSigns = false;
  for (let at = from; at < from + length; at++) {
    const byte: u32 = load<u8>(at);
    bits |= byte;
    if (byte < 0x61 && byte !== 39) hasSigns = true;
  }
  if (bits < 0x80 && (hasSigns || rule === UNSTEMMED)) return word;
  const count =
    bits < 0x80 && rule === ENGLISH ? stemEnglish(from, length, stem) : stemOf(from, length, stemming, stem);
  store<u64>(stem + count, 0);
  const known = find(stem, count);
  return load<u32>(known !== 0 ? known : add(stem, count, 0, true));
}

/** Counts and links the uses of all terms, and numbers the forms of each term. */
export function linkTerms(totalsAt: usize, firstsAt: usize, nextsAt: usize): void {
  totals = totalsAt;
  firsts = firstsAt;
  nexts = nextsAt;
  memory.fill(totals, 0, (<usize>termCount) << 2);
  memory.fill(firsts, 0, (<usize>termCount) << 2);
  for (let term: u32 = 0; term < termCount; term++) store<u32>(firsts + ((<usize>term) << 2), NO_USE);
  for (let first = uses; first > 0; ) {
    first -= words;
    for (let word = words; word-- > 0; ) linkUse(first + word, word);
  }
  for (let term: u32 = 0; term < termCount; term++) if (hasOthers(term)) numberForms(term);
}

function linkUse(use: u32, word: u32): void {
  const slot = (<usize>use) << 2;
  const count = load<u32>(counts + slot);
  if (count === 0) return;
  const term = load<u32>(targets + slot);
  const total = totals + ((<usize>term) << 2);
  store<u32>(total, load<u32>(total) + count);
  const first = firsts + ((<usize>term) << 2);
  const known = load<u32>(first);
  store<u32>(nexts + slot, known & ~HAS_OTHERS);
  store<u32>(first, use | (known & HAS_OTHERS) | (word !== term ? HAS_OTHERS : 0));
}

function numberForms(term: u32): void {
  let count: u32 = 0;
  for (let use = firstUse(term); use !== NO_USE; use = nextUse(use)) {
    const earlier = earlierUse(use, term);
    const form =
      earlier !== NO_USE
        ? load<u32>(targets + ((<usize>earlier) << 2)) >> FORM_SHIFT
        : min(count++, MAX_FORMS - 1);
    store<u32>(targets + ((<usize>use) << 2), term | (form << FORM_SHIFT));
  }
}

/**
 * A use is a pair of a word and a set of stemming rules that map the word to a term. If an earlier set of rules
 * maps the same word to the same term, returns that earlier use; otherwise returns `NO_USE`.
 */
export function earlierUse(use: u32, term: u32): u32 {
  for (let other = use % words; other < use; other += words) {
    const slot = (<usize>other) << 2;
    if (load<u32>(counts + slot) !== 0 && (load<u32>(targets + slot) & TERM_MASK) === term) return other;
  }
  return NO_USE;
}

/** Returns true if a term has a form other than the term itself. */
export function hasOthers(term: u32): bool {
  return (load<u32>(firsts + ((<usize>term) << 2)) & HAS_OTHERS) !== 0;
}

export function firstUse(term: u32): u32 {
  return load<u32>(firsts + ((<usize>term) << 2)) & ~HAS_OTHERS;
}

export function nextUse(use: u32): u32 {
  return load<u32>(nexts + ((<usize>use) << 2));
}

export function totalOf(term: u32): u32 {
  return load<u32>(totals + ((<usize>term) << 2));
}
