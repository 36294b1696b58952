/** Tests that short queries that expand to many words cost a bounded number of steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, Random, silentLog } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { readQueryIn } from './gateway/read-query.fixture.ts';
import { phraseTermsIn } from './language/condition.ts';
import { MAX_EXPANSIONS } from './language/expansion-budget.ts';
import { NO_LOOKUPS, type QueryLookups } from './language/lookups.ts';
import { MAX_QUERY_WORDS, parseQuery } from './language/parse.ts';
import { makeDocument } from './matching/naive.fixture.ts';
import { isExpensive } from './query-cost.ts';
import { indexOf, open } from './searcher.fixture.ts';
import { MAX_TERMS } from './terms/term-query.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
const COMMON = ['the', 'of', 'to', 'in'];
const times = (count: number, part: (at: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, at) => part(at)).join(between);
const pair = (at: number) => PAIRS[at % PAIRS.length]!;
const common = (at: number) => COMMON[at % COMMON.length]!;

const HOSTILE: Record<string, string> = {
  prefixes: times(400, (at) => `${pair(at)}*`),
  'prefixes that must occur': times(400, (at) => `+${pair(at)}*`),
  'prefixes to choose from': times(400, (at) => `${pair(at)}*`, ' OR '),
  'prefixes to leave out': `the ${times(400, (at) => `-${pair(at)}*`)}`,
  'the same prefix again and again': times(400, () => 'aa*'),
  'prefixes in titles': times(100, (at) => `intitle:${pair(at)}*`, ' OR '),
  'prefixes in addresses': times(100, (at) => `inurl:${pair(at)}*`, ' OR '),
  'prefixes in texts': times(100, (at) => `inbody:${pair(at)}*`, ' OR '),
  'prefixes in links': times(100, (at) => `inanchor:${pair(at)}*`, ' OR '),
  'phrases of common words': times(
    100,
    (at) => `"${common(at)} ${common(at + 1)} ${common(at + 2)}"`,
    ' OR ',
  ),
  'one long phrase': `"${times(200, common)}"`,
  'words near each other': times(64, common, ' NEAR/100 '),
  'words to leave out': `lang:en ${times(200, (at) => `-${pair(at)}`)}`,
  'pages like others': times(60, (at) => `related:a.example/${at}`),
  sites: times(200, (at) => `site:${pair(at)}.example/a/b/c`),
  'phrases with half a pair': times(60, (at) => `"${pair(at)} 東"`, ' OR '),
  'groups in groups': `${'(the OR '.repeat(200)}of${')'.repeat(200)}`,
  'a very long word': 'a'.repeat(2000),
};

/**
 * The maximum number of times that a query may read the clock, which measures its work. The prefix queries need
 * about 600; they would need 4,000 if each prefix expanded to 64 words.
 */
const MAX_LOOKS = 1000;

test('the work of every small hostile query is bounded', async (t) => {
  const random = new Random(7);
  const word = () => {
    const rest = random.pick(LETTERS) + random.pick(LETTERS);
    return random.below(2) === 0 ? random.pick(COMMON) : `${random.pick(PAIRS)}${rest}`;
  };
  const documents = Array.from({ length: 120 }, (_, at) => {
    const text = Array.from({ length: 600 }, word).join(' ');
    return makeDocument(`https://a.example/${at}`, `${text} aa 東${LETTERS[at % 26]} 東京`);
  });
  const index = await indexOf(t, documents);
  const reader = new IndexReader(index, silentLog);
  let looks = 0;
  const clock: Clock = { now: () => looks++ * 0 };
  const searcher = open(index, { clock });
  for (const [name, query] of Object.entries(HOSTILE)) {
    const { terms, words, condition } = await readQueryIn(reader, query);
    const asked = phraseTermsIn(condition).flatMap(({ variants }) => variants);
    assert.ok(terms.flat().length <= MAX_TERMS + MAX_QUERY_WORDS, `${name}: ${terms.flat().length} terms`);
    assert.ok(asked.length <= MAX_TERMS + 2 * MAX_QUERY_WORDS, `${name}: ${asked.length} lists to match`);
    assert.ok(words.length <= 3 * MAX_QUERY_WORDS, `${name}: ${words.length} words`);
    looks = 0;
    const { partial } = await searcher.search({ query, offset: 0, limit: 10 });
    assert.ok(looks <= MAX_LOOKS && !partial, `${name}: ${looks} looks at the clock`);
  }
  searcher.close();
  reader.close();
});

test('expanding clauses share one budget evenly', () => {
  const wordsBeginning = (prefix: string, limit: number, maxRead: number) => {
    read += maxRead;
    return Array.from({ length: limit }, (_, at) => `${prefix}${at}`);
  };
  let read = 0;
  for (const count of [1, 8, 16, 64]) {
    read = 0;
    const query = times(count, (at) => `${pair(at)}*`);
    const { alternatives, notes } = parseQuery(query, { ...NO_LOOKUPS, wordsBeginning });
    const share = Math.min(64, MAX_EXPANSIONS / count);
    assert.deepEqual(
      new Set(alternatives.map(({ length }) => length)),
      new Set([share]),
      `${count} prefixes`,
    );
    assert.deepEqual(notes[0], { code: 'prefix-words', values: { text: `${pair(0)}*`, number: share } });
    assert.ok(read <= 200_000, `${read} words of the dictionary`);
  }
});

test('related: reads at most eight pages', () => {
  const read: string[] = [];
  const contentWords = (url: string) => {
    read.push(url);
    return ['apples'];
  };
  const documentOf: QueryLookups['documentOf'] = (url) => (url.startsWith('https:') ? url : null);
  const query = times(20, (at) => `related:https://a.example/${at}`);
  const { notes } = parseQuery(query, { ...NO_LOOKUPS, documentOf, contentWords });
  assert.equal(read.length, 8);
  assert.deepEqual(notes[0], { code: 'plain-words', values: { text: 'related:https://a.example/8' } });
});

test('usual queries are not expensive', () => {
  const honest = [
    'event loop',
    'conn* pool',
    '"to be or not to be" hamlet',
    'a -b site:example.org filetype:pdf',
  ];
  for (const query of honest) assert.equal(isExpensive(query), false, query);
  const names = [
    'prefixes',
    'prefixes to leave out',
    'prefixes in titles',
    'words near each other',
    'one long phrase',
  ];
  for (const name of names) assert.equal(isExpensive(HOSTILE[name]!), true, name);
});
