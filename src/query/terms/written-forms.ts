/**
 * Collects the written forms of a query's words, such as "connect" and "connected", which the snippet highlights.
 * The forms of the whole index are used for every document, so that snippets do not depend on how the index is
 * divided.
 */
import type { SearchedSegment } from './statistics.ts';
import { formsOf, type TermQuery } from './term-query.ts';
import type { WordTerm } from './word-terms.ts';

/** `forms[i][j]` are the written forms of term j of word i of the query, in one part of the index. */
export type TermForms = readonly (readonly (readonly string[])[])[];

export function formsIn(
  searched: readonly SearchedSegment[],
  words: readonly (readonly WordTerm[])[],
): TermForms {
  const forms = words.map((terms) => terms.map(() => new Set<string>()));
  for (const { lists } of searched) {
    for (const [word, terms] of words.entries()) {
      let next = 0;
      for (const { term, stemmings, entry } of lists[word]!) {
        while (terms[next]!.term !== term || terms[next]!.stemmings !== stemmings) next++;
        for (const form of formsOf(entry)) if (form !== '') forms[word]![next]!.add(form);
      }
    }
  }
  return forms.map((terms) => terms.map((own) => [...own]));
}

/**
 * Maps each written form to the index of the query word that it belongs to. If a form belongs to several words, the
 * first one is used.
 */
export function writtenForms(
  { typed, terms }: Pick<TermQuery, 'typed' | 'terms'>,
  parts: readonly TermForms[],
): Map<string, number> {
  const forms = new Map<string, number>();
  const add = (word: number, written: readonly string[]) => {
    for (const form of written) if (form !== '' && !forms.has(form)) forms.set(form, word);
  };
  const addTerms = (isWanted: (term: WordTerm) => boolean) => {
    for (const [word, own] of terms.entries())
      for (const [at, term] of own.entries())
        if (isWanted(term)) for (const part of parts) add(word, part[word]![at]!);
  };
  for (const [word, words] of typed.entries()) add(word, words);
  addTerms(({ role }) => role === 'own');
  addTerms(({ role }) => role !== 'own');
  return forms;
}
