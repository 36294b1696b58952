/**
 * The messages of webhooks and their signatures, as https://www.standardwebhooks.com specifies them: a receiver needs
 * only one of its libraries.
 *
 *   POST https://example.org/hook
 *   content-type: application/json
 *   webhook-id: 2b9c…                       the same in every attempt to deliver the message
 *   webhook-timestamp: 1767323045           seconds since 1970, of this attempt
 *   webhook-signature: v1,K5oZfzN95Z9UVu…   base 64 of HMAC-SHA256(key, `${id}.${timestamp}.${body}`)
 *
 *   {"type":"pages","timestamp":"2026-01-02T03:04:05.000Z","data":{"query":{…},"pages":[{…}]}}
 *
 * The secret `whsec_…` is the key in base 64; any other text is the key itself.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { UsageError } from '../base/mod.ts';
import type { StandingPage } from './found-page.ts';

export interface WebhookMessage {
  id: string;
  body: string;
}

const PREFIX = 'whsec_';
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** Returns the key of a secret. Throws a UsageError if it is too short to be safe. */
export function readSecret(secret: string): Buffer {
  const key = secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret);
  if (key.length >= LEAST_BYTES && key.length <= MOST_BYTES) return key;
  const isShort = key.length < LEAST_BYTES;
  throw new UsageError(
    'bad-secret',
    `the secret of a webhook is too ${isShort ? 'short' : 'long'}: expected ${LEAST_BYTES} to ${MOST_BYTES} bytes, got ${key.length}; without one, Gyre makes one`,
  );
}

/** Returns the headers of an attempt to send a message. */
export function headersFor(
  { id, body }: WebhookMessage,
  secret: string,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', readSecret(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

interface MessageContents {
  type: 'pages' | 'test';
  id: string;
  at: number;
  query: { name: string; query: string };
  pages: readonly StandingPage[];
}

export function webhookMessageOf({
  type,
  id,
  at,
  query: { name, query },
  pages,
}: MessageContents): WebhookMessage {
  const data = { query: { name, query }, pages: pages.map(publicPage) };
  return { id, body: JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }) };
}

/** Returns a page as programs receive it, in webhooks and from the command line. */
export function publicPage(page: StandingPage): Record<string, string> {
  const { id, change, url, title, snippet, fetchedAt, foundAt } = page;
  const times = { fetchedAt: new Date(fetchedAt).toISOString(), foundAt: new Date(foundAt).toISOString() };
  return { id, change, url, title, snippet, ...times };
}
