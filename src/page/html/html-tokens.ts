/**
 * Tokenizes everything in HTML except text: finds the end of a tag, a comment or raw content, and scans
 * attributes. All functions take and return positions. The rules are from the HTML standard, § 13.2.5.
 *
 * Each function reads a byte once, and bytes that were passed are never read again, so a page takes linear time
 * however broken it is. A truncated token extends to the end of the page, as in a browser.
 */
import { decodeReferences } from '../text/mod.ts';
import { isNameAt } from './html-tags.ts';

const TAB = 0x09;
const FORM_FEED = 0x0c;
const CARRIAGE_RETURN = 0x0d;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const BANG = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;

/** The maximum number of attributes of a tag. Further attributes are ignored. */
const MAX_ATTRIBUTES = 100;

function isSpace(byte: number): boolean {
  return (
    byte <= SPACE &&
    (byte === SPACE || byte === NEWLINE || byte === TAB || byte === CARRIAGE_RETURN || byte === FORM_FEED)
  );
}

export function isLetter(byte: number): boolean {
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

export function nameEnd(source: Buffer, from: number): number {
  const end = source.length;
  let at = from;
  while (at < end && !endsName(source[at]!)) at++;
  return at;
}

/** Returns the position after the comment or doctype whose `<!` is at `at`. */
export function afterDeclaration(source: Buffer, at: number): number {
  return isCommentStart(source, at) ? afterComment(source, at + 4) : afterBogusComment(source, at + 2);
}

/** Skips invalid markup such as `</3` or `<?php` up to the next `>`. */
export function afterBogusComment(source: Buffer, from: number): number {
  const end = source.indexOf(GREATER_THAN, from);
  return end < 0 ? source.length : end + 1;
}

function isCommentStart(source: Buffer, at: number): boolean {
  return source[at + 1] === BANG && source[at + 2] === HYPHEN && source[at + 3] === HYPHEN;
}

/**
 * Returns the position after a comment. It ends with `-->` or `--!>`, and the shortest comment is `<!-->`.
 */
function afterComment(source: Buffer, from: number): number {
  if (source[from] === GREATER_THAN) return from + 1;
  if (source[from] === HYPHEN && source[from + 1] === GREATER_THAN) return from + 2;
  for (let at = source.indexOf('--', from); at >= 0; at = source.indexOf('--', at + 1)) {
    if (source[at + 2] === GREATER_THAN) return at + 3;
    if (source[at + 2] === BANG && source[at + 3] === GREATER_THAN) return at + 4;
  }
  return source.length;
}

/** Returns the start of the next end tag of `name`, or the end of the page. */
export function endTagAt(source: Buffer, name: string, from: number): number {
  for (let at = source.indexOf('</', from); at >= 0; at = source.indexOf('</', at + 2)) {
    if (isEndTag(source, at, name)) return at;
  }
  return source.length;
}

function isEndTag(source: Buffer, at: number, name: string): boolean {
  const next = at + 2 + name.length;
  if (source[at + 1] !== SLASH || next >= source.length) return false;
  return endsName(source[next]!) && isNameAt(source, at + 2, name);
}

/**
 * Returns the start of a script's end tag. Old pages put a script into a comment, to hide it from browsers
 * without scripts. Such a script may contain the end tag of another script: in `<script> <!-- <script>
 * </script> --> </script>` the second end tag ends the outer script.
 */
export function scriptEndAt(source: Buffer, from: number): number {
  for (let at = source.indexOf(LESS_THAN, from); at >= 0; at = source.indexOf(LESS_THAN, at)) {
    if (isEndTag(source, at, 'script')) return at;
    if (!isCommentStart(source, at)) at++;
    else {
      const end = escapedScriptEnd(source, at + 2);
      if (end >= 0) return end;
      at = ~end;
    }
  }
  return source.length;
}

/**
 * Does the same as `scriptEndAt`, but starts inside a comment. If the comment ends before the script, returns
 * the bitwise complement of the position after the comment.
 */
function escapedScriptEnd(source: Buffer, from: number): number {
  let isNested = false;
  for (let at = from; at < source.length; at++) {
    const byte = source[at];
    if (byte === HYPHEN && source[at + 1] === HYPHEN && source[at + 2] === GREATER_THAN) return ~(at + 3);
    if (byte !== LESS_THAN) continue;
    if (isEndTag(source, at, 'script')) {
      if (!isNested) return at;
      isNested = false;
    } else if (isNameAt(source, at + 1, 'script') && endsName(source[at + 7] ?? 0)) isNested = true;
  }
  return source.length;
}

/** Bits for the attributes that any element may have and that the HTML reader needs. */
export const Note = {
  hidden: 1,
  noSnippet: 2,
  item: 4,
  property: 8,
  role: 16,
  class: 32,
  id: 64,
} as const;

export class AttributeScanner {
  /** Four numbers for each attribute: start and end of its name, start and end of its value. */
  readonly #ranges = new Int32Array(MAX_ATTRIBUTES * 4);
  #source: Buffer = Buffer.alloc(0);
  #count = 0;
  isSelfClosing = false;
  notes = 0;

  /**
   * Scans the attributes of a tag and returns the position after its `>`, or -1 if the page ends before the
   * tag does.
   */
  scan(source: Buffer, from: number): number {
    this.#source = source;
    this.#count = 0;
    this.isSelfClosing = false;
    this.notes = 0;
    const end = source.length;
    for (let at = from; at < end; ) {
      const byte = source[at]!;
      if (byte === GREATER_THAN) return at + 1;
      if (byte === SLASH) this.isSelfClosing = source[at + 1] === GREATER_THAN;
      at = byte === SLASH || isSpace(byte) ? at + 1 : this.#scanOne(at);
    }
    return -1;
  }

  /**
   * Returns the value of the first attribute with the given name, with character references decoded; null if
   * there is none.
   */
  get(name: string): string | null {
    const i = this.#find(name);
    return i < 0 ? null : decodeReferences(this.#source, this.#ranges[i + 2]!, this.#ranges[i + 3]!, true);
  }

  has(name: string): boolean {
    return this.#find(name) >= 0;
  }

  /**
   * Returns the start and end of the value of the first attribute with the given name; null if there is none.
   */
  rangeOf(name: string): [number, number] | null {
    const i = this.#find(name);
    return i < 0 ? null : [this.#ranges[i + 2]!, this.#ranges[i + 3]!];
  }

  #find(name: string): number {
    for (let i = 0; i < this.#count * 4; i += 4) {
      const from = this.#ranges[i]!;
      const length = this.#ranges[i + 1]! - from;
      if (length === name.length && isNameAt(this.#source, from, name)) return i;
    }
    return -1;
  }

  /** Scans an attribute and its value, if it has one. A misplaced `=` or quote is part of the name. */
  #scanOne(from: number): number {
    const source = this.#source;
    const end = source.length;
    let at = from + 1;
    while (at < end && source[at] !== EQUALS && !endsName(source[at]!)) at++;
    const to = at;
    while (at < end && isSpace(source[at]!)) at++;
    if (source[at] !== EQUALS) {
      this.#record(from, to, at, at);
      return at;
    }
    at++;
    while (at < end && isSpace(source[at]!)) at++;
    const quote = source[at] === QUOTE || source[at] === APOSTROPHE ? source[at]! : 0;
    const valueFrom = quote === 0 ? at : at + 1;
    const valueTo = quote === 0 ? unquotedEnd(source, valueFrom) : quotedEnd(source, valueFrom, quote);
    this.#record(from, to, valueFrom, valueTo);
    return quote === 0 ? valueTo : valueTo + 1;
  }

  #record(from: number, to: number, valueFrom: number, valueTo: number): void {
    if (this.#count === MAX_ATTRIBUTES) return;
    this.notes |= noteOf(this.#source, from, to);
    const i = this.#count++ * 4;
    this.#ranges[i] = from;
    this.#ranges[i + 1] = to;
    this.#ranges[i + 2] = valueFrom;
    this.#ranges[i + 3] = valueTo;
  }
}

function noteOf(source: Buffer, from: number, to: number): number {
  switch (to - from) {
    case 2:
      return isNameAt(source, from, 'id') ? Note.id : 0;
    case 4:
      return isNameAt(source, from, 'role') ? Note.role : 0;
    case 5:
      return isNameAt(source, from, 'class') ? Note.class : 0;
    case 6:
      return isNameAt(source, from, 'hidden')
        ? Note.hidden
        : isNameAt(source, from, 'typeof')
          ? Note.item
          : 0;
    case 8:
      return isNameAt(source, from, 'itemprop') || isNameAt(source, from, 'property') ? Note.property : 0;
    case 9:
      return isNameAt(source, from, 'itemscope') ? Note.item : 0;
    case 14:
      return isNameAt(source, from, 'data-nosnippet') ? Note.noSnippet : 0;
    default:
      return 0;
  }
}

function quotedEnd(source: Buffer, from: number, quote: number): number {
  const end = source.length;
  let at = from;
  while (at < end && source[at] !== quote) at++;
  return at;
}

function unquotedEnd(source: Buffer, from: number): number {
  const end = source.length;
  let at = from;
  while (at < end && source[at] !== GREATER_THAN && !isSpace(source[at]!)) at++;
  return at;
}

function endsName(byte: number): boolean {
  return byte === GREATER_THAN || byte === SLASH || isSpace(byte);
}
