import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SiteJudge, type SiteRule } from '../../url/mod.ts';
import type { AnswerBox } from '../answer-box.ts';
import { ENGLISH_ANSWERS } from '../messages/answer-words.ts';
import { knowledge } from './knowledge.ts';
import { news } from './news.ts';
import type { OwnCrawl, ReadablePage, StructuredThing } from './own-crawl.ts';
import { shopping } from './shopping.ts';

const now = Date.UTC(2026, 6, 15, 12);
const LEAD =
  'The Kuroshio is a north-flowing, warm ocean current on the west side of the North Pacific Ocean basin.';

const EMPTY: ReadablePage = { title: '', text: '', items: [], facts: [], entries: [], fetchedAt: now };

function crawlOf(pages: Record<string, Partial<ReadablePage>>): OwnCrawl & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    searcher: {
      async search({ query, limit, siteRules = [] }) {
        asked.push(query);
        const judge = new SiteJudge(siteRules);
        const results = Object.keys(pages)
          .filter((url) => !judge.blocks(new URL(url).host))
          .slice(0, limit)
          .map((url) => ({
            ...{ url, title: '', snippet: '', highlights: [], host: new URL(url).host, score: 1 },
            fetchedAt: new Date(now).toISOString(),
          }));
        return { query, total: results.length, tookMs: 1, partial: false, notes: [], results };
      },
    },
    pages: {
      async read(url) {
        const page = pages[url];
        return page?.fetchedAt === 0 ? { kind: 'none' } : { kind: 'page', page: { ...EMPTY, ...page } };
      },
    },
  };
}

function thing(type: string, properties: Record<string, string>): StructuredThing {
  return {
    type,
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, [value]])),
  };
}

async function ask(box: AnswerBox, query: string, siteRules: readonly SiteRule[] = []) {
  const context = { now, words: ENGLISH_ANSWERS, siteRules };
  return box.matches(query, context) ? box.answer(query, context, AbortSignal.timeout(5000)) : null;
}

test('an encyclopedia article with the name of the query gives its introduction', async () => {
  const url = 'https://wiki.example/wiki/Kuroshio';
  const title = 'Kuroshio – Example Encyclopedia';
  const crawl = crawlOf({
    'https://other.example/wiki/Gyre': { title: 'Gyre', text: LEAD },
    [url]: { title, text: `Menu\n${LEAD}\nMore.` },
  });
  const answer = await ask(knowledge(crawl), 'kuroshio');
  assert.equal(answer?.text, LEAD);
  assert.equal(answer.title, 'Kuroshio', 'without the name of the site');
  assert.deepEqual(answer.source, { name: 'wiki.example', url });
  assert.equal(answer.time, '2026-07-15T12:00:00.000Z');
  assert.equal(await ask(knowledge(crawl), 'oyashio'), null);
});

test('structured data about a person gives facts', async () => {
  const person = { name: 'Ada Lovelace', birthDate: '1815-12-10', jobTitle: 'Mathematician', secret: 'x' };
  const crawl = crawlOf({ 'https://a.example/ada': { items: [thing('Person', person)], text: LEAD } });
  const answer = await ask(knowledge(crawl), 'ada lovelace');
  assert.equal(answer?.title, 'Ada Lovelace');
  assert.deepEqual(answer.facts, [
    { name: 'Born', value: '1815-12-10' },
    { name: 'Occupation', value: 'Mathematician' },
  ]);
});

test('the infobox of an article gives facts that its structured data lacks', async () => {
  const facts = [{ name: 'Basin', value: 'Pacific Ocean' }];
  const crawl = crawlOf({ 'https://lexicon.example/Kuroshio': { title: 'Kuroshio', text: LEAD, facts } });
  const answer = await ask(knowledge(crawl), 'Kuroshio');
  assert.deepEqual([answer?.text, answer?.facts], [LEAD, facts]);
});

test('a question gives the panel with the requested fact first', async () => {
  const facts = [
    { name: 'Capital', value: 'Tokyo' },
    { name: 'Population (2024)', value: '124 million' },
  ];
  const crawl = crawlOf({ 'https://lexicon.example/Japan': { title: 'Japan | Lexicon', text: LEAD, facts } });
  const panel = await ask(knowledge(crawl), 'what is the population of Japan?');
  assert.deepEqual([panel?.title, panel?.facts], ['Japan', facts.toReversed()]);
  assert.deepEqual(crawl.asked, ['what is the population of Japan', 'Japan']);
  assert.equal((await ask(knowledge(crawl), 'was ist Japan?'))?.title, 'Japan');
  assert.equal(await ask(knowledge(crawl), 'history of Japan'), null);
});

test('a page that may not be shown gives nothing', async () => {
  const crawl = crawlOf({
    'https://wiki.example/wiki/Kuroshio': { title: 'Kuroshio', text: LEAD, fetchedAt: 0 },
  });
  assert.equal(await ask(knowledge(crawl), 'kuroshio'), null);
});

function article(headline: string, datePublished: string): Partial<ReadablePage> {
  return {
    items: [thing('NewsArticle', { headline, datePublished, 'publisher.name': `Paper of ${headline}` })],
  };
}

test('news are the newest articles of several sites, at most two per site', async () => {
  const crawl = crawlOf({
    'https://a.example/1': article('A1', '2026-07-10'),
    'https://a.example/2': article('A2', '2026-07-14'),
    'https://a.example/3': article('A3', '2026-07-13'),
    'https://b.example/1': article('B1', '2026-07-12'),
    'https://b.example/old': article('Old', '2020-01-01'),
    'https://b.example/ahead': article('Ahead', '2027-01-01'),
    'https://c.example/page': { text: LEAD },
  });
  const answer = await ask(news(crawl), 'current news');
  assert.deepEqual(crawl.asked, ['+current kind:news after:2026-06-15', '+current kind:feed']);
  assert.deepEqual(
    answer?.links.map(({ title }) => title),
    ['A2', 'A3', 'B1'],
  );
  assert.deepEqual([answer?.links[0]?.detail, answer?.links[0]?.day], ['Paper of A2', '14 Jul 2026']);
});

test('feed entries about the subject are news, and crawled ones are listed once', async () => {
  const entry = (url: string, title: string, day: number) => ({
    url,
    title,
    publishedAt: Date.UTC(2026, 6, day),
  });
  const entries = [
    entry('https://a.example/1', 'Current rises', 13),
    entry('https://b.example/2', 'A CURRENT affair', 14),
    entry('https://c.example/3', 'Elsewhere', 14),
  ];
  const crawl = crawlOf({
    'https://feeds.example/rss': { title: 'All papers', entries },
    'https://a.example/1': article('A1', '2026-07-13'),
  });
  const answer = await ask(news(crawl), 'current');
  assert.deepEqual(
    answer?.links.map(({ title, detail, day }) => [title, detail, day]),
    [
      ['A CURRENT affair', 'All papers', '14 Jul 2026'],
      ['A1', 'Paper of A1', '13 Jul 2026'],
    ],
  );
});

test('news must have all content words of the query', async () => {
  const entry = (host: string, title: string) => ({ url: `https://${host}/1`, title, publishedAt: now });
  const entries = [entry('a.example', 'Berlin: the weather'), entry('b.example', 'Storms in Berlin')];
  const crawl = crawlOf({ 'https://feeds.example/rss': { title: 'All papers', entries } });
  const answer = await ask(news(crawl), 'Weather in Berlin news');
  const wanted = '+weather +berlin';
  assert.deepEqual(crawl.asked, [`${wanted} kind:news after:2026-06-15`, `${wanted} kind:feed`]);
  assert.deepEqual(
    answer?.links.map(({ title }) => title),
    ['Berlin: the weather'],
  );
  await ask(news(crawl), 'The Who -OR & it');
  assert.deepEqual(crawl.asked.at(-1), '+the +who +or +it kind:feed');
});

test('articles of one site are news only if the query asks for news', async () => {
  const crawl = crawlOf({ 'https://a.example/1': article('A1', '2026-07-10') });
  assert.equal(await ask(news(crawl), 'current'), null);
  assert.equal((await ask(news(crawl), 'current news'))?.links.length, 1);
});

test('offers have price and shop, in the order of the results', async () => {
  const offer = { name: 'Red lamp', 'offers.price': '19.9', 'offers.priceCurrency': 'EUR' };
  const crawl = crawlOf({
    'https://shop.example/red': {
      items: [thing('Product', { ...offer, 'offers.seller.name': 'Lampen & Co' })],
    },
    'https://other.example/red': { items: [thing('Product', { ...offer, 'offers.price': '9' })] },
    'https://third.example/red': { items: [thing('Product', { ...offer, 'offers.price': 'ask us' })] },
  });
  const answer = await ask(shopping(crawl), 'buy red lamp');
  assert.deepEqual(
    answer?.links.map(({ detail }) => detail),
    ['€19.90, Lampen & Co', '€9.00, other.example'],
  );
  assert.equal(await ask(shopping(crawl), 'red lamp'), null);
});

test('a blocked site is in no box, also through feeds of other sites', async () => {
  const rules: SiteRule[] = [{ site: 'a.example', effect: 'block' }];
  const offer = { name: 'Lamp', 'offers.price': '9', 'offers.priceCurrency': 'EUR' };
  const entries = [{ url: 'https://a.example/1', title: 'Lamp news', publishedAt: now }];
  const crawl = crawlOf({
    'https://www.a.example/lamp': { items: [thing('Product', offer)], text: LEAD },
    'https://b.example/lamp': { items: [thing('Product', offer)], text: LEAD },
    'https://feeds.example/rss': { entries },
  });
  assert.equal((await ask(knowledge(crawl), 'lamp', rules))?.source.name, 'b.example');
  assert.deepEqual(
    (await ask(shopping(crawl), 'buy lamp', rules))?.links.map(({ url }) => url),
    ['https://b.example/lamp'],
  );
  assert.equal((await ask(news(crawl), 'lamp news'))?.links.length, 1);
  assert.equal(await ask(news(crawl), 'lamp news', rules), null);
});
