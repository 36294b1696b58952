/**
 * Test servers on loopback, and a fetcher that resolves all names below `.test` to loopback. All are closed after the
 * test.
 */
import type { AddressInfo, Server } from 'node:net';
import type { TestContext } from 'node:test';
import { systemClock } from '../../base/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { AddressGuard, LOOPBACK } from './address-guard.ts';
import type { FetchOutcome } from './exchange.ts';
import { Fetcher, type FetcherOptions } from './fetcher.ts';
import { Resolver } from './resolver.ts';

export async function listening(context: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    (server as { closeAllConnections?(): void }).closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export function fetcherFor(context: TestContext, options: Partial<FetcherOptions> = {}): Fetcher {
  const guard = options.guard ?? new AddressGuard(LOOPBACK);
  const resolver = new Resolver({ '*.test': '127.0.0.1' }, guard, systemClock);
  const limits = { timeLimitMs: 60_000, maxBodyBytes: 100_000 };
  const made = new Fetcher({
    userAgent: 'Gyre/test',
    guard,
    resolver,
    clock: systemClock,
    ...limits,
    ...options,
  });
  context.after(() => made.close());
  return made;
}

export function fetchAll(fetcher: Fetcher, address: string): Promise<FetchOutcome> {
  return fetcher.fetch(canonicalize(address) as CanonicalUrl, () => true);
}
