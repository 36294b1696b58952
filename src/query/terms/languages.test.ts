import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock } from '../../base/mod.ts';
import { type IndexDocument, IndexWriter } from '../../index/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { type LocalSearcher, openSearcher } from '../local-searcher.ts';
import { addSegment, makeDocument, temporaryDirectory } from '../matching/naive.fixture.ts';

/**
 * The language and the text of each test page. The URL of a page ends in its index in this list, so that expected
 * results are short to write.
 */
const PAGES: readonly [language: string, text: string][] = [
  ['en', "Straße is a German word, like Kinder, l'été and running"],
  ['de', 'Die Straßen der Stadt'],
  ['de', 'Das Kind spielt'],
  ['de', 'Die Kinder spielen'],
  ['fr', 'Les étés et les hivers'],
  ['en', 'A run in the park, of a kind'],
  ['en', 'I care'],
  ['nl', 'Een care, geen auto'],
  ['pt', 'Mais informações sobre a cidade'],
  ['en', 'Send your résumé'],
  ['en', 'We resume the work'],
  ['en', 'The cars'],
  ['en', 'A net'],
  ['en', 'On .NET'],
];

test('a word is stemmed by the language of each document', async (t) => {
  const searcher = await searcherOf(t, PAGES);
  const table: Record<string, number[]> = {
    Straße: [0, 1],
    'Straße lang:de': [1],
    kinder: [0, 2, 3],
    "l'été": [0, 4],
    running: [0, 5],
    care: [6, 7],
    car: [7, 11],
    '+kinder +spielen': [3],
    '"kinder"': [0, 3],
    '"die kinder"': [3],
    'intitle:kinder OR kinder': [0, 2, 3],
    'kinder NEAR/2 spielt': [2],
    'kinder -spielt': [0, 3],
    'kinder AND (spielt OR word)': [0, 2],
  };
  for (const [query, pages] of Object.entries(table)) {
    assert.deepEqual(await found(searcher, query), pages, query);
  }
  searcher.close();
});

test('a query of names is in the language of the searcher, and other queries are in their own', async (t) => {
  const searcher = await searcherOf(t, [
    ['en', 'The Lumina handbook for the printer'],
    ['en', 'The Lumina handbook for the scanner'],
    ['de', 'Das Lumina Handbuch zum Drucker'],
    ['de', 'Ein anderes Handbuch'],
    ['en', 'Another handbook'],
  ]);
  const firstFor = async (query: string, preferredLanguage?: string) => {
    const { results } = await searcher.search({
      ...{ query, offset: 0, limit: 1 },
      ...(preferredLanguage !== undefined && { preferredLanguage }),
    });
    return results[0]!.language;
  };
  assert.equal(await firstFor('lumina'), 'en');
  assert.equal(await firstFor('lumina', 'en'), 'en');
  assert.equal(await firstFor('lumina', 'de'), 'de');
  assert.equal(await firstFor('lumina', 'fr'), 'en', 'the index has no page in this language');
  assert.equal(await firstFor('lumina handbuch', 'en'), 'de');
  assert.equal(await firstFor('lumina handbook', 'de'), 'en');
  assert.equal(await firstFor('lumina lang:en', 'de'), 'en');
  const scoreFor = async (preferredLanguage: string) =>
    (await searcher.explain('lumina', address(2), { preferredLanguage }))!.total;
  assert.ok((await scoreFor('de')) > (await scoreFor('en')), 'and the explanation says so');
  searcher.close();
});

test('accents may be omitted, or typed where the page has none', async (t) => {
  const searcher = await searcherOf(t, PAGES);
  const table: Record<string, number[]> = {
    informacoes: [8],
    'informac*': [8],
    'informaç*': [8],
    informaçoes: [8],
    informações: [8],
    resume: [9, 10],
    résumé: [9, 10],
    '"resume"': [9, 10],
    '"résumé"': [9],
    'resume work': [9, 10],
    net: [12],
    '.net': [13],
  };
  for (const [query, pages] of Object.entries(table)) {
    assert.deepEqual(await found(searcher, query), pages, query);
  }
  searcher.close();
});

test('a quoted word is found after an elided article', async (t) => {
  const searcher = await searcherOf(t, [
    ['fr', "L'été dernier"],
    ['fr', 'L’été dernier, jusqu’au soir'],
    ['fr', 'Un été dernier'],
    ['fr', "L'ete dernier"],
    ['fr', "L'étés dernier"],
    ['it', "Nell'atrio dell'università quando piove"],
    ['en', "O'été dernier"],
  ]);
  const table: Record<string, number[]> = {
    '"été dernier"': [0, 1, 2],
    '"ete dernier"': [0, 1, 2, 3],
    '"l\'été dernier"': [0, 1],
    '"un été"': [2],
    '"un l\'été"': [],
    '"été"': [0, 1, 2],
    '"università quando"': [5],
    '"atrio dell\'università"': [5],
    '"atrio università"': [5],
    '"au soir"': [1],
  };
  for (const [query, pages] of Object.entries(table)) {
    assert.deepEqual(await found(searcher, query), pages, query);
  }
  searcher.close();
});

test('the last character of a phrase may begin a pair', async (t) => {
  const searcher = await searcherOf(t, [
    ['ja', '2024年度の予算'],
    ['ja', '2024年'],
    ['ja', 'A型肝炎'],
    ['zh', '苹果iPhone手机'],
    ['zh', '苹果手机, iPhone'],
    ['ja', '2024月年度'],
  ]);
  const table: Record<string, number[]> = {
    '"2024年"': [0, 1],
    '"2024年度"': [0],
    '+2024年': [0, 1],
    '2024年 AND 予算': [0],
    'intitle:"2024年" OR inbody:"2024年"': [0, 1],
    '2024 -"2024年"': [5],
    '"A型"': [2],
    '"iPhone手"': [3],
    '苹果 NEAR/1 iPhone手': [3],
    '"苹果iPhone手"': [3],
    '"年"': [1],
  };
  for (const [query, pages] of Object.entries(table)) {
    assert.deepEqual(await found(searcher, query), pages, query);
  }
  searcher.close();
});

test('anchor texts are stemmed by the language of the linked page', async (t) => {
  const documents = [pageOf(0, 'de', 'Spielzeug'), pageOf(1, 'en', 'Toys')];
  const searcher = await openWith(t, documents, () => [{ text: 'für Kinder', weight: 1 }]);
  assert.deepEqual(await found(searcher, 'kind'), [0]);
  assert.deepEqual(await found(searcher, 'kinder'), [0, 1]);
  assert.deepEqual(await found(searcher, 'inanchor:"fur kinder"'), [0, 1]);
  searcher.close();
});

test('the frequency of a word counts documents by the stemming of their languages', async (t) => {
  const cars = Array.from({ length: 20 }, (_, at) => pageOf(100 + at, 'en', 'car'));
  const searcher = await openWith(t, [
    ...PAGES.map(([language, text], at) => pageOf(at, language, text)),
    ...cars,
  ]);
  const { terms } = (await searcher.explain('care', address(6)))!;
  const { terms: others } = (await searcher.explain('informações', address(8)))!;
  assert.equal(terms.length, 1);
  assert.ok(terms[0]!.idf > 0.8 * others[0]!.idf, 'cars are no cares');
  searcher.close();
});

function searcherOf(t: TestContext, pages: typeof PAGES): Promise<LocalSearcher> {
  return openWith(
    t,
    pages.map(([language, text], at) => pageOf(at, language, text)),
  );
}

function pageOf(number: number, language: string, text: string): IndexDocument {
  const document = makeDocument(address(number), text);
  return { ...document, stored: { ...document.stored, language } };
}

function address(number: number) {
  return canonicalize(`https://a.example/${number}`)!;
}

async function openWith(
  t: TestContext,
  documents: readonly IndexDocument[],
  textsOf: () => { text: string; weight: number }[] = () => [],
): Promise<LocalSearcher> {
  const index = temporaryDirectory(t);
  const writer = new IndexWriter(index, silentLog);
  await addSegment(index, writer, documents, () => 0, textsOf);
  writer.commit();
  writer.close();
  return openSearcher(index, { log: silentLog, clock: systemClock });
}

/** Returns the indexes of the test pages that a query finds, ascending. */
async function found(searcher: LocalSearcher, query: string): Promise<number[]> {
  const { results, total } = await searcher.search({ query, offset: 0, limit: 50 });
  assert.equal(total, results.length, query);
  return results.map(({ url }) => Number(url.slice('https://a.example/'.length))).sort((a, b) => a - b);
}
