/**
 * Looks up the addresses of a host name by DNS, with any number of look-ups in flight. The system's own resolver
 * (getaddrinfo) would occupy one of the four threads of libuv for each look-up, so that a few dead name servers could
 * stop all others.
 *
 * The system's resolver is used where DNS alone is not enough: for names without a dot, for names under `.local`, and
 * if no name server can be reached. Names of the hosts file keep the addresses that they have there.
 */
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup, Resolver as NameServers } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { systemCode } from '../../base/mod.ts';

const HOSTS_FILE = '/etc/hosts';
const QUERY_TIMEOUT_MS = 5_000;
const TRIES = 2;
/** Error codes for a name that does not exist or has no address. */
const MISSING = ['ENOTFOUND', 'ENODATA'];

type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

export class DnsLookup {
  readonly #nameServers: Pick<NameServers, 'resolve4' | 'resolve6'>;
  readonly #hosts: Hosts;

  constructor(
    nameServers: Pick<NameServers, 'resolve4' | 'resolve6'> = new NameServers({
      timeout: QUERY_TIMEOUT_MS,
      tries: TRIES,
    }),
    hostsFile: string = readHosts(),
  ) {
    this.#nameServers = nameServers;
    this.#hosts = parseHosts(hostsFile);
  }

  /** Returns the IP addresses of a host name, IPv4 first. Rejects with the code ENOTFOUND if there are none. */
  async addressesOf(name: string): Promise<LookupAddress[]> {
    const fixed = this.#hosts.get(name);
    if (fixed) return [...fixed];
    if (!name.includes('.') || name.endsWith('.local')) return bySystem(name);
    const answers = await Promise.allSettled([
      this.#nameServers.resolve4(name),
      this.#nameServers.resolve6(name),
    ]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses.map((address) => ({ address, family: isIP(address) }));
    const isMissing = answers.every(
      (answer) => answer.status === 'rejected' && MISSING.includes(systemCode(answer.reason)),
    );
    if (!isMissing) return bySystem(name);
    throw Object.assign(new Error(`no address for ${name}`), { code: 'ENOTFOUND' });
  }
}

function bySystem(name: string): Promise<LookupAddress[]> {
  return systemLookup(name, { all: true, order: 'verbatim' });
}

/** Returns the contents of the hosts file; empty if there is none. */
function readHosts(): string {
  try {
    return readFileSync(HOSTS_FILE, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Parses a hosts file into the addresses of each name. For example `127.0.0.1 localhost loopback  # comment` defines
 * two names.
 */
function parseHosts(text: string): Hosts {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const known = hosts.get(name.toLowerCase()) ?? [];
      hosts.set(name.toLowerCase(), [...known, { address, family }]);
    }
  }
  return hosts;
}
