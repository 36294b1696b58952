/**
 * Finds the words of a query in a text, in any of their written forms. `QueryHighlighter` is for snippets and uses
 * the forms that the index has; `pageHighlighter` is for whole pages and uses stemming.
 *
 * The dictionary has the written forms of each term, so `QueryHighlighter` needs no stemming: a token that equals
 * one of the forms is a hit. Most texts are runs of ASCII letters and digits with gaps between them. A run is
 * skipped if no form has its first letter and length. If a run may not be a whole word (`don't`, `c++`, `.net`,
 * accents, other scripts), the tokenizer processes the text up to the next space.
 */
import { fold, MAX_TERM_LENGTH, stemmingOf, termOf, tokenize } from '../../text/mod.ts';
import { parseQuery } from '../language/mod.ts';

/** Maps each written form to the index of its word in the query: "connected" to the index of "connect". */
export type WordForms = ReadonlyMap<string, number>;

export interface Hit {
  word: number;
  /** The written form, as the index has it. */
  form: string;
  start: number;
  end: number;
}

const Kind = { gap: 0, run: 1, unclear: 2 } as const;
/** The class of each ASCII character: part of a word, gap or unclear. All other characters are unclear. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\da-z]/i.test(character)) return Kind.run;
  return "'+#".includes(character) ? Kind.unclear : Kind.gap;
});
const DOT = 0x2e;
const LOWER_CASE = 0x20;
/** Sets of lengths are stored as bits: bit n stands for length n, and bit LONGEST for all lengths from LONGEST on. */
const LONGEST = 31;

export class QueryHighlighter {
  readonly #forms: WordForms;
  /** For each ASCII character, the set of lengths of the written forms that begin with it, as bits. */
  readonly #lengths = new Uint32Array(128);

  constructor(forms: WordForms) {
    this.#forms = forms;
    for (const form of forms.keys()) {
      const first = form.charCodeAt(0);
      if (first < 128) this.#lengths[first]! |= 1 << Math.min(LONGEST, form.length);
    }
  }

  /**
   * Appends the occurrences of query words in [from, to), ascending. Both ends of the range must be next to a space
   * or at an end of the text.
   */
  find(text: string, from: number, to: number, hits: Hit[]): void {
    for (let at = from; at < to; ) {
      const kind = kindAt(text, at);
      if (kind === Kind.gap || (kind === Kind.unclear && text.charCodeAt(at) < 128)) {
        at++;
        continue;
      }
      let end = at;
      while (end < to && kindAt(text, end) === Kind.run) end++;
      const isDotted = isDotNet(text, at, end);
      const isClear = end > at && (end === to || kindAt(text, end) === Kind.gap) && !isDotted;
      if (isClear) this.#test(text, at, end, hits);
      at = isClear ? end : this.#ask(text, isDotted ? at - 1 : at, to, hits);
    }
  }

  /** Appends a hit if the run of characters is a written form of a query word. */
  #test(text: string, start: number, end: number, hits: Hit[]): void {
    const lengths = this.#lengths[text.charCodeAt(start)! | LOWER_CASE]!;
    if ((lengths & (1 << Math.min(LONGEST, end - start))) === 0) return;
    const form = text.slice(start, Math.min(end, start + MAX_TERM_LENGTH)).toLowerCase();
    const word = this.#forms.get(form);
    if (word !== undefined) hits.push({ word, form, start, end });
  }

  /** Tokenizes the text up to the next space and appends the hits. Returns the position of the space. */
  #ask(text: string, from: number, to: number, hits: Hit[]): number {
    let end = from;
    while (end < to && text.charCodeAt(end) > 0x20) end++;
    tokenize(text.slice(from, end), (form, start, endOfWord) => {
      const word = this.#forms.get(form);
      if (word !== undefined) hits.push({ word, form, start: from + start, end: from + endOfWord });
    });
    return end;
  }
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? KINDS[code]! : Kind.unclear;
}

/**
 * Returns true if [start, end) is the `net` of the word `.net`. In `asp.net` the dot follows another word: false.
 */
function isDotNet(text: string, start: number, end: number): boolean {
  if (end - start !== 3 || start === 0 || text.charCodeAt(start - 1) !== DOT) return false;
  const isFirst = start === 1 || (kindAt(text, start - 2) !== Kind.run && text.charCodeAt(start - 2) < 128);
  return isFirst && text.slice(start, end).toLowerCase() === 'net';
}

/**
 * Returns a function that finds the words of a query in a text, in any form, by the stemming of the text's language
 * and with or without accents. It returns ranges [start, end) in UTF-16 units, ascending. Overlapping ranges, as in
 * scripts without spaces, are merged.
 */
export function pageHighlighter(query: string, language: string): (text: string) => [number, number][] {
  const stemming = stemmingOf(language);
  const { words } = parseQuery(query);
  const terms = new Set(words.map((word) => termOf(word, stemming)));
  const spellings = new Set(words.map(fold));
  if (terms.size === 0) return () => [];
  return (text) => {
    const found: [number, number][] = [];
    tokenize(text, (word, start, end) => {
      if (!terms.has(termOf(word, stemming)) && !spellings.has(fold(word))) return;
      const last = found.at(-1);
      if (last && start < last[1]) last[1] = Math.max(last[1], end);
      else found.push([start, end]);
    });
    return found;
  };
}
