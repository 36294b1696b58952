/**
 * Splits text into words, for documents and for queries. terms.ts converts the words to terms.
 *
 *   Don't panic: Node.js v24   ->  don't  panic  node  js  v24
 *   C++ and C#, utf-8, foo_bar ->  c++  and  c#  utf  8  foo  bar
 *   undici's Café on .NET      ->  undici  café  on  .net
 *   東京都 tower               ->  東京  京都  tower
 *
 * A word is a run of letters, digits and marks. An apostrophe between letters belongs to the word, but a final
 * 's does not. Other punctuation separates words, so that `node.js` becomes two adjacent words and is found as
 * `node`, as `js`, and as the phrase "node js". The plus signs of `c++`, the sharp after a single letter as in
 * `c#`, and the dot of `.net` belong to the word; without them these names could not be searched for.
 *
 * Text in scripts without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) becomes overlapping
 * pairs of characters, since finding their words would take a dictionary. A single such character between
 * other text is a word.
 */
import { CharKind, kindAt, widthAt } from './characters.ts';
import { formOf } from './fold.ts';

/**
 * The maximum length of a term. Longer terms are truncated, because they are hardly ever searched for and
 * would fill the dictionary.
 */
export const MAX_TERM_LENGTH = 64;

const APOSTROPHE = 0x27;
const RIGHT_QUOTE = 0x2019;
const PLUS = 0x2b;
const SHARP = 0x23;
const DOT = 0x2e;

/** Receives each word. `start` and `end` are the UTF-16 offsets of the word in the text. */
type TokenVisitor = (word: string, start: number, end: number) => void;

export function tokenize(text: string, visit: TokenVisitor): void {
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at);
    if (kind === CharKind.word) at = visitWord(text, at, visit);
    else if (kind === CharKind.unspaced) at = visitUnspacedRun(text, at, visit);
    else if (text.charCodeAt(at) === DOT && isDotNet(text, at)) at = visitDotNet(at, visit);
    else at++;
  }
}

/**
 * Returns true if the text at `at` is `.NET` and not part of a longer word or a file name: `asp.net` is two
 * words.
 */
function isDotNet(text: string, at: number): boolean {
  if (text.slice(at + 1, at + 4).toLowerCase() !== 'net') return false;
  return !isLetterAt(text, at - 1) && !isLetterAt(text, at + 4);
}

/**
 * Returns true if the character at `at` is a letter. Every non-ASCII character counts as a letter, because the
 * kernel, which must follow the same rules, has no data about such characters.
 */
function isLetterAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\da-z]|[^\0-\x7f]/i.test(text[at]!);
}

function visitDotNet(at: number, visit: TokenVisitor): number {
  visit('.net', at, at + 4);
  return at + 4;
}

/**
 * Visits the word that begins at `start` and returns the offset at which to continue. This is the inner loop of
 * indexing.
 */
function visitWord(text: string, start: number, visit: TokenVisitor): number {
  let at = start;
  let bits = 0;
  let apostropheAt = -1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const kind = kindAt(text, at);
    if (kind === CharKind.word || kind === CharKind.extend) {
      at += code >= 0xd800 && code < 0xdc00 ? 2 : 1;
    } else if ((code === APOSTROPHE || code === RIGHT_QUOTE) && isWordAt(text, at + 1)) {
      apostropheAt = at++;
    } else break;
    bits |= code;
  }
  const isPossessive = apostropheAt > start && apostropheAt === at - 2 && text[at - 1]!.toLowerCase() === 's';
  if (!isPossessive) at += suffixLength(text, start, at);
  const end = isPossessive ? apostropheAt : at;
  const raw = text.slice(start, end);
  const term = bits < 0x80 ? cut(raw).toLowerCase() : formOfWord(raw);
  if (term !== '') visit(term, start, end);
  return at;
}

function isWordAt(text: string, at: number): boolean {
  return at < text.length && kindAt(text, at) === CharKind.word;
}

/**
 * Returns the length of the signs after a word that belong to it: 2 for the `++` of `c++`, 1 for the `#` of
 * `c#`.
 */
function suffixLength(text: string, start: number, at: number): number {
  const code = text.charCodeAt(at);
  if (code === PLUS) return text.charCodeAt(at + 1) === PLUS ? 2 : 0;
  return code === SHARP && at === start + 1 && !isWordAt(text, at + 1) ? 1 : 0;
}

function visitUnspacedRun(text: string, start: number, visit: TokenVisitor): number {
  let from = start;
  let middle = clusterEnd(text, start);
  if (!isUnspacedAt(text, middle)) visitCluster(text, start, middle, visit);
  while (isUnspacedAt(text, middle)) {
    const end = clusterEnd(text, middle);
    visitCluster(text, from, end, visit);
    from = middle;
    middle = end;
  }
  return middle;
}

function visitCluster(text: string, start: number, end: number, visit: TokenVisitor): void {
  const term = formOfWord(text.slice(start, end));
  if (term !== '') visit(term, start, end);
}

/**
 * Returns true if a word is a single character of a script without spaces, such as Chinese. Texts in such scripts are indexed
 * as pairs of adjacent characters, so the word is only half of a term.
 */
export function isHalfPair(word: string): boolean {
  return isUnspacedAt(word, 0) && clusterEnd(word, 0) === word.length;
}

/** Returns the form of a word (fold.ts), truncated to MAX_TERM_LENGTH; empty if no character remains. */
export function formOfWord(word: string): string {
  return cut(formOf(word.slice(0, 4 * MAX_TERM_LENGTH)));
}

function isUnspacedAt(text: string, at: number): boolean {
  return at < text.length && kindAt(text, at) === CharKind.unspaced;
}

/** Returns the offset after a letter and the marks that follow it. */
function clusterEnd(text: string, start: number): number {
  let at = start + widthAt(text, start);
  while (at < text.length && kindAt(text, at) === CharKind.extend) at += widthAt(text, at);
  return at;
}

/** Truncates a term to MAX_TERM_LENGTH, but never between the halves of a surrogate pair. */
function cut(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const last = term.charCodeAt(MAX_TERM_LENGTH - 1);
  return term.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_TERM_LENGTH - 1 : MAX_TERM_LENGTH);
}
