import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock, UsageError } from '../../base/mod.ts';
import { createServer, listen } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import type { ChangeBatch, ChangeFeed, ChangeRequest } from './change-feed.ts';
import { streamChanges } from './change-stream.ts';
import { FeedWatch } from './feed-watch.ts';

/** A feed of events with the numbers 1 to `end` as cursors. */
class CountingFeed implements ChangeFeed {
  end = 0;
  reads: ChangeRequest[] = [];
  isRebuilt = false;
  #title = '';

  constructor(title = '') {
    this.#title = title;
  }

  async read(request: ChangeRequest): Promise<ChangeBatch> {
    this.reads.push(request);
    const { cursor, limit } = request;
    if (cursor === 'bad') throw new UsageError('bad-cursor', 'start again without a cursor');
    if (this.isRebuilt && cursor) throw new UsageError('expired-cursor', 'start again without a cursor');
    const from = cursor === 'now' ? this.end : Number(cursor ?? '0');
    const to = Math.min(this.end, from + limit);
    const events = Array.from({ length: to - from }, (_, at) => ({
      cursor: String(from + at + 1),
      event: {
        ...{ type: 'added' as const, url: `https://a.org/${from + at + 1}`, at: '2026-01-02T00:00:00.000Z' },
        ...{ title: this.#title, language: 'en', contentType: 'text/html', digest: 'D' },
      },
    }));
    return { events, cursor: String(to), more: to < this.end, tip: String(this.end) };
  }

  async tip(): Promise<string> {
    return String(this.end);
  }
}

async function serverOf(context: TestContext, feed: ChangeFeed, apiKeys: string[] = []) {
  const common = { version: '', contact: '', clock: systemClock, log: silentLog };
  const server = createServer({ ...common, searcher: testSite().searcher, feed, limits: { apiKeys } });
  context.after(() => server.close());
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  return { server, address, url: `${address}/api/v1/changes` };
}

interface Answer {
  events: { url: string }[];
  cursor: string;
  more: boolean;
}

const EVENTS = { accept: 'text/event-stream' };

/** Opens a stream, and reads its text until it matches. */
async function openStream(context: TestContext, url: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(url, { headers: { ...EVENTS, ...headers } }, resolve).on('error', reject);
    context.after(() => request.destroy());
  });
  response.setEncoding('utf8');
  let text = '';
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const chunk = response.read() as string | null;
      if (chunk !== null) text += chunk;
      else if (response.readableEnded) throw new Error(`the stream ended without ${pattern}: ${text}`);
      else await once(response, 'readable');
    }
    return text;
  };
  return { response, until };
}

test('a batch is JSON with a cursor, and a long poll waits for the next change', async (context) => {
  const feed = new CountingFeed();
  const { url } = await serverOf(context, feed);
  feed.end = 3;
  const first = (await (await fetch(`${url}?limit=2&records=true`)).json()) as Answer;
  assert.deepEqual([first.cursor, first.more, first.events.length], ['2', true, 2]);
  assert.deepEqual(feed.reads, [{ cursor: null, limit: 2, hasRecords: true }]);
  assert.deepEqual(first.events[0]!.url, 'https://a.org/1');
  assert.deepEqual(await (await fetch(`${url}?cursor=3`)).json(), { events: [], cursor: '3', more: false });
  const waiting = fetch(`${url}?cursor=3&wait=30`);
  while (feed.reads.length < 3) await new Promise((resolve) => setImmediate(resolve));
  feed.end = 4;
  const second = (await (await waiting).json()) as Answer;
  assert.deepEqual([second.cursor, second.events.length], ['4', 1]);
  assert.deepEqual(await (await fetch(`${url}?cursor=4&wait=1`)).json(), {
    events: [],
    cursor: '4',
    more: false,
  });
});

test('a wrong cursor or parameter is a problem, and a missing key is refused', async (context) => {
  const feed = new CountingFeed();
  const { server } = await serverOf(context, feed);
  const statusOf = async (query: string, headers = {}) => {
    const response = await server.inject({ url: `/api/v1/changes?${query}`, headers });
    return [response.statusCode, response.json().code];
  };
  assert.deepEqual(await statusOf('cursor=bad'), [400, 'bad-cursor']);
  assert.deepEqual(await statusOf('cursor=bad', EVENTS), [400, 'bad-cursor']);
  feed.isRebuilt = true;
  assert.deepEqual(await statusOf('cursor=3'), [410, 'expired-cursor']);
  for (const query of ['wait=61', 'limit=0', 'limit=1001', 'records=perhaps'])
    assert.deepEqual(await statusOf(query), [400, 'bad-parameter'], query);
  const guarded = await serverOf(context, feed, ['sesame']);
  for (const headers of [{}, EVENTS])
    assert.equal((await guarded.server.inject({ url: '/api/v1/changes', headers })).statusCode, 401);
});

test('a stream sends changes as they come, continues after the last id, and ends when its cursor expires', async (context) => {
  const feed = new CountingFeed();
  const { url } = await serverOf(context, feed);
  feed.end = 2;
  const { response, until } = await openStream(context, url);
  assert.match(String(response.headers['content-type']), /^text\/event-stream/);
  const text = await until(/id: 2\nevent: added\ndata: .*\n\n/);
  // An id before the events would let a reader that is cut off there skip them.
  assert.match(text, /^retry: 2000\n\nid: \d\nevent: added\n/);
  assert.equal(JSON.parse(/event: added\ndata: (.*)\n/.exec(text)![1]!).url, 'https://a.org/1');
  feed.end = 3;
  await until(/id: 3\nevent: added\n/);
  const later = await openStream(context, `${url}?cursor=0`, { 'last-event-id': '2' });
  assert.doesNotMatch(await later.until(/id: 3\nevent: added\n/), /org\/1/);
  feed.isRebuilt = true;
  feed.end = 4;
  assert.match(await until(/event: expired\n/), /data: \{"code":"expired-cursor","detail":"start again/);
});

test('the next batch is read when the reader has taken the one before', async () => {
  const feed = new CountingFeed();
  feed.end = 3;
  const written: string[] = [];
  const slow = Object.assign(new EventEmitter(), {
    write: (text: string) => {
      written.push(text);
      return false;
    },
    end() {},
  });
  const request = { cursor: null, limit: 1, hasRecords: false };
  const first = await feed.read(request);
  const closing = new AbortController();
  const options = { feed, watch: new FeedWatch(feed, silentLog), request, first, closing: closing.signal };
  const ended = streamChanges(slow as unknown as ServerResponse, options);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (let taken = 1; taken <= 3; taken++) {
    for (let at = 0; at < 20; at++) await turn();
    assert.deepEqual([written.length, feed.reads.length], [taken, Math.max(1, taken - 1)]);
    slow.emit('drain');
  }
  slow.emit('close');
  await ended;
});

test('the number of readers is limited', async (context) => {
  const feed = new CountingFeed();
  const { url, server } = await serverOf(context, feed);
  const streams = await Promise.all(
    Array.from({ length: 100 }, () => openStream(context, `${url}?cursor=now`)),
  );
  const refused = await server.inject({ url: '/api/v1/changes' });
  assert.deepEqual([refused.statusCode, refused.json().code], [503, 'too-many-readers']);
  streams[0]!.response.destroy();
  for (let status = 503; status !== 200; ) {
    await new Promise((resolve) => setImmediate(resolve));
    status = (await server.inject({ url: '/api/v1/changes?cursor=now' })).statusCode;
  }
});
