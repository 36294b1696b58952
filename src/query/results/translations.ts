/**
 * Folds the translations of a page in a ranked list into one result: one of them is listed, at the place of the first, and
 * the others become its `translations`.
 *
 * Translations have the same key (src/page/translation-key.ts) and different languages. If the query is the whole title of some of
 * them, one of these is listed, if possible one that has the accents of the query too. Among them, the listed one is in the searcher's language if the words of the query do not show
 * another; else in a language of the query; else it is the one with the best score, to which the links to it contribute.
 */
import { exactnessOf, type Profile } from '../../scoring/mod.ts';
import { stemmingOf, titleKeyOf } from '../../text/mod.ts';
import type { TermQuery } from '../terms/mod.ts';
import type { RankedDocument } from './candidate-list.ts';

interface Folded {
  documents: RankedDocument[];
  /** For each listed document, its translations in the order of the list. */
  translations: Map<RankedDocument, RankedDocument[]>;
}

interface AskedTranslation {
  query: Pick<TermQuery, 'text' | 'languages' | 'searcherLanguage'>;
  profile: Profile;
}

/** Pages with one key in at least this number of languages are certainly translations. */
const MANY_LANGUAGES = 3;

export function foldTranslations(ranked: readonly RankedDocument[], asked: AskedTranslation): Folded {
  const groups = groupsOf(ranked);
  const translations = new Map<RankedDocument, RankedDocument[]>();
  if (groups.size === 0) return { documents: [...ranked], translations };
  const titleKey = titleKeyOf(asked.query.text);
  const documents: RankedDocument[] = [];
  for (const document of ranked) {
    const group = groups.get(document);
    if (!group) documents.push(document);
    else if (group[0] === document) {
      const shown = choose(group, titleKey, asked);
      translations.set(shown, onePerLanguage(group, shown));
      documents.push(shown);
    }
  }
  return { documents, translations };
}

/** Maps each document that has translations in the list to all of them, itself included. */
function groupsOf(ranked: readonly RankedDocument[]): Map<RankedDocument, RankedDocument[]> {
  const byKey = new Map<number, RankedDocument[]>();
  for (const document of ranked) {
    const key = document.list.translationKeyOf(document.at);
    if (key === 0) continue;
    const known = byKey.get(key);
    if (known) known.push(document);
    else byKey.set(key, [document]);
  }
  const groups = new Map<RankedDocument, RankedDocument[]>();
  for (const all of byKey.values()) {
    if (all.length < 2) continue;
    const group = translationsAmong(all);
    if (group.length > 1) for (const member of group) groups.set(member, group);
  }
  return groups;
}

/**
 * Returns the documents with one key that are translations of each other: one for each known language. A part of a URL such
 * as `/io/` may look like a language, so two pages of unknown or equal languages are different pages. But if there are pages in
 * many languages, pages with the same key in an unknown language or without translation are copies, too.
 */
function translationsAmong(documents: RankedDocument[]): RankedDocument[] {
  const firsts = new Map<string, RankedDocument>();
  for (const document of documents) {
    const language = primaryOf(document);
    if (language !== '' && !firsts.has(language)) firsts.set(language, document);
  }
  return firsts.size >= MANY_LANGUAGES ? documents : [...firsts.values()];
}

/** Returns the first document in each known language other than that of the listed one. */
function onePerLanguage(group: readonly RankedDocument[], shown: RankedDocument): RankedDocument[] {
  const known = new Set(['', primaryOf(shown)]);
  return group.filter((one) => {
    const isNew = !known.has(primaryOf(one));
    known.add(primaryOf(one));
    return isNew;
  });
}

function choose(
  group: readonly RankedDocument[],
  titleKey: number,
  { query: { languages, searcherLanguage }, profile }: AskedTranslation,
): RankedDocument {
  const titled = group.filter(({ list, at }) => titleKey !== 0 && list.titleKeyOf(at) === titleKey);
  const wanted = titled.length > 0 ? mostExact(titled, profile) : group;
  return (
    wanted.find((one) => searcherLanguage !== '' && primaryOf(one) === searcherLanguage) ??
    wanted.find((one) => primaryOf(one) !== '' && languages.includes(stemmingOf(primaryOf(one)))) ??
    wanted[0]!
  );
}

/** Titles with and without accents have the same key. Returns the documents that have most words as they were typed. */
function mostExact(titled: readonly RankedDocument[], profile: Profile): readonly RankedDocument[] {
  const most = Math.max(...titled.map(({ features }) => exactnessOf(profile, features)));
  return titled.filter(({ features }) => exactnessOf(profile, features) === most);
}

function primaryOf({ list, at }: RankedDocument): string {
  return list.languageOf(at).split('-', 1)[0]!;
}
