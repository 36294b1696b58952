/**
 * Signals of each host, computed from the links between hosts. They are features for ranking and an aid for
 * finding spam. No single signal is proof of spam: a small honest site may have any of them.
 *
 *   rank           PageRank over hosts; each host has at most one link to each other host
 *   inHosts        number of hosts of other domains that link to it
 *     inDomains      number of registrable domains of the hosts in `inHosts`
 *     concentration  probability that two of these hosts are of one domain: 0 if all domains differ
 *   reciprocity    share of the hosts it links to that link back
 *   farm           likelihood of being part of a link farm, from 0 to 1
 *   trust          PageRank that starts at trusted hosts, relative to `rank`: 1 is average, 0 is unreachable
 *
 * A link farm is a set of hosts of different domains that link to each other in both directions; such hosts are
 * called partners. `farm` is the product of two numbers. The first compares the partners of the host with the
 * partners of each of its partners, as a Jaccard similarity; it is the mean of the squares, because some
 * similarity is chance. The second is the number of partners divided by the number of hosts that link to the
 * host. Therefore two hosts that link to each other are not a farm. Sites around a hub that links back to all
 * of them are not a farm either, because the hub has many other partners.
 */
import { type HostLinks, HostNeighbours, shared } from './host-neighbours.ts';

export interface HostSignals {
  rank: number;
  inHosts: number;
  inDomains: number;
  concentration: number;
  reciprocity: number;
  farm: number;
  trust: number;
}

/** The signals of a host that need no PageRank: all except `rank` and `trust`. */
export type LinkSignals = Omit<HostSignals, 'rank' | 'trust'>;

/** The minimum number of partners for a `farm` signal. Hosts with fewer partners have the signal 0. */
const MIN_PARTNERS = 4;
/** The maximum number of partners that are compared. If a host has more, an evenly spaced sample is used. */
const MAX_PARTNERS = 32;
/** Two hosts count as not similar if one has more than MAX_TIMES times as many partners as the other. */
const MAX_TIMES = 16;

export function linkSignals(hostCount: number, links: HostLinks, domainOf: Uint32Array): LinkSignals[] {
  const neighbours = new HostNeighbours(hostCount, links, domainOf);
  return Array.from({ length: hostCount }, (_, host) => {
    const votes = neighbours.linkingTo(host);
    const partners = neighbours.partnersOf(host);
    const outCount = neighbours.linkedFrom(host).length;
    return {
      ...ownersOf(votes, domainOf),
      reciprocity: outCount === 0 ? 0 : partners.length / outCount,
      farm: farmMark(neighbours, host, votes.length),
    };
  });
}

/**
 * Returns the default trusted hosts: the 1 % of all hosts that have the most linking domains. The number of
 * linking domains is reduced by the `farm` signal, because otherwise the hosts of a large link farm would be
 * trusted.
 */
export function mostVouchedFor(signals: readonly LinkSignals[]): number[] {
  const vouched = signals.map(({ inDomains, farm }) => inDomains * (1 - farm));
  const order = Array.from(vouched.keys()).sort((a, b) => vouched[b]! - vouched[a]! || a - b);
  return order.slice(0, Math.max(1, Math.ceil(signals.length / 100)));
}

function ownersOf(
  hosts: Uint32Array,
  domainOf: Uint32Array,
): Pick<HostSignals, 'inHosts' | 'inDomains' | 'concentration'> {
  const domains = hosts.map((host) => domainOf[host]!).sort();
  let inDomains = 0;
  let pairs = 0;
  let ofThisDomain = 0;
  domains.forEach((domain, at) => {
    if (at === 0 || domain !== domains[at - 1]) {
      inDomains++;
      ofThisDomain = 0;
    }
    pairs += ofThisDomain++;
  });
  const inHosts = hosts.length;
  return { inHosts, inDomains, concentration: inHosts < 2 ? 0 : pairs / pairCount(inHosts) };
}

function farmMark(neighbours: HostNeighbours, host: number, voteCount: number): number {
  const partners = neighbours.partnersOf(host);
  if (partners.length < MIN_PARTNERS) return 0;
  const sample = evenly(partners, MAX_PARTNERS);
  const likeness = sample.reduce(
    (sum, other) => sum + likenessOf(partners, neighbours.partnersOf(other)) ** 2,
    0,
  );
  return (likeness / sample.length) * (partners.length / voteCount);
}

/**
 * Returns the Jaccard similarity of the partner lists of two hosts. The two hosts are partners of each other;
 * they are left out of the comparison.
 */
function likenessOf(one: Uint32Array, other: Uint32Array): number {
  if (Math.max(one.length, other.length) > MAX_TIMES * Math.min(one.length, other.length)) return 0;
  const both = shared(one, other);
  const either = one.length + other.length - 2 - both;
  return either === 0 ? 0 : both / either;
}

function evenly(values: Uint32Array, count: number): Uint32Array {
  if (values.length <= count) return values;
  return Uint32Array.from({ length: count }, (_, at) => values[Math.floor((at * values.length) / count)]!);
}

function pairCount(count: number): number {
  return (count * (count - 1)) / 2;
}
