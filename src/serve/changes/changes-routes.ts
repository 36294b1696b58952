/**
 * `/api/v1/changes?cursor=`: the pages that were added, changed and removed since a cursor. JSON by default, which waits
 * for changes if `wait` is given; server-sent events for clients that accept `text/event-stream`.
 *
 * Waiting requests hold no slot of the admission queue, because they would keep searches waiting. Their number is
 * limited instead.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Log, messageOf, UsageError } from '../../base/mod.ts';
import { CHANGES_SCHEMA } from '../api/mod.ts';
import { RequestProblem } from '../errors.ts';
import { varyBy } from '../http/mod.ts';
import type { ChangeBatch, ChangeFeed, ChangeRequest } from './change-feed.ts';
import { streamChanges } from './change-stream.ts';
import { FeedWatch } from './feed-watch.ts';

/** The maximum number of requests and streams at a time. */
const MAX_READERS = 100;
/** A connection may be quiet for this time longer than its request waits. */
const SPARE_MS = 10_000;

interface ChangesQuery {
  cursor?: string;
  wait: number;
  limit: number;
  records: boolean;
}

export function changesRoutes(server: FastifyInstance, feed: ChangeFeed, log: Log): void {
  const watch = new FeedWatch(feed, log);
  const closing = new AbortController();
  let readers = 0;
  server.addHook('preClose', async () => closing.abort());
  server.get<{ Querystring: ChangesQuery }>(
    '/api/v1/changes',
    { schema: CHANGES_SCHEMA },
    async (request, reply) => {
      varyBy(reply, 'accept');
      if (readers >= MAX_READERS)
        throw new RequestProblem(
          503,
          'too-many-readers',
          `${MAX_READERS} readers follow the changes already.`,
        );
      readers++;
      try {
        return await answer(request, reply);
      } finally {
        readers--;
      }
    },
  );

  async function answer(request: FastifyRequest<{ Querystring: ChangesQuery }>, reply: FastifyReply) {
    const { wait, limit, records: hasRecords } = request.query;
    const wanted: ChangeRequest = { cursor: cursorOf(request), limit, hasRecords };
    const first = await readOrProblem(wanted);
    if (!/\btext\/event-stream\b/.test(request.headers.accept ?? ''))
      return shown(await longPoll(reply, wanted, first, wait * 1_000));
    reply.hijack();
    const { raw } = reply;
    // The reader may have left in the meantime; then `close` would not be reported again.
    if (raw.destroyed) return reply;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    await streamChanges(raw, { feed, watch, request: wanted, first, closing: closing.signal }).catch(
      (error) => {
        log.error('change feed ended', { reason: messageOf(error) });
        raw.destroy();
      },
    );
    return reply;
  }

  /** Reads again when there is something new, until there are events or the time is over. */
  async function longPoll(
    { raw, request }: FastifyReply,
    wanted: ChangeRequest,
    first: ChangeBatch,
    waitMs: number,
  ): Promise<ChangeBatch> {
    const left = new AbortController();
    raw.once('close', () => left.abort());
    if (waitMs > 0) request.raw.socket.setTimeout(waitMs + SPARE_MS);
    const ended = AbortSignal.any([left.signal, closing.signal]);
    const until = performance.now() + waitMs;
    let batch = first;
    while (batch.events.length === 0 && !ended.aborted) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) break;
      if (!batch.more) await watch.untilNew(batch.tip, leftMs, ended);
      batch = await readOrProblem({ ...wanted, cursor: batch.cursor });
    }
    return batch;
  }

  async function readOrProblem(request: ChangeRequest): Promise<ChangeBatch> {
    try {
      return await feed.read(request);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new RequestProblem(error.code === 'bad-cursor' ? 400 : 410, error.code, error.message);
    }
  }
}

/** A browser that connects again sends the id of the last event. */
function cursorOf({ query, headers }: FastifyRequest<{ Querystring: ChangesQuery }>): string | null {
  const last = headers['last-event-id'];
  return (typeof last === 'string' && last !== '' ? last : query.cursor) || null;
}

function shown({ events, cursor, more }: ChangeBatch): object {
  return { events: events.map(({ event }) => event), cursor, more };
}
