/** Writes the values of charts. */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function countText(value: number): string {
  return WHOLE.format(value);
}

export function rateText(value: number): string {
  return value === 0 || value >= 100 ? WHOLE.format(value) : value.toFixed(value < 10 ? 1 : 0);
}

export function millisecondsText(value: number): string {
  return `${value < 10 && value > 0 ? value.toFixed(1) : WHOLE.format(value)} ms`;
}

export function bytesText(value: number): string {
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? WHOLE.format(size) : size.toFixed(1)} ${UNITS[unit]}`;
}
