import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEATURE_NAMES } from '../../scoring/features.ts';
import { DEFAULT_PROFILE } from '../../scoring/mod.ts';
import { stemmingOf, titleKeyOf } from '../../text/mod.ts';
import { CandidateList } from './candidate-list.ts';
import { foldTranslations } from './translations.ts';

interface Row {
  key: number;
  language: string;
  title?: string;
  /** The share of the words that the document has in the typed form. */
  exact?: number;
}

/** Folds a list of test rows. Returns, for each listed row, its number and the numbers of its translations. */
function folded(rows: Row[], language = 'en', searcherLanguage = '', text = 'query'): number[][] {
  const columns = {
    total: rows.length,
    isPartial: false,
    docs: [...rows.keys()],
    scores: Float64Array.from(rows, (_, at) => -at),
    fingerprints: BigInt64Array.from(rows, (_, at) => BigInt(at)),
    hosts: rows.map(() => 'a.example'),
    days: new Uint16Array(rows.length),
    types: rows.map(() => 'html'),
    languages: rows.map((row) => row.language),
    signatures: new Uint32Array(10 * rows.length),
    urlFits: new Uint8Array(rows.length),
    titleKeys: Uint32Array.from(rows, ({ title = '' }) => titleKeyOf(title)),
    translationKeys: Uint32Array.from(rows, ({ key }) => key),
    rough: { kind: 'not-needed' } as const,
  };
  const list = new CandidateList([columns], rows.length);
  const query = { text, languages: language.split(' ').map(stemmingOf), searcherLanguage };
  const at = FEATURE_NAMES.indexOf('exact');
  const featuresOf = ({ exact = 1 }: Row) => FEATURE_NAMES.map((_, feature) => (feature === at ? exact : 0));
  const ranked = list.between(0, rows.length).map((one) => ({ ...one, features: featuresOf(rows[one.at]!) }));
  const { documents, translations } = foldTranslations(ranked, { query, profile: DEFAULT_PROFILE });
  return documents.map((one) => [one.at, ...(translations.get(one) ?? []).map(({ at }) => at)]);
}

const spanish = { key: 7, language: 'es' };
const german = { key: 7, language: 'de-at' };
const english = { key: 7, language: 'en' };
const polish = { key: 7, language: 'pl' };
const other = { key: 8, language: 'en' };

test('translations are one result in the language of the query, at the place of the first', () => {
  assert.deepEqual(folded([spanish, other, english, german]), [[2, 0, 3], [1]]);
  assert.deepEqual(folded([spanish, other, english, german], 'de'), [[3, 0, 2], [1]]);
});

test('translations are in the language of the searcher if the words of the query do not show another', () => {
  assert.deepEqual(folded([spanish, english, polish], 'en', 'pl'), [[2, 0, 1]]);
  assert.deepEqual(folded([spanish, english], 'en', 'pl'), [[1, 0]]);
});

test('a translation whose title is the query is listed, whatever the languages are', () => {
  const titled = [
    { ...english, title: 'Dictionaries' },
    { ...spanish, title: 'Diccionarios' },
  ];
  assert.deepEqual(folded(titled, 'en', 'en', 'diccionarios'), [[1, 0]]);
  assert.deepEqual(folded(titled, 'en', 'en', 'diccionarios online'), [[0, 1]]);
  const accented = [
    { ...english, title: 'Benzene', exact: 0 },
    { ...spanish, title: 'Bénzene' },
  ];
  assert.deepEqual(folded(accented, 'en', 'en', 'bénzene'), [[1, 0]]);
  const unknown = { key: 7, language: '', title: 'Nitroalkanes' };
  assert.deepEqual(folded([spanish, english, unknown, german], 'es', 'es', 'nitroalkanes'), [[2, 0, 1, 3]]);
});

test('without a translation in a wanted language, the one with the best score is listed', () => {
  assert.deepEqual(folded([spanish, german], 'fr'), [[0, 1]]);
});

test('a query with words of two languages finds the translation that matches it best', () => {
  assert.deepEqual(folded([spanish, german, english], 'en de'), [[1, 0, 2]]);
});

test('pages of one language, of an unknown language or without a key are no translations', () => {
  assert.deepEqual(folded([english, { ...english, language: 'en-gb' }]), [[0], [1]]);
  assert.deepEqual(folded([english, { ...english, language: '' }]), [[0], [1]]);
  assert.deepEqual(folded([{ key: 0, language: 'en' }, { key: 0, language: 'de' }, other]), [[0], [1], [2]]);
});

test('among translations in many languages, untranslated copies and unknown languages are folded, too', () => {
  const unknown = { key: 7, language: '' };
  assert.deepEqual(folded([english, english, unknown, german, polish]), [[0, 3, 4]]);
});
