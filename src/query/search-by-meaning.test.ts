import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Directory, silentLog } from '../base/mod.ts';
import { type IndexDocument, IndexReader, IndexWriter, stampOf } from '../index/mod.ts';
import { DEFAULT_PROFILE } from '../scoring/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import type { LocalSearcherOptions } from './local-searcher.ts';
import { makeDocument } from './matching/naive.fixture.ts';
import { found, indexOf, open } from './searcher.fixture.ts';

const MODEL = 'topics';
const MEANING_PROFILE = { ...DEFAULT_PROFILE, weights: { ...DEFAULT_PROFILE.weights, meaning: 1 } };

/** Topics of the test vectors. The words in one row have the same meaning. */
const TOPICS = [
  ['join', 'merge', 'combine', 'tables'],
  ['cook', 'bake', 'oven', 'bread'],
  ['paint', 'colour', 'brush'],
];

const MERGE = makeDocument('https://example.org/merge', 'merge combine');
const JOIN = makeDocument('https://example.org/join', 'join tables');
const BREAD = makeDocument('https://example.org/bread', 'bake bread');
const BRUSH = makeDocument('https://example.org/brush', 'paint brush');

test('a page is found by what it means, without any of the words', async (t) => {
  const searcher = await searching(t, [MERGE, JOIN, BREAD, BRUSH]);
  assert.deepEqual(await found(searcher, 'join tables'), [JOIN, MERGE].map(urlOf));
  const { total } = await searcher.search({ query: 'join tables', offset: 0, limit: 10 });
  assert.equal(total, 2);
  searcher.close();
});

test('without vectors, or with those of another model, pages are found by their words', async (t) => {
  const index = await indexOf(t, [MERGE, JOIN, BREAD, BRUSH]);
  const searcher = open(index, OPTIONS);
  assert.deepEqual(await found(searcher, 'join tables'), [JOIN].map(urlOf));
  searcher.close();
  embedAll(index, 'another model');
  const other = open(index, OPTIONS);
  assert.deepEqual(await found(other, 'join tables'), [JOIN].map(urlOf));
  other.close();
});

test('quoted words, filters and exclusions apply to pages that are found by meaning', async (t) => {
  const english = { ...MERGE, stored: { ...MERGE.stored, language: 'en' } };
  const elsewhere = makeDocument('https://other.example/else', 'combine merge');
  const searcher = await searching(t, [english, JOIN, elsewhere, BRUSH]);
  assert.deepEqual(await found(searcher, 'join "tables"'), [JOIN].map(urlOf));
  assert.deepEqual(await found(searcher, '"join tables"'), [JOIN].map(urlOf));
  assert.deepEqual(await found(searcher, 'join tables -combine'), [JOIN].map(urlOf));
  const onSite = await found(searcher, `join tables site:${JOIN.host}`);
  assert.deepEqual(onSite, [JOIN, MERGE].map(urlOf));
  const rules = [{ site: 'other.example', effect: 'block' }] as const;
  const { results } = await searcher.search({ query: 'join tables', offset: 0, limit: 10, siteRules: rules });
  assert.deepEqual(
    results.map(({ url }) => url),
    [JOIN, MERGE].map(urlOf),
  );
  searcher.close();
});

test('a query that no page has a word of finds nothing by meaning', async (t) => {
  const searcher = await searching(t, [MERGE, BREAD]);
  assert.deepEqual(await found(searcher, 'join tables'), []);
  searcher.close();
});

test('identifiers and single words are searched by words only', async (t) => {
  const index = await indexOf(t, [JOIN, MERGE]);
  embedAll(index, MODEL);
  const byWords = [
    'join',
    '"join tables"',
    'pandas.merge',
    'join_tables',
    'std::merge',
    'mergeTables',
    'join docs',
    'the join',
  ];
  assert.deepEqual(await embeddedTexts(index, [...byWords, 'join tables site:example.org']), [
    'join tables en',
  ]);
});

/** Runs the queries. Returns the texts for which a vector was computed, with their languages. */
async function embeddedTexts(index: Directory, queries: readonly string[]): Promise<string[]> {
  const asked: string[] = [];
  const embedQuery = (text: string, languages: readonly string[]) => {
    asked.push(`${text} ${languages}`);
    return OPTIONS.embedQuery!(text, languages);
  };
  const searcher = open(index, { ...OPTIONS, embedQuery });
  for (const query of queries) await found(searcher, query);
  searcher.close();
  return asked;
}

test('the name of a site and one other word are searched by words only', async (t) => {
  const onSite = (path: string, text: string) => makeDocument(`https://fontforge.example/${path}`, text);
  const named = [onSite('a', 'fontforge tutorial'), onSite('b', 'fontforge merge join')];
  const index = await indexOf(t, [
    ...named,
    makeDocument('https://join.example/', 'join tables'),
    JOIN,
    MERGE,
  ]);
  embedAll(index, MODEL);
  assert.deepEqual(
    await embeddedTexts(index, ['fontforge tutorial', 'join tables', 'fontforge merge tables']),
    ['join tables en', 'fontforge merge tables en'],
  );
});

test('a query with a word of another language names that language to the model', async (t) => {
  const german = Array.from({ length: 3 }, (_, at) => {
    const document = makeDocument(`https://example.org/de/${at}`, 'join tables verbinden');
    return { ...document, stored: { ...document.stored, language: 'de' } };
  });
  const english = Array.from({ length: 40 }, (_, at) =>
    makeDocument(`https://example.org/${at}`, 'join tables'),
  );
  const index = await indexOf(t, [...english, ...german]);
  embedAll(index, MODEL);
  assert.deepEqual(await embeddedTexts(index, ['join tables', 'join tables verbinden']), [
    'join tables en',
    'join tables verbinden en,de',
  ]);
});

test('while few pages have vectors, those without are not behind', async (t) => {
  const others = Array.from({ length: 8 }, (_, at) => makeDocument(`https://example.org/${at}`, 'paint'));
  const index = await indexOf(t, [JOIN, MERGE, ...others]);
  embedAll(index, MODEL, ({ stored }) => stored.url === MERGE.stored.url);
  const searcher = open(index, OPTIONS);
  const score = async ({ stored }: IndexDocument) => {
    const explanation = await searcher.explain('join tables', stored.url as CanonicalUrl);
    return explanation!.shares.find(({ feature }) => feature === 'meaning')!.value;
  };
  assert.ok((await score(MERGE)) < 0.15, `${await score(MERGE)}`);
  assert.ok((await score(JOIN)) > 0);
  assert.equal((await found(searcher, 'join tables'))[0], JOIN.stored.url);
  searcher.close();
});

test('among pages that share words with a page, those with a similar meaning are related first', async (t) => {
  const page = makeDocument('https://example.org/page', 'join tables zebra');
  const paints = Array.from({ length: 3 }, (_, at) =>
    makeDocument(`https://example.org/paint/${at}`, 'zebra paint'),
  );
  const alike = makeDocument('https://example.org/zz', 'zebra merge combine merge combine');
  const index = await indexOf(t, [page, ...paints, alike]);
  const first = async () => {
    const searcher = open(index, OPTIONS);
    const [url] = await found(searcher, 'related:example.org/page');
    searcher.close();
    return url;
  };
  assert.notEqual(await first(), urlOf(alike));
  embedAll(index, MODEL);
  assert.equal(await first(), urlOf(alike));
});

test('the snippet of a page that is found by meaning is the sentence with the closest meaning', async (t) => {
  const sentences = [
    'Bake the bread in the oven for about an hour or so.',
    'After that you may merge and combine what you have.',
    'Paint with a brush and with the colour of your choice.',
  ];
  const page = makeDocument('https://example.org/mixed', sentences.join(' '));
  const searcher = await searching(t, [page, JOIN, BREAD]);
  const { results } = await searcher.search({ query: 'join tables', offset: 0, limit: 10 });
  const { snippet } = results.find(({ url }) => url === urlOf(page))!;
  assert.ok(snippet.startsWith(sentences[1]!), snippet);
  searcher.close();
});

test('with the weight 0, the scores are the same with and without vectors', async (t) => {
  const documents = [JOIN, BREAD, BRUSH, makeDocument('https://example.org/both', 'join bread tables')];
  const profile = { ...DEFAULT_PROFILE, weights: { ...DEFAULT_PROFILE.weights, meaning: 0 } };
  const scores = async (index: Directory) => {
    const searcher = open(index, { ...OPTIONS, profile });
    const { results } = await searcher.search({ query: 'join tables', offset: 0, limit: 10 });
    searcher.close();
    return results
      .filter(({ highlights }) => highlights.length > 0)
      .map(({ url, score }) => ({ url, score }));
  };
  const plain = await indexOf(t, documents);
  const embedded = await indexOf(t, documents);
  embedAll(embedded, MODEL);
  assert.deepEqual(await scores(embedded), await scores(plain));
});

test('the explanation of a score names the meaning', async (t) => {
  const searcher = await searching(t, [MERGE, JOIN]);
  const explanation = await searcher.explain('join tables', urlOf(MERGE) as CanonicalUrl);
  const share = explanation?.shares.find(({ feature }) => feature === 'meaning');
  assert.ok(share && share.share > 0, JSON.stringify(explanation));
  assert.equal(explanation!.byMeaning, true);
  const byWords = await searcher.explain('join tables', urlOf(JOIN) as CanonicalUrl);
  assert.equal(byWords!.byMeaning, undefined);
  searcher.close();
});

const OPTIONS: Partial<LocalSearcherOptions> = {
  profile: MEANING_PROFILE,
  embedQuery: (text) => ({ model: MODEL, vector: vectorOf(text) }),
};

async function searching(t: TestContext, documents: IndexDocument[]) {
  const index = await indexOf(t, documents);
  embedAll(index, MODEL);
  return open(index, OPTIONS);
}

function urlOf({ stored }: IndexDocument): string {
  return stored.url;
}

/** Returns a test vector of length 100: each element counts the words of one topic. */
function vectorOf(text: string): Int8Array {
  const words = text.toLowerCase().split(/\W+/);
  const counts = TOPICS.map((topic) => words.filter((word) => topic.includes(word)).length);
  const length = Math.hypot(...counts) || 1;
  return Int8Array.from(counts, (count) => Math.round((100 * count) / length));
}

/** Adds vectors of their texts to the given documents, or to all documents. */
function embedAll(
  index: Directory,
  model: string,
  isWanted: (document: { stored: { url: string } }) => boolean = () => true,
): void {
  const reader = new IndexReader(index, silentLog);
  const vectors = new Map(
    reader.segments.flatMap(({ reader: segment }) =>
      Array.from(segment.table.fingerprints, (fingerprint, doc) => {
        const stored = segment.document(doc);
        return { fingerprint, stored, stamp: stampOf(segment.table, doc) };
      })
        .filter(isWanted)
        .map(
          ({ fingerprint, stored, stamp }) =>
            [fingerprint, { vector: vectorOf(stored.text), stamp }] as const,
        ),
    ),
  );
  reader.close();
  const writer = new IndexWriter(index, silentLog);
  writer.setVectors(model, TOPICS.length, vectors);
  writer.commit();
  writer.close();
}
