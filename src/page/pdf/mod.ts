/**
 * Reads PDF files: objects, streams, fonts, encryption with an empty password, and the text of pages in
 * reading order. All work is charged to the work budget of the document.
 */

export { parsePdf } from './pdf-page.ts';
