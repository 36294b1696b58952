/**
 * Hosts of the operator's own whose robots.txt is not asked for: an intranet that keeps strangers out
 * may still want to be searched by its own engine. Politeness is not touched by it.
 *
 *   wiki.corp.example        this host, on any port
 *   wiki.corp.example:8080   this host on this port
 *   *.corp.example           every host below this domain, and the domain itself
 *
 * What belongs to everybody, such as `*` or `*.com`, is refused: nobody owns that.
 */
import { UsageError } from '../base/mod.ts';
import { isPublicSuffix, readHostName } from '../url/mod.ts';
import type { RobotsRules } from './robots-rules.ts';

/** What holds where robots.txt is not asked for. */
export const ALLOW_ALL: RobotsRules = Object.freeze({ rules: [], crawlDelayMs: null, sitemaps: [] });

export interface RobotsOverrides {
  includes(origin: string): boolean;
}

/** Throws a UsageError that names the entry which is no host. */
export function createRobotsOverrides(entries: readonly string[]): RobotsOverrides {
  const hosts = new Set<string>();
  const domains = new Set<string>();
  for (const entry of entries) {
    const isDomain = entry.startsWith('*.');
    const name = readHostName(isDomain ? entry.slice(2) : entry);
    if (name === null) throw wrong(entry, 'is not a host, nor a domain such as *.corp.example');
    if (isPublicSuffix(name)) throw wrong(entry, 'is too wide: name the hosts that are your own');
    (isDomain ? domains : hosts).add(name);
  }
  return {
    includes(origin) {
      const authority = origin.replace(/^\w+:\/\//, '');
      const host = authority.replace(/:\d+$/, '');
      return hosts.has(authority) || hosts.has(host) || [...domains].some((domain) => isBelow(host, domain));
    },
  };
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function wrong(entry: string, what: string): UsageError {
  return new UsageError('bad-override', `"${entry}" ${what}`);
}
