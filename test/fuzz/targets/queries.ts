/** Targets with the input of searchers: queries, expressions, preferences and forms. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastifyCookie as cookie } from '@fastify/cookie';
import Fastify from 'fastify';
import { ENGLISH_ANSWERS } from '../../../src/answer/messages/answer-words.ts';
import { calculator, clocks, conversion, dates, numerals } from '../../../src/answer/mod.ts';
import { openDirectory, silentLog, systemClock } from '../../../src/base/mod.ts';
import { IndexWriter } from '../../../src/index/mod.ts';
import { addSegment, makeDocument } from '../../../src/index/segment/documents.fixture.ts';
import { MAX_QUERY_WORDS } from '../../../src/query/language/mod.ts';
import { parseQuery } from '../../../src/query/language/parse.ts';
import { type LocalSearcher, openSearcher } from '../../../src/query/local-searcher.ts';
import { parseMultipart } from '../../../src/serve/http/form-body.ts';
import { readPreferences } from '../../../src/serve/preferences/preferences.ts';
import { readBang } from '../../../src/url/mod.ts';
import { checkValue, type FuzzTarget, texts } from '../target.ts';

const QUERIES = texts(
  'moon tides site:example.org -title:"high water" (sun OR star) NEAR/3 sea',
  '"the moon" AND NOT inurl:x lang:en type:pdf before:2024-02-29 after:2023 filetype:html',
  'related:https://example.org/ link:example.org intitle:moon* 2*(3+4)^2 "a * b" +must tid*',
  'Ärger naïve 東京 مرحبا co-op C++ .net a_b foo@bar.test 1,000.5 don’t',
);
const WORDS = [
  'site:',
  'title:',
  'lang:',
  'type:',
  'before:',
  'after:',
  'link:',
  'related:',
  'near:',
  'sort:',
  'AND ',
  'OR ',
  'NOT ',
  'NEAR/9 ',
  '"',
  '(',
  ')',
  '-',
  '+',
  '*',
  '~',
  ':',
  '!w ',
  '\u3000',
  '“',
  '”',
  '^2',
  '..',
  'in euro',
  'today',
];
const CONTEXT = { now: Date.UTC(2026, 0, 2), words: ENGLISH_ANSWERS };
const SECRET = 'a secret for tests';

/** The cookie package loads its parser when the plugin is registered. */
const cookieParser = Fastify().register(cookie).ready();

let engine: { searcher: LocalSearcher; path: string } | null = null;

async function openEngine() {
  const path = mkdtempSync(join(tmpdir(), 'gyre-fuzz-'));
  const index = openDirectory(path);
  const writer = new IndexWriter(index, silentLog);
  const documents = [
    'the moon and the tides',
    'high water at the coast of the sea',
    'sun star moon sea',
    '東京 の 海',
  ].map((text, at) => makeDocument(`page-${at}`, text, `Title ${at}`));
  await addSegment(index, writer, documents);
  writer.commit();
  writer.close();
  return { searcher: openSearcher(index, { log: silentLog, clock: systemClock }), path };
}

export const QUERY_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'query',
    about: 'a query: it is parsed into a limited number of words, with notes',
    seeds: () => QUERIES,
    words: WORDS,
    maxBytes: 8 * 1024,
    run(input) {
      const { words, notes, text } = parseQuery(input.toString('utf8'));
      assert.ok(words.length <= MAX_QUERY_WORDS, `${words.length} words`);
      assert.ok(notes.length <= 8);
      assert.equal(typeof text, 'string');
      readBang(input.toString('utf8'), []);
    },
  },
  {
    name: 'search',
    about: 'a search with any query: the engine responds with results that exist',
    seeds: () => QUERIES,
    words: WORDS,
    maxBytes: 2_000,
    async run(input) {
      engine ??= await openEngine();
      const { results } = await engine.searcher.search({
        query: input.toString('utf8'),
        offset: 0,
        limit: 10,
      });
      for (const { url, title, snippet, highlights } of results) {
        assert.match(url, /^https:\/\/example\.org\/page-\d$/);
        assert.ok(title.isWellFormed() && snippet.isWellFormed());
        for (const [start, end] of highlights) assert.ok(start >= 0 && start <= end && end <= snippet.length);
      }
    },
    close() {
      engine?.searcher.close();
      if (engine) rmSync(engine.path, { recursive: true, force: true });
      engine = null;
    },
  },
  {
    name: 'computed-answers',
    about: 'the answer boxes that compute: calculator, units, dates, clocks, numerals',
    seeds: () =>
      texts(
        '2*(3+4)^2 - sqrt(16)/3',
        '12 km in miles',
        'days until 2030-01-01',
        'time in Tokyo',
        '0xff to binary',
        'XIV in decimal',
        '5! mod 7',
        '20% of 1,000',
        'log(100) + sin(pi/2)',
      ),
    words: [
      '^',
      '!',
      '%',
      'sqrt(',
      'log(',
      'mod',
      '1e9',
      '**',
      '(',
      ')',
      ' in ',
      ' to ',
      'km',
      'days',
      'until',
      'pi',
      '٣',
      '⅓',
      '×',
      '÷',
    ],
    maxBytes: 2_000,
    async run(input) {
      const query = input.toString('utf8');
      for (const box of [calculator, clocks, conversion, dates, numerals]) {
        if (box.matches(query, CONTEXT))
          checkValue(await box.answer(query, CONTEXT, AbortSignal.timeout(10_000)));
      }
    },
  },
  {
    name: 'preferences-cookie',
    about: 'the preferences cookie, with a right signature and as sent: preferences of the declared kinds',
    seeds: () =>
      texts('l!de~c!dark~n!20~s!0~k!1~f!strict~b!spam.example~p!a.example', 'r!%F0~l!xx', 'c!system'),
    words: ['~', 'l=', 'c=', 'n=', 'b=', 'p=', '=', '%', ';', ',', 'gyre=', '__proto__'],
    async run(input) {
      await cookieParser;
      const text = input.toString('utf8');
      for (const header of [text, `gyre=${text}`, `gyre=${encodeURIComponent(cookie.sign(text, SECRET))}`]) {
        const { pageSize, scheme, rules } = readPreferences(header, SECRET);
        assert.ok([10, 20, 50].includes(pageSize));
        assert.ok(['system', 'light', 'dark'].includes(scheme));
        checkValue(rules);
      }
    },
  },
  {
    name: 'multipart',
    about: 'a form with a file: text fields or none',
    seeds: () =>
      texts(
        'multipart/form-data; boundary=x\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nblock a.example\r\n--x\r\nContent-Disposition: form-data; name="b"\r\n\r\nc\r\n--x--\r\n',
      ),
    words: ['--x', '\r\n\r\n', 'name="', '; filename=', 'boundary="', '__proto__'],
    run(input) {
      const [contentType = '', ...rest] = input.toString('latin1').split('\n');
      const fields = parseMultipart(Buffer.from(rest.join('\n'), 'latin1'), contentType);
      assert.equal(
        Object.getPrototypeOf(fields) === Object.prototype || Object.getPrototypeOf(fields) === null,
        true,
      );
      for (const value of Object.values(fields)) assert.equal(typeof value, 'string');
    },
  },
];
