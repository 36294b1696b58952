import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, silentLog, systemClock } from '../base/mod.ts';
import { Field, IndexWriter } from '../index/mod.ts';
import { builtInProfile, DEFAULT_PROFILE } from '../scoring/mod.ts';
import { canonicalize } from '../url/mod.ts';
import { Synonyms } from './assistance/synonyms/synonyms.ts';
import { parseSynonyms } from './assistance/synonyms/synonyms-file.ts';
import { openSearcher } from './local-searcher.ts';
import { addSegment, makeDocument, temporaryDirectory } from './matching/naive.fixture.ts';
import { add, found, indexOf, open } from './searcher.fixture.ts';

test('a result has all fields of a results page', async (t) => {
  const index = await indexOf(t, [
    makeDocument('https://undici.example/', 'An HTTP/1.1 client, written from scratch.', { title: 'undici' }),
    makeDocument('https://other.example/a', 'Nothing of interest.'),
  ]);
  const searcher = open(index);
  const response = await searcher.search({ query: 'HTTP client', offset: 0, limit: 10 });
  assert.equal(response.query, 'HTTP client');
  assert.equal(response.total, 1);
  assert.equal(response.partial, false);
  assert.deepEqual(response.notes, []);
  const { score, ...rest } = response.results[0]!;
  assert.ok(score > 0);
  assert.deepEqual(rest, {
    url: 'https://undici.example/',
    title: 'undici',
    snippet: 'An HTTP/1.1 client, written from scratch.',
    highlights: [
      [3, 7],
      [12, 18],
    ],
    host: 'undici.example',
    fetchedAt: '2023-11-14T22:13:20.000Z',
    isEntry: true,
  });
  searcher.close();
});

test('a result has the date of its document, if there is one', async (t) => {
  const dated = (day: number) => makeDocument(`https://a.example/${day}`, 'word', { day });
  const searcher = open(await indexOf(t, [dated(0), dated(19_500)]));
  const { results } = await searcher.search({ query: 'word', offset: 0, limit: 10 });
  const dates = new Map(results.map(({ url, date }) => [url, date]));
  assert.equal(dates.get('https://a.example/19500'), '2023-05-23');
  assert.equal(dates.get('https://a.example/0'), undefined);
  searcher.close();
});

test('a response has the kinds of its best results, on every page', async (t) => {
  const typed = (name: string, text: string, type: string) =>
    makeDocument(`https://a.example/${name}`, text, { type });
  const documents = [
    typed('1', 'word', 'html'),
    typed('2', 'word', 'html/news'),
    typed('3', 'word', 'pdf'),
    typed('4', 'other', 'html/product'),
  ];
  const searcher = open(await indexOf(t, documents));
  const kinds = async (query: string, offset = 0) =>
    (await searcher.search({ query, offset, limit: 1 })).kinds;
  assert.deepEqual(await kinds('word'), ['html', 'news', 'pdf']);
  assert.deepEqual(await kinds('word', 2), ['html', 'news', 'pdf']);
  assert.deepEqual(await kinds('word filetype:pdf'), ['pdf']);
  assert.deepEqual(await kinds('other'), ['html', 'product']);
  searcher.close();
  const withFeed = open(await indexOf(t, [...documents, typed('5', 'news', 'xml/feed')]));
  const { kinds: all } = await withFeed.search({ query: 'other', offset: 0, limit: 1 });
  assert.deepEqual(all, ['feed', 'html', 'product'], 'feeds are in no list');
  withFeed.close();
});

test('a response counts sites, languages, formats and periods of its best results', async (t) => {
  const today = Math.floor(systemClock.now() / DAY_MS);
  const at = (url: string, language: string, type: string, daysAgo: number) => {
    const document = makeDocument(url, 'word', { type, day: daysAgo < 0 ? 0 : today - daysAgo });
    return { ...document, stored: { ...document.stored, language } };
  };
  const documents = [
    at('https://a.example/1', 'en', 'html', 0),
    at('https://a.example/2', 'en-gb', 'html/news', 20),
    at('https://b.example/3', 'x-default', 'html.md', -1),
    at('https://b.example/4', 'de', 'pdf', 200),
    at('https://a.example/5', 'de', 'pdf', 2000),
  ];
  const searcher = open(await indexOf(t, documents));
  const { facets } = await searcher.search({ query: 'word', offset: 3, limit: 1 });
  const counts = (list: readonly { value: string; count: number }[]) =>
    Object.fromEntries(list.map(({ value, count }) => [value, count]));
  assert.equal(facets!.counted, 5);
  assert.deepEqual(counts(facets!.sites), { 'a.example': 3, 'b.example': 2 });
  assert.deepEqual(counts(facets!.languages), { de: 2, en: 2 });
  assert.deepEqual(counts(facets!.formats), { html: 3, pdf: 2 });
  assert.deepEqual(counts(facets!.periods), { day: 1, week: 1, month: 2, year: 3 });
  const { facets: narrowed } = await searcher.search({ query: 'word lang:en', offset: 0, limit: 1 });
  assert.deepEqual(counts(narrowed!.languages), { en: 2 });
  searcher.close();
});

test('a query of filters alone lists the most linked pages first', async (t) => {
  const index = temporaryDirectory(t);
  const documents = ['a', 'b', 'c', 'd'].map((name) => makeDocument(`https://a.example/${name}`, 'word'));
  const ranks = new Map(documents.map(({ fingerprint }, at) => [fingerprint, [1, 0.5, 3, 2][at]!]));
  const writer = new IndexWriter(index, silentLog);
  await addSegment(index, writer, documents, (fingerprint) => ranks.get(fingerprint)!);
  writer.commit();
  writer.close();
  const searcher = open(index);
  const paths = (await found(searcher, 'site:a.example')).map((url) => new URL(url).pathname);
  assert.deepEqual(paths, ['/c', '/d', '/a', '/b']);
  searcher.close();
});

test('a warm-up searches for titles and words of them until it is stopped, and caches no response', async (t) => {
  const titles = ['first', 'second', 'third'];
  const documents = titles.map((title) => makeDocument(`https://a.example/${title}`, 'text', { title }));
  const searcher = open(await indexOf(t, documents), { answerBytes: 1 << 20 });
  let asked = 0;
  assert.equal(await searcher.warmUp(() => asked++ >= 2), false);
  assert.equal(asked, 3);
  assert.equal(await searcher.warmUp(() => asked++ >= 100), true, 'it continues until no query is left');
  assert.equal(asked, 3 + 4 * titles.length - 2 + 1);
  assert.deepEqual(searcher.stats().cache, { hits: 0, misses: 0, sizeBytes: 0 });
  searcher.close();
});

test('a synonym is a weaker match, marked in the snippet and named in the explanation', async (t) => {
  const index = await indexOf(t, [
    makeDocument('https://a.example/', 'The library of Penn is large.'),
    makeDocument('https://b.example/', 'The library of upenn is large.'),
    makeDocument('https://c.example/', 'The library of Yale is large.'),
  ]);
  const known = new Synonyms(parseSynonyms('upenn => penn', 'rules'), []);
  const searcher = open(index, { synonyms: () => ({ known, version: '' }) });
  assert.deepEqual(await found(searcher, 'upenn'), ['https://b.example/', 'https://a.example/']);
  assert.deepEqual(await found(searcher, '+upenn'), ['https://b.example/']);
  assert.deepEqual(await found(searcher, '"upenn"'), ['https://b.example/']);
  assert.deepEqual(await found(searcher, 'penn'), ['https://a.example/']);
  const { results } = await searcher.search({ query: 'upenn', offset: 0, limit: 10 });
  assert.deepEqual(results[1]!.highlights, [[15, 19]]);
  const [own, other] = await Promise.all(
    results.map(({ url }) => searcher.explain('upenn', canonicalize(url)!)),
  );
  assert.equal(own!.terms[0]!.synonyms, undefined);
  assert.deepEqual(other!.terms[0]!.synonyms, [{ term: 'penn', weight: 0.7, frequency: 4 }]);
  assert.equal(other!.total, results[1]!.score);
  searcher.close();
});

test('notes belong to the typed query, also from the cache', async (t) => {
  const searcher = open(await indexOf(t, [makeDocument('https://a.example/', 'word')]), { answerBytes: 1e6 });
  const notesOf = async (query: string) => (await searcher.search({ query, offset: 0, limit: 10 })).notes;
  for (const query of ['(((', '"', '(((', 'word', 'word )', 'word']) {
    const expected = query === 'word' ? [] : query === 'word )' ? [')'] : query === '"' ? ['"'] : ['('];
    assert.deepEqual(
      await notesOf(query),
      expected.map((text) => ({ code: 'plain-words', values: { text } })),
      query,
    );
  }
  searcher.close();
});

test('a field with a prefix finds words with that prefix', async (t) => {
  const searcher = open(
    await indexOf(t, [
      makeDocument('https://a.example/zebra', 'A horse', { title: 'Zebras', urlText: 'a.example zebra' }),
      makeDocument('https://b.example/', 'A zebra', { title: 'Horse' }),
    ]),
  );
  assert.deepEqual(await found(searcher, 'intitle:zeb*'), ['https://a.example/zebra']);
  assert.deepEqual(await found(searcher, 'inurl:zeb*'), ['https://a.example/zebra']);
  assert.deepEqual(await found(searcher, 'inbody:zeb*'), ['https://b.example/']);
  assert.deepEqual(await found(searcher, 'zeb* -intitle:zeb*'), ['https://b.example/']);
  searcher.close();
});

test('a missing index gives empty responses, and results once it is built', async (t) => {
  const index = temporaryDirectory(t);
  const searcher = open(index);
  assert.equal(searcher.refresh(), false);
  assert.deepEqual(await found(searcher, 'word'), []);
  assert.deepEqual(searcher.stats(), {
    docCount: 0,
    segmentCount: 0,
    sizeBytes: 0,
    generation: 0,
  });
  await add(index, [makeDocument('https://a.example/', 'word')]);
  assert.deepEqual(await found(searcher, 'word'), []);
  assert.equal(searcher.refresh(), true);
  assert.deepEqual(await found(searcher, 'word'), ['https://a.example/']);
  const { sizeBytes, ...stats } = searcher.stats();
  assert.deepEqual(stats, { docCount: 1, segmentCount: 1, generation: 1 });
  assert.ok(sizeBytes > 100);
  searcher.close();
});

test('a site name finds its home page before pages that mention it more often', async (t) => {
  const index = await indexOf(
    t,
    [
      makeDocument('https://undici.example/', 'A client for the web.', { title: 'Home' }),
      makeDocument('https://undici.example/docs/undici', 'undici undici undici', { title: 'undici docs' }),
      makeDocument('https://blog.example/undici', 'undici '.repeat(20), { title: 'Why undici is fast' }),
      makeDocument('https://stackoverflow.example/', 'Questions'),
      makeDocument('https://blog.example/stack', 'The stack: an overflow of the stack, stack overflow'),
    ].map((document) => ({ ...document, urlText: document.stored.url })),
  );
  const known = new Synonyms(parseSynonyms('undi, undici', 'rules'), []);
  const searcher = open(index, { synonyms: () => ({ known, version: '' }) });
  assert.equal((await found(searcher, 'undici'))[0], 'https://undici.example/');
  assert.equal((await found(searcher, 'undi'))[0], 'https://undici.example/');
  assert.equal((await found(searcher, 'stackoverflow'))[0], 'https://stackoverflow.example/');
  searcher.close();
});

test('words, phrases, operators, prefixes and sites find their documents', async (t) => {
  const index = await indexOf(t, [
    makeDocument('https://a.example/1', 'big red dog'),
    makeDocument('https://a.example/2', 'red big cat'),
    makeDocument('https://sub.a.example/3', 'big red\ncat'),
    makeDocument('https://nota.example/4', 'small blue bird'),
  ]);
  const searcher = open(index);
  const cases: [string, number[]][] = [
    ['big', [1, 2, 3]],
    ['dog bird', [1, 4]],
    ['"big red"', [1, 3]],
    ['"red cat"', []],
    ['"big red" dog', [1, 3]],
    ['big -dog', [2, 3]],
    ['big -"big red"', [2]],
    ['big site:a.example', [1, 2, 3]],
    ['big site:sub.a.example', [3]],
    ['site:a.example', [1, 2, 3]],
    ['site:a.example -cat', [1]],
    ['small -site:a.example', [4]],
    ['"big missing"', []],
    ['missing', []],
    ['big -missing -"red missing"', [1, 2, 3]],
    ['-big', []],
    ['', []],
    ['big AND cat', [2, 3]],
    ['dog OR bird', [1, 4]],
    ['big NOT dog', [2, 3]],
    ['(dog OR cat) AND NOT site:sub.a.example', [1, 2]],
    ['red NEAR/1 big', [1, 2, 3]],
    ['red NEAR/1 cat', []],
    ['red NEAR/9 cat', [2, 3]],
    ['bi*', [1, 2, 3, 4]],
    ['+big ca*', [1, 2, 3]],
    ['big -ca*', [1]],
  ];
  for (const [query, expected] of cases) {
    const numbers = (await found(searcher, query)).map((url) => Number(url.at(-1))).sort();
    assert.deepEqual(numbers, expected, query);
  }
  searcher.close();
});

test('notes explain how the query was interpreted', async (t) => {
  const searcher = open(await indexOf(t, [makeDocument('https://a.example/', 'cat dog')]));
  const unclosed = await searcher.search({ query: 'cat "dog', offset: 0, limit: 10 });
  assert.deepEqual(unclosed.notes, [{ code: 'plain-words', values: { text: '"dog' } }]);
  assert.equal(unclosed.query, 'cat dog');
  assert.equal(unclosed.total, 1);
  const negative = await searcher.search({ query: '-cat', offset: 0, limit: 10 });
  assert.deepEqual(negative.notes, [{ code: 'only-excluding', values: {} }]);
  searcher.close();
});

test('pages of a long list neither overlap nor leave gaps', async (t) => {
  const documents = Array.from({ length: 450 }, (_, n) =>
    makeDocument(
      `https://h${n % 7}.example/${n % 3}/${n}`,
      `${'word '.repeat(1 + (n % 5))}${'other '.repeat(n % 11)}`,
    ),
  );
  const searcher = open(await indexOf(t, documents.slice(0, 300), documents.slice(300)));
  const urls: string[] = [];
  const scores: number[] = [];
  for (let offset = 0; offset < 460; offset += 30) {
    const { results, total } = await searcher.search({ query: 'word', offset, limit: 30 });
    assert.equal(total, 450);
    urls.push(...results.map(({ url }) => url));
    scores.push(...results.map(({ score }) => score));
  }
  assert.equal(urls.length, 450);
  assert.equal(new Set(urls).size, 450);
  assert.ok(scores.every((score, i) => i === 0 || score <= scores[i - 1]!));
  const far = await searcher.search({ query: 'word', offset: 20_000, limit: 10 });
  assert.deepEqual([far.results.length, far.total], [0, 450]);
  searcher.close();
});

test('a page is found by anchor texts that it does not contain', async (t) => {
  const index = temporaryDirectory(t);
  const documents = [
    makeDocument('https://a.example/', 'Welcome.'),
    makeDocument('https://b.example/', 'A page about bicycles.'),
    makeDocument('https://c.example/', 'Nothing else.'),
  ];
  const writer = new IndexWriter(index, silentLog);
  await addSegment(index, writer, documents);
  writer.commit();
  const searcher = open(index);
  const urls = async (query: string) => (await found(searcher, query)).sort();
  assert.deepEqual(await urls('bicycle'), ['https://b.example/']);
  const called = new Map([[documents[0]!.fingerprint, [{ text: 'the bicycle shop', weight: 3 }]]]);
  writer.setAnchors((key) => called.get(key) ?? []);
  writer.commit();
  assert.equal(searcher.refresh(), true);
  assert.deepEqual(await urls('bicycles'), ['https://a.example/', 'https://b.example/']);
  assert.deepEqual(await urls('+bicycles -about'), ['https://a.example/']);
  assert.deepEqual(await urls('shop'), ['https://a.example/']);
  assert.deepEqual(await urls('inanchor:"bicycle shop"'), ['https://a.example/']);
  assert.deepEqual(await urls('inanchor:"shop bicycle"'), []);
  assert.deepEqual(await urls('"bicycle shop"'), [], 'a phrase must stand in the page');
  assert.deepEqual(await urls('"shop"'), []);
  assert.deepEqual(await urls('intitle:shop'), []);
  const { total, shares, terms } = (await searcher.explain('shop', canonicalize('https://a.example/')!))!;
  assert.ok(shares.find(({ feature }) => feature === 'anchor')!.share > 0);
  assert.equal(terms[0]!.votes, 3);
  const [result] = (await searcher.search({ query: 'shop', offset: 0, limit: 10 })).results;
  assert.equal(result!.score, total);
  assert.equal(result!.snippet, 'Welcome.');
  for (const profile of ['bm25', 'compass', 'yase', 'snippet'] as const) {
    const other = open(index, { profile: builtInProfile(profile) });
    const { results } = await other.search({ query: 'shop', offset: 0, limit: 10 });
    assert.ok(Number.isFinite(results[0]!.score), profile);
    other.close();
  }
  writer.setAnchors(() => []);
  writer.commit();
  searcher.refresh();
  assert.deepEqual(await urls('shop'), [], 'and no longer when no link says so');
  writer.close();
  searcher.close();
});

test('compass counts a heading by its level, and as h2 if the level is unknown', async (t) => {
  const text = 'Undici\nA client.';
  const fieldRanges = [{ start: 0, end: 6, field: Field.heading }];
  const levels = [1, 5, 6, null];
  const documents = levels.map((level, at) => {
    const document = makeDocument(`https://a.example/${at}`, text, { fieldRanges });
    const headings = level === null ? [] : [{ level, start: 0, end: 6 }];
    return { ...document, stored: { ...document.stored, headings } };
  });
  const searcher = open(await indexOf(t, documents), { profile: builtInProfile('compass') });
  const weighted: number[] = [];
  for (const at of levels.keys()) {
    const { shares } = (await searcher.explain('undici', canonicalize(`https://a.example/${at}`)!))!;
    weighted.push(shares.find(({ feature }) => feature === 'weightedFrequency')!.value);
  }
  // The document has three words, and the term occurs once.
  assert.deepEqual(
    weighted.map((value) => Number((value / 3).toFixed(6))),
    [0.1, 0.033, 0.01, 0.08],
  );
  searcher.close();
});

test('the bm25 profile is BM25 only', async (t) => {
  const texts = ['red dog', 'red red red red', 'dog dog cat cat cat cat', 'cat'];
  const documents = texts.map((text, at) => makeDocument(`https://a.example/${at}`, text, { urlText: '' }));
  const searcher = open(await indexOf(t, documents), { profile: builtInProfile('bm25') });
  const { results } = await searcher.search({ query: 'red dog', offset: 0, limit: 10 });
  const lengths = texts.map((text) => text.split(' ').length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  const idf = Math.log(1 + (4 - 2 + 0.5) / (2 + 0.5));
  const score = (at: number) => {
    const norm = 0.9 * (1 - 0.4 + (0.4 * lengths[at]!) / mean);
    const worth = (word: string) => {
      const frequency = texts[at]!.split(' ').filter((one) => one === word).length;
      return (idf * frequency * 1.9) / (frequency + norm);
    };
    return worth('red') + worth('dog');
  };
  const expected = [0, 1, 2].sort((a, b) => score(b) - score(a));
  assert.deepEqual(
    results.map(({ url }) => url),
    expected.map((at) => `https://a.example/${at}`),
  );
  for (const [place, at] of expected.entries())
    assert.ok(Math.abs(results[place]!.score - score(at)) < 1e-12, `document ${at}`);
  searcher.close();
});

test('roughly scored results come after the others and have an explanation too', async (t) => {
  const texts = ['a red dog', 'red red dog', 'dog', 'a red cat', 'red. Dogs and cats'];
  const index = await indexOf(
    t,
    texts.map((text, at) => makeDocument(`https://site${at}.example/red`, text, { title: 'dog' })),
  );
  const searcher = open(index, { profile: { ...DEFAULT_PROFILE, close: 2 } });
  const { results } = await searcher.search({ query: 'red dog', offset: 0, limit: 10 });
  assert.equal(results.length, 5);
  for (const [at, { url, score }] of results.entries()) {
    const { total, shares } = (await searcher.explain('red dog', canonicalize(url)!))!;
    assert.ok(Math.abs(total - score) < 1e-12, url);
    assert.equal(
      shares.some(({ feature, share }) => feature === 'title' && share > 0),
      at < 2,
    );
  }
  searcher.close();
});

test('every result can explain its score', async (t) => {
  const searcher = open(
    await indexOf(
      t,
      [makeDocument('https://a.example/', 'big red dog', { title: 'dog' })],
      [makeDocument('https://b.example/x', 'a dog')],
    ),
  );
  const { results } = await searcher.search({ query: 'red dog', offset: 0, limit: 10 });
  for (const { url, score } of results) {
    const breakdown = (await searcher.explain('red dog', canonicalize(url)!))!;
    assert.equal(breakdown.total, score);
  }
  const { terms } = (await searcher.explain('red dog', canonicalize('https://a.example/')!))!;
  assert.deepEqual(
    terms.map(({ term, frequency }) => [term, frequency]),
    [
      ['red', 4],
      ['dog', 20],
    ],
  );
  assert.equal(await searcher.explain('red dog', canonicalize('https://nowhere.example/')!), null);
  searcher.close();
});

test('a word finds its other forms, and a quoted word does not', async (t) => {
  const index = temporaryDirectory(t);
  const writer = new IndexWriter(index, silentLog);
  const document = (name: string, text: string, language: string) => {
    const made = makeDocument(`https://a.example/${name}`, text);
    return { ...made, stored: { ...made.stored, language } };
  };
  await addSegment(index, writer, [
    document('run', 'we run daily', 'en'),
    document('running', 'running is fun', 'en'),
    document('haus', 'Das Haus ist schön', 'de'),
    document('schon', 'Die Häuser sind schon da', 'de'),
    document('tokyo', '東京都庁', 'ja'),
  ]);
  writer.commit();
  writer.close();
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock });
  t.after(() => searcher.close());
  const table: [query: string, names: string][] = [
    ['running', 'run running'],
    ['runs', 'run running'],
    ['"running"', 'running'],
    ['"run daily"', 'run'],
    ['run -"running"', 'run'],
    ['daily fun -run', ''],
    ['häusern', 'haus schon'],
    ['hauser', 'haus schon'],
    ['"schön"', 'haus'],
    ['"schon"', 'haus schon'],
    ['京都', 'tokyo'],
    ['都庁', 'tokyo'],
  ];
  for (const [query, names] of table) {
    const { results } = await searcher.search({ query, offset: 0, limit: 10 });
    const found = results.map(({ url }) => url.split('/').at(-1)).sort();
    assert.equal(found.join(' '), names, query);
  }
});

test('another profile ranks the next query, also if its response is cached', async (t) => {
  const title = { title: 'harbour' };
  const index = await indexOf(t, [
    makeDocument('https://short.example/', 'The harbour.', title),
    makeDocument('https://long.example/a/b', `harbour ${'a town with boats '.repeat(80)}`),
  ]);
  const searcher = open(index, { answerBytes: 1e6 });
  const first = async () =>
    (await searcher.search({ query: 'harbour', offset: 0, limit: 10 })).results[0]!.url;
  assert.equal(await first(), 'https://short.example/');
  searcher.useProfile({ ...DEFAULT_PROFILE, weights: { length: 50 } });
  assert.equal(await first(), 'https://long.example/a/b');
  searcher.useProfile(DEFAULT_PROFILE);
  assert.equal(await first(), 'https://short.example/');
  searcher.close();
});

test('a search for every word requires the plain words beside any operator, but not function words', async (t) => {
  const page = (name: string, text: string) => makeDocument(`https://a.example/${name}`, text);
  const index = await indexOf(t, [
    page('both', 'The event loop of a browser runs tasks.'),
    page('one', 'The event was in spring.'),
    page('parts', 'unwrap the box or else'),
  ]);
  const searcher = open(index);
  const strict = async (query: string) => {
    const request = { query, offset: 0, limit: 10, everyWord: true as const, asTyped: true };
    return (await searcher.search(request)).results.map(({ url }) => url.slice('https://a.example/'.length));
  };
  assert.deepEqual(await strict('event loop'), ['both']);
  assert.deepEqual(await strict('the event loops'), ['both']);
  assert.deepEqual(await strict('spring "event"'), ['one']);
  assert.deepEqual(await strict('event loop site:a.example'), ['both']);
  assert.deepEqual((await strict('tasks OR spring')).sort(), ['both', 'one']);
  assert.deepEqual(await strict('ev* loop'), ['both']);
  assert.deepEqual(await strict('event -loop'), ['one']);
  assert.deepEqual(await strict('unwrap_or_else'), [], 'an identifier is not searched by its parts');
  assert.deepEqual(await strict('nowhere event'), []);
  searcher.close();
});
