/**
 * Decides if the search kernel can answer a query. It can if the matches of the query are exactly the documents in
 * the postings lists of its words.
 *
 * A postings list contains all forms of a term, for example "run" and "running". A prefix (`runn*`) matches only
 * some forms, so the kernel can answer it only if all forms in the list begin with the prefix, which is usually
 * true. Anchor texts do not record forms. If a word must occur, its synonyms do not match, so the kernel must not
 * use their lists.
 */
import type { StemmingSet } from '../../text/mod.ts';
import { ANY_FIELD, type Condition, isWantedForm, type PhraseTerm } from '../language/mod.ts';
import { formsOf, type ListEntry, type SearchedSegment, type TermQuery } from '../terms/mod.ts';

export function canKernelAnswer(query: TermQuery, searched: readonly SearchedSegment[]): boolean {
  if (query.phrases.length > 0) return query.phrases.flat().every((wanted) => isWholeWord(wanted, query));
  if (hasOnlyWords(query.condition!) && hasOnlyOwn(query)) return true;
  const asked = new AskedWords(query.condition!);
  return (
    asked.isAny &&
    searched.every(
      ({ lists, anchors }) =>
        lists.every((own) => own.every((list) => asked.hasAllOf(list))) &&
        anchors.every((own) => own.every((list) => asked.hasAnyForm(list))),
    )
  );
}

function hasOnlyOwn({ terms }: TermQuery): boolean {
  return terms.every((own) => own.every(({ role }) => role === 'own'));
}

function hasOnlyWords(condition: Condition): boolean {
  if (condition.kind === 'or') return condition.parts.every(hasOnlyWords);
  return condition.kind === 'phrase' && condition.terms.every(({ exact }) => exact === null);
}

/**
 * Returns true if a required word matches exactly the documents in the postings lists that score it. This is
 * not so, for example, if the word has synonyms: their lists add to the score, but a document with only a
 * synonym does not match.
 */
function isWholeWord({ term, variants }: PhraseTerm, { words, terms }: TermQuery): boolean {
  const lists = terms[words.indexOf(term)]!;
  return (
    lists.length === variants.length &&
    lists.every((list, at) => {
      const variant = variants[at]!;
      return list.role === 'own' && list.term === variant.term && list.stemmings === variant.stemmings;
    })
  );
}

/**
 * The words of a query that consists of plain words: a document matches if it has any one of them. `hasAllOf`
 * tells if a postings list contains matching documents only.
 */
class AskedWords {
  /**
   * True if the query consists of single words of which a document needs only one: it has no filters and no
   * phrases.
   */
  readonly isAny: boolean;
  readonly #inAnyForm = new Map<string, StemmingSet>();
  readonly #exact = new Map<string, { word: string; stemmings: StemmingSet }[]>();

  constructor(condition: Condition) {
    this.isAny = this.#add(condition);
  }

  hasAnyForm({ term, stemmings }: ListEntry): boolean {
    return (stemmings & ~(this.#inAnyForm.get(term) ?? 0)) === 0;
  }

  /** Returns true if every document in the postings list matches the query. */
  hasAllOf(list: ListEntry): boolean {
    if (this.hasAnyForm(list)) return true;
    const words = (this.#exact.get(list.term) ?? []).filter(
      ({ stemmings }) => (list.stemmings & ~stemmings) === 0,
    );
    const isAsked = (form: string) => form === '' || words.some(({ word }) => isWantedForm(word, form));
    return words.length > 0 && formsOf(list.entry).every(isAsked);
  }

  #add(condition: Condition): boolean {
    if (condition.kind === 'or') return condition.parts.every((part) => this.#add(part));
    if (condition.kind !== 'phrase' || condition.fields !== ANY_FIELD) return false;
    const [wanted, ...rest] = condition.terms;
    if (!wanted || rest.length > 0) return false;
    for (const { term, stemmings } of wanted.variants) this.#addTerm(term, stemmings, wanted.exact);
    return true;
  }

  #addTerm(term: string, stemmings: StemmingSet, exact: string | null): void {
    if (exact === null) this.#inAnyForm.set(term, (this.#inAnyForm.get(term) ?? 0) | stemmings);
    else this.#exact.set(term, [...(this.#exact.get(term) ?? []), { word: exact, stemmings }]);
  }
}
