/**
 * Indexes identifiers both whole and in parts. `tokenize` splits them at punctuation. This module adds terms
 * at the positions of the resulting words, so that people find an identifier by the parts that they remember:
 *
 *   unwrap_or_else             unwrap, or, else    and  unwraporelse             in any text
 *   is_prime                   is, prime           and  isprime                  in any text
 *   x_i                        x, i                and  xi                       in names
 *   DataFrame.pivot, std::sort dataframe, pivot    and  dataframepivot           in names
 *   Python 3.11.2              python, 3, 11, 2    and  3.11, 11.2               in names
 *   vtkRenderWindow            vtkrenderwindow     and  vtk, render, window      in names
 *
 * A name is a title, a heading, a URL or an anchor text. In body text, only identifiers with underscores get a joined term,
 * if they have three or more words or five or more letters: the symbol `a_n` is not the word "an". More terms would make the
 * index larger and less precise.
 * Camel-case words are split only if they have three or more parts, so that "JavaScript" does not match
 * "java".
 *
 * Only words of ASCII letters and digits get additional terms. `index/kernels/assembly/indexing/identifiers.ts`
 * implements the same rules for bytes; a test compares the two.
 */
import { MAX_TERM_LENGTH, tokenize } from './tokenize.ts';

const PLAIN_WORD = /^[\da-z]+$/i;
const CHAIN = /[\da-z]+(?:_+[\da-z]+)+/iy;
const JOINT = /^(?:[.:#-]|::|->)$/;
const DIGITS = /^\d+$/;
const VERSION_LETTER = /^v(?=\d+$)/;
const HUMP = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const LEAST_PARTS = 3;
const LEAST_LETTERS = 5;

/**
 * Receives each word and each additional term. `isExtra` is true for a term at the position of the word
 * before it.
 */
type IdentifierVisitor = (word: string, start: number, end: number, isExtra: boolean) => void;

/**
 * Calls the visitor for each word of a text, as `tokenize` does. After each word, calls it for the additional terms that
 * have the position of this word.
 */
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
    if (chain !== '' && (isName || isLongChain(chain))) visit(whole, start, end, true);
    if (!isName) return;
    const name = whole.replace(VERSION_LETTER, '');
    const pair = pairOf(last.name, text.slice(last.end, start), name);
    if (last.end >= 0 && pair !== null) visit(pair, start, end, true);
    if (chain === '') for (const part of partsOf(raw)) visit(part, start, end, true);
    last = { name, end: chain === '' ? end : chainEnd };
  });
}

/** Returns true if words with underscores get a joined term in any text, and not only in names. */
export function isLongChain(chain: string): boolean {
  const parts = chain.split(/_+/);
  return parts.length >= LEAST_PARTS || (parts.length > 1 && parts.join('').length >= LEAST_LETTERS);
}

/** Returns the words from `start` on that underscores connect; empty if there is only one word. */
function chainAt(text: string, start: number, end: number): string {
  if (text[end] !== '_') return '';
  CHAIN.lastIndex = start;
  return CHAIN.exec(text)?.[0] ?? '';
}

function joinName(chain: string): string {
  return chain.replaceAll('_', '').slice(0, MAX_TERM_LENGTH).toLowerCase();
}

/**
 * Returns the term for two words with the punctuation `joint` between them; null if they are not indexed as a
 * pair.
 */
function pairOf(first: string, joint: string, second: string): string | null {
  if (!JOINT.test(joint)) return null;
  if (!DIGITS.test(first) || !DIGITS.test(second)) return (first + second).slice(0, MAX_TERM_LENGTH);
  return joint === '.' ? `${first}.${second}`.slice(0, MAX_TERM_LENGTH) : null;
}

/**
 * Returns the parts of a camelCase word, without single letters; an empty list if there are fewer than three
 * parts.
 */
function partsOf(raw: string): string[] {
  if (raw.length > MAX_TERM_LENGTH) return [];
  const parts = raw.split(HUMP);
  return parts.length < LEAST_PARTS
    ? []
    : parts.filter(({ length }) => length > 1).map((part) => part.toLowerCase());
}
