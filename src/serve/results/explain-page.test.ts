import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog, systemClock } from '../../base/mod.ts';
import { MESSAGE_LANGUAGES, messagesOf } from '../messages/words.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import { partName } from './explain-page.ts';

const PROFILE = join(import.meta.dirname, '..', '..', 'scoring', 'profiles', 'default.json');

test('every part of a score has a name in plain words, in every language', () => {
  for (const { tag } of MESSAGE_LANGUAGES) {
    for (const feature of Object.keys(JSON.parse(readFileSync(PROFILE, 'utf8')).weights)) {
      const name = partName(messagesOf(tag)!, feature);
      assert.match(name, / /, `${tag} ${feature}: ${name}`);
      assert.notEqual(name, feature);
    }
  }
});

test('a score part without a message is shown by its name', () => {
  assert.equal(partName(messagesOf('en')!, 'linkAgeInDays'), 'link age in days');
  assert.equal(partName(messagesOf('de')!, 'constructor'), 'constructor');
});

test('an explanation without a query is an error page', async () => {
  const searcher = { ...testSite().searcher, explain: () => null };
  const server = createServer({ searcher, version: '', contact: '', clock: systemClock, log: silentLog });
  const [without, unknown] = [
    await server.inject('/why?url=https%3A%2F%2Fexample.org%2F'),
    await server.inject('/why?q=a&url=https%3A%2F%2Fexample.org%2F'),
  ];
  assert.equal(without.statusCode, 400);
  assert.match(without.body, /The parameter <bdi>q<\/bdi> is empty; expected a query/);
  assert.match(unknown.body, /no longer in the index/);
  await server.close();
});

test('the page says if a score is a sum or a product', async () => {
  const words = [];
  for (const is of ['sum', 'product'] as const) {
    const shares = [{ feature: 'cosine', value: 0.0021, weight: 1, share: 0.0021 }];
    const explain = async () => ({ total: 0.0021, is, shares, terms: [] });
    const searcher = { ...testSite().searcher, explain };
    const server = createServer({ searcher, version: '', contact: '', clock: systemClock, log: silentLog });
    const { body } = await server.inject('/why?q=a&url=https%3A%2F%2Fexample.org%2F');
    words.push(/The score is the (\w+) of these parts/.exec(body)?.[1]);
    if (is === 'product') assert.match(body, /<td class="figure">× 0\.0021<\/td>/);
    await server.close();
  }
  assert.deepEqual(words, ['sum', 'product']);
});
