/**
 * Sends the changes to one reader as server-sent events, until the reader leaves:
 *
 *   id: CURSOR, event: added | changed | removed, data: ChangeEvent
 *   event: expired, data: a problem, before the stream ends because the cursor is no longer valid
 *
 * A reader that comes back sends the last id, and misses nothing. The next batch is read when the reader has taken the one
 * before, so a slow reader holds one batch in memory; connections.ts closes connections that take nothing for 10 s.
 */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { UsageError } from '../../base/mod.ts';
import type { ChangeBatch, ChangeFeed, ChangeRequest } from './change-feed.ts';
import type { FeedWatch } from './feed-watch.ts';

/** A comment is sent after this time without an event, so that the connection is not closed. */
const QUIET_MS = 5_000;
const RETRY_MS = 2_000;

interface StreamOptions {
  feed: ChangeFeed;
  watch: FeedWatch;
  request: ChangeRequest;
  /** The first batch, which was read before the response began. */
  first: ChangeBatch;
  /** Is aborted when the server closes. */
  closing: AbortSignal;
}

/** Resolves when the reader has left, its cursor has expired, or the server closes. */
export async function streamChanges(
  response: ServerResponse,
  { feed, watch, request, first, closing }: StreamOptions,
): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  response.on('close', leave);
  // A write to a reader that has just left is reported as an error, which would end the process without a listener.
  response.on('error', leave);
  const ended = AbortSignal.any([left.signal, closing]);
  await write(response, `retry: ${RETRY_MS}\n\n`, ended);
  let batch = first;
  while (!ended.aborted) {
    await write(response, textOf(batch), ended);
    if (!batch.more) await watch.untilNew(batch.tip, QUIET_MS, ended);
    if (ended.aborted) break;
    const next = await read(feed, { ...request, cursor: batch.cursor });
    if (next instanceof UsageError) {
      const { code, message } = next;
      await write(response, `event: expired\ndata: ${JSON.stringify({ code, detail: message })}\n\n`, ended);
      break;
    }
    batch = next;
  }
  response.end();
}

async function read(feed: ChangeFeed, request: ChangeRequest): Promise<ChangeBatch | UsageError> {
  try {
    return await feed.read(request);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** Without an event, returns a comment that keeps the connection open. */
function textOf({ events, cursor }: ChangeBatch): string {
  if (events.length === 0) return `: quiet\nid: ${cursor}\n\n`;
  return events
    .map((each) => `id: ${each.cursor}\nevent: ${each.event.type}\ndata: ${JSON.stringify(each.event)}\n\n`)
    .join('');
}

/** Writes, and waits until the reader can take more. */
async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || response.write(text)) return;
  await once(response, 'drain', { signal }).catch(() => {});
}
