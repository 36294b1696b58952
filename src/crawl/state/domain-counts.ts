/**
 * Counts the hosts of a registrable domain and the other domains that link to it. All implementations of the
 * crawl state use these functions.
 *
 * A set of 512 bits estimates how many other domains link to a domain; the name of each linking domain sets one
 * bit. The share of bits that are still 0 gives the number of names (linear counting, Whang et al. 1990): exact
 * for a few, within a tenth up to a thousand, and at most 3,194, when all bits but one are set.
 */
import { hashLanes } from '../../base/mod.ts';
import type { DomainRow, HostBudget } from './crawl-state.ts';

/** Number of useful pages from which a host counts as proven. */
export const PROVEN_PAGES = 4;
/** Number of domains that `admitHosts` checks in one call; the next call continues after them. */
export const DOMAINS_PAGE = 256;

const BITMAP_BYTES = 64;
const BITS = BITMAP_BYTES * 8;
/** Maximum number of held-back hosts stored per domain; further hosts are dropped. */
const MAX_HELD_BACK = 10_000;

/** Returns the counts of a domain that has no host yet. */
export function newDomain(name: string): DomainRow {
  return { name, hosts: 0, admitted: 0, provenHosts: 0, fetched: 0, useful: 0, linkingDomains: 0 };
}

/** Decides whether a domain has room for the new host `origin`. */
export function placeHost(
  domain: DomainRow,
  origin: string,
  hostBudget: HostBudget = () => Number.POSITIVE_INFINITY,
): 'admitted' | 'held-back' | 'dropped' {
  if (domain.admitted < hostBudget(domain, origin)) return 'admitted';
  return domain.hosts - domain.admitted >= MAX_HELD_BACK ? 'dropped' : 'held-back';
}

/** Returns how many held-back hosts of a domain fit into its budget. */
export function roomForHosts({ admitted }: DomainRow, hostBudget: number): number {
  return Math.max(0, Math.min(hostBudget - admitted, Number.MAX_SAFE_INTEGER));
}

/** Adds linking domains to a stored set of bits. Returns the new set; null if all bits were set already. */
export function addLinkingDomains(stored: Uint8Array, names: Iterable<string>): Uint8Array | null {
  const bits = new Uint8Array(BITMAP_BYTES);
  bits.set(stored);
  let isChanged = false;
  for (const name of names) {
    const bit = hashLanes(name)[0] % BITS;
    const mask = 1 << (bit & 7);
    isChanged ||= (bits[bit >> 3]! & mask) === 0;
    bits[bit >> 3]! |= mask;
  }
  return isChanged ? bits : null;
}

/** Estimates the number of linking domains from a stored set of bits, which may be empty. */
export function countLinkingDomains(bits: Uint8Array): number {
  let zeros = BITS;
  for (const byte of bits) for (let rest = byte; rest > 0; rest &= rest - 1) zeros--;
  return Math.round(BITS * Math.log(BITS / Math.max(1, zeros)));
}
