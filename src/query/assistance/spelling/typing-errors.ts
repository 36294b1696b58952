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
const VOWELS = new Set('aeiouy');
const NATS_PER_EDIT = 5;

const PRICE = {
  ...{ swap: 0.9, near: 0.9, vowel: 1, other: 1.3, missing: 1, double: 0.8, extra: 1.1, first: 0.4 },
  ...{ accent: 0.5, meantAccent: 4 },
};
const FIRST_ACCENTED = 0x80;

const KEYS = new Map(ROWS.flatMap((row, y) => [...row].map((key, x) => [key, { x: x + y / 2, y }] as const)));

/**
 * Returns the logarithm of the probability of typing `typed` instead of `meant`; minus infinity if there are more
 * than `reach` edits.
 */
export function typingLikelihood(typed: string, meant: string, reach: number): number {
  if (typed === meant) return 0;
  if (Math.abs(typed.length - meant.length) > reach) return Number.NEGATIVE_INFINITY;
  const { edits, price } = distance(typed, meant);
  return edits <= reach ? -NATS_PER_EDIT * price : Number.NEGATIVE_INFINITY;
}

/** The width of the tables of the edit distance: the maximum word length, and one more for the empty prefix. */
const SIDE = MAX_TERM_LENGTH + 1;
const prices = new Float64Array(SIDE * SIDE);
const edits = new Uint8Array(SIDE * SIDE);

/**
 * Returns the price and the number of edits that change one word into the other most cheaply, by dynamic programming
 * over prefixes.
 */
function distance(typed: string, meant: string): { edits: number; price: number } {
  for (let i = 0; i <= typed.length; i++) {
    for (let j = 0; j <= meant.length; j++) if (i + j > 0) fillIn(typed, meant, i, j);
  }
  const last = typed.length * SIDE + meant.length;
  return { edits: edits[last]!, price: prices[last]! };
}

/**
 * Computes the cheapest edits between the first i letters of one word and the first j letters of the other. This is
 * the inner loop of spelling correction, so it allocates no objects.
 */
function fillIn(typed: string, meant: string, i: number, j: number): void {
  const at = i * SIDE + j;
  const first = i <= 1 && j <= 1 ? PRICE.first : 0;
  let from = at;
  let price = Number.POSITIVE_INFINITY;
  let isFree = 0;
  if (i > 0 && j > 0) {
    isFree = typed[i - 1] === meant[j - 1] ? 1 : 0;
    from = at - SIDE - 1;
    price = prices[from]! + (isFree ? 0 : first + wrongLetter(typed[i - 1]!, meant[j - 1]!));
  }
  const tooMany = i > 0 ? prices[at - SIDE]! + first + extraLetter(typed, i - 1) : Number.POSITIVE_INFINITY;
  if (tooMany < price) {
    from = at - SIDE;
    price = tooMany;
    isFree = 0;
  }
  const missing = j > 0 ? prices[at - 1]! + first + missingLetter(meant, j - 1) : Number.POSITIVE_INFINITY;
  if (missing < price) {
    from = at - 1;
    price = missing;
    isFree = 0;
  }
  if (i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1]) {
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

function missingLetter(meant: string, at: number): number {
  return meant[at] === meant[at - 1] ? PRICE.double : PRICE.missing;
}

function wrongLetter(typed: string, meant: string): number {
  if (isAccented(typed) || isAccented(meant)) {
    if (fold(typed) === fold(meant)) return PRICE.accent;
    if (isAccented(typed)) return PRICE.meantAccent;
  }
  if (areNeighbours(typed, meant)) return PRICE.near;
  return VOWELS.has(typed) && VOWELS.has(meant) ? PRICE.vowel : PRICE.other;
}

/**
 * Returns the price of an extra letter. The price is lower if the user seems to have hit a key twice, or to
 * have hit a neighbouring key together with the right one.
 */
function extraLetter(typed: string, at: number): number {
  const letter = typed[at]!;
  const before = typed[at - 1] ?? '';
  const after = typed[at + 1] ?? '';
  if (isAccented(letter)) return PRICE.meantAccent;
  if (before === letter || after === letter) return PRICE.double;
  return areNeighbours(before, letter) || areNeighbours(after, letter) ? PRICE.near : PRICE.extra;
}

function isAccented(letter: string): boolean {
  return letter.charCodeAt(0) >= FIRST_ACCENTED && fold(letter) !== letter;
}

function areNeighbours(a: string, b: string): boolean {
  const one = KEYS.get(a);
  const other = KEYS.get(b);
  return (
    one !== undefined &&
    other !== undefined &&
    Math.abs(one.x - other.x) <= 1 &&
    Math.abs(one.y - other.y) <= 1
  );
}
