/** Counts of an import, and the first few problems with place and reason. */
import type { JournalRecord } from '../journal/mod.ts';
import { isShortened } from '../page/mod.ts';

/** Number of problems reported with place and reason; further ones are only counted. */
export const MAX_NAMED = 10;

export interface ImportReport {
  /**
   * Captures and documents written to the archive: pages, aliases, pages that are gone, and responses that are
   * not pages.
   */
  archived: number;
  pages: number;
  aliases: number;
  gone: number;
  /** Items that were already in the archive. */
  known: number;
  /** Pages whose text was truncated: the rest is in the archive, but cannot be searched. */
  shortened: number;
  /** Items without a web URL, without a date, or in a format that is not supported. */
  skipped: number;
  /** Revisits of captures that are neither in the archive nor earlier in the file. */
  orphans: number;
  /** Sections of the files that could not be read. */
  damaged: number;
  /** Place and reason of the first problems. */
  problems: ImportProblem[];
}

interface ImportProblem {
  /** For example `news.jsonl line 7`. */
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
