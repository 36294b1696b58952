/**
 * Politeness beyond the single origin. A host may be asked under http and https and on several ports,
 * many hosts may live on one machine, and an operator may know that some belong together:
 *
 *   host      all origins of a host name are asked one at a time
 *   group     hosts of a configured group are asked one at a time, as if they were one host
 *   address   requests to the same IP address start at least `addressDelayMs` apart
 *
 * A host that is new is looked up when it is first leased (`reach`), so that a thousand names of one machine are
 * not all asked at once; loopback addresses are exempt, since they are this machine's own. A gate is looked at when a host is about to be leased: if it is closed the host waits
 * until it opens, or a moment longer while another host of its group is being asked.
 *
 * A robots.txt that has moved to another host is asked for by a guest: without a lease of that host, but
 * through its gate, so that for everybody else it is as if the host had been asked.
 */
import type { Clock } from '../base/mod.ts';

export interface HostGroup {
  name: string;
  /** Host names; `*.example.org` stands for all hosts below. */
  hosts: readonly string[];
}

export interface GateOptions {
  addressDelayMs: number;
  groups: readonly HostGroup[];
  clock: Clock;
}

/** How long to wait before a look at a group that is busy. */
const BUSY_MS = 25;
const MAX_GATES = 100_000;

interface Gate {
  /** Of the group, or of the host. */
  name: string;
  opensAt: number;
  busy: boolean;
  /** How long it was closed after the last request of a host of its own. */
  pauseMs: number;
}

export interface GatedHost {
  origin: string;
  /** Empty until the host has been looked up. */
  address: string;
}

export class Gates {
  readonly #options: GateOptions;
  readonly #addresses = new Map<string, number>();
  readonly #groups = new Map<string, Gate>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** The moment at which the host may be asked as far as its gates go; not after now when it may. */
  opensAt(host: GatedHost): number {
    const group = this.#groupOf(host.origin);
    const groupOpensAt = group.busy ? this.#options.clock.now() + BUSY_MS : group.opensAt;
    return Math.max(groupOpensAt, this.#addresses.get(host.address) ?? 0);
  }

  /** Which of its gates keeps the host waiting, for people. */
  reasonOf(host: GatedHost): string {
    const group = this.#groupOf(host.origin);
    const addressOpensAt = this.#addresses.get(host.address) ?? 0;
    if (!group.busy && addressOpensAt > group.opensAt) return addressReason(host.address);
    const asked = group.busy ? 'is being asked' : 'was asked a moment ago';
    return `group gate: ${group.name} ${asked}`;
  }

  enter(host: GatedHost): void {
    this.#groupOf(host.origin).busy = true;
    this.#closeAddress(host.address);
  }

  /** For a host that has entered, and whose address was unknown then: 0 when it may be asked, or the moment to wait for. */
  reach(address: string): number {
    const opensAt = this.#addresses.get(address) ?? 0;
    if (opensAt > this.#options.clock.now()) return opensAt;
    this.#closeAddress(address);
    return 0;
  }

  #closeAddress(address: string): void {
    if (!this.#isGated(address)) return;
    this.#addresses.set(address, this.#options.clock.now() + this.#options.addressDelayMs);
  }

  /** `opensAt` is the next moment for all of its group. */
  leave(host: GatedHost, opensAt: number): void {
    const group = this.#groupOf(host.origin);
    group.busy = false;
    group.opensAt = opensAt;
    group.pauseMs = Math.max(0, opensAt - this.#options.clock.now());
  }

  /** A guest knows nothing of the host's own delay: the gate stays closed as long as it did the last time. */
  leaveAsGuest(host: GatedHost, delayMs: number): void {
    const group = this.#groupOf(host.origin);
    group.busy = false;
    group.opensAt = this.#options.clock.now() + Math.max(delayMs, group.pauseMs);
  }

  /** Whether the two are asked one at a time. */
  areOne(origin: string, other: string): boolean {
    return this.#groupOf(origin) === this.#groupOf(other);
  }

  #isGated(address: string): boolean {
    const loopback = address.startsWith('127.') || address === '::1';
    return this.#options.addressDelayMs > 0 && address !== '' && !loopback;
  }

  #groupOf(origin: string): Gate {
    const host = origin.replace(/^\w+:\/\//, '').replace(/:\d+$/, '');
    const group = this.#options.groups.find(({ hosts }) => hosts.some((pattern) => matches(pattern, host)));
    const key = group ? `group ${group.name}` : host;
    const known = this.#groups.get(key);
    if (known) return known;
    if (this.#groups.size >= MAX_GATES) this.#forgetOpen();
    const gate = { name: group?.name ?? host, opensAt: 0, busy: false, pauseMs: 0 };
    this.#groups.set(key, gate);
    return gate;
  }

  /** A gate that is open stands in nobody's way and need not be remembered. */
  #forgetOpen(): void {
    const now = this.#options.clock.now();
    for (const [key, gate] of this.#groups) if (!gate.busy && gate.opensAt <= now) this.#groups.delete(key);
    for (const [address, opensAt] of this.#addresses) if (opensAt <= now) this.#addresses.delete(address);
  }
}

export function addressReason(address: string): string {
  return `address gate: ${address} was asked a moment ago`;
}

function matches(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
