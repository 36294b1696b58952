/**
 * Reads the text of a spreadsheet (SpreadsheetML, ISO/IEC 29500): the sheets in their order, each with its name as a
 * heading and each row as a paragraph. Hidden sheets and the formulas of cells are left out.
 */
import { elementsIn, localName, scanXml, type XmlHandler } from '../formats/mod.ts';
import type { AttributeScanner } from '../html/mod.ts';
import { MAX_TEXT } from '../limits.ts';
import { CellValues } from './cell-values.ts';
import { MarkupWriter } from './markup-writer.ts';
import type { OfficePackage, Relationship } from './office-package.ts';

/** Matches the names that programs give to sheets. */
const PROGRAM_NAME = /^(?:sheet|table|tabelle|feuil|feuille|hoja|foglio|blad|лист|planilha)[ _]?\d*$/i;

/** Returns the text of the spreadsheet in the part `main`, whose bytes are `source`, as XHTML. */
export function workbookMarkup(file: OfficePackage, main: string, source: Buffer): string {
  const relationships = file.relationshipsOf(main);
  const partOf = (type: string) => {
    const part = [...relationships.values()].find((each) => each.type === type && !each.isExternal);
    return part ? file.readXml(part.target) : null;
  };
  const attributes = ['name', 'state', 'r:id', 'date1904'];
  const elements = elementsIn(source, ['sheet', 'workbookPr'], attributes, file.budget);
  const is1904 = elements.some(({ attributes: { date1904 = '0' } }) => /^(?:1|true)$/.test(date1904));
  const values = new CellValues(
    readStrings(file, partOf('sharedStrings')),
    partOf('styles'),
    is1904,
    file.budget,
  );
  const writer = new MarkupWriter();
  for (const { name, attributes: sheet } of elements) {
    if (writer.isFull || file.budget.isSpent) break;
    const part = relationships.get(sheet['r:id'] ?? '');
    if (name !== 'sheet' || !part || part.isExternal || /hidden/i.test(sheet.state ?? '')) continue;
    writer.text(sheetTitle(sheet.name ?? ''));
    writer.endBlock(2);
    readSheet(file, part.target, values, writer);
  }
  return writer.finish();
}

/** Returns the name of a sheet for the text; empty if a program chose the name. */
export function sheetTitle(name: string): string {
  return PROGRAM_NAME.test(name) ? '' : name;
}

/** Reads the texts that cells refer to by number. Phonetic guides are left out. */
function readStrings(file: OfficePackage, source: Buffer | null): string[] {
  const strings: string[] = [];
  if (!source) return strings;
  let isText = false;
  let isPhonetic = false;
  const handler: XmlHandler = {
    startTag(tag) {
      const name = localName(tag);
      if (name === 'si' && file.budget.keep()) strings.push('');
      else if (name === 't') isText = true;
      else if (name === 'rPh') isPhonetic = true;
    },
    endTag(tag) {
      const name = localName(tag);
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
    },
    text(read) {
      const last = strings.length - 1;
      if (isText && !isPhonetic && last >= 0 && strings[last]!.length < MAX_TEXT) strings[last] += read();
    },
  };
  scanXml(source, handler, file.budget);
  return strings;
}

function readSheet(file: OfficePackage, part: string, values: CellValues, writer: MarkupWriter): void {
  const source = file.readXml(part);
  if (!source) return;
  const relationships = file.relationshipsOf(part);
  scanXml(source, new SheetReader(values, relationships, writer), file.budget, () => writer.isFull);
  writer.endBlock();
}

class SheetReader implements XmlHandler {
  readonly #values: CellValues;
  readonly #relationships: ReadonlyMap<string, Relationship>;
  readonly #writer: MarkupWriter;
  #type = '';
  #style = '';
  #raw = '';
  #isValue = false;

  constructor(values: CellValues, relationships: ReadonlyMap<string, Relationship>, writer: MarkupWriter) {
    this.#values = values;
    this.#relationships = relationships;
    this.#writer = writer;
  }

  startTag(tag: string, attributes: AttributeScanner): void {
    const name = localName(tag);
    if (name === 'c') {
      this.#type = attributes.get('t') ?? '';
      this.#style = attributes.get('s') ?? '';
      this.#raw = '';
    } else if (name === 'v' || name === 't') this.#isValue = true;
    else if (name === 'hyperlink') this.#addLink(attributes);
  }

  endTag(tag: string): void {
    const name = localName(tag);
    if (name === 'v' || name === 't') this.#isValue = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row') this.#writer.endBlock();
  }

  text(read: () => string): void {
    if (this.#isValue && this.#raw.length < MAX_TEXT) this.#raw += read();
  }

  #endCell(): void {
    const value = this.#values.textOf(this.#raw, this.#type, this.#style);
    if (value !== '') this.#writer.text(`${value} `);
  }

  /** The links of a sheet are listed after its cells. */
  #addLink(attributes: AttributeScanner): void {
    const relationship = this.#relationships.get(attributes.get('r:id') ?? '');
    if (relationship?.isExternal) this.#writer.link(relationship.target);
  }
}
