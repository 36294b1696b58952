/**
 * Divides hosts among vnodes. A crawl node owns some of the vnodes, and only the owner of a host sends requests to it.
 *
 *   vnode = lowest 8 bits of h(key)     h as in parts.ts
 *   key     `group NAME` if the host is in a host group, otherwise its registrable domain
 *
 * Politeness delays and budgets apply to a host, a host group or a registrable domain. All hosts of a group
 * have the same vnode, and all hosts of a domain that are in no group have the same vnode, so each limit is
 * enforced by one owner. For `example.org` and `www.example.org`, h(`example.org`) is fe014c68916c081a, and the
 * vnode is 26.
 *
 * The delay between requests to one IP address is the exception: hosts of different owners may have the same
 * address, so the owners take turns with it (cluster/politeness/).
 *
 * The vnode of a host is stored with its URLs. Changing the hash, or the groups, moves hosts to other vnodes.
 */
import { hashLanes } from '../base/mod.ts';
import { registrableDomain } from './parts.ts';

export const VNODES = 256;

/** A group of hosts, configured by the operator, that share one politeness delay. */
export interface HostGroup {
  name: string;
  /** The host names of the group; `*.example.org` matches all hosts below that domain. */
  hosts: readonly string[];
}

/** Returns the vnode of a host name without a port, from 0 to `VNODES - 1`. */
export function partitionOf(host: string, groups: readonly HostGroup[] = []): number {
  const group = findHostGroup(host, groups);
  return hashLanes(group ? `group ${group.name}` : registrableDomain(host))[0] & (VNODES - 1);
}

export function findHostGroup(host: string, groups: readonly HostGroup[]): HostGroup | null {
  return groups.find(({ hosts }) => hosts.some((pattern) => matches(pattern, host))) ?? null;
}

function matches(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
