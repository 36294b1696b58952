/**
 * Decodes character references: `&eacute;`, `&#233;`, `&#xE9;`.
 *
 * As in HTML, a reference to one of the oldest names may lack its semicolon: `&copy 2024`. In an attribute it
 * is not a reference if a letter, a digit or `=` follows: `?a=1&copy=2`. All other names need the semicolon.
 * The work per reference is bounded by the longest name, so a run of ampersands takes linear time.
 */
import { LEGACY_NAMES, LONGEST_NAME, NAMED_CHARACTERS } from './named-characters.ts';

const REPLACEMENT = 0xfffd;
const LONGEST_LEGACY_NAME = 6;

/** The characters of `&#128;` to `&#159;`, which authors use for the bytes of windows-1252. */
const WINDOWS_1252 = [
  ...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i)),
].map((character) => character.codePointAt(0)!);

export class CharacterReference {
  /** The code point of the reference that was read last, and the position after it. */
  codePoint = 0;
  end = 0;

  /**
   * Reads the reference whose `&` is at `at`. Returns false if the `&` begins no reference and is literal.
   */
  read(source: Buffer, at: number, end: number, inAttribute: boolean): boolean {
    return source[at + 1] === 0x23 && at + 2 < end
      ? this.#readNumber(source, at + 2, end)
      : this.#readName(source, at + 1, end, inAttribute);
  }

  #readNumber(source: Buffer, at: number, end: number): boolean {
    const radix = (source[at]! | 0x20) === 0x78 ? 16 : 10;
    const first = radix === 16 ? at + 1 : at;
    let value = 0;
    let next = first;
    for (; next < end; next++) {
      const digit = digitOf(source[next]!);
      if (digit >= radix) break;
      value = Math.min(value * radix + digit, 0x110000);
    }
    if (next === first) return false;
    this.codePoint = meant(value);
    this.end = next < end && source[next] === 0x3b ? next + 1 : next;
    return true;
  }

  #readName(source: Buffer, from: number, end: number, inAttribute: boolean): boolean {
    const stop = Math.min(end, from + LONGEST_NAME);
    let to = from;
    while (to < stop && isAlphanumeric(source[to]!)) to++;
    if (to === from) return false;
    const name = source.toString('latin1', from, to);
    if (to < end && source[to] === 0x3b && this.#found(NAMED_CHARACTERS.get(name), to + 1)) return true;
    for (let length = Math.min(name.length, LONGEST_LEGACY_NAME); length > 1; length--) {
      if (!LEGACY_NAMES.has(name.slice(0, length))) continue;
      const after = from + length;
      if (inAttribute && after < end && (source[after] === 0x3d || isAlphanumeric(source[after]!)))
        return false;
      return this.#found(NAMED_CHARACTERS.get(name.slice(0, length)), after);
    }
    return false;
  }

  #found(codePoint: number | undefined, end: number): boolean {
    if (codePoint === undefined) return false;
    this.codePoint = codePoint;
    this.end = end;
    return true;
  }
}

/** Returns a range of the source as text with its character references decoded, for attributes and titles. */
export function decodeReferences(source: Buffer, from: number, to: number, inAttribute: boolean): string {
  let at = nextAmpersand(source, from, to);
  if (at === to) return source.toString('utf8', from, to);
  const reference = new CharacterReference();
  let text = '';
  let copied = from;
  while (at < to) {
    let next = at + 1;
    if (reference.read(source, at, to, inAttribute)) {
      text += source.toString('utf8', copied, at) + String.fromCodePoint(reference.codePoint);
      copied = next = reference.end;
    }
    at = nextAmpersand(source, next, to);
  }
  return text + source.toString('utf8', copied, to);
}

/** Finds the next `&` with a loop, because attributes are so short that a call of `indexOf` costs more. */
function nextAmpersand(source: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && source[at] !== 0x26) at++;
  return at;
}

function meant(value: number): number {
  if (value >= 0x80 && value < 0xa0) return WINDOWS_1252[value - 0x80]!;
  const isCharacter = value > 0 && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
  return isCharacter ? value : REPLACEMENT;
}

/** Returns the value of a hexadecimal digit; 16 if the byte is not a digit. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : 16;
}

function isAlphanumeric(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}
