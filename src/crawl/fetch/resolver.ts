/**
 * Resolves host names and caches the addresses for `crawl.dnsCache`, because a crawl needs the same hosts again and
 * again.
 *
 * Names under `localhost` resolve to loopback without a DNS query (RFC 6761), and an operator may pin names:
 * `{ "*.test": "127.0.0.1" }`. Refused addresses are removed from every result.
 */

import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { BoundedCache, type Clock, systemCode, UsageError } from '../../base/mod.ts';
import { type AddressGuard, AddressRefusedError } from './address-guard.ts';
import { DnsLookup } from './dns-lookup.ts';

const DEFAULT_TTL_MS = 10 * 60_000;
const MISSING_TTL_MS = 60_000;
const MAX_ENTRIES = 100_000;

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

interface Entry {
  expiresAt: number;
  answer: Promise<LookupAddress[]>;
}

export class Resolver {
  readonly #pinned: [pattern: string, address: string][];
  readonly #guard: AddressGuard;
  readonly #clock: Clock;
  readonly #foundTtlMs: number;
  readonly #dns: Pick<DnsLookup, 'addressesOf'>;
  readonly #cache = BoundedCache.ofEntries<string, Entry>(MAX_ENTRIES);

  constructor(
    pinned: Record<string, string>,
    guard: AddressGuard,
    clock: Clock,
    foundTtlMs = DEFAULT_TTL_MS,
    dns: Pick<DnsLookup, 'addressesOf'> = new DnsLookup(),
  ) {
    for (const [name, address] of Object.entries(pinned)) {
      if (isIP(address) === 0) {
        throw new UsageError('bad-address', `crawl.resolve: "${address}" for ${name} is not an IP address`);
      }
    }
    this.#pinned = Object.entries(pinned);
    this.#guard = guard;
    this.#clock = clock;
    this.#foundTtlMs = foundTtlMs;
    this.#dns = dns;
  }

  /** Resolver function in the form that `net.connect` expects as `lookup`. */
  readonly lookup = (name: string, options: LookupOptions, callback: LookupCallback): void => {
    this.#allowed(name).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };

  /** Returns the IP address to which connections to this host will go; empty if it cannot be resolved. */
  async addressOf(hostname: string): Promise<string> {
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0) return literal;
    return this.#allowed(hostname).then(
      ([first]) => first!.address,
      () => '',
    );
  }

  async #allowed(name: string): Promise<LookupAddress[]> {
    const addresses = await this.#resolve(name);
    const allowed = addresses.filter(({ address }) => this.#guard.allows(address));
    if (allowed.length === 0) throw new AddressRefusedError(`${name} (${addresses[0]?.address})`);
    return allowed;
  }

  #resolve(name: string): Promise<LookupAddress[]> {
    const fixed = this.#fixed(name);
    if (fixed) return Promise.resolve([{ address: fixed, family: isIP(fixed) }]);
    const known = this.#cache.get(name);
    if (known && known.expiresAt > this.#clock.now()) return known.answer;
    return this.#ask(name);
  }

  #fixed(name: string): string | null {
    for (const [pattern, address] of this.#pinned) {
      if (pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern) return address;
    }
    return isLocalhost(name) ? '127.0.0.1' : null;
  }

  #ask(name: string): Promise<LookupAddress[]> {
    const entry: Entry = {
      expiresAt: this.#clock.now() + this.#foundTtlMs,
      answer: this.#dns.addressesOf(name),
    };
    entry.answer.catch((error: unknown) => {
      const lasting = systemCode(error) === 'ENOTFOUND';
      entry.expiresAt = lasting ? this.#clock.now() + MISSING_TTL_MS : 0;
    });
    this.#cache.set(name, entry);
    return entry.answer;
  }
}

export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}
