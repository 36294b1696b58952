/**
 * Estimates the probability that a user types one word for another, as an edit distance. This is the channel of the
 * noisy-channel model.
 *
 * An edit (Damerau's definition) is a wrong, missing or extra letter, or two swapped neighbours. The price of
 * an edit depends on how often typists make it: swaps, neighbouring keys, and doubled or halved letters are
 * cheap; an error in the first letter is expensive. A missing accent is cheap. But a user hardly ever types an
 * accented letter by mistake, so changing it to another letter is expensive. Each edit of price 1 divides the
 * probability by e^NATS_PER_EDIT.
 */
import { fold, MAX_TERM_LENGTH } from '../../../text/mod.ts';

const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const VOWELS = 'aeiouy';
const NATS_PER_EDIT = 5;

const PRICE = {
  ...{ swap: 0.9, near: 0.9, vowel: 1, other: 1.3, missing: 1, double: 0.8, extra: 1.1, first: 0.4 },
  ...{ accent: 0.5, meantAccent: 4 },
};
const FIRST_ACCENTED = 0x80;

/** The price of typing one ASCII character for another, and whether their keys are adjacent. */
const WRONG = new Float64Array(FIRST_ACCENTED * FIRST_ACCENTED).fill(PRICE.other);
const NEAR = new Uint8Array(FIRST_ACCENTED * FIRST_ACCENTED);
for (const one of VOWELS) for (const other of VOWELS) WRONG[pairOf(one, other)] = PRICE.vowel;
for (const [y, row] of ROWS.entries()) {
  for (const [x, key] of [...row].entries())
    for (const [otherY, otherRow] of ROWS.entries())
      for (const [otherX, other] of [...otherRow].entries()) {
        if (Math.abs(y - otherY) > 1 || Math.abs(x + y / 2 - otherX - otherY / 2) > 1) continue;
        NEAR[pairOf(key, other)] = 1;
        WRONG[pairOf(key, other)] = PRICE.near;
      }
}

function pairOf(one: string, other: string): number {
  return one.charCodeAt(0) * FIRST_ACCENTED + other.charCodeAt(0);
}

/**
 * Returns the logarithm of the probability of typing `typed` instead of `meant`; minus infinity if there are more
 * than `reach` edits.
 */
export function typingLikelihood(typed: string, meant: string, reach: number): number {
  if (typed === meant) return 0;
  if (Math.abs(typed.length - meant.length) > reach) return Number.NEGATIVE_INFINITY;
  if (leastEdits(typed, meant) > reach) return Number.NEGATIVE_INFINITY;
  const { edits, price } = distance(typed, meant);
  return edits <= reach ? -NATS_PER_EDIT * price : Number.NEGATIVE_INFINITY;
}

/**
 * Returns a lower bound of the number of edits between two words: an edit adds at most one letter to the letters
 * of a word and removes at most one. Letters are compared by their last five bits. Most words that are compared
 * with a typed word are ruled out by this.
 */
function leastEdits(typed: string, meant: string): number {
  const one = lettersIn(typed);
  const other = lettersIn(meant);
  return Math.max(bitCount(one & ~other), bitCount(other & ~one));
}

function lettersIn(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << word.charCodeAt(at);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** The width of the tables of the edit distance: the maximum word length, and one more for the empty prefix. */
const SIDE = MAX_TERM_LENGTH + 1;
const prices = new Float64Array(SIDE * SIDE);
const edits = new Uint8Array(SIDE * SIDE);
/** The characters of the two words that are compared. */
const typedCodes = new Uint16Array(SIDE);
const meantCodes = new Uint16Array(SIDE);

/**
 * Returns the price and the number of edits that change one word into the other most cheaply, by dynamic programming
 * over prefixes.
 */
function distance(typed: string, meant: string): { edits: number; price: number } {
  for (let i = 0; i < typed.length; i++) typedCodes[i] = typed.charCodeAt(i);
  for (let j = 0; j < meant.length; j++) meantCodes[j] = meant.charCodeAt(j);
  typedCodes[typed.length] = 0;
  for (let i = 0; i <= typed.length; i++) {
    const tooMany = i > 0 ? extraLetter(i - 1) : 0;
    for (let j = 0; j <= meant.length; j++) if (i + j > 0) fillIn(i, j, tooMany);
  }
  const last = typed.length * SIDE + meant.length;
  return { edits: edits[last]!, price: prices[last]! };
}

/**
 * Computes the cheapest edits between the first i letters of the typed word and the first j letters of the other;
 * `extra` is the price of the i-th letter if it is an extra letter. This is the inner loop of spelling correction,
 * so it allocates no objects.
 */
function fillIn(i: number, j: number, extra: number): void {
  const at = i * SIDE + j;
  const first = i <= 1 && j <= 1 ? PRICE.first : 0;
  const letter = i > 0 ? typedCodes[i - 1]! : 0;
  const wanted = j > 0 ? meantCodes[j - 1]! : 0;
  let from = at;
  let price = Number.POSITIVE_INFINITY;
  let isFree = 0;
  if (i > 0 && j > 0) {
    isFree = letter === wanted ? 1 : 0;
    from = at - SIDE - 1;
    price = prices[from]! + (isFree ? 0 : first + wrongLetter(letter, wanted));
  }
  const tooMany = i > 0 ? prices[at - SIDE]! + first + extra : Number.POSITIVE_INFINITY;
  if (tooMany < price) {
    from = at - SIDE;
    price = tooMany;
    isFree = 0;
  }
  const missing = j > 0 ? prices[at - 1]! + first + missingLetter(j - 1) : Number.POSITIVE_INFINITY;
  if (missing < price) {
    from = at - 1;
    price = missing;
    isFree = 0;
  }
  if (i > 1 && j > 1 && letter === meantCodes[j - 2] && typedCodes[i - 2] === wanted) {
    const swapped = prices[at - 2 * SIDE - 2]! + PRICE.swap;
    if (swapped < price) {
      from = at - 2 * SIDE - 2;
      price = swapped;
      isFree = 0;
    }
  }
  prices[at] = price;
  edits[at] = edits[from]! + 1 - isFree;
}

function missingLetter(at: number): number {
  return at > 0 && meantCodes[at] === meantCodes[at - 1] ? PRICE.double : PRICE.missing;
}

function wrongLetter(typed: number, meant: number): number {
  if (typed < FIRST_ACCENTED && meant < FIRST_ACCENTED) return WRONG[typed * FIRST_ACCENTED + meant]!;
  const [one, other] = [String.fromCharCode(typed), String.fromCharCode(meant)];
  if (isAccented(one) || isAccented(other)) {
    if (fold(one) === fold(other)) return PRICE.accent;
    if (isAccented(one)) return PRICE.meantAccent;
  }
  return PRICE.other;
}

/**
 * Returns the price of an extra letter in the typed word. The price is lower if the user seems to have hit a key
 * twice, or to have hit a neighbouring key together with the right one.
 */
function extraLetter(at: number): number {
  const letter = typedCodes[at]!;
  const before = at > 0 ? typedCodes[at - 1]! : 0;
  const after = typedCodes[at + 1]!;
  if (letter >= FIRST_ACCENTED && isAccented(String.fromCharCode(letter))) return PRICE.meantAccent;
  if (before === letter || after === letter) return PRICE.double;
  return areNeighbours(before, letter) || areNeighbours(after, letter) ? PRICE.near : PRICE.extra;
}

function isAccented(letter: string): boolean {
  return letter.charCodeAt(0) >= FIRST_ACCENTED && fold(letter) !== letter;
}

function areNeighbours(one: number, other: number): boolean {
  return one < FIRST_ACCENTED && other < FIRST_ACCENTED && NEAR[one * FIRST_ACCENTED + other] === 1;
}
