/**
 * Reads office documents and e-books, which are ZIP files of XML: DOCX, PPTX, XLSX, ODT, ODP, ODS and EPUB. All work,
 * also decompression, is charged to the work budget of the document.
 */

export { parseOffice } from './office-page.ts';
export { ALL_OFFICE_TYPES, isOfficeName } from './office-types.ts';
