/** Numbers as people read them. */

const COUNT = new Intl.NumberFormat('en');

export function formatNumber(value: number): string {
  return COUNT.format(value);
}

/** `1 page`, `2,345 pages`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** `0.4 ms`, `12 ms`, `1.3 s`. */
export function formatTook(tookMs: number): string {
  if (tookMs >= 1000) return `${(tookMs / 1000).toFixed(1)} s`;
  return `${tookMs < 10 ? Math.round(tookMs * 10) / 10 : Math.round(tookMs)} ms`;
}
