/**
 * Extractors: plug-ins that read a kind of page better than general rules. They run in parser threads. If an
 * extractor fails or hangs, only the page that it reads is affected.
 */

export { type Extractor, type ExtractorReport, extractWith } from './extractor.ts';
export { logReadingNotes, noteBrokenRules, noteExtractors } from './extractor-notes.ts';
export { loadExtractors } from './load-extractors.ts';
