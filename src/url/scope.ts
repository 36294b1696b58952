/**
 * Decides which URLs a crawl may fetch. The scope is the first check in `url-rules.ts`.
 *
 *   host     the hosts of the seeds
 *   domain   every host of the seeds' registrable domains (the default)
 *   web      everything
 *
 * `domains` adds further domains in any mode, each with all hosts below it. An entry with a port, as in
 * `localhost:8090`, adds only that port.
 */
import type { CanonicalUrl } from './canonical.ts';
import { hostOf, originOf, registrableDomain } from './parts.ts';

export type ScopeMode = 'host' | 'domain' | 'web';

/**
 * Decides about URLs. The result depends only on scheme, host and port, so that callers can cache it per
 * origin.
 */
export interface Scope {
  includes(url: CanonicalUrl): boolean;
}

export function createScope(
  mode: ScopeMode,
  seeds: readonly CanonicalUrl[],
  domains: readonly string[],
): Scope {
  if (mode === 'web') return { includes: () => true };
  const unitOf = mode === 'host' ? hostOf : (url: CanonicalUrl) => registrableDomain(hostOf(url));
  const units = new Set(seeds.map(unitOf));
  const opened = (url: CanonicalUrl) => {
    const host = hostOf(url);
    const authority = originOf(url).replace(/^\w+:\/\//, '');
    return domains.some((domain) => [host, authority].some((name) => isBelow(name, domain)));
  };
  return { includes: (url) => units.has(unitOf(url)) || opened(url) };
}

function isBelow(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
