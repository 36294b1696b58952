/** Renders an import report as lines of text. */
import { type ImportReport, MAX_NAMED, passedOver } from '../import/mod.ts';
import { counted } from './output.ts';

export function reportLine(report: ImportReport): string {
  const { pages, aliases, gone, known, shortened } = report;
  const found = `imported ${counted(pages, 'page')}, ${counted(aliases, 'alias', 'aliases')}, ${gone} gone`;
  const cut = shortened === 0 ? '' : `, ${shortened} cut at a million characters`;
  return `${found}${cut}; ${known} already known, ${passedOver(report)} skipped`;
}

/** Returns a line for each problem that the report names, and a line with the number of all other problems. */
export function problemLines(report: ImportReport): string[] {
  const lines = report.problems.map(({ place, reason }) => `skipped ${place}: ${reason}`);
  const more = passedOver(report) - report.problems.length;
  return lines.length === MAX_NAMED && more > 0 ? [...lines, `… and ${more} more`] : lines;
}
