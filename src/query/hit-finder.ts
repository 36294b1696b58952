/**
 * Where the words of a query stand in a text, in any of their forms.
 *
 * The dictionary knows the forms in which documents say a term, so nothing has to be stemmed: a token that is one of the
 * forms is a hit. In plain ASCII, which most texts are for long stretches, there are not even tokens: each form is
 * looked for as a string, and what stands around it tells whether it is a word. Where that cannot tell (`c++`, `don't`,
 * `.net`), the tokenizer is asked about the few characters between two spaces.
 */
import { tokenize } from '../text/mod.ts';

/** Which word of the query each written form counts for. */
export type WordForms = ReadonlyMap<string, number>;

export interface Hit {
  word: number;
  start: number;
  end: number;
}

/** Beyond so many forms it is quicker to look at every token once. */
const MAX_SOUGHT = 24;
const NOT_ASCII = /[^\0-\x7f]/;

const Neighbour = { none: 0, letter: 1, unclear: 2 } as const;
/** What an ASCII character beside a word means for it. */
const NEIGHBOURS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\da-z]/i.test(character)) return Neighbour.letter;
  return "'.+#".includes(character) ? Neighbour.unclear : Neighbour.none;
});

/** The hits in `piece`, ascending; `offset` is where it begins in the whole text. */
export function hitsIn(piece: string, offset: number, forms: WordForms): Hit[] {
  const hits =
    forms.size > MAX_SOUGHT || NOT_ASCII.test(piece) ? tokenHits(piece, forms) : soughtHits(piece, forms);
  if (offset > 0) {
    for (const hit of hits) {
      hit.start += offset;
      hit.end += offset;
    }
  }
  return hits;
}

function tokenHits(piece: string, forms: WordForms): Hit[] {
  const hits: Hit[] = [];
  tokenize(piece, (form, start, end) => {
    const word = forms.get(form);
    if (word !== undefined) hits.push({ word, start, end });
  });
  return hits;
}

function soughtHits(piece: string, forms: WordForms): Hit[] {
  const hits: Hit[] = [];
  const text = piece.toLowerCase();
  for (const [form, word] of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      if (isWord(text, at, form)) hits.push({ word, start: at, end: at + form.length });
    }
  }
  return hits.sort((a, b) => a.start - b.start);
}

function isWord(text: string, at: number, form: string): boolean {
  const end = at + form.length;
  const before = at === 0 ? Neighbour.none : NEIGHBOURS[text.charCodeAt(at - 1)];
  const after = end === text.length ? Neighbour.none : NEIGHBOURS[text.charCodeAt(end)];
  if (before === Neighbour.letter || after === Neighbour.letter) return false;
  const isPlain = before === Neighbour.none && (after === Neighbour.none || text[end] === '.');
  return isPlain && isPlainForm(form) ? true : isToken(text, at, form);
}

/** Signs that belong to a word, as in `c++`, are for the tokenizer to judge. */
function isPlainForm(form: string): boolean {
  return NEIGHBOURS[form.charCodeAt(0)] === Neighbour.letter && NEIGHBOURS[form.charCodeAt(form.length - 1)] === Neighbour.letter;
}

/** Whether the tokenizer makes this word of the characters at `at`; spaces always separate. */
function isToken(text: string, at: number, form: string): boolean {
  let from = at;
  let to = at + form.length;
  while (from > 0 && text.charCodeAt(from - 1) > 0x20) from--;
  while (to < text.length && text.charCodeAt(to) > 0x20) to++;
  let isFound = false;
  tokenize(text.slice(from, to), (word, start) => {
    if (start === at - from && word === form) isFound = true;
  });
  return isFound;
}
