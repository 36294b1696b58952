/**
 * Decides which IP addresses the crawler may connect to. Links on a page of the public web must not make the
 * crawler send requests to its own machine, to other machines of the same network, or to the metadata service
 * of a cloud.
 *
 * The check is on addresses, never on names, and happens when the connection is made. Therefore a name that
 * resolves differently the second time (DNS rebinding) cannot bypass the check.
 */
import { BlockList, isIP } from 'node:net';
import { GyreError, UsageError } from '../../base/mod.ts';

/** Ranges outside the public internet, by the special-purpose registries of RFC 6890 and its successors. */
const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

export const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** The reason stored with a URL that was not requested because its IP address is not allowed. */
export const ADDRESS_REFUSED = 'address not allowed';

export class AddressRefusedError extends GyreError {
  constructor(address: string) {
    super(
      'address-refused',
      `${address} is not a public address; list it in crawl.allowAddresses to crawl it`,
    );
  }
}

export class AddressGuard {
  readonly #refused = blockList(SPECIAL);
  readonly #allowed: BlockList;

  /**
   * `allowed` lists addresses or CIDR ranges, for example `10.0.0.0/8`, that may be used although they are not
   * public.
   */
  constructor(allowed: readonly string[]) {
    this.#allowed = blockList(allowed);
  }

  /** Returns true if the crawler may connect to the IP address. Returns false for text that is not an IP address. */
  allows(address: string): boolean {
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 6 ? 'ipv6' : 'ipv4';
    return this.#allowed.check(address, family) || !this.#refused.check(address, family);
  }
}

/** Parses the address ranges of the configuration; the error message names the invalid one. */
function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const version = isIP(address);
    const bits = prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix);
    if (version === 0 || !Number.isInteger(bits) || bits < 0 || bits > (version === 6 ? 128 : 32)) {
      throw new UsageError('bad-address', `"${range}" is not an IP address or range such as 10.0.0.0/8`);
    }
    list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
