/**
 * Folds the translations of a page in a ranked list into one result: one of them is listed, at the place of the first, and
 * the others become its `translations`.
 *
 * Translations have the same key (src/page/translation-key.ts) and different languages. The listed one is in the searcher's
 * language if the words of the query do not show another; else in the language of the query; else it is the one with the
 * best score, to which the links to it contribute.
 */
import { stemmingOf } from '../../text/mod.ts';
import type { TermQuery } from '../terms/mod.ts';
import type { RankedDocument } from './candidate-list.ts';

interface Folded {
  documents: RankedDocument[];
  /** For each listed document, its translations in the order of the list. */
  translations: Map<RankedDocument, RankedDocument[]>;
}

type QueryLanguage = Pick<TermQuery, 'stemming' | 'searcherLanguage'>;

export function foldTranslations(ranked: readonly RankedDocument[], language: QueryLanguage): Folded {
  const groups = groupsOf(ranked);
  const translations = new Map<RankedDocument, RankedDocument[]>();
  if (groups.size === 0) return { documents: [...ranked], translations };
  const documents: RankedDocument[] = [];
  for (const document of ranked) {
    const group = groups.get(document);
    if (!group) documents.push(document);
    else if (group[0] === document) {
      const shown = choose(group, language);
      translations.set(
        shown,
        group.filter((other) => other !== shown),
      );
      documents.push(shown);
    }
  }
  return { documents, translations };
}

/** Maps each document that has translations in the list to all of them, itself included. */
function groupsOf(ranked: readonly RankedDocument[]): Map<RankedDocument, RankedDocument[]> {
  const byKey = new Map<number, RankedDocument[]>();
  const groups = new Map<RankedDocument, RankedDocument[]>();
  for (const document of ranked) {
    const key = document.list.translationKeyOf(document.at);
    if (key === 0) continue;
    const known = byKey.get(key);
    if (!known) {
      byKey.set(key, [document]);
      continue;
    }
    if (known.some((other) => primaryOf(other) === primaryOf(document))) continue;
    known.push(document);
    for (const member of known) groups.set(member, known);
  }
  return groups;
}

function choose(
  group: readonly RankedDocument[],
  { stemming, searcherLanguage }: QueryLanguage,
): RankedDocument {
  return (
    group.find((one) => searcherLanguage !== '' && primaryOf(one) === searcherLanguage) ??
    group.find((one) => primaryOf(one) !== '' && stemmingOf(primaryOf(one)) === stemming) ??
    group[0]!
  );
}

function primaryOf({ list, at }: RankedDocument): string {
  return list.languageOf(at).split('-', 1)[0]!;
}
