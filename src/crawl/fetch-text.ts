/**
 * Fetches a small text from a host for other parts of the engine, such as the proof that a client owns a site. The
 * address guard of the crawl applies: a name or an address of the local network is refused. Redirects are not followed,
 * and no credentials are sent.
 */
import type { Clock } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { AddressGuard, Fetcher, Resolver } from './fetch/mod.ts';

const MAX_BYTES = 64 * 1024;
const TIME_LIMIT_MS = 5_000;

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
  const { allowAddresses, resolve, dnsCacheMs, clock } = options;
  const guard = new AddressGuard(allowAddresses);
  const resolver = new Resolver(resolve, guard, clock, dnsCacheMs);
  const limits = { timeLimitMs: TIME_LIMIT_MS, maxBodyBytes: MAX_BYTES };
  const fetcher = new Fetcher({ ...options, ...limits, guard, resolver });
  try {
    const headers = { 'accept-encoding': 'identity' };
    const outcome = await fetcher.fetch(url, () => true, { cutBytes: MAX_BYTES, headers });
    return outcome.kind === 'response' && outcome.status === 200 ? outcome.payload.toString() : null;
  } finally {
    await fetcher.close();
  }
}
