/**
 * Reads the values of a PDF (ISO 32000, § 7.3) from bytes.
 *
 * Each byte of a string becomes a Latin-1 character, because its meaning depends on the font. Tokens that are
 * not values are `Keyword`s: `obj`, `stream`, and every operator in the content of a page. Reading never
 * fails: invalid input is skipped, and after the end every read returns `PDF_END`. The same happens when the
 * work budget of the document is spent. Each value costs a step, and long values cost more.
 */
import type { WorkBudget } from '../../base/mod.ts';

export class Name {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class Keyword {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class Reference {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

export type Dictionary = Map<string, Value>;
export type Value = null | boolean | number | string | Name | Keyword | Reference | Dictionary | Value[];

export const PDF_END = new Keyword('');

const MAX_DEPTH = 60;
const MAX_LIST = 200_000;
/** The maximum length of a number. A longer word is not a number. */
const MAX_NUMBER = 100;
/** The number of bytes of a name or string that cost one step of the work budget. */
const BYTES_A_STEP = 16;
/**
 * The number of bytes that use up one step of the work budget in a name or string with escapes. It is small,
 * because the name or string may consist of escapes only.
 */
const ESCAPED_BYTES_A_STEP = 3;

/** The class of each byte: 1 for white space, 2 for a delimiter, 0 for all others. */
const KINDS = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) KINDS[byte] = 1;
for (const byte of Buffer.from('()<>[]{}/%')) KINDS[byte] = 2;

const MINUS = 0x2d;
const POINT = 0x2e;
/**
 * The maximum number of digits of a number that is read digit by digit. The result is then as exact as
 * `Number`.
 */
const MAX_PLAIN_NUMBER = 15;
/** The keywords of one or two letters, indexed by their bytes, so there are at most 65,536. */
const operators = new Map<number, Keyword>();

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const NUMBER = /^[+-]*\d*\.?\d*(?:-\d*)?$/;

export class ValueReader {
  readonly #source: Buffer;
  readonly #budget: WorkBudget;
  readonly #end: number;
  at: number;

  constructor(source: Buffer, budget: WorkBudget, at = 0, end = source.length) {
    this.#source = source;
    this.#budget = budget;
    this.at = at;
    this.#end = Math.min(end, source.length);
  }

  /** Reads the next value. Two numbers and an `R` are one reference. */
  read(depth = 0): Value {
    const from = this.at;
    this.skipSpace();
    if (
      this.at >= this.#end ||
      !this.#budget.step(this.at - from < BYTES_A_STEP ? 1 : (this.at - from) / BYTES_A_STEP)
    )
      return PDF_END;
    switch (this.#source[this.at]) {
      case 0x2f:
        return this.#readName();
      case 0x28:
        return this.#readString();
      case 0x3c:
        return this.#source[this.at + 1] === 0x3c ? this.#readDictionary(depth) : this.#readHex();
      case 0x5b:
        this.at++;
        return this.#readList(']', depth);
      case 0x3e:
        this.at += this.#source[this.at + 1] === 0x3e ? 2 : 1;
        return new Keyword('>>');
      case 0x5d:
      case 0x7b:
      case 0x7d:
      case 0x29:
        return new Keyword(String.fromCharCode(this.#source[this.at++]!));
      default:
        return this.#readWord();
    }
  }

  skipSpace(): void {
    const source = this.#source;
    while (this.at < this.#end) {
      const byte = source[this.at]!;
      if (byte === 0x25)
        while (this.at < this.#end && source[this.at] !== 10 && source[this.at] !== 13) this.at++;
      else if (KINDS[byte] === 1) this.at++;
      else return;
    }
  }

  #text(from: number, to: number): string {
    if (to - from >= BYTES_A_STEP) this.#budget.step((to - from) / BYTES_A_STEP);
    return this.#source.toString('latin1', from, to);
  }

  #wordEnd(): number {
    let end = this.at;
    while (end < this.#end && KINDS[this.#source[end]!] === 0) end++;
    return end;
  }

  /**
   * Reads a number or keyword. Drawings consist mostly of these, so simple ones are read without creating a
   * string.
   */
  #readWord(): Value {
    const from = this.at;
    const end = Math.max(this.#wordEnd(), from + 1);
    this.at = end;
    const first = this.#source[from]!;
    if (first > 0x39)
      return end - from > 2 ? this.#otherWord(this.#text(from, end)) : this.#operator(from, end);
    const number = this.#plainNumber(first === MINUS ? from + 1 : from, end);
    if (Number.isNaN(number)) return this.#otherWord(this.#text(from, end));
    return first === MINUS ? -number : this.#asReference(number);
  }

  /** Returns the value of a number such as `12` or `12.5`; NaN if it has another form. */
  #plainNumber(from: number, end: number): number {
    if (end === from || end - from > MAX_PLAIN_NUMBER) return Number.NaN;
    let digits = 0;
    let scale = 0;
    for (let at = from; at < end; at++) {
      const byte = this.#source[at]!;
      if (byte >= 0x30 && byte <= 0x39) {
        digits = digits * 10 + byte - 0x30;
        scale *= 10;
      } else if (byte === POINT && scale === 0 && at > from) scale = 1;
      else return Number.NaN;
    }
    return scale === 0 ? digits : digits / scale;
  }

  /** Returns the keyword of one or two letters, the same object for each occurrence. */
  #operator(from: number, end: number): Keyword {
    const key = this.#source[from]! + (end - from === 2 ? this.#source[from + 1]! << 8 : 0);
    const known = operators.get(key);
    if (known) return known;
    const keyword = new Keyword(this.#source.toString('latin1', from, end));
    operators.set(key, keyword);
    return keyword;
  }

  #otherWord(word: string): Value {
    if (word.length <= MAX_NUMBER && NUMBER.test(word) && /\d/.test(word)) {
      return this.#asReference(toNumber(word));
    }
    if (word === 'true') return true;
    if (word === 'false') return false;
    return word === 'null' ? null : new Keyword(word);
  }

  /** Returns the number, or the reference if the number begins one (`7 0 R`). */
  #asReference(number: number): number | Reference {
    const match = Number.isInteger(number) && number >= 0 ? this.#generationAfter() : 0;
    if (match === 0) return number;
    this.at += match;
    return new Reference(number);
  }

  /** Returns the length of the rest of a reference (` 0 R`) at this position; 0 if there is none. */
  #generationAfter(): number {
    const source = this.#source;
    let at = this.at;
    if (source[at] !== 0x20 && source[at] !== 10 && source[at] !== 13) return 0;
    at++;
    const digits = at;
    while (at - digits < 5 && source[at]! >= 0x30 && source[at]! <= 0x39) at++;
    if (at === digits || KINDS[source[at] ?? 0] !== 1 || source[at + 1] !== 0x52) return 0;
    return at + 2 >= this.#end || KINDS[source[at + 2]!] !== 0 ? at + 2 - this.at : 0;
  }

  #readName(): Name {
    this.at++;
    const from = this.at;
    this.at = this.#wordEnd();
    const raw = this.#text(from, this.at);
    if (!raw.includes('#') || !this.#payEscapes(raw)) return new Name(raw);
    return new Name(
      raw.replace(/#([0-9a-f]{2})/gi, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      ),
    );
  }

  #readString(): string {
    const from = ++this.at;
    let depth = 1;
    for (; this.at < this.#end; this.at++) {
      const byte = this.#source[this.at];
      if (byte === 0x5c) this.at++;
      else if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) break;
    }
    const raw = this.#text(from, Math.min(this.at, this.#end));
    this.at++;
    return raw.includes('\\') && this.#payEscapes(raw) ? unescaped(raw) : raw;
  }

  /** Charges the budget for decoding the escapes of this text. Returns false if the budget is spent. */
  #payEscapes(raw: string): boolean {
    return this.#budget.step(raw.length / ESCAPED_BYTES_A_STEP);
  }

  #readHex(): string {
    const from = ++this.at;
    while (this.at < this.#end && this.#source[this.at] !== 0x3e) this.at++;
    const digits = this.#text(from, this.at).replace(/[^0-9a-f]/gi, '');
    this.at++;
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1');
  }

  #readList(close: string, depth: number): Value[] {
    const list: Value[] = [];
    while (depth < MAX_DEPTH && list.length < MAX_LIST) {
      const value = this.read(depth + 1);
      if (value === PDF_END) break;
      if (value instanceof Keyword) {
        if (value.text === close) break;
        // An unclosed object ends where the next one begins.
        if (value.text === 'endobj' || value.text === 'stream') break;
      } else list.push(value);
    }
    return list;
  }

  #readDictionary(depth: number): Dictionary {
    this.at += 2;
    const list = this.#readList('>>', depth);
    const dictionary: Dictionary = new Map();
    for (let i = 0; i + 1 < list.length; i += 2) {
      const key = list[i];
      if (key instanceof Name) dictionary.set(key.text, list[i + 1]!);
      else i--;
    }
    return dictionary;
  }
}

/**
 * Parses a number as broken programs write it: `--5`, `5.` and `1.-2`. The first number in the word counts.
 */
function toNumber(word: string): number {
  const sign = word.startsWith('-') ? -1 : 1;
  const value = Number.parseFloat(word.replace(/^[+-]+/, ''));
  return Number.isNaN(value) ? 0 : sign * value;
}

function unescaped(raw: string): string {
  return raw.replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S])|$)/g, (_, octal?: string, character?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (character === undefined || /[\r\n]/.test(character)) return '';
    return ESCAPES[character] ?? character;
  });
}
