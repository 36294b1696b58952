/**
 * Limits the requests to hosts that share a machine or an owner. A host may be reached by http and https and
 * on several ports, many hosts may share one machine, and an operator may know that some hosts belong together:
 *
 *   host      all origins of a host name have at most one request in flight
 *   group     hosts of a configured group have at most one request in flight, like one host
 *   address   requests to the same IP address, or the same /64 of IPv6, start at least `addressDelayMs` apart
 *
 * The address of a new host is resolved when it is first leased (`reserveAddress`), so that a thousand names
 * of one machine do not all get a request at once. Loopback addresses are exempt, since they are this
 * machine's own.
 *
 * A gate is the limit of one group or of one address: open if a request may start now, otherwise closed. A
 * host is leased only if both of its gates are open; otherwise it waits until they open. While another host of
 * its group has a request in flight, the host checks again after `BUSY_MS`.
 *
 * A robots.txt or an icon may be on a host other than the leased one. It is requested without a lease of that
 * host, but only if the gates of that host are open. They then close as if that host had been leased.
 */
import type { Clock } from '../../base/mod.ts';
import { findHostGroup, type HostGroup } from '../../url/mod.ts';
import type { WaitReason } from '../state/mod.ts';

export interface HostGroupOptions {
  addressDelayMs: number;
  groups: readonly HostGroup[];
  clock: Clock;
  /** Decides when this process may use an address that other processes use, too. By default it has all addresses alone. */
  turns?: AddressTurns;
}

export interface AddressTurns {
  /**
   * Returns the time from which requests to the address, or the /64 of IPv6, may start. If that is not known yet, begins to
   * find it out and returns a time at which to ask again.
   */
  opensAt(network: string): number;
}

/** Interval between checks whether a host group still has a request in flight. */
const BUSY_MS = 25;
const MAX_GATES = 100_000;

interface Gate {
  /** Name of the configured group, or the host name if the host is in no group. */
  name: string;
  opensAt: number;
  busy: boolean;
  /** Time for which the group got no request after the last request by a lease holder. */
  pauseMs: number;
}

interface GroupedHost {
  origin: string;
  /** IP address of the host; empty until it is resolved. */
  address: string;
}

/** Result of asking whether a request to a host may be sent now. */
export type Permission = { kind: 'granted' } | { kind: 'wait'; untilMs: number };

export const GRANTED: Permission = { kind: 'granted' };

export class HostGroups {
  readonly #options: HostGroupOptions;
  readonly #addresses = new Map<string, number>();
  readonly #groups = new Map<string, Gate>();

  constructor(options: HostGroupOptions) {
    this.#options = options;
  }

  /**
   * Returns the time from which the group and the address of the host permit a request. It is not after now if they
   * permit one already.
   */
  opensAt(host: GroupedHost): number {
    const group = this.#groupOf(host.origin);
    const groupOpensAt = group.busy ? this.#options.clock.now() + BUSY_MS : group.opensAt;
    return Math.max(groupOpensAt, this.#addressOpensAt(host.address));
  }

  /** Returns whether the host waits for its group or for its IP address. */
  reasonOf(host: GroupedHost): WaitReason {
    const group = this.#groupOf(host.origin);
    const addressOpensAt = this.#addressOpensAt(host.address);
    if (!group.busy && addressOpensAt > group.opensAt) return { code: 'address', address: host.address };
    return { code: 'host-group', group: group.name, isBusy: group.busy };
  }

  /**
   * Reports the start of a request: its group is busy until the end, and its address gets no other request for
   * `addressDelayMs`.
   */
  requestStarted(host: GroupedHost): void {
    this.#groupOf(host.origin).busy = true;
    this.#closeAddress(host.address);
  }

  /**
   * Asks for permission to use the IP address of a host that was leased before its address was known. If it is
   * granted, the address gets no other request for `addressDelayMs`.
   */
  reserveAddress(address: string): Permission {
    const opensAt = this.#addressOpensAt(address);
    if (opensAt > this.#options.clock.now()) return { kind: 'wait', untilMs: opensAt };
    this.#closeAddress(address);
    return GRANTED;
  }

  #addressOpensAt(address: string): number {
    const { turns } = this.#options;
    if (turns && this.#isGated(address)) {
      const network = networkOf(address);
      return Math.max(this.#addresses.get(network) ?? 0, turns.opensAt(network));
    }
    return this.#addresses.size === 0 ? 0 : (this.#addresses.get(networkOf(address)) ?? 0);
  }

  #closeAddress(address: string): void {
    if (!this.#isGated(address)) return;
    this.#addresses.set(networkOf(address), this.#options.clock.now() + this.#options.addressDelayMs);
  }

  /** Reports the end of a request; `opensAt` is the time of the next request to any host of the group. */
  requestEnded(host: GroupedHost, opensAt: number): void {
    const group = this.#groupOf(host.origin);
    group.busy = false;
    group.opensAt = opensAt;
    group.pauseMs = Math.max(0, opensAt - this.#options.clock.now());
  }

  /**
   * Reports the end of a request that was sent under the lease of another host. The sender does not know the
   * politeness delay of this host, so its group waits at least as long as after the last request by a lease holder.
   */
  foreignRequestEnded(host: GroupedHost, delayMs: number): void {
    const group = this.#groupOf(host.origin);
    group.busy = false;
    group.opensAt = this.#options.clock.now() + Math.max(delayMs, group.pauseMs);
  }

  /** Returns true if the two origins have the same host name or are in the same group. */
  shareGroup(origin: string, other: string): boolean {
    return this.#groupOf(origin) === this.#groupOf(other);
  }

  #isGated(address: string): boolean {
    const loopback = address.startsWith('127.') || address === '::1';
    return this.#options.addressDelayMs > 0 && address !== '' && !loopback;
  }

  #groupOf(origin: string): Gate {
    const host = origin.replace(/^\w+:\/\//, '').replace(/:\d+$/, '');
    const group = findHostGroup(host, this.#options.groups);
    const key = group ? `group ${group.name}` : host;
    const known = this.#groups.get(key);
    if (known) return known;
    if (this.#groups.size >= MAX_GATES) this.#forgetOpen();
    const gate = { name: group?.name ?? host, opensAt: 0, busy: false, pauseMs: 0 };
    this.#groups.set(key, gate);
    return gate;
  }

  /** Drops the entries of groups and addresses that no longer make any host wait. */
  #forgetOpen(): void {
    const now = this.#options.clock.now();
    for (const [key, gate] of this.#groups) if (!gate.busy && gate.opensAt <= now) this.#groups.delete(key);
    for (const [address, opensAt] of this.#addresses) if (opensAt <= now) this.#addresses.delete(address);
  }
}

/**
 * Returns the network of an IP address: the whole address for IPv4, the first 64 bits for IPv6, because one owner
 * usually has a whole /64.
 */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
