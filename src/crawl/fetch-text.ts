/**
 * Exchanges small texts with a host for other parts of the engine: the proof that a client owns a site, and the messages
 * of webhooks. The address guard of the crawl applies: a name or an address of the local network is refused. Redirects
 * are not followed, and no credentials are sent.
 */
import type { Clock } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { AddressGuard, type FetchOutcome, Fetcher, header, Resolver, retryAfterMs } from './fetch/mod.ts';

const MAX_BYTES = 64 * 1024;
const TIME_LIMIT_MS = 5_000;
const POST_TIME_LIMIT_MS = 10_000;

interface TextFetcherOptions {
  allowAddresses: readonly string[];
  resolve: Readonly<Record<string, string>>;
  dnsCacheMs: number;
  userAgent: string;
  clock: Clock;
  proxy: string;
  authorities: readonly string[];
}

/** Returns the first 64 KiB of the response as text; null if there is no response with status 200. */
export async function fetchText(url: CanonicalUrl, options: TextFetcherOptions): Promise<string | null> {
  const outcome = await withFetcher(options, TIME_LIMIT_MS, (fetcher) =>
    fetcher.fetch(url, () => true, { cutBytes: MAX_BYTES, headers: IDENTITY }),
  );
  return outcome.kind === 'response' && outcome.status === 200 ? outcome.payload.toString() : null;
}

const IDENTITY = { 'accept-encoding': 'identity' };

interface PostedText {
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** The outcome of a POST request. A failure without `retry` lasts, for example because the address is refused. */
type PostOutcome =
  | { kind: 'response'; status: number; retryAfterMs: number | null }
  | { kind: 'failed'; reason: string; retry: boolean };

/** Sends a text as a POST request. Of the response only the status counts. Takes at most ten seconds. */
export async function postText(
  url: CanonicalUrl,
  { body, headers }: PostedText,
  options: TextFetcherOptions,
): Promise<PostOutcome> {
  const request = { body: Buffer.from(body), headers: { ...IDENTITY, accept: '*/*', ...headers } };
  const outcome = await withFetcher(options, POST_TIME_LIMIT_MS, (fetcher) =>
    fetcher.fetch(url, () => true, { cutBytes: MAX_BYTES, ...request }),
  );
  if (outcome.kind === 'failed') return { kind: 'failed', reason: outcome.reason, retry: outcome.retry };
  const pause = outcome.kind === 'response' ? header(outcome, 'retry-after') : '';
  return { kind: 'response', status: outcome.status, retryAfterMs: retryAfterMs(pause, options.clock.now()) };
}

async function withFetcher(
  options: TextFetcherOptions,
  timeLimitMs: number,
  use: (fetcher: Fetcher) => Promise<FetchOutcome>,
): Promise<FetchOutcome> {
  const { allowAddresses, resolve, dnsCacheMs, clock } = options;
  const guard = new AddressGuard(allowAddresses);
  const resolver = new Resolver(resolve, guard, clock, dnsCacheMs);
  const fetcher = new Fetcher({ ...options, timeLimitMs, maxBodyBytes: MAX_BYTES, guard, resolver });
  try {
    return await use(fetcher);
  } finally {
    await fetcher.close();
  }
}
