/**
 * Collects the visible text of a page and its marks.
 *
 * Input is valid UTF-8 and stays UTF-8 until `finish`, so a character that is only copied needs no decoding.
 * Marks and link texts are offsets in UTF-16 units. Therefore the builder counts how many more bytes than
 * units the text has: units = `#length` - `#surplus`.
 *
 * White space and style changes are only recorded in `#pending` until the next visible character. Therefore
 * there are never two separators in a row, the text neither starts nor ends with one, and a mark never
 * includes the space before or after it.
 */

import type { Mark, MarkKind } from '../page.ts';
import { CharacterReference } from './character-reference.ts';
import { cut } from './folding.ts';
import { BYTE_KINDS, ByteKind, endOfRun, WIDE } from './text-runs.ts';

export const Separator = { none: 0, space: 1, newline: 2 } as const;
export type Separator = (typeof Separator)[keyof typeof Separator];

/** The style of a run of text: the kind of its mark, or 0 for plain text. */
export type Style = MarkKind | 0;

const RESTYLE = 4;
/** The length in bytes up to which copying a run byte by byte is faster than one call. */
const SHORT_RUN = 24;
const SPACE = 0x20;
const NEWLINE = 0x0a;
const LESS_THAN = 0x3c;
const AMPERSAND = 0x26;

const decoder = new TextDecoder();

/**
 * The buffer for the text of a page. All pages of a thread share it, because a thread parses one page at a
 * time.
 */
let scratch = Buffer.alloc(1 << 20);

export class TextBuilder {
  readonly #bytes: Buffer;
  readonly #limit: number;
  readonly #reference = new CharacterReference();
  readonly #encoded = Buffer.alloc(4);
  readonly #marks: Mark[] = [];
  #length = 0;
  #surplus = 0;
  #pending = 0;
  #inAttribute = false;
  #style: Style = 0;
  /** The style and the start of the current run of text with one style. */
  #runStyle: Style = 0;
  #runStart = 0;
  #saved = { length: 0, surplus: 0, pending: 0, runStyle: 0 as Style, runStart: 0, marks: 0 };

  /**
   * `sourceBytes` is the size of the source, which is an upper bound for the text: a character or separator
   * never takes more bytes than its markup. The text is cut after `limit` UTF-16 units. Only one builder may
   * be in use at a time.
   */
  constructor(sourceBytes: number, limit: number) {
    if (scratch.length < sourceBytes) scratch = Buffer.alloc(sourceBytes);
    this.#bytes = scratch;
    this.#limit = limit;
  }

  /** The length of the text so far, in UTF-16 units. */
  get units(): number {
    return this.#length - this.#surplus;
  }

  get isFull(): boolean {
    return this.#length - this.#surplus >= this.#limit;
  }

  separate(separator: Separator): void {
    this.#pending |= separator;
  }

  restyle(style: Style): void {
    this.#style = style;
    this.#pending |= RESTYLE;
  }

  /**
   * Appends the text from `at` up to the next `<` or `end`, and returns the position where it stopped. This
   * is the inner loop of parsing, so it copies fields to local variables and handles words and single spaces
   * without calling other functions. Continuation bytes of a character are handled like ASCII.
   */
  appendMarkup(source: Buffer, at: number, end: number): number {
    const bytes = this.#bytes;
    let from = at;
    while (from < end && !this.isFull) {
      let length = this.#length;
      let pending = this.#pending;
      let byte = 0;
      while (from < end) {
        byte = source[from]!;
        const kind = BYTE_KINDS[byte]!;
        if (kind === ByteKind.space) {
          pending |= Separator.space;
          from++;
          continue;
        }
        if (kind === ByteKind.special) break;
        if (kind === ByteKind.wide && mayBeUnseen(byte, source[from + 1]!)) break;
        if (pending !== 0) {
          if (pending === Separator.space && length > 0) bytes[length++] = SPACE;
          else length = this.#settle(length, pending);
          pending = 0;
        }
        if (kind === ByteKind.wide) this.#surplus += surplusOf(byte);
        const stop = endOfRun(source, from + 1, end);
        // Most of a page is long runs, which are copied in one call.
        if (stop - from > SHORT_RUN) {
          length += source.copy(bytes, length, from, stop);
          from = stop;
        } else {
          while (from < stop) bytes[length++] = source[from++]!;
        }
      }
      this.#length = length;
      this.#pending = pending;
      if (from === end || byte === LESS_THAN) return from;
      from = this.#appendSpecial(source, from, end);
    }
    return nextMarkup(source, from, end);
  }

  /**
   * Appends the value of an attribute as text. A `<` is literal, and character references follow the stricter
   * rules for attributes.
   */
  appendAttribute(source: Buffer, from: number, end: number): void {
    this.#inAttribute = true;
    this.appendText(source, from, end);
    this.#inAttribute = false;
  }

  /** Appends text in which `<` is literal. */
  appendText(source: Buffer, from: number, end: number): void {
    for (let at = from; at < end && !this.isFull; ) {
      at = this.appendMarkup(source, at, end);
      if (at < end) this.#appendAscii(source[at++]!);
    }
  }

  /** Appends text in which `<` and `&` are literal. */
  appendRaw(source: Buffer, from: number, end: number): void {
    for (let at = from; at < end && !this.isFull; ) {
      if (source[at]! >= WIDE) at = this.#appendWide(source, at);
      else this.#appendAscii(source[at++]!);
    }
  }

  /** Remembers the current position for `textSinceSave` and `rewind`. Only the last call counts. */
  save(): void {
    const saved = this.#saved;
    saved.length = this.#length;
    saved.surplus = this.#surplus;
    saved.pending = this.#pending;
    saved.runStyle = this.#runStyle;
    saved.runStart = this.#runStart;
    saved.marks = this.#marks.length;
  }

  textSinceSave(): string {
    return this.#bytes.toString('utf8', this.#saved.length, this.#length);
  }

  /** Removes the text that was appended since `save`. The separators before and after it stay. */
  rewind(): void {
    const { length, surplus, pending, runStyle, runStart, marks } = this.#saved;
    this.#length = length;
    this.#surplus = surplus;
    this.#pending |= pending;
    this.#runStyle = runStyle;
    this.#runStart = runStart;
    this.#marks.length = marks;
  }

  finish(): { text: string; marks: Mark[] } {
    this.#closeRun(this.#length);
    const bytes = this.#bytes.subarray(0, this.#length);
    const whole = this.#surplus === 0 ? bytes.toString('latin1') : decoder.decode(bytes);
    const text = cut(whole, this.#limit).trimEnd();
    return { text, marks: text === whole ? this.#marks : within(this.#marks, text.length) };
  }

  /**
   * Appends the character at `at`, which is `&`, a null character or possibly invisible, and returns the
   * position after it.
   */
  #appendSpecial(source: Buffer, at: number, end: number): number {
    if (source[at] === 0) return at + 1;
    return source[at] === AMPERSAND ? this.#appendReference(source, at, end) : this.#appendWide(source, at);
  }

  #appendReference(source: Buffer, at: number, end: number): number {
    const reference = this.#reference;
    if (!reference.read(source, at, end, this.#inAttribute)) {
      this.#appendAscii(AMPERSAND);
      return at + 1;
    }
    if (reference.codePoint < 0x80) this.#appendAscii(reference.codePoint);
    else {
      this.#encoded.write(String.fromCodePoint(reference.codePoint));
      this.#appendWide(this.#encoded, 0);
    }
    return reference.end;
  }

  #appendAscii(byte: number): void {
    if (byte > SPACE) {
      if (this.#pending !== 0) this.#settlePending();
      this.#bytes[this.#length++] = byte;
    } else if (byte !== 0) this.#pending |= Separator.space;
  }

  /** Appends the character of two to four bytes at `at` and returns the position after it. */
  #appendWide(source: Buffer, at: number): number {
    const lead = source[at]!;
    const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const look = lookOf(lead, source[at + 1]!, source[at + 2]!);
    if (look === Look.space) this.#pending |= Separator.space;
    if (look !== Look.visible) return at + size;
    if (this.#pending !== 0) this.#settlePending();
    for (let i = 0; i < size; i++) this.#bytes[this.#length++] = source[at + i]!;
    this.#surplus += surplusOf(lead);
    return at + size;
  }

  #settlePending(): void {
    this.#length = this.#settle(this.#length, this.#pending);
    this.#pending = 0;
  }

  /**
   * Writes the pending separator at offset `length` of the text, and returns the length of the text after it.
   * If the style has changed or a block has ended, begins a new run of text with one style.
   */
  #settle(length: number, pending: number): number {
    const newline = (pending & Separator.newline) !== 0;
    const restyled = newline || this.#style !== this.#runStyle;
    if (restyled) this.#closeRun(length);
    let after = length;
    if (length > 0 && (pending & ~RESTYLE) !== 0) this.#bytes[after++] = newline ? NEWLINE : SPACE;
    if (restyled) {
      this.#runStyle = this.#style;
      this.#runStart = after - this.#surplus;
    }
    return after;
  }

  #closeRun(length: number): void {
    const end = length - this.#surplus;
    if (this.#runStyle !== 0 && end > this.#runStart) {
      this.#marks.push({ start: this.#runStart, end, kind: this.#runStyle });
    }
    this.#runStyle = 0;
  }
}

function within(marks: readonly Mark[], length: number): Mark[] {
  return marks
    .filter((mark) => mark.start < length)
    .map((mark) => ({ ...mark, end: Math.min(mark.end, length) }));
}

function nextMarkup(source: Buffer, from: number, end: number): number {
  const at = source.indexOf(LESS_THAN, from);
  return at < 0 ? end : Math.min(at, end);
}

/** Returns how many more bytes than UTF-16 units a character has. `lead` is its first byte in UTF-8. */
function surplusOf(lead: number): number {
  return lead < 0xe0 ? 1 : 2;
}

/**
 * Returns true if a character that begins with the given bytes may be invisible, so that `lookOf` must be
 * called.
 */
function mayBeUnseen(lead: number, second: number): boolean {
  if (lead === 0xe2 || lead === 0xe3) return second === 0x80 || second === 0x81;
  return lead === 0xc2 || lead === 0xe1 || lead === 0xef;
}

const Look = { visible: 0, space: 1, nothing: 2 } as const;

/**
 * Classifies a character: Unicode white space counts as a space, soft hyphens and byte order marks are
 * invisible.
 */
function lookOf(lead: number, second: number, third: number): number {
  switch (lead) {
    case 0xc2:
      if (second === 0xad) return Look.nothing;
      return second === 0xa0 || second === 0x85 ? Look.space : Look.visible;
    case 0xe1:
      return second === 0x9a && third === 0x80 ? Look.space : Look.visible;
    case 0xe2:
      return isGeneralSpace(second, third) ? Look.space : Look.visible;
    case 0xe3:
      return second === 0x80 && third === 0x80 ? Look.space : Look.visible;
    case 0xef:
      return second === 0xbb && third === 0xbf ? Look.nothing : Look.visible;
    default:
      return Look.visible;
  }
}

/** Returns true for the characters U+2000 to U+200A, U+2028, U+2029, U+202F and U+205F. */
function isGeneralSpace(second: number, third: number): boolean {
  if (second === 0x81) return third === 0x9f;
  return second === 0x80 && (third <= 0x8a || third === 0xa8 || third === 0xa9 || third === 0xaf);
}
