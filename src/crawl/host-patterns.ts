/**
 * Hosts as an operator names them in a setting.
 *
 *   wiki.corp.example        this host, on any port
 *   wiki.corp.example:8080   this host on this port
 *   *.corp.example           every host below this domain, and the domain itself
 *
 * What belongs to everybody, such as `*` or `*.com`, is refused: nobody owns that.
 */
import { UsageError } from '../base/mod.ts';
import { isPublicSuffix, readHostName } from '../url/mod.ts';

export interface HostPattern {
  matches(origin: string): boolean;
}

/** Throws a UsageError with this code for what is no host. */
export function parseHostPattern(entry: string, code: string): HostPattern {
  const isDomain = entry.startsWith('*.');
  const name = readHostName(isDomain ? entry.slice(2) : entry);
  if (name === null) {
    throw new UsageError(code, `"${entry}" is not a host, nor a domain such as *.corp.example`);
  }
  if (isPublicSuffix(name))
    throw new UsageError(code, `"${entry}" is too wide: name the hosts that are your own`);
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
