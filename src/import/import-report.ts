/** Counts what an import did, and keeps place and reason of the first few problems. */
import type { JournalRecord } from '../journal/mod.ts';
import { isShortened } from '../page/mod.ts';

/** The number of problems that are reported with place and reason. Further problems are only counted. */
export const MAX_NAMED = 10;

export interface ImportReport {
  /**
   * The number of captures and documents written to the archive: pages, aliases, pages that are gone, and
   * responses that are not pages.
   */
  archived: number;
  pages: number;
  aliases: number;
  gone: number;
  /** The number of captures and documents that were already in the archive. */
  known: number;
  /**
   * The number of pages whose text was truncated. The rest of their text is in the archive, but cannot be
   * searched.
   */
  shortened: number;
  /** The number of items without a web URL, without a date, or in an unsupported format. */
  skipped: number;
  /** The number of revisits whose original capture is neither in the archive nor earlier in the file. */
  orphans: number;
  /** The number of sections of the files that could not be read. */
  damaged: number;
  /** The first problems, each with place and reason. */
  problems: ImportProblem[];
}

interface ImportProblem {
  /** The file and the line of the problem: `news.jsonl line 7`. */
  place: string;
  reason: string;
}

export type ImportTrouble = 'skipped' | 'orphans' | 'damaged';

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

export function countRecord(report: ImportReport, record: JournalRecord): void {
  if (record.kind === 'alias') report.aliases++;
  else if (record.kind === 'gone') report.gone++;
  else {
    report.pages++;
    if (isShortened(record.page)) report.shortened++;
  }
}

export function note(
  report: ImportReport,
  trouble: ImportTrouble,
  place: string,
  reason: string,
  count = 1,
): void {
  report[trouble] += count;
  if (report.problems.length < MAX_NAMED) report.problems.push({ place, reason });
}

export function passedOver({ skipped, orphans, damaged }: ImportReport): number {
  return skipped + orphans + damaged;
}
