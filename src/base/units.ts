/** Parses and formats sizes and times as people write them: `64Mi`, `500k`, `10s`, `1.5h`. */
import { UsageError } from './errors.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const SIZE_UNITS: Record<string, number> = {
  '': 1,
  k: 1000,
  M: 1e6,
  G: 1e9,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
};
const TIME_UNITS: Record<string, number> = { ms: 1, s: 1000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

export function parseSize(text: string): number {
  return parse(text, SIZE_UNITS, 'a size such as 64Mi or 500k');
}

export function parseDuration(text: string): number {
  return parse(text, TIME_UNITS, 'a time such as 250ms, 10s or 2h');
}

export function formatSize(bytes: number): string {
  for (const unit of ['Gi', 'Mi', 'Ki']) {
    const size = SIZE_UNITS[unit]!;
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}B`;
  }
  return `${bytes} B`;
}

/** Returns a time as people say it: `12 s`, `3 min`, `2 h 5 min`, `4 d 2 h`. */
export function formatDuration(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.ceil(ms / 1000)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  const [large, small, unit, part] =
    ms < DAY_MS ? [HOUR_MS, MINUTE_MS, 'h', 'min'] : [DAY_MS, HOUR_MS, 'd', 'h'];
  const parts = Math.round(ms / (small as number));
  const perUnit = (large as number) / (small as number);
  const rest = parts % perUnit;
  return `${Math.floor(parts / perUnit)} ${unit}${rest === 0 ? '' : ` ${rest} ${part}`}`;
}

function parse(text: string, units: Record<string, number>, wanted: string): number {
  const parts = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(text.trim());
  const unit = parts ? units[parts[2]!] : undefined;
  if (!parts || unit === undefined) throw new UsageError('bad-unit', `"${text}" is not ${wanted}`);
  return Math.round(Number(parts[1]) * unit);
}
