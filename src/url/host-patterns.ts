/**
 * Host patterns in the operator's settings.
 *
 *   wiki.corp.example        this host, on any port
 *   wiki.corp.example:8080   this host on this port
 *   *.corp.example           every host below this domain, and the domain itself
 *
 * Patterns that cover a public suffix, such as `*` or `*.com`, are rejected.
 */
import { UsageError } from '../base/mod.ts';
import { readHostName } from './host-name.ts';
import { isPublicSuffix } from './parts.ts';

export interface HostPattern {
  matches(origin: string): boolean;
}

/** Parses a host pattern. Throws a UsageError with the given code if `entry` is not a host pattern. */
export function parseHostPattern(entry: string, code: string): HostPattern {
  const isDomain = entry.startsWith('*.');
  const name = readHostName(isDomain ? entry.slice(2) : entry);
  if (name === null) {
    throw new UsageError(code, `expected a host or a domain such as *.corp.example, got "${entry}"`);
  }
  if (isPublicSuffix(name))
    throw new UsageError(code, `"${entry}" covers too many hosts: list only your own hosts`);
  return {
    matches(origin) {
      const authority = origin.replace(/^\w+:\/\//, '');
      const host = authority.replace(/:\d+$/, '');
      return isDomain ? isBelow(host, name) : authority === name || host === name;
    },
  };
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
