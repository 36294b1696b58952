/**
 * Politeness beyond the single host. Many hosts may live on one machine, and an operator may know that
 * some belong together:
 *
 *   address   requests to the same IP address start at least `addressDelayMs` apart
 *   group     hosts of a configured group are asked one at a time, as if they were one host
 *
 * A host's address is known once it has answered; loopback addresses are exempt, since they are this
 * machine's own. A gate is looked at when a host is about to be leased: if it is closed the host waits
 * until it opens, or a moment longer while another host of its group is being asked.
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

interface Gate {
  opensAt: number;
  busy: boolean;
}

export interface GatedHost {
  origin: string;
  /** Empty until the host has answered. */
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
    const groupOpensAt = group?.busy ? this.#options.clock.now() + BUSY_MS : (group?.opensAt ?? 0);
    return Math.max(groupOpensAt, this.#addresses.get(host.address) ?? 0);
  }

  enter(host: GatedHost): void {
    const group = this.#groupOf(host.origin);
    if (group) group.busy = true;
    if (this.#isGated(host.address)) {
      this.#addresses.set(host.address, this.#options.clock.now() + this.#options.addressDelayMs);
    }
  }

  /** `nextFetchAt` is the host's own next moment; it holds for its whole group. */
  leave(host: GatedHost, nextFetchAt: number): void {
    const group = this.#groupOf(host.origin);
    if (!group) return;
    group.busy = false;
    group.opensAt = nextFetchAt;
  }

  #isGated(address: string): boolean {
    const loopback = address.startsWith('127.') || address === '::1';
    return this.#options.addressDelayMs > 0 && address !== '' && !loopback;
  }

  #groupOf(origin: string): Gate | undefined {
    if (this.#options.groups.length === 0) return undefined;
    const host = new URL(origin).hostname;
    const group = this.#options.groups.find(({ hosts }) => hosts.some((pattern) => matches(pattern, host)));
    if (!group) return undefined;
    const known = this.#groups.get(group.name);
    if (known) return known;
    const gate = { opensAt: 0, busy: false };
    this.#groups.set(group.name, gate);
    return gate;
  }
}

function matches(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
