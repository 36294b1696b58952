/**
 * The English stemmer of `src/text/stem/english.ts`, for bytes instead of strings. Most words of an index are
 * stemmed here. The rules have the same names and order in both files, and a test compares their results.
 *
 * The word is copied to a buffer, where the rules shorten and extend it at its end. `tail` has the last eight
 * bytes of the word as a number, the last byte lowest, so that a suffix is compared as one number. The bytes
 * before the word are 0, which equals no letter.
 */

const APOSTROPHE: u64 = 39;
const A: u64 = 97;
const B: u64 = 98;
const C: u64 = 99;
const D: u64 = 100;
const E: u64 = 101;
const F: u64 = 102;
const G: u64 = 103;
const H: u64 = 104;
const I: u64 = 105;
const K: u64 = 107;
const L: u64 = 108;
const M: u64 = 109;
const N: u64 = 110;
const O: u64 = 111;
const P: u64 = 112;
const R: u64 = 114;
const S: u64 = 115;
const T: u64 = 116;
const U: u64 = 117;
const V: u64 = 118;
const W: u64 = 119;
const X: u64 = 120;
const Y: u64 = 121;
const Z: u64 = 122;
/** The letter `Y`. During stemming, a `y` that is a consonant is written in upper case. */
const CONSONANT_Y: u64 = 89;

/** A bit set of the vowels a, e, i, o, u and y. Bit 0 is the letter a, bit 1 the letter b, and so on. */
const VOWELS: u32 = 0x1104111;
/**
 * A bit set of the letters after which the suffix `li` is removed: c, d, e, g, h, k, m, n, r and t. Bit 0 is
 * the letter a.
 */
const BEFORE_LI: u32 = 0xa34dc;

let word: usize = 0;
let end: usize = 0;
let tail: u64 = 0;
/**
 * The addresses where the regions R1 and R2 of the word begin. Most suffixes are removed only within a region.
 */
let r1: usize = 0;
let r2: usize = 0;

/**
 * Stems the word at `from`, which is followed by 8 zeros. Writes the stem, followed by 8 zeros, to `to`, and
 * returns its length. There must be 8 zeros before `to`, and room for the word and 16 more bytes after it.
 */
export function stemEnglish(from: usize, length: u32, to: usize): u32 {
  memory.copy(to, from, length);
  word = to;
  setEnd(to + length);
  if (length <= 2) return finish();
  if (length <= 6 && replaceException()) return finish();
  if (byteAt(word) === APOSTROPHE) {
    memory.copy(to, to + 1, length - 1);
    setEnd(end - 1);
  }
  markConsonantY();
  r1 = firstRegion();
  r2 = regionAfter(r1);
  cutPlural();
  if (isDoneAfterPlural()) return finish();
  cutPast();
  finalYToI();
  shortenLonger();
  shorten();
  cutLast();
  cutFinal();
  for (let at = word; at < end; at++) if (byteAt(at) === CONSONANT_Y) store<u8>(at, <u8>Y);
  return finish();
}

function finish(): u32 {
  store<u64>(end, 0);
  return <u32>(end - word);
}

function setEnd(to: usize): void {
  end = to;
  tail = bswap(load<u64>(end - 8));
}

function byteAt(at: usize): u64 {
  return load<u8>(at);
}

function two(a: u64, b: u64): u64 {
  return (a << 8) | b;
}

function three(a: u64, b: u64, c: u64): u64 {
  return (two(a, b) << 8) | c;
}

function four(a: u64, b: u64, c: u64, d: u64): u64 {
  return (three(a, b, c) << 8) | d;
}

function five(a: u64, b: u64, c: u64, d: u64, e: u64): u64 {
  return (four(a, b, c, d) << 8) | e;
}

function six(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64): u64 {
  return (five(a, b, c, d, e) << 8) | f;
}

function seven(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64): u64 {
  return (six(a, b, c, d, e, f) << 8) | g;
}

/**
 * Returns the last `count` letters of the word as a number, one byte per letter, with the last letter in the
 * lowest byte.
 */
function last(count: u64): u64 {
  return tail & (((<u64>1) << (8 * count)) - 1);
}

/** Returns true if the last `count` letters of the word are in the given region, R1 or R2. */
function isIn(count: usize, region: usize): bool {
  return end - count >= region;
}

function cut(count: usize): void {
  setEnd(end - count);
}

/** Replaces the last `count` letters of the word by the `size` letters in `letters`. */
function replace(count: usize, letters: u64, size: usize): void {
  const at = end - count;
  store<u64>(at, bswap(letters << (64 - 8 * size)));
  setEnd(at + size);
}

/** Replaces the last `count` letters of the word if they are in the region R1. */
function replaceInR1(count: usize, letters: u64, size: usize): void {
  if (isIn(count, r1)) replace(count, letters, size);
}

function cutInR2(count: usize): void {
  if (isIn(count, r2)) cut(count);
}

function isVowel(letter: u64): bool {
  const index = <u32>letter - 97;
  return index < 26 && ((VOWELS >> index) & 1) !== 0;
}

/**
 * If the word is an exception to the stemming rules, replaces it by its stem and returns true. Exceptions have
 * at most six letters, so `tail`, the last eight bytes, contains the whole word.
 */
function replaceException(): bool {
  const size = end - word;
  const whole = last(size);
  if (whole === four(S, K, I, S)) replace(size, three(S, K, I), 3);
  else if (whole === five(S, K, I, E, S)) replace(size, three(S, K, Y), 3);
  else if (whole === five(D, Y, I, N, G)) replace(size, three(D, I, E), 3);
  else if (whole === five(L, Y, I, N, G)) replace(size, three(L, I, E), 3);
  else if (whole === five(T, Y, I, N, G)) replace(size, three(T, I, E), 3);
  else if (whole === four(I, D, L, Y)) replace(size, three(I, D, L), 3);
  else if (whole === six(G, E, N, T, L, Y)) replace(size, five(G, E, N, T, L), 5);
  else if (whole === four(U, G, L, Y)) replace(size, four(U, G, L, I), 4);
  else if (whole === five(E, A, R, L, Y)) replace(size, five(E, A, R, L, I), 5);
  else if (whole === four(O, N, L, Y)) replace(size, four(O, N, L, I), 4);
  else if (whole === six(S, I, N, G, L, Y)) replace(size, five(S, I, N, G, L), 5);
  else
    return (
      whole === three(S, K, Y) ||
      whole === four(N, E, W, S) ||
      whole === four(H, O, W, E) ||
      whole === five(A, T, L, A, S) ||
      whole === six(C, O, S, M, O, S) ||
      whole === four(B, I, A, S) ||
      whole === five(A, N, D, E, S)
    );
  return true;
}

function markConsonantY(): void {
  for (let at = word; at < end; at++) {
    if (byteAt(at) === Y && (at === word || isVowel(byteAt(at - 1)))) store<u8>(at, <u8>CONSONANT_Y);
  }
  setEnd(end);
}

function firstRegion(): usize {
  const first = bswap(load<u64>(word));
  if (first >> 24 === five(G, E, N, E, R)) return word + 5;
  if (first >> 16 === six(C, O, M, M, U, N)) return word + 6;
  if (first >> 24 === five(A, R, S, E, N)) return word + 5;
  return regionAfter(word);
}

function regionAfter(from: usize): usize {
  let at = from;
  while (at < end && !isVowel(byteAt(at))) at++;
  while (at < end && isVowel(byteAt(at))) at++;
  return min(end, at + 1);
}

function cutPlural(): void {
  if (last(3) === three(APOSTROPHE, S, APOSTROPHE)) cut(3);
  else if (last(1) === APOSTROPHE) cut(1);
  else if (last(2) === two(APOSTROPHE, S)) cut(2);
  if (last(4) === four(S, S, E, S)) cut(2);
  else if (last(3) === three(I, E, D) || last(3) === three(I, E, S)) {
    if (end - word > 4) replace(3, I, 1);
    else replace(3, two(I, E), 2);
  } else if (last(2) === two(U, S) || last(2) === two(S, S)) return;
  else if (last(1) === S && end - word >= 2 && hasVowel(end - 2)) cut(1);
}

function hasVowel(to: usize): bool {
  for (let at = word; at < to; at++) if (isVowel(byteAt(at))) return true;
  return false;
}

function isDoneAfterPlural(): bool {
  const size = end - word;
  if (size === 6) {
    const whole = last(6);
    return (
      whole === six(I, N, N, I, N, G) || whole === six(O, U, T, I, N, G) || whole === six(E, X, C, E, E, D)
    );
  }
  if (size !== 7) return false;
  const whole = last(7);
  return (
    whole === seven(C, A, N, N, I, N, G) ||
    whole === seven(H, E, R, R, I, N, G) ||
    whole === seven(E, A, R, R, I, N, G) ||
    whole === seven(P, R, O, C, E, E, D) ||
    whole === seven(S, U, C, C, E, E, D)
  );
}

function cutPast(): void {
  let count: usize = 0;
  if (last(1) === D) {
    if (last(3) === three(E, E, D)) replaceInR1(3, two(E, E), 2);
    else if (last(2) === two(E, D)) count = 2;
  } else if (last(1) === Y) {
    if (last(5) === five(E, E, D, L, Y)) replaceInR1(5, two(E, E), 2);
    else if (last(5) === five(I, N, G, L, Y)) count = 5;
    else if (last(4) === four(E, D, L, Y)) count = 4;
  } else if (last(3) === three(I, N, G)) count = 3;
  if (count === 0 || !hasVowel(end - count)) return;
  cut(count);
  const pair = last(2);
  if (pair === two(A, T) || pair === two(B, L) || pair === two(I, Z)) replace(0, E, 1);
  else if (isDouble(pair)) cut(1);
  else if (r1 >= end && endsInShortSyllable(end)) replace(0, E, 1);
}

/** Returns true if the two letters are equal and one of b, d, f, g, m, n, p, r and t. */
function isDouble(pair: u64): bool {
  const letter = pair & 0xff;
  if (pair >> 8 !== letter) return false;
  return (
    letter === B ||
    letter === D ||
    letter === F ||
    letter === G ||
    letter === M ||
    letter === N ||
    letter === P ||
    letter === R ||
    letter === T
  );
}

/** Returns true if the word up to `to` ends in a short syllable, as the stemming algorithm defines it. */
function endsInShortSyllable(to: usize): bool {
  if (to - word < 2) return false;
  const final = byteAt(to - 1);
  if (!isVowel(byteAt(to - 2)) || isVowel(final)) return false;
  if (to - word === 2) return true;
  return !isVowel(byteAt(to - 3)) && final !== W && final !== X && final !== CONSONANT_Y;
}

function finalYToI(): void {
  const final = last(1);
  if ((final === Y || final === CONSONANT_Y) && end - word > 2 && !isVowel(byteAt(end - 2))) replace(1, I, 1);
}

function shortenLonger(): void {
  const final = last(1);
  if (final === I) shortenLongerI();
  else if (final === L) {
    if (last(7) === seven(A, T, I, O, N, A, L)) replaceInR1(7, three(A, T, E), 3);
    else if (last(6) === six(T, I, O, N, A, L)) replaceInR1(6, four(T, I, O, N), 4);
  } else if (final === R) {
    if (last(4) === four(I, Z, E, R)) replaceInR1(4, three(I, Z, E), 3);
    else if (last(4) === four(A, T, O, R)) replaceInR1(4, three(A, T, E), 3);
  } else if (final === N) {
    if (last(7) === seven(I, Z, A, T, I, O, N)) replaceInR1(7, three(I, Z, E), 3);
    else if (last(5) === five(A, T, I, O, N)) replaceInR1(5, three(A, T, E), 3);
  } else if (final === M) {
    if (last(5) === five(A, L, I, S, M)) replaceInR1(5, two(A, L), 2);
  } else if (final === S) {
    if (last(7) === seven(F, U, L, N, E, S, S)) replaceInR1(7, three(F, U, L), 3);
    else if (last(7) === seven(O, U, S, N, E, S, S)) replaceInR1(7, three(O, U, S), 3);
    else if (last(7) === seven(I, V, E, N, E, S, S)) replaceInR1(7, three(I, V, E), 3);
  }
}

function shortenLongerI(): void {
  if (last(6) === six(B, I, L, I, T, I)) replaceInR1(6, three(B, L, E), 3);
  else if (last(6) === six(L, E, S, S, L, I)) replaceInR1(6, four(L, E, S, S), 4);
  else if (last(5) === five(E, N, T, L, I)) replaceInR1(5, three(E, N, T), 3);
  else if (last(5) === five(A, L, I, T, I)) replaceInR1(5, two(A, L), 2);
  else if (last(5) === five(F, U, L, L, I)) replaceInR1(5, three(F, U, L), 3);
  else if (last(5) === five(O, U, S, L, I)) replaceInR1(5, three(O, U, S), 3);
  else if (last(5) === five(I, V, I, T, I)) replaceInR1(5, three(I, V, E), 3);
  else if (last(4) === four(E, N, C, I)) replaceInR1(4, four(E, N, C, E), 4);
  else if (last(4) === four(A, N, C, I)) replaceInR1(4, four(A, N, C, E), 4);
  else if (last(4) === four(A, B, L, I)) replaceInR1(4, four(A, B, L, E), 4);
  else if (last(4) === four(A, L, L, I)) replaceInR1(4, two(A, L), 2);
  else if (last(3) === three(B, L, I)) replaceInR1(3, three(B, L, E), 3);
  else if (last(3) === three(O, G, I)) {
    if (isIn(3, r1) && byteAt(end - 4) === L) cut(1);
  } else if (last(2) === two(L, I)) {
    const before = <u32>byteAt(end - 3) - 97;
    if (isIn(2, r1) && before < 26 && ((BEFORE_LI >> before) & 1) !== 0) cut(2);
  }
}

function shorten(): void {
  if (last(7) === seven(A, T, I, O, N, A, L)) replaceInR1(7, three(A, T, E), 3);
  else if (last(6) === six(T, I, O, N, A, L)) replaceInR1(6, four(T, I, O, N), 4);
  else if (last(4) === four(I, C, A, L)) replaceInR1(4, two(I, C), 2);
  else if (last(3) === three(F, U, L)) replaceInR1(3, 0, 0);
  else if (last(5) === five(A, L, I, Z, E)) replaceInR1(5, two(A, L), 2);
  else if (last(5) === five(I, C, A, T, E)) replaceInR1(5, two(I, C), 2);
  else if (last(5) === five(I, C, I, T, I)) replaceInR1(5, two(I, C), 2);
  else if (last(4) === four(N, E, S, S)) replaceInR1(4, 0, 0);
  else if (last(5) === five(A, T, I, V, E) && isIn(5, r1)) cutInR2(5);
}

function cutLast(): void {
  const final = last(1);
  const pair = last(2);
  const triple = last(3);
  const quad = last(4);
  if (final === T) {
    if (last(5) === five(E, M, E, N, T)) cutInR2(5);
    else if (quad === four(M, E, N, T)) cutInR2(4);
    else if (triple === three(A, N, T) || triple === three(E, N, T)) cutInR2(3);
  } else if (final === E) {
    if (quad === four(A, N, C, E) || quad === four(E, N, C, E)) cutInR2(4);
    else if (quad === four(A, B, L, E) || quad === four(I, B, L, E)) cutInR2(4);
    else if (triple === three(A, T, E) || triple === three(I, V, E) || triple === three(I, Z, E)) cutInR2(3);
  } else if (pair === two(A, L) || pair === two(E, R) || pair === two(I, C)) cutInR2(2);
  else if (triple === three(I, S, M) || triple === three(I, T, I) || triple === three(O, U, S)) cutInR2(3);
  else if (triple === three(I, O, N)) {
    const before = byteAt(end - 4);
    if (before === S || before === T) cutInR2(3);
  }
}

function cutFinal(): void {
  if (last(1) === E) {
    if (isIn(1, r2) || (isIn(1, r1) && !endsInShortSyllable(end - 1))) cut(1);
  } else if (last(2) === two(L, L) && isIn(1, r2)) cut(1);
}
