/**
 * What the links between hosts tell about each of them, as features for ranking and for people who look for
 * spam. None is a verdict: a small honest site may have any one of them.
 *
 *   rank           PageRank over hosts, each host having one vote for each other
 *   inHosts        how many hosts link to it
 *   inDomains      from how many registrable domains those are, its own left out
 *   concentration  the part of those hosts that is of the most frequent domain: 1 is "one owner says so"
 *   reciprocity    the part of the hosts it links to that link back
 *   farm           how much it looks like a member of a link farm: 0 to 1
 *   trust          PageRank that starts at trusted hosts, relative to `rank`: 1 is average, 0 is out of reach
 *
 * A farm is a cluster of hosts of different domains that link to each other both ways. Its mark is the part of
 * all possible pairs that do (a large honest neighbourhood has few), times the part of a member's
 * votes that come from inside. So a pair of friends, or one link exchanged, is no farm.
 */

export interface HostSignals {
  rank: number;
  inHosts: number;
  inDomains: number;
  concentration: number;
  reciprocity: number;
  farm: number;
  trust: number;
}

/** Links between hosts as parallel columns, by ascending target. */
export interface HostLinks {
  sources: Uint32Array;
  targets: Uint32Array;
}

const MIN_FARM = 4;

export function hostSignals(
  hostCount: number,
  links: HostLinks,
  domainOf: Uint32Array,
  ranks: Float32Array,
  trust: Float32Array,
): HostSignals[] {
  const votes = inVotes(hostCount, links, domainOf);
  const mutual = mutualLinks(links, domainOf, hostCount);
  const farms = farmMarks(hostCount, links, mutual);
  return votes.map((vote, host) => ({
    rank: ranks[host]!,
    ...vote,
    reciprocity: mutual.outCounts[host] === 0 ? 0 : mutual.counts[host]! / mutual.outCounts[host]!,
    farm: farms[host]!,
    trust: ranks[host] === 0 ? 0 : trust[host]! / ranks[host]!,
  }));
}

/** The hosts that most domains link to: where trust starts when nobody says where it should. */
export function mostVouchedFor(hostCount: number, links: HostLinks, domainOf: Uint32Array): number[] {
  const votes = inVotes(hostCount, links, domainOf);
  const order = votes
    .map((_, host) => host)
    .sort((a, b) => votes[b]!.inDomains - votes[a]!.inDomains || a - b);
  return order.slice(0, Math.max(1, Math.ceil(hostCount / 100)));
}

function inVotes(
  hostCount: number,
  { sources, targets }: HostLinks,
  domainOf: Uint32Array,
): { inHosts: number; inDomains: number; concentration: number }[] {
  const byDomain = Array.from({ length: hostCount }, () => new Map<number, number>());
  targets.forEach((target, at) => {
    const domain = domainOf[sources[at]!]!;
    if (domain === domainOf[target]) return;
    byDomain[target]!.set(domain, (byDomain[target]!.get(domain) ?? 0) + 1);
  });
  return byDomain.map((domains) => {
    const inHosts = domains.values().reduce((sum, count) => sum + count, 0);
    const most = domains.values().reduce((max, count) => Math.max(max, count), 0);
    return { inHosts, inDomains: domains.size, concentration: inHosts === 0 ? 0 : most / inHosts };
  });
}

interface MutualLinks {
  /** Pairs that link to each other, each twice. */
  sources: number[];
  targets: number[];
  /** Per host, to how many others it links, and how many of those link back. */
  outCounts: Uint32Array;
  counts: Uint32Array;
}

/** Only between domains: the hosts of one owner may link to each other as they like. */
function mutualLinks({ sources, targets }: HostLinks, domainOf: Uint32Array, hostCount: number): MutualLinks {
  const keyOf = (from: number, to: number) => from * hostCount + to;
  const known = new Set<number>();
  targets.forEach((target, at) => {
    known.add(keyOf(sources[at]!, target));
  });
  const mutual: MutualLinks = {
    sources: [],
    targets: [],
    outCounts: new Uint32Array(hostCount),
    counts: new Uint32Array(hostCount),
  };
  targets.forEach((target, at) => {
    const source = sources[at]!;
    if (domainOf[source] === domainOf[target]) return;
    mutual.outCounts[source]!++;
    if (!known.has(keyOf(target, source))) return;
    mutual.counts[source]!++;
    mutual.sources.push(source);
    mutual.targets.push(target);
  });
  return mutual;
}

function farmMarks(hostCount: number, links: HostLinks, mutual: MutualLinks): Float64Array {
  const clusterOf = clusters(hostCount, mutual);
  const size = new Uint32Array(hostCount);
  const pairs = new Uint32Array(hostCount);
  for (const cluster of clusterOf) size[cluster]!++;
  for (const source of mutual.sources) pairs[clusterOf[source]!]!++;
  const inside = new Uint32Array(hostCount);
  const all = new Uint32Array(hostCount);
  links.targets.forEach((target, at) => {
    all[target]!++;
    if (clusterOf[links.sources[at]!] === clusterOf[target]) inside[target]!++;
  });
  return Float64Array.from(clusterOf, (cluster, host) => {
    const members = size[cluster]!;
    if (members < MIN_FARM || all[host] === 0) return 0;
    return (pairs[cluster]! / (members * (members - 1))) * (inside[host]! / all[host]!);
  });
}

/** For each host a host that stands for its cluster. */
function clusters(hostCount: number, { sources, targets }: MutualLinks): Uint32Array {
  const parent = Uint32Array.from({ length: hostCount }, (_, host) => host);
  const find = (host: number) => {
    let root = host;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!;
      root = parent[root]!;
    }
    return root;
  };
  sources.forEach((source, at) => {
    parent[find(source)] = find(targets[at]!);
  });
  return parent.map((_, host) => find(host));
}
