/**
 * Reads the text of an OpenDocument file (ISO/IEC 26300): a text, a spreadsheet or a presentation. In a spreadsheet
 * each row is a paragraph and the name of a sheet is a heading; in a presentation the titles of slides are headings.
 * Comments and tracked deletions are left out.
 */
import { localName, scanXml, type XmlHandler } from '../formats/mod.ts';
import type { AttributeScanner } from '../html/mod.ts';
import { MarkupWriter } from './markup-writer.ts';
import type { OfficePackage } from './office-package.ts';
import { sheetTitle } from './workbook.ts';

type OpenDocumentKind = 'text' | 'spreadsheet' | 'presentation';

const KINDS: ReadonlySet<string> = new Set(['office:text', 'office:spreadsheet', 'office:presentation']);
const SKIPPED = new Set([
  ...['text:tracked-changes', 'office:annotation', 'text:note-citation', 'office:forms', 'text:ruby-text'],
  ...[
    'svg:title',
    'svg:desc',
    'office:scripts',
    'text:page-number',
    'text:page-count',
    'presentation:footer-decl',
  ],
]);
const SPACES = new Set(['text:s', 'text:tab', 'text:line-break']);
const TITLE_LEVEL = 2;

/** Returns the text of the document as XHTML, and its kind; null if it has no content that can be read. */
export function openDocumentMarkup(file: OfficePackage): { kind: OpenDocumentKind; markup: string } | null {
  const source = file.readXml('content.xml');
  if (!source) return null;
  const reader = new ContentReader();
  scanXml(source, reader, file.budget, () => reader.writer.isFull);
  return reader.kind === null ? null : { kind: reader.kind, markup: reader.writer.finish() };
}

class ContentReader implements XmlHandler {
  readonly writer = new MarkupWriter();
  kind: OpenDocumentKind | null = null;
  /** The number of open elements in SKIPPED, and of open paragraphs. */
  #skipped = 0;
  #paragraphs = 0;
  #level = 0;
  #isSlideTitle = false;
  #href = '';

  startTag(name: string, attributes: AttributeScanner): void {
    if (SKIPPED.has(name)) this.#skipped++;
    if (this.#skipped > 0) return;
    if (KINDS.has(name)) this.kind ??= localName(name) as OpenDocumentKind;
    else if (name === 'text:h') this.#startBlock(Number(attributes.get('text:outline-level')) || 1);
    else if (name === 'text:p') this.#startBlock(this.#isSlideTitle ? TITLE_LEVEL : 0);
    else if (name === 'text:a') this.#href = attributes.get('xlink:href') ?? '';
    else if (SPACES.has(name)) this.#write(' ');
    else if (name === 'draw:frame') this.#isSlideTitle = attributes.get('presentation:class') === 'title';
    else if (name === 'table:table') this.#startSheet(attributes.get('table:name') ?? '');
  }

  endTag(name: string): void {
    if (this.#skipped > 0) {
      if (SKIPPED.has(name)) this.#skipped--;
      return;
    }
    if (name === 'text:h' || name === 'text:p') this.#endBlock();
    else if (name === 'text:a') this.#href = '';
    else if (name === 'table:table-row') this.writer.endBlock();
    else if (name === 'draw:frame') this.#isSlideTitle = false;
  }

  text(read: () => string): void {
    if (this.#paragraphs > 0 && this.#skipped === 0) this.#write(read());
  }

  /** A paragraph inside another one, such as that of a footnote, ends the text before it. */
  #startBlock(level: number): void {
    if (this.#paragraphs > 0) this.writer.endBlock(this.#level);
    this.#paragraphs++;
    this.#level = level;
  }

  #endBlock(): void {
    this.#paragraphs = Math.max(0, this.#paragraphs - 1);
    // The cells of a row are in one paragraph, which ends with the row.
    if (this.kind === 'spreadsheet') this.#write(' ');
    else this.writer.endBlock(this.#level);
    this.#level = 0;
  }

  #startSheet(name: string): void {
    if (this.kind !== 'spreadsheet') return;
    this.writer.endBlock();
    this.writer.text(sheetTitle(name));
    this.writer.endBlock(TITLE_LEVEL);
  }

  #write(text: string): void {
    this.writer.text(text, { href: this.#href });
  }
}
