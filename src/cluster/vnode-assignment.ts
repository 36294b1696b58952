/**
 * Sticky balanced assignment of vnodes to nodes.
 *
 * The share of a node is its part of all weights times the number of vnodes. Its quota is the share rounded down
 * or up, so that all quotas add up to the number of vnodes. A node keeps the vnodes that it has, up to its quota;
 * the other vnodes fill the nodes below their quota.
 *
 * Only vnodes of removed nodes and vnodes above a quota move, and quotas are rounded up first for nodes that
 * have more vnodes than their rounded share. Therefore a join moves exactly the quota of the new node if all
 * weights are equal: from 10 to 11 nodes, 23 of 256 vnodes (9 %) move, and no node has more than 1.03 times the
 * mean. Consistent hashing moves as few vnodes, but its loads differ by tens of percent; `hash mod n` moves 88
 * %.
 */

/** A node that can own vnodes. A node of weight 2 gets twice as many vnodes as a node of weight 1. */
export interface WeightedNode {
  node: string;
  weight: number;
}

/**
 * Returns the node of every vnode. `current` has the present node of each vnode, or null. All vnodes are null if
 * there are no nodes. The same input always gives the same result.
 */
export function assignVnodes(
  current: readonly (string | null)[],
  nodes: readonly WeightedNode[],
): (string | null)[] {
  const free = computeQuotas(current, nodes);
  const assigned = current.map((node) => {
    const left = node === null ? 0 : (free.get(node) ?? 0);
    if (node === null || left === 0) return null;
    free.set(node, left - 1);
    return node;
  });
  const open = [...free].flatMap(([node, count]) => Array<string>(count).fill(node));
  return assigned.map((node) => node ?? open.pop() ?? null);
}

/** Returns the number of vnodes of each node. The numbers add up to the number of vnodes. */
function computeQuotas(
  current: readonly (string | null)[],
  nodes: readonly WeightedNode[],
): Map<string, number> {
  const held = new Map<string | null, number>();
  for (const node of current) held.set(node, (held.get(node) ?? 0) + 1);
  const total = nodes.reduce((sum, { weight }) => sum + weight, 0);
  const shares = nodes.map(({ node, weight }) => {
    const share = (current.length * weight) / total;
    const floor = Math.floor(share);
    return { node, floor, remainder: share - floor, hasMore: (held.get(node) ?? 0) > floor };
  });
  const extra = current.length - shares.reduce((sum, { floor }) => sum + floor, 0);
  shares.sort(
    (a, b) =>
      Number(b.remainder > 0) - Number(a.remainder > 0) ||
      Number(b.hasMore) - Number(a.hasMore) ||
      b.remainder - a.remainder ||
      (a.node < b.node ? -1 : 1),
  );
  return new Map(shares.map(({ node, floor }, rank) => [node, rank < extra ? floor + 1 : floor]));
}
