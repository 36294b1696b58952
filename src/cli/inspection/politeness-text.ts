/** Renders the politeness ledger as CSV, with one line per day, host and cause, or as JSON. */
import type { LedgerDay } from '../../crawl/mod.ts';

const COLUMNS = 'day,host,requests,bytes,cause,delays,total_seconds,longest_seconds';

export function politenessText(days: readonly LedgerDay[], format: 'csv' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(days, null, 2)}\n`;
  const lines = days.flatMap(({ day, rows }) =>
    rows.flatMap(({ host, requests, bytes, delays }) => {
      const causes = Object.entries(delays);
      const head = `${day},${host},${requests},${bytes}`;
      if (causes.length === 0) return [`${head},,0,0,0`];
      return causes.map(
        ([cause, [count, totalMs, longestMs]]) =>
          `${head},${cause},${count},${totalMs / 1000},${longestMs / 1000}`,
      );
    }),
  );
  return `${[COLUMNS, ...lines].join('\n')}\n`;
}
