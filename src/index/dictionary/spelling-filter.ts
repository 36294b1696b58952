/**
 * A filter that rejects most words without other spellings (such as `café` for `cafe`), so that the dictionary
 * need not be searched. It is a bit set of hashes of the folded forms of all words that are not ASCII. ASCII
 * words are left out: an ASCII word is its own folded form, and so not another spelling of it. About one in 16
 * words without other spellings passes the filter and costs a search.
 */
import { foldedLetter } from '../../text/mod.ts';

const BITS_PER_WORD = 16;
/** Start value of the FNV-1a hash; see http://www.isthe.com/chongo/tech/comp/fnv. */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export class SpellingFilter {
  readonly #bits: Uint8Array;

  /** Builds the filter. `words` are the words of a dictionary that are not ASCII. */
  constructor(words: Iterable<string>) {
    const hashes: number[] = [];
    for (const word of words) {
      const hash = foldedHash(word);
      if (hash !== null) hashes.push(hash);
    }
    this.#bits = new Uint8Array(Math.max(1, 2 ** Math.ceil(Math.log2((BITS_PER_WORD * hashes.length) / 8))));
    for (const hash of hashes) {
      const bit = this.#bitOf(hash);
      this.#bits[bit >>> 3]! |= 1 << (bit & 7);
    }
  }

  /** Returns false if the dictionary certainly has no other word with the folded form `folded`. */
  mayHave(folded: string): boolean {
    const bit = this.#bitOf(withText(FNV_OFFSET, folded));
    return (this.#bits[bit >>> 3]! & (1 << (bit & 7))) !== 0;
  }

  /** Returns the bit of a hash. The number of bits is a power of 2. */
  #bitOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & (8 * this.#bits.length - 1);
  }
}

/**
 * Returns the hash of a word's folded form. Returns null for a word with a letter that has no folded form or
 * is outside the basic plane, because spellings.ts never returns such a word.
 */
function foldedHash(word: string): number | null {
  let hash = FNV_OFFSET;
  for (const letter of word) {
    const folded = foldedLetter(letter);
    if (folded === '' || letter.length > 1) return null;
    hash = withText(hash, folded);
  }
  return hash;
}

function withText(hash: number, text: string): number {
  let next = hash;
  for (let i = 0; i < text.length; i++) next = Math.imul(next ^ text.charCodeAt(i), FNV_PRIME);
  return next;
}
