/**
 * Sends the messages of webhooks that are due. Each query has one message in flight, so a slow receiver delays only its
 * own messages.
 *
 *   2xx                    delivered
 *   410                    the webhook is stopped until an operator resumes it
 *   any other response,
 *   no response            another attempt later, at most `attempts` in all; then the message is parked
 *   an address that the
 *   guard refuses          parked at once
 */

import { randomUUID } from 'node:crypto';
import { type Clock, HOUR_MS, type Log } from '../base/mod.ts';
import type { Delivery } from './delivery-queue.ts';
import type { StandingQuery, StandingStore } from './standing-store.ts';
import { headersFor, type WebhookMessage, webhookMessageOf } from './webhook-message.ts';

export type PostMessage = (
  url: string,
  message: { body: string; headers: Readonly<Record<string, string>> },
) => Promise<
  | { kind: 'response'; status: number; retryAfterMs: number | null }
  | { kind: 'failed'; reason: string; retry: boolean }
>;

export interface SendOptions {
  post: PostMessage;
  clock: Clock;
  log: Log;
  /** The maximum number of attempts for one message. */
  attempts: number;
  /** The wait after the first attempt. It doubles with each further attempt, up to MAX_WAIT_MS. */
  retryMs: number;
  /** Returns a number in [0, 1); by default Math.random. */
  random?: () => number;
}

const MAX_WAIT_MS = 6 * HOUR_MS;
const GONE = 410;

/** Returns the number of delivered messages. */
export async function sendMessages(store: StandingStore, options: SendOptions): Promise<number> {
  const due = new Set(store.deliveries.due(options.clock.now()));
  const queries = store.list().filter(({ id }) => due.has(id));
  const counts = await Promise.all(queries.map((query) => sendOf(store, query, options)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Sends the messages of a query until one fails or none waits. */
async function sendOf(store: StandingStore, query: StandingQuery, options: SendOptions): Promise<number> {
  for (let count = 0; ; ) {
    const delivery = store.deliveries.begin(query.id, (n) => options.clock.now() + waitMs(n, options));
    if (!delivery) return count;
    if (delivery.pages.length === 0) store.deliveries.drop(delivery);
    else if (delivery.attempts > options.attempts) parkInterrupted(store, delivery, options);
    else if (await attempt(store, query, delivery, options)) count++;
    else return count;
  }
}

/** Parks a message whose last attempt was cut off by the end of the process. */
function parkInterrupted(
  store: StandingStore,
  delivery: Delivery,
  { clock, log, attempts }: SendOptions,
): void {
  const problem = `interrupted in ${attempts} attempts`;
  log.warn('webhook message parked', { query: delivery.query, delivery: delivery.uid, problem });
  store.deliveries.failed(delivery, problem, null, clock.now());
}

async function attempt(
  store: StandingStore,
  query: StandingQuery,
  delivery: Delivery,
  options: SendOptions,
): Promise<boolean> {
  const { clock, log, attempts } = options;
  const { uid: id, pages, createdAt: at } = delivery;
  const message = webhookMessageOf({ type: 'pages', id, at, query, pages });
  const outcome = await post(query, message, options);
  const now = clock.now();
  if (outcome.kind === 'delivered') {
    store.deliveries.delivered(delivery, now);
    return true;
  }
  const { problem, retryAfterMs, isLasting } = outcome;
  const fields = { query: query.name, delivery: id, attempt: delivery.attempts, problem };
  if (outcome.kind === 'stop') {
    log.warn('webhook stopped', fields);
    store.deliveries.stop(query.id, problem, now);
    return false;
  }
  const isParked = isLasting || delivery.attempts >= attempts;
  log.warn(isParked ? 'webhook message parked' : 'webhook message not delivered', fields);
  const wait = Math.max(waitMs(delivery.attempts, options), Math.min(retryAfterMs ?? 0, MAX_WAIT_MS));
  store.deliveries.failed(delivery, problem, isParked ? null : now + wait, now);
  return false;
}

type TestOutcome = { problem: string | null };

/** Sends a message without pages to the webhook of a query, once. */
export async function sendTest(
  query: StandingQuery,
  options: Pick<SendOptions, 'post' | 'clock'>,
): Promise<TestOutcome> {
  const message = webhookMessageOf({
    type: 'test',
    id: randomUUID(),
    at: options.clock.now(),
    query,
    pages: [],
  });
  const outcome = await post(query, message, options);
  return { problem: outcome.kind === 'delivered' ? null : outcome.problem };
}

type Outcome =
  | { kind: 'delivered' }
  | { kind: 'failed' | 'stop'; problem: string; retryAfterMs: number | null; isLasting: boolean };

async function post(
  { webhook }: StandingQuery,
  message: WebhookMessage,
  { post, clock }: Pick<SendOptions, 'post' | 'clock'>,
): Promise<Outcome> {
  const { url, secret } = webhook!;
  const headers = headersFor(message, secret, clock.now());
  const outcome = await post(url, { body: message.body, headers });
  if (outcome.kind === 'failed')
    return { kind: 'failed', problem: outcome.reason, retryAfterMs: null, isLasting: !outcome.retry };
  const { status, retryAfterMs } = outcome;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const isRedirect = status >= 300 && status < 400;
  const problem = isRedirect ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
  return { kind: status === GONE ? 'stop' : 'failed', problem, retryAfterMs, isLasting: false };
}

/** Returns the wait after n attempts, between half and all of the exponential back-off. */
function waitMs(
  n: number,
  { retryMs, random = Math.random }: Pick<SendOptions, 'retryMs' | 'random'>,
): number {
  const full = Math.min(retryMs * 2 ** (n - 1), MAX_WAIT_MS);
  return Math.round(full * (0.5 + random() / 2));
}
