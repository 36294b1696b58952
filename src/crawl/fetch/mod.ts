/**
 * One HTTP request and its outcome. This shelf connects only to allowed addresses, limits time, headers,
 * chunks and bytes, and returns every failure as a value. It does not know robots.txt or politeness; `visit/`
 * does.
 */

export { ADDRESS_REFUSED, AddressGuard, LOOPBACK } from './address-guard.ts';
export type { FetchOutcome, Response, Wanted } from './exchange.ts';
export { Fetcher } from './fetcher.ts';
export { isLocalhost, Resolver } from './resolver.ts';
export {
  header,
  isWanted,
  type ResponseTrouble,
  retryAfterMs,
  troubleOf,
} from './response-status.ts';
