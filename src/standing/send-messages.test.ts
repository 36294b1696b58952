import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { DAY_MS, MINUTE_MS, silentLog } from '../base/mod.ts';
import { temporaryDirectory } from '../build/journal.fixture.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { type PostMessage, sendMessages, sendTest } from './send-messages.ts';
import { StandingStore } from './standing-store.ts';
import { newSecret } from './webhook-message.ts';

type Answer = Awaited<ReturnType<PostMessage>>;
const OK: Answer = { kind: 'response', status: 204, retryAfterMs: null };
const BROKEN: Answer = { kind: 'response', status: 500, retryAfterMs: null };
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A store with a webhook, and a receiver that gives the next of `answers` to each attempt. */
class Sending {
  readonly store: StandingStore;
  readonly query: number;
  readonly received: Parameters<PostMessage>[] = [];
  answers: Answer[] = [];
  now = 1_700_000_000_000;

  constructor(t: TestContext) {
    this.store = new StandingStore(temporaryDirectory(t));
    t.after(() => this.store.close());
    const webhook = { url: 'https://hook.example/a', secret: SECRET };
    const saved = { name: 'loops', query: 'event loop', newOnly: false, webhook };
    this.query = this.store.add(saved, { indexed: () => ({}), now: this.now }).id;
  }

  find(...names: string[]): void {
    const pages = names.map((name) => ({
      ...{
        change: 'new' as const,
        url: `https://example.org/${name}`,
        title: name,
        snippet: 'An event loop',
      },
      fetchedAt: this.now,
    }));
    const progress = { first: 1, position: {}, newestMs: 0, floor: {}, floorMs: 0 };
    this.store.commit(
      { pages: new Map(), gone: [], found: [{ query: this.query, pages }], progress },
      this.now,
    );
  }

  send(attempts = 3): Promise<number> {
    const post: PostMessage = async (...sent) => {
      this.received.push(sent);
      return this.answers.shift() ?? OK;
    };
    const clock = { now: () => this.now };
    return sendMessages(this.store, {
      post,
      clock,
      log: silentLog,
      attempts,
      retryMs: MINUTE_MS,
      random: () => 0.5,
    });
  }

  get ids(): string[] {
    return this.received.map(([, { headers }]) => headers['webhook-id']!);
  }

  get counts() {
    return this.store.deliveries.countsOf(this.query);
  }
}

test('a message is signed as Standard Webhooks specifies, with the time of the attempt', async (t) => {
  const sending = new Sending(t);
  sending.find('a', 'b');
  assert.equal(await sending.send(), 1);
  const [[url, { body, headers }]] = sending.received as [Parameters<PostMessage>];
  assert.equal(url, 'https://hook.example/a');
  assert.equal(headers['webhook-timestamp'], '1700000000');
  const signed = `${headers['webhook-id']}.1700000000.${body}`;
  const expected = createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${expected}`);
  const { type, timestamp, data } = JSON.parse(body);
  assert.deepEqual([type, timestamp], ['pages', '2023-11-14T22:13:20.000Z']);
  assert.deepEqual(data.query, { name: 'loops', query: 'event loop' });
  assert.deepEqual(
    data.pages.map(({ change, title }: { change: string; title: string }) => `${change} ${title}`),
    ['new a', 'new b'],
  );
  assert.equal(await sending.send(), 0, 'a delivered message is not sent again');
});

test('a receiver that fails twice gets the message at the third attempt, with the same id', async (t) => {
  const sending = new Sending(t);
  sending.answers = [BROKEN, { kind: 'failed', reason: 'timeout', retry: true }];
  sending.find('a');
  assert.equal(await sending.send(), 0);
  sending.find('b');
  assert.equal(await sending.send(), 0, 'the next attempt is not due, and later messages wait');
  assert.equal(sending.received.length, 1);
  assert.equal(sending.counts.problem, 'HTTP 500');
  sending.now += MINUTE_MS;
  await sending.send();
  sending.now += MINUTE_MS;
  await sending.send();
  assert.equal(sending.received.length, 2, 'the wait has doubled');
  sending.now += MINUTE_MS;
  assert.equal(await sending.send(), 2);
  const [first, second, third, next] = sending.ids;
  assert.deepEqual([second, third], [first, first]);
  assert.notEqual(next, first);
  assert.equal(sending.counts.problem, null);
});

test('after the last attempt a message is parked, and may be sent again', async (t) => {
  const sending = new Sending(t);
  sending.answers = [BROKEN, BROKEN, BROKEN];
  sending.find('a');
  for (let attempt = 0; attempt < 5; attempt++) {
    await sending.send();
    sending.now += DAY_MS;
  }
  assert.equal(sending.received.length, 3);
  assert.deepEqual([sending.counts.parked, sending.counts.problem], [1, 'HTTP 500']);
  assert.equal(sending.store.resumeWebhook(sending.query, sending.now), 1);
  assert.equal(await sending.send(), 1);
  assert.equal(new Set(sending.ids).size, 1);
});

test('a refused address parks the message at once', async (t) => {
  const sending = new Sending(t);
  sending.answers = [{ kind: 'failed', reason: 'address not allowed', retry: false }];
  sending.find('a');
  await sending.send();
  assert.deepEqual([sending.counts.parked, sending.counts.waiting], [1, 0]);
});

test('a receiver that answers 410 is not called again until an operator resumes it', async (t) => {
  const sending = new Sending(t);
  sending.answers = [{ kind: 'response', status: 410, retryAfterMs: null }];
  sending.find('a');
  await sending.send();
  sending.find('b');
  sending.now += DAY_MS;
  await sending.send();
  assert.equal(sending.received.length, 1);
  assert.equal(sending.store.find('loops').stopped, 'HTTP 410');
  assert.equal(sending.store.resumeWebhook(sending.query, sending.now), 1);
  assert.equal(await sending.send(), 1);
});

test('a receiver may ask for a longer wait, and a redirect is a failure', async (t) => {
  const sending = new Sending(t);
  sending.answers = [
    { kind: 'response', status: 503, retryAfterMs: 10 * MINUTE_MS },
    { kind: 'response', status: 302, retryAfterMs: null },
  ];
  sending.find('a');
  await sending.send();
  assert.equal(sending.counts.nextAt, sending.now + 10 * MINUTE_MS);
  sending.now += 10 * MINUTE_MS;
  await sending.send();
  assert.equal(sending.counts.problem, 'HTTP 302: redirects are not followed');
});

test('an attempt counts before it begins, so killed attempts come to an end', async (t) => {
  const sending = new Sending(t);
  sending.find('a');
  const begun = sending.store.deliveries.begin(sending.query, () => sending.now + 5)!;
  assert.equal(begun.attempts, 1);
  assert.deepEqual(sending.store.deliveries.due(sending.now), [], 'it waits as after a failed attempt');
  sending.now += 5;
  assert.equal(await sending.send(), 1);
  assert.deepEqual(sending.ids, [begun.uid], 'the id is stable');
});

test('a message that was killed in its last attempt is parked', async (t) => {
  const sending = new Sending(t);
  sending.find('a');
  for (let attempt = 1; attempt <= 3; attempt++)
    sending.store.deliveries.begin(sending.query, () => sending.now);
  assert.equal(await sending.send(3), 0);
  assert.deepEqual(sending.received, []);
  assert.equal(sending.counts.problem, 'interrupted in 3 attempts');
});

test('more pages than are kept are all delivered', async (t) => {
  const sending = new Sending(t);
  for (const block of [0, 1, 2])
    sending.find(...Array.from({ length: 500 }, (_, at) => `${500 * block + at}`));
  await sending.send();
  const titles = sending.received.flatMap(([, { body }]) =>
    JSON.parse(body).data.pages.map(({ title }: { title: string }) => title),
  );
  assert.equal(new Set(titles).size, 1500);
  sending.find('last');
  assert.equal(sending.store.countOf(sending.query).pages, 1000);
});

test('a page that is removed before it is delivered is in no message', async (t) => {
  const sending = new Sending(t);
  sending.find('a', 'b');
  sending.find('c');
  const removed = new Set(['https://example.org/a', 'https://example.org/c']);
  assert.equal(
    sending.store.removePages((url) => removed.has(url)),
    2,
  );
  assert.equal(await sending.send(), 1);
  assert.deepEqual(
    JSON.parse(sending.received[0]![1].body).data.pages.map(({ title }: { title: string }) => title),
    ['b'],
  );
  assert.equal(sending.store.hasText(1n, fingerprint('https://example.org/a' as CanonicalUrl)), false);
});

test('a test message has no pages', async (t) => {
  const sending = new Sending(t);
  const post: PostMessage = async (_, { body }) => {
    assert.deepEqual([JSON.parse(body).type, JSON.parse(body).data.pages], ['test', []]);
    return BROKEN;
  };
  const query = sending.store.find('loops');
  assert.deepEqual(await sendTest(query, { post, clock: { now: () => 5 } }), { problem: 'HTTP 500' });
  assert.match(newSecret(), /^whsec_[\w+/]{43}=$/);
});
