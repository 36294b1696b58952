/** Tests passages that answer a query and pictures of results, over a small index. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredDocument } from '../index/mod.ts';
import { makeDocument } from './matching/naive.fixture.ts';
import { indexOf, open } from './searcher.fixture.ts';

const HEADING = 'How tides are measured';
const ANSWER =
  'A tide gauge measures the height of the water every minute. Its float moves up and down in a pipe.';
const TEXT = `Welcome to the harbour. We are open every day of the week.\n${HEADING}\n${ANSWER}\nread_gauge --minutes 1\nThe harbour has a café, a museum and a shop for visitors.`;
const at = (part: string) => ({ start: TEXT.indexOf(part), end: TEXT.indexOf(part) + part.length });

function harbour(more: Partial<StoredDocument> = {}) {
  const document = makeDocument('https://harbour.example/gauge', TEXT, {
    title: 'Tide gauges of the harbour',
  });
  const code = [{ ...at('read_gauge --minutes 1'), code: 'read_gauge \\\n  --minutes 1' }];
  const headings = [{ level: 2, ...at(HEADING) }];
  return { ...document, stored: { ...document.stored, headings, code, ...more } };
}

const other = makeDocument('https://other.example/', 'Trains leave every hour, and buses every minute.');

async function ask(t: Parameters<typeof indexOf>[0], query: string, vectorOf?: (text: string) => Int8Array) {
  const embedQuery = (text: string) => ({ model: 'test', vector: vectorOf!(text) });
  const searcher = open(await indexOf(t, [harbour(), other]), vectorOf ? { embedQuery } : {});
  t.after(() => searcher.close());
  return (await searcher.search({ query, offset: 0, limit: 10, passage: true })).passage;
}

test('a question is answered by the sentences that say it, with the code after them', async (t) => {
  const passage = await ask(t, 'how does a tide gauge measure the height of water');
  assert.equal(passage?.text, ANSWER);
  assert.equal(passage.heading, HEADING);
  assert.equal(passage.code, 'read_gauge \\\n  --minutes 1');
  assert.equal(passage.url, 'https://harbour.example/gauge');
  const marked = passage.highlights.map(([start, end]) => passage.text.slice(start, end));
  assert.deepEqual(marked, ['tide', 'gauge', 'measures', 'height', 'water']);
});

test('without strong evidence there is no answer', async (t) => {
  for (const query of [
    'how old is the harbour museum',
    'tide gauge',
    '"tide gauge" height water',
    'gauge height trains',
  ])
    assert.equal(await ask(t, query), undefined, query);
});

test('a passage below a heading about something else is no answer', async (t) => {
  const question = 'how does a tide gauge measure the height of water';
  const headingOf = (text: string) => {
    const own = TEXT.replace(HEADING, text);
    const before = { level: 1, start: 0, end: 'Welcome to the harbour.'.length };
    const heading = { level: 2, start: own.indexOf(text), end: own.indexOf(text) + text.length };
    const document = makeDocument('https://harbour.example/gauge', own, {
      title: 'Tide gauges of the harbour',
    });
    return { ...document, stored: { ...document.stored, headings: [before, heading] } };
  };
  const answerBelow = async (heading: string) => {
    const searcher = open(await indexOf(t, [headingOf(heading), other]));
    t.after(() => searcher.close());
    return (await searcher.search({ query: question, offset: 0, limit: 10, passage: true })).passage?.text;
  };
  for (const heading of ['2.1. How the tide gauge measures', 'Overview: measuring the water of the harbour'])
    assert.equal(await answerBelow(heading), ANSWER, heading);
  for (const heading of ['Limits of tide gauges', 'More tide gauges'])
    assert.equal(await answerBelow(heading), undefined, heading);
});

test('a model decides by the meaning of query and passage', async (t) => {
  const question = 'how does a tide gauge measure the height of water';
  const alike = () => Int8Array.of(100, 0);
  const unlike = (text: string) => (text === question ? Int8Array.of(100, 0) : Int8Array.of(0, 100));
  assert.equal((await ask(t, 'tide gauge height of water', alike))?.text, ANSWER);
  assert.equal(await ask(t, question, unlike), undefined);
});

test('pictures are found by the texts about them and by the title of their page', async (t) => {
  const images = [
    { url: 'https://harbour.example/gauge.png', label: 'A tide gauge in its pipe', context: '' },
    { url: 'https://harbour.example/cafe.png', label: 'The terrace', context: 'Café and shop' },
  ];
  const searcher = open(await indexOf(t, [harbour({ images }), other]));
  t.after(() => searcher.close());
  const labels = async (query: string) => {
    const { results } = await searcher.search({ query, offset: 0, limit: 10, images: true });
    return results.flatMap((result) => result.images ?? []).map(({ label }) => label);
  };
  assert.deepEqual(await labels('tide gauge'), ['A tide gauge in its pipe']);
  assert.deepEqual(await labels('harbour café'), ['The terrace']);
  assert.deepEqual(await labels('harbour museum'), []);
  const { results } = await searcher.search({ query: 'tide gauge', offset: 0, limit: 10 });
  assert.equal(results[0]!.images, undefined, 'only on request');
});
