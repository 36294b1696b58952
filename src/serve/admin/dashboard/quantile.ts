/**
 * Estimates a quantile from a histogram: linearly within the bucket that has it, as Prometheus does. The last bucket has
 * no upper bound; its values count as the last bound. Returns null for an empty histogram.
 */
export function quantileMs(
  counts: readonly number[],
  boundsSeconds: readonly number[],
  quantile: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = quantile * total;
  for (const [bucket, count] of counts.entries()) {
    const high = boundsSeconds[bucket];
    if (high === undefined) break;
    const low = boundsSeconds[bucket - 1] ?? 0;
    if (count > 0 && left <= count) return 1000 * (low + ((high - low) * left) / count);
    left -= count;
  }
  return 1000 * boundsSeconds.at(-1)!;
}
