/**
 * Whether a plain query asks for just what is in the lists of its words, so that the search kernel can answer it.
 *
 * A list has all forms of a term. The beginning of a word (`runn*`) asks for the forms that begin so, and links do not say
 * it; so its lists will do only if the forms in them all begin so, as they mostly do. Where words must occur,
 * what else counts for them will not do for them.
 */
import type { StemmingSet } from '../text/mod.ts';
import { ANY_FIELD, type Condition, isWantedForm, type PhraseTerm } from './condition.ts';
import type { ListEntry, SearchedSegment } from './statistics.ts';
import { formsOf, type TermQuery } from './term-query.ts';

export function areListsWanted(query: TermQuery, searched: readonly SearchedSegment[]): boolean {
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

/** Whether the lists of the word are those of its variants here, and no others. */
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

/** Words of which any will do, by their terms. */
class AskedWords {
  /** Nothing but words was asked for. */
  readonly isAny: boolean;
  readonly #inAnyForm = new Map<string, StemmingSet>();
  readonly #exact = new Map<string, { word: string; stemmings: StemmingSet }[]>();

  constructor(condition: Condition) {
    this.isAny = this.#add(condition);
  }

  hasAnyForm({ term, stemmings }: ListEntry): boolean {
    return (stemmings & ~(this.#inAnyForm.get(term) ?? 0)) === 0;
  }

  /** Whether all documents in the list are asked for. */
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
