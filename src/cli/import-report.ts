/** What an import did, and what it passed over: the first few with place and reason, the rest by number. */
import { counted } from './output.ts';

/** How many are named. */
const NAMED = 10;

export interface ImportReport {
  /** What went into the archive: all of the following and answers that are no pages. */
  archived: number;
  pages: number;
  aliases: number;
  gone: number;
  /** Was there already. */
  known: number;
  /** Pages with more text than is kept: the rest is in the archive, and cannot be searched. */
  shortened: number;
  /** Has no address on the web, no date, or a form that is not read. */
  skipped: number;
  /** Revisits of captures that are neither in the archive nor in the file before them. */
  orphans: number;
  /** Stretches of the files that could not be read. */
  damaged: number;
  /** Where and why the first of those were. */
  problems: ImportProblem[];
}

export interface ImportProblem {
  /** `news.jsonl line 7`. */
  place: string;
  reason: string;
}

export type Trouble = 'skipped' | 'orphans' | 'damaged';

export function emptyReport(): ImportReport {
  return {
    archived: 0,
    pages: 0,
    aliases: 0,
    gone: 0,
    known: 0,
    shortened: 0,
    skipped: 0,
    orphans: 0,
    damaged: 0,
    problems: [],
  };
}

export function note(report: ImportReport, trouble: Trouble, place: string, reason: string, count = 1): void {
  report[trouble] += count;
  if (report.problems.length < NAMED) report.problems.push({ place, reason });
}

export function passedOver({ skipped, orphans, damaged }: ImportReport): number {
  return skipped + orphans + damaged;
}

export function reportLine(report: ImportReport): string {
  const { pages, aliases, gone, known, shortened } = report;
  const found = `imported ${counted(pages, 'page')}, ${counted(aliases, 'other name')}, ${gone} gone`;
  const cut = shortened === 0 ? '' : `, ${shortened} cut at a million characters`;
  return `${found}${cut}; ${known} known already, ${passedOver(report)} passed over`;
}

/** A line for each that is named, and one for the rest. */
export function problemLines(report: ImportReport): string[] {
  const lines = report.problems.map(({ place, reason }) => `passed over ${place}: ${reason}`);
  const more = passedOver(report) - report.problems.length;
  return lines.length === NAMED && more > 0 ? [...lines, `… and ${more} more`] : lines;
}
