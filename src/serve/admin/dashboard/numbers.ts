/** Writes numbers, sizes and times as the dashboard shows them. */
import { formatSize } from '../../../base/mod.ts';

const GROUPED = new Intl.NumberFormat('en');
const STEPS: readonly [seconds: number, unit: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** Returns a number with separators, such as `12,345`. */
export function grouped(count: number): string {
  return GROUPED.format(count);
}

export function sizeText(bytes: number): string {
  return formatSize(Math.round(bytes));
}

/** Returns a span in its largest unit, such as `90 s` or `3 h`; below a second in milliseconds. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  const [size, unit] = STEPS.find(([step]) => seconds >= 1.5 * step) ?? [1, 's'];
  const count = seconds / size;
  return `${count < 10 && unit !== 's' ? Number(count.toFixed(1)) : Math.round(count)} ${unit}`;
}

/** Returns how far a time is away, such as `in 5 s` or `3 min ago`. */
export function whenText(at: number, now: number): string {
  if (Math.abs(at - now) < 1000) return 'now';
  return at > now ? `in ${spanText(at - now)}` : `${spanText(now - at)} ago`;
}
