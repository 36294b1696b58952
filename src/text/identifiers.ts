/**
 * Identifiers are indexed whole and in parts. `tokenize` splits them at their punctuation; this module adds
 * further terms at the positions of those words, so that a person finds an identifier by the parts that they remember:
 *
 *   unwrap_or_else             unwrap, or, else    and  unwraporelse             in any text
 *   unwrap_or                  unwrap, or          and  unwrapor                 in names
 *   DataFrame.pivot, std::sort dataframe, pivot    and  dataframepivot           in names
 *   Python 3.11.2              python, 3, 11, 2    and  3.11, 11.2               in names
 *   vtkRenderWindow            vtkrenderwindow     and  vtk, render, window      in names
 *
 * A name is a title, a heading, a URL or an anchor text. In body text only three or more words with underscores are
 * joined: the other terms would make the index larger and, since common words would match within long words, less
 * precise. Only words of three or more parts are split, for the same reason: "JavaScript" must not match "java".
 *
 * Only words of ASCII letters and digits take part. `index/kernels/assembly/identifiers.ts` is the same definition
 * for bytes; a test compares the two.
 */
import { MAX_TERM_LENGTH, tokenize } from './tokenize.ts';

const PLAIN_WORD = /^[\da-z]+$/i;
const CHAIN = /[\da-z]+(?:_+[\da-z]+)+/iy;
const JOINT = /^(?:[.:#-]|::|->)$/;
const DIGITS = /^\d+$/;
const VERSION_LETTER = /^v(?=\d+$)/;
const HUMP = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const LEAST_PARTS = 3;

/** `isExtra` is true for a term that has the position of the word before it. */
type IdentifierVisitor = (word: string, start: number, end: number, isExtra: boolean) => void;

/** Visits the words of a text as `tokenize` does, and after a word the further terms at its position. */
export function tokenizeIdentifiers(
  text: string,
  isNameAt: (offset: number) => boolean,
  visit: IdentifierVisitor,
): void {
  let chainEnd = 0;
  let last = { name: '', end: -1 };
  tokenize(text, (word, start, end) => {
    visit(word, start, end, false);
    const raw = text.slice(start, end);
    if (start < chainEnd || !PLAIN_WORD.test(raw) || /['’]/.test(text[end] ?? '')) return;
    const chain = chainAt(text, start, end);
    chainEnd = start + chain.length;
    if (chain !== '' && text.charCodeAt(chainEnd) >= 0x80) return;
    const whole = chain === '' ? word : joinName(chain);
    const isName = isNameAt(start);
    if (chain !== '' && (isName || chain.split(/_+/).length >= LEAST_PARTS)) visit(whole, start, end, true);
    if (!isName) return;
    const name = whole.replace(VERSION_LETTER, '');
    const pair = pairOf(last.name, text.slice(last.end, start), name);
    if (last.end >= 0 && pair !== null) visit(pair, start, end, true);
    if (chain === '') for (const part of partsOf(raw)) visit(part, start, end, true);
    last = { name, end: chain === '' ? end : chainEnd };
  });
}

/** Returns the words from `start` on that are joined by underscores; empty if there is only one. */
function chainAt(text: string, start: number, end: number): string {
  if (text[end] !== '_') return '';
  CHAIN.lastIndex = start;
  return CHAIN.exec(text)?.[0] ?? '';
}

function joinName(chain: string): string {
  return chain.replaceAll('_', '').slice(0, MAX_TERM_LENGTH).toLowerCase();
}

/** Returns the term of two words with `joint` between them; null if they are not a pair. */
function pairOf(first: string, joint: string, second: string): string | null {
  if (!JOINT.test(joint)) return null;
  if (!DIGITS.test(first) || !DIGITS.test(second)) return (first + second).slice(0, MAX_TERM_LENGTH);
  return joint === '.' ? `${first}.${second}`.slice(0, MAX_TERM_LENGTH) : null;
}

/** Returns the parts of a camelCase word, without single letters; none if there are fewer than three parts. */
function partsOf(raw: string): string[] {
  if (raw.length > MAX_TERM_LENGTH) return [];
  const parts = raw.split(HUMP);
  return parts.length < LEAST_PARTS
    ? []
    : parts.filter(({ length }) => length > 1).map((part) => part.toLowerCase());
}
