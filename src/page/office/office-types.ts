/** The content types of office documents and e-books, and the extensions of their files. */

export type OfficeFormat = 'docx' | 'pptx' | 'xlsx' | 'odt' | 'odp' | 'ods' | 'epub';

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';

/** The content type of each format, which its pages have. */
export const OFFICE_TYPES: Readonly<Record<OfficeFormat, string>> = {
  docx: `${OPEN_XML}wordprocessingml.document`,
  pptx: `${OPEN_XML}presentationml.presentation`,
  xlsx: `${OPEN_XML}spreadsheetml.sheet`,
  odt: `${OPEN_DOCUMENT}text`,
  odp: `${OPEN_DOCUMENT}presentation`,
  ods: `${OPEN_DOCUMENT}spreadsheet`,
  epub: 'application/epub+zip',
};

/** Templates, shows and files with macros, which have the same parts. */
const VARIANTS: readonly string[] = [
  `${OPEN_XML}wordprocessingml.template`,
  `${OPEN_XML}presentationml.template`,
  `${OPEN_XML}presentationml.slideshow`,
  `${OPEN_XML}spreadsheetml.template`,
  'application/vnd.ms-word.document.macroenabled.12',
  'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12',
  'application/vnd.ms-excel.sheet.macroenabled.12',
  `${OPEN_DOCUMENT}text-template`,
  `${OPEN_DOCUMENT}presentation-template`,
  `${OPEN_DOCUMENT}spreadsheet-template`,
];

/** All content types of the formats. */
export const ALL_OFFICE_TYPES: readonly string[] = [...Object.values(OFFICE_TYPES), ...VARIANTS];

const OFFICE_NAME = /\.(?:doc[xm]|dotx|ppt[xm]|ppsx|potx|xls[xm]|xltx|o[dt][tps]|epub)$/i;

/** Returns true if a path without a query names a file in one of the formats. */
export function isOfficeName(path: string): boolean {
  return OFFICE_NAME.test(path);
}

/** The types of schema.org that describe the documents. */
export const SCHEMA_TYPES: Readonly<Record<OfficeFormat, string>> = {
  docx: 'TextDigitalDocument',
  pptx: 'PresentationDigitalDocument',
  xlsx: 'SpreadsheetDigitalDocument',
  odt: 'TextDigitalDocument',
  odp: 'PresentationDigitalDocument',
  ods: 'SpreadsheetDigitalDocument',
  epub: 'Book',
};
