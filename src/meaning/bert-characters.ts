/**
 * Classifies characters as BERT's tokenizer does: spaces end a word, a punctuation mark or a Chinese character
 * is a word of its own, control characters vanish, and letters may lose their accents and their case.
 *
 * The rules are taken from `BertNormalizer` and `BertPreTokenizer` (https://github.com/huggingface/tokenizers).
 * The originals decompose a whole text (`é` to `e` and an accent) and then remove the accents. Here each
 * character is decomposed alone. The result is the same, and long sequences of accents need not be sorted,
 * which is expensive.
 */

/**
 * The effect of a character on the division into words: it ends a word, is a word of its own, belongs to the current
 * word, or is skipped.
 */
type CharacterKind = 'space' | 'alone' | 'letter' | 'skipped';

interface BertCharacter {
  kind: CharacterKind;
  /** The normalized text of the character, which may be several characters long. */
  text: string;
}

interface CharacterRules {
  isLowerCase: boolean;
  stripsAccents: boolean;
  cleansText: boolean;
  splitsChinese: boolean;
}

const SPACE = /^[\t\n\r]|^\p{White_Space}/u;
const CONTROL = /^[\0\ufffd]|^\p{C}/u;
const PUNCTUATION = /^[!-/:-@[-`{-~]|^\p{P}/u;
const MARKS = /\p{Mn}/gu;

/**
 * Ranges of code points that BERT treats as Chinese characters. BERT does not include the blocks that Unicode
 * added later.
 */
const CHINESE: readonly [number, number][] = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b820, 0x2ceaf],
  [0x2f800, 0x2fa1f],
];

/** Classifies characters by BERT's rules, and caches the result for each character. */
export class BertCharacters {
  readonly #rules: CharacterRules;
  readonly #known = new Map<number, BertCharacter>();

  constructor(rules: CharacterRules) {
    this.#rules = rules;
  }

  classify(codePoint: number): BertCharacter {
    const known = this.#known.get(codePoint);
    if (known) return known;
    const character = this.#derive(codePoint);
    this.#known.set(codePoint, character);
    return character;
  }

  #derive(codePoint: number): BertCharacter {
    const original = String.fromCodePoint(codePoint);
    const isTab = codePoint === 9 || codePoint === 10 || codePoint === 13;
    if (this.#rules.cleansText && !isTab && CONTROL.test(original)) return { kind: 'skipped', text: '' };
    if (SPACE.test(original)) return { kind: 'space', text: ' ' };
    if (this.#rules.splitsChinese && CHINESE.some(([from, to]) => codePoint >= from && codePoint <= to)) {
      return { kind: 'alone', text: this.#fold(original) };
    }
    const text = this.#fold(original);
    if (text === '') return { kind: 'skipped', text };
    return { kind: PUNCTUATION.test(text) ? 'alone' : 'letter', text };
  }

  #fold(original: string): string {
    const { stripsAccents, isLowerCase } = this.#rules;
    const plain = stripsAccents ? original.normalize('NFD').replace(MARKS, '') : original;
    return isLowerCase ? plain.toLowerCase() : plain;
  }
}
