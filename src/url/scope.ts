/**
 * Which URLs a crawl may enter. The same verdict serves seeds, links, redirects and sitemaps.
 *
 *   host     the seeds' own hosts
 *   domain   every host of the seeds' registrable domains (the default)
 *   web      everything
 *
 * `domains` opens further domains, each with all hosts below it, whatever the mode.
 */
import type { CanonicalUrl } from './canonical.ts';
import { hostOf, registrableDomain } from './parts.ts';

export type ScopeMode = 'host' | 'domain' | 'web';

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
  const below = (host: string) => domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  return { includes: (url) => units.has(unitOf(url)) || below(hostOf(url)) };
}
