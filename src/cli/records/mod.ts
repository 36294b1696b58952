/**
 * The records of pages on the command line: `gyre extract` shows those of one page, so that rules can be tried before
 * a crawl uses them. `gyre export --records` writes those of all pages.
 */

export { beginPageExport, PAGE_FORMATS } from './export-pages.ts';
export { beginRecordExport, RECORD_FORMATS } from './export-records.ts';
export { extractCommand } from './extract-command.ts';
