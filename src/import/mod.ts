/**
 * import: imports captures and documents into a data directory as if they had been crawled, and rebuilds the
 * journal from the archive. Repeating an import changes nothing. Imports do not decide which pages to crawl.
 */

export { type FileImport, importDocuments } from './import-documents.ts';
export { type ImportReport, MAX_NAMED, passedOver } from './import-report.ts';
export { Importer } from './importer.ts';
export { type RebuildReport, rebuildJournal } from './rebuild-journal.ts';
