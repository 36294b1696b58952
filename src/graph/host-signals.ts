/**
 * What the links between hosts tell about each of them, as features for ranking and for people who look for
 * spam. None is a verdict: a small honest site may have any one of them.
 *
 *   rank           PageRank over hosts, each host having one vote for each other
 *   inHosts        how many hosts of other domains link to it
 *   inDomains      from how many registrable domains those are
 *   concentration  the chance that two of those hosts are of one domain: 0 is "each of another", 1 "one owner says so"
 *   reciprocity    the part of the hosts it links to that link back
 *   farm           how much it looks like a member of a link farm: 0 to 1
 *   trust          PageRank that starts at trusted hosts, relative to `rank`: 1 is average, 0 is out of reach
 *
 * A farm is hosts of different domains that link to each other both ways: that are partners. The mark of a host is how
 * much its partners have the partners that it has (the part that both have of those that either has, squared, as some
 * likeness is chance; the mean of that), times the part of its votes that come from partners. So a pair of friends, or
 * one link exchanged, is no farm; nor are the sites around a hub that links back to all, as it has so many others.
 * Only the partners of a host and theirs are looked at: a farm does not hide by exchanging links with a large
 * honest neighbourhood.
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

/** What links alone tell, before any rank is known. */
export type LinkSignals = Omit<HostSignals, 'rank' | 'trust'>;

/** Fewer partners than this are friends. */
const MIN_PARTNERS = 4;
/** Of more partners than this, evenly spread ones stand for all. */
const MAX_PARTNERS = 32;
/** Who has so many times more partners than another has next to none in common with it. */
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
 * Where trust starts when nobody says where it should: the hundredth of hosts that most domains link to. The more
 * a host looks like a farm, the fewer of its domains count, or a large farm would trust itself.
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

/** Of the partners that either of two partners has, the part that both have; the two themselves left out. */
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
