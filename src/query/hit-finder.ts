/**
 * Where the words of a query stand in a text, in any of their forms.
 *
 * The dictionary knows the forms in which documents say a term, so nothing has to be stemmed: a token that is one of the
 * forms is a hit. Where words have spaces between them and letters are single characters there are not even tokens: each
 * form is looked for as a string, and what stands around it tells whether it is a word. Where that cannot tell (`c++`,
 * `don't`, `.net`, accents), the tokenizer is asked about the few characters between two spaces.
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
const MAX_SOUGHT = 40;
/** Latin, Greek, Cyrillic, Hebrew and signs; neither scripts without spaces nor marks that join with a letter. */
const PLAIN =
  /^[\0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u200b\u200e-\u2028\u202a-\u205f\u20a0-\u20cf\u2100-\u2bff]*$/;

const Neighbour = { none: 0, letter: 1, unclear: 2 } as const;
/** What an ASCII character beside a word means for it; others are unclear. */
const NEIGHBOURS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\da-z]/i.test(character)) return Neighbour.letter;
  return "'.+#".includes(character) ? Neighbour.unclear : Neighbour.none;
});

/** The hits in `piece`, ascending; `offset` is where it begins in the whole text. */
export function hitsIn(piece: string, offset: number, forms: WordForms): Hit[] {
  const hits =
    forms.size <= MAX_SOUGHT && PLAIN.test(piece) ? soughtHits(piece, forms) : tokenHits(piece, forms);
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
  const text = piece.toLowerCase().replaceAll('’', "'");
  if (text.length !== piece.length) return tokenHits(piece, forms);
  for (const [form, word] of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      if (isWord(text, at, form)) hits.push({ word, start: at, end: at + form.length });
    }
  }
  return hits.sort((a, b) => a.start - b.start);
}

function isWord(text: string, at: number, form: string): boolean {
  const end = at + form.length;
  const before = neighbourAt(text, at - 1);
  const after = text[end] === '.' ? Neighbour.none : neighbourAt(text, end);
  if (before === Neighbour.none && after === Neighbour.none && isPlainForm(form)) return true;
  return before !== Neighbour.letter && after !== Neighbour.letter && isToken(text, at, form);
}

function neighbourAt(text: string, at: number): number {
  if (at < 0 || at >= text.length) return Neighbour.none;
  return NEIGHBOURS[text.charCodeAt(at)] ?? Neighbour.unclear;
}

/** Signs that belong to a word, as in `c++`, are for the tokenizer to judge. */
function isPlainForm(form: string): boolean {
  return neighbourAt(form, 0) === Neighbour.letter && neighbourAt(form, form.length - 1) === Neighbour.letter;
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
