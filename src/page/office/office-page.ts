/**
 * Converts an office document or an e-book to a `Page`. The format is recognized by the content of the file, because
 * servers often send a wrong content type. The text is converted to XHTML first, as Markdown is to HTML.
 */
import type { WorkBudget } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import type { DocumentFault } from '../document-fault.ts';
import { escapeHtml } from '../formats/mod.ts';
import { pageOfHtml } from '../html/mod.ts';
import { documentBudget } from '../limits.ts';
import { setDates } from '../new-page.ts';
import type { Page } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { type DocumentProperties, readProperties, structuredItemOf } from './document-properties.ts';
import { bookMarkup, bookPart } from './e-book.ts';
import { OfficePackage } from './office-package.ts';
import { OFFICE_TYPES, type OfficeFormat, SCHEMA_TYPES } from './office-types.ts';
import { openDocumentMarkup } from './open-document.ts';
import { slidesMarkup } from './slides.ts';
import { wordMarkup } from './word-document.ts';
import { workbookMarkup } from './workbook.ts';

interface OfficeText {
  format: OfficeFormat;
  markup: string;
  properties: DocumentProperties;
}

type MarkupReader = (file: OfficePackage, main: string, source: Buffer) => string;

/** The readers of Office Open XML by the root element of the main part. */
const OPEN_XML: Readonly<Record<string, { format: OfficeFormat; read: MarkupReader }>> = {
  document: { format: 'docx', read: wordMarkup },
  presentation: { format: 'pptx', read: slidesMarkup },
  workbook: { format: 'xlsx', read: workbookMarkup },
};
const OPEN_DOCUMENT = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' } as const;
const ROOT_ELEMENT = /<(?:\w+:)?(document|presentation|workbook)[\s>]/;
/**
 * The base of relative links in a book. They lead to other chapters, not to URLs beside that of the book, so links to
 * this host are removed.
 */
const INSIDE = canonicalize('http://inside-the-book.invalid/')!;

/** Converts a document to a page, or returns the reason why it cannot be read. */
export function parseOffice(input: PageInput, _: unknown, budget: WorkBudget): Page | DocumentFault {
  const file = OfficePackage.open(input.body, budget);
  if (typeof file === 'string') return file;
  const text = readOpenXml(file) ?? readOpenDocument(file) ?? readBook(file) ?? 'other-format';
  return typeof text === 'string' ? text : pageOf(text, input, budget);
}

/** Returns null if the file is not in the format. */
function readOpenXml(file: OfficePackage): OfficeText | DocumentFault | null {
  const relationships = [...file.relationshipsOf('').values()];
  const main = relationships.find(({ type }) => type === 'officeDocument')?.target;
  if (main === undefined) return null;
  const source = file.readXml(main);
  if (!source) return file.fault;
  const root = ROOT_ELEMENT.exec(source.toString('latin1', 0, 8192))?.[1];
  if (root === undefined) return 'other-format';
  const { format, read } = OPEN_XML[root]!;
  const markup = read(file, main, source);
  const core = relationships.find(({ type }) => type === 'core-properties')?.target ?? 'docProps/core.xml';
  return { format, markup, properties: readProperties(file, core) };
}

function readOpenDocument(file: OfficePackage): OfficeText | DocumentFault | null {
  if (!file.has('content.xml')) return null;
  // An encrypted file has the usual parts, but their bytes are encrypted.
  if (file.readXml('META-INF/manifest.xml')?.includes('encryption-data')) return 'encrypted';
  const read = openDocumentMarkup(file);
  if (!read) return file.fault;
  return {
    format: OPEN_DOCUMENT[read.kind],
    markup: read.markup,
    properties: readProperties(file, 'meta.xml'),
  };
}

function readBook(file: OfficePackage): OfficeText | DocumentFault | null {
  const part = bookPart(file);
  if (part === '') return null;
  const book = bookMarkup(file, part);
  if (!book) return file.fault;
  if (book.isEncrypted) return 'encrypted';
  const properties = readProperties(file, part);
  return { format: 'epub', markup: `<base href="${INSIDE}"/>${book.markup}`, properties };
}

function pageOf({ format, markup, properties }: OfficeText, input: PageInput, budget: WorkBudget): Page {
  const source = Buffer.from(`${headOf(properties)}${markup}`);
  // The text that was read is kept, even if reading it has spent the whole budget.
  const left = budget.isSpent ? documentBudget(source.length) : budget;
  const page = pageOfHtml(source, input, OFFICE_TYPES[format], true, left);
  page.links = page.links.filter(({ url }) => !url.startsWith(INSIDE));
  const images = page.images?.filter(({ url }) => !url.startsWith(INSIDE)) ?? [];
  delete page.images;
  if (images.length > 0) page.images = images;
  const item = structuredItemOf(SCHEMA_TYPES[format], properties);
  if (item) page.structured = [item, ...(page.structured ?? [])];
  const { createdAt, modifiedAt } = properties;
  setDates(page, createdAt, modifiedAt ?? page.modifiedAt ?? null, input);
  return page;
}

function headOf({ title, description, language }: DocumentProperties): string {
  const meta = `<meta name="description" content="${escapeHtml(description)}"/>`;
  return `<html lang="${escapeHtml(language)}"><title>${escapeHtml(title)}</title>${meta}`;
}
