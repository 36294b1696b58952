/**
 * Prints the results of every benchmark: a table for people and, with `--json`, one JSON object as the last
 * line for programs: `{"rows":[{"name":…,…}],"ratios":{…}}`.
 */

export interface BenchRow {
  name: string;
  [column: string]: string | number | null;
}

export function report(
  rows: readonly BenchRow[],
  ratios: Readonly<Record<string, number>>,
  json: boolean,
): void {
  console.log(table(rows));
  for (const [name, value] of Object.entries(ratios)) console.log(`${name}: ${round(value)}`);
  if (json) console.log(JSON.stringify({ rows, ratios }));
}

function table(rows: readonly BenchRow[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function show(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'number' ? String(round(value)) : value;
}

/** Rounds to four significant digits. More would be noise. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}
