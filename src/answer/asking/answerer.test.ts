import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '../../base/mod.ts';
import { type Answer, type AnswerBox, type AnswerContext, computed } from '../answer-box.ts';
import { ENGLISH_ANSWERS } from '../messages/answer-words.ts';
import { Answerer } from './answerer.ts';

let now = 1_000_000;
const clock = { now: () => now };

function box(name: string, answer: () => Promise<Answer | null> | Answer | null, cacheMs = 0) {
  const asked: AnswerContext[] = [];
  const made: AnswerBox = {
    name,
    cacheMs,
    matches: (query) => query !== 'nothing',
    answer(_query, context) {
      asked.push(context);
      return answer();
    },
  };
  return { box: made, asked };
}

function answererOf(boxes: { box: AnswerBox }[], budgetMs = 40) {
  return new Answerer({ boxes: boxes.map((each) => each.box), clock, log: silentLog, budgetMs });
}

const said = (title: string) => computed('calculation', title, '', { now: 0, words: ENGLISH_ANSWERS });
const titles = (answers: Answer[]) => answers.map(({ title }) => title);

test('answers are in the order of the boxes; failed, late and empty ones are absent', async () => {
  const slow = box('slow', () => wait(5000, said('slow'), { ref: false }));
  const failing = box('failing', () => Promise.reject(new Error('down')));
  const throwing = box('throwing', () => assert.fail('broken'));
  const silent = box('silent', () => null);
  const later = box('later', () => wait(5, said('later')));
  const answerer = answererOf([slow, failing, later, throwing, silent, box('quick', () => said('quick'))]);
  const startedAt = performance.now();
  assert.deepEqual(titles(await answerer.answers('question')), ['later', 'quick']);
  assert.ok(performance.now() - startedAt < 4000);
  assert.deepEqual(await answerer.answers('nothing'), []);
});

test('an answer is cached for its lifetime, for any case of the query', async () => {
  const kept = box('kept', () => said('kept'), 100);
  const answerer = answererOf([kept]);
  await answerer.answers('Question');
  await answerer.answers('question');
  assert.equal(kept.asked.length, 1);
  now += 101;
  await answerer.answers('question');
  assert.equal(kept.asked.length, 2);
});

test('a failure is not cached, and a late answer is cached for the next request', async () => {
  const replies = [() => Promise.reject(new Error('down')), () => wait(80, said('late'))];
  const moody = box('moody', () => replies.shift()!(), 1_000_000);
  const answerer = answererOf([moody]);
  assert.deepEqual(await answerer.answers('question'), []);
  assert.deepEqual(await answerer.answers('question'), []);
  await wait(100);
  assert.deepEqual(titles(await answerer.answers('question')), ['late']);
  assert.equal(moody.asked.length, 2);
});

test('a location is rounded to a tenth of a degree, and answers are cached per location', async () => {
  const placed = box('placed', () => said('here'), 100);
  const answerer = answererOf([placed]);
  await answerer.answers('weather', { place: { latitude: 38.7223, longitude: -9.1393 } });
  await answerer.answers('weather', { place: { latitude: 38.7199, longitude: -9.1401 } });
  await answerer.answers('weather', { place: { latitude: 48.1, longitude: 11.5 } });
  assert.deepEqual(
    placed.asked.map(({ place }) => place),
    [
      { latitude: 38.7, longitude: -9.1 },
      { latitude: 48.1, longitude: 11.5 },
    ],
  );
});

test('no box is asked about an empty or a too long query', async () => {
  const any = box('any', () => said('any'));
  const answerer = answererOf([any]);
  await answerer.answers('  ');
  await answerer.answers('x'.repeat(201));
  assert.equal(any.asked.length, 0);
});

test('answers are cached per language', async () => {
  const spoken = box('spoken', () => said('spoken'), 100);
  const answerer = answererOf([spoken]);
  for (const language of ['de', 'de', 'fr', 'xx']) await answerer.answers('question', { language });
  assert.deepEqual(
    spoken.asked.map(({ words }) => words.tag),
    ['de', 'fr', 'en'],
  );
});

test('site rules reach the boxes, are part of the cache key, and apply to remote answers', async () => {
  const source = { name: 'Wiki', url: 'https://en.wiki.example/a' };
  const remote = box('remote', () => ({ ...said('remote'), source }), 1_000_000);
  const answerer = answererOf([remote]);
  const siteRules = [{ site: 'wiki.example', effect: 'block' as const }];
  assert.deepEqual(titles(await answerer.answers('question')), ['remote']);
  assert.deepEqual(titles(await answerer.answers('question', { siteRules })), []);
  assert.deepEqual(
    remote.asked.map((context) => context.siteRules),
    [undefined, siteRules],
  );
});

test('computed answers are returned at once, with a flag for pending boxes', () => {
  const kept = box('kept', () => said('kept'), 100);
  const throwing = box('throwing', () => assert.fail('broken'));
  const late = box('late', () => Promise.resolve(said('late')));
  const answerer = answererOf([kept, throwing, late, box('quick', () => said('quick'))]);
  assert.deepEqual(titles(answerer.computed('question', 'en')), ['quick']);
  for (const query of ['nothing', ' ', '9^'.repeat(5000)])
    assert.deepEqual(answerer.computed(query, 'en'), [], query.slice(0, 10));
  assert.equal(kept.asked.length, 0);
  assert.deepEqual([answerer.mayKnow('question', 'en'), answerer.mayKnow('nothing', 'en')], [true, false]);
  assert.equal(answererOf([late]).mayKnow('question', 'en'), false);
});
