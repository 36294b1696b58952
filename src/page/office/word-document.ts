/**
 * Reads the text of a Word document (WordprocessingML, ISO/IEC 29500): headings by their styles, bold text, links,
 * footnotes and endnotes. Deleted and hidden text, comments, page headers and page footers are left out.
 */
import { localName, scanXml, type XmlHandler } from '../formats/mod.ts';
import type { AttributeScanner } from '../html/mod.ts';
import { MarkupWriter } from './markup-writer.ts';
import type { OfficePackage, Relationship } from './office-package.ts';

/** Elements whose content is not shown: deleted text, and the older form of content that is also in a newer form. */
const SKIPPED = new Set(['del', 'moveFrom', 'Fallback']);
const SPACES = new Set(['tab', 'br', 'cr', 'ptab']);
const NOTES = new Set(['footnotes', 'endnotes']);
const LINK_FIELD = /^\s*HYPERLINK\s+"([^"]{1,2000})"/;
const MAX_FIELD = 4000;
/** The maximum number of styles that one style is based on. A longer chain is a loop. */
const MAX_STYLE_CHAIN = 20;

interface Style {
  level: number;
  basedOn: string;
}

/** Returns the text of the document in the part `main`, whose bytes are `source`, as XHTML. */
export function wordMarkup(file: OfficePackage, main: string, source: Buffer): string {
  const relationships = file.relationshipsOf(main);
  const parts = [...relationships.values()];
  const styles = parts.find(({ type }) => type === 'styles');
  const levels = styles ? levelsOf(file, styles.target) : new Map<string, number>();
  const writer = new MarkupWriter();
  readBody(file, source, { writer, levels, relationships });
  for (const { target } of parts.filter((part) => NOTES.has(part.type) && !part.isExternal)) {
    const notes = file.readXml(target);
    if (notes) readBody(file, notes, { writer, levels, relationships: file.relationshipsOf(target) });
  }
  return writer.finish();
}

interface BodyOptions {
  writer: MarkupWriter;
  /** The heading level of each paragraph style. */
  levels: ReadonlyMap<string, number>;
  relationships: ReadonlyMap<string, Relationship>;
}

function readBody(file: OfficePackage, source: Buffer, options: BodyOptions): void {
  scanXml(source, new BodyReader(options), file.budget, () => options.writer.isFull);
  options.writer.endBlock();
}

class BodyReader implements XmlHandler {
  readonly #writer: MarkupWriter;
  readonly #levels: ReadonlyMap<string, number>;
  readonly #relationships: ReadonlyMap<string, Relationship>;
  /** The number of open elements in SKIPPED. */
  #skipped = 0;
  #level = 0;
  #isInRun = false;
  #isHidden = false;
  #isStrong = false;
  /** The element that has the current text: text of the document, or the instruction of a field. */
  #reading: 'text' | 'field' | null = null;
  #field = '';
  #href = '';

  constructor({ writer, levels, relationships }: BodyOptions) {
    this.#writer = writer;
    this.#levels = levels;
    this.#relationships = relationships;
  }

  startTag(tag: string, attributes: AttributeScanner): void {
    const name = localName(tag);
    if (SKIPPED.has(name)) this.#skipped++;
    if (this.#skipped > 0) return;
    if (name === 'p') this.#endParagraph();
    else if (name === 'r') this.#startRun();
    else if (name === 'pStyle') this.#level = this.#levels.get(attributeValue(attributes)) ?? this.#level;
    else if (name === 'outlineLvl') this.#level = levelOf(attributeValue(attributes));
    else if (name === 'b' && this.#isInRun) this.#isStrong = isOn(attributes);
    else if (name === 'vanish' && this.#isInRun) this.#isHidden = isOn(attributes);
    else if (name === 't') this.#reading = 'text';
    else if (name === 'instrText') this.#reading = 'field';
    else if (name === 'fldChar') this.#readFieldMark(attributes.get('w:fldchartype') ?? '');
    else if (name === 'fldSimple') this.#href = addressIn(attributes.get('w:instr') ?? '');
    else if (name === 'hyperlink') this.#href = this.#addressOf(attributes.get('r:id') ?? '');
    else if (name === 'noBreakHyphen') this.#write('-');
    else if (SPACES.has(name)) this.#write(' ');
  }

  endTag(tag: string): void {
    const name = localName(tag);
    if (this.#skipped > 0) {
      if (SKIPPED.has(name)) this.#skipped--;
      return;
    }
    if (name === 'p') this.#endParagraph();
    else if (name === 'r') this.#isInRun = false;
    else if (name === 't' || name === 'instrText') this.#reading = null;
    else if (name === 'hyperlink' || name === 'fldSimple') this.#href = '';
  }

  text(read: () => string): void {
    if (this.#skipped > 0) return;
    if (this.#reading === 'text') this.#write(read());
    else if (this.#reading === 'field' && this.#field.length < MAX_FIELD) this.#field += read();
  }

  /** Also called at the start of a paragraph: one inside another, such as in a text box, ends the text before it. */
  #endParagraph(): void {
    this.#writer.endBlock(this.#level);
    this.#level = 0;
    this.#isInRun = false;
  }

  #startRun(): void {
    this.#isInRun = true;
    this.#isStrong = this.#isHidden = false;
  }

  /** A field has an instruction, then a separator, then the text to show. */
  #readFieldMark(mark: string): void {
    if (mark === 'begin') this.#field = '';
    else if (mark === 'separate') this.#href = addressIn(this.#field) || this.#href;
    else if (mark === 'end') this.#href = '';
  }

  #addressOf(id: string): string {
    const relationship = this.#relationships.get(id);
    return relationship?.isExternal ? relationship.target : '';
  }

  #write(text: string): void {
    if (this.#isHidden) return;
    // The words of a heading are a heading, whether they are bold or not.
    this.#writer.text(text, { href: this.#href, isStrong: this.#isStrong && this.#level === 0 });
  }
}

/** Reads the heading levels of paragraph styles. A style without a level has that of the style it is based on. */
function levelsOf(file: OfficePackage, part: string): Map<string, number> {
  const source = file.readXml(part);
  const styles = new Map<string, Style>();
  if (source) {
    let style: Style | null = null;
    const handler: XmlHandler = {
      startTag(tag, attributes) {
        const name = localName(tag);
        if (name === 'style' && file.budget.keep()) {
          style = { level: 0, basedOn: '' };
          styles.set(attributes.get('w:styleid') ?? '', style);
        } else if (name === 'name') style = named(style, attributeValue(attributes));
        else if (name === 'basedOn' && style) style.basedOn = attributeValue(attributes);
        else if (name === 'outlineLvl' && style?.level === 0)
          style.level = levelOf(attributeValue(attributes));
      },
      endTag() {},
      text() {},
    };
    scanXml(source, handler, file.budget);
  }
  return new Map([...styles.keys()].map((id) => [id, inheritedLevel(styles, id)]));
}

/** Sets the level of a style by its name. Built-in styles have English names in every language. */
function named(style: Style | null, name: string): Style | null {
  const level = /^title$/i.test(name) ? 1 : Number(/^heading ([1-9])$/i.exec(name)?.[1] ?? 0);
  if (style && level > 0) style.level = level;
  return style;
}

function inheritedLevel(styles: ReadonlyMap<string, Style>, id: string): number {
  let style = styles.get(id);
  for (let i = 0; style && style.level === 0 && i < MAX_STYLE_CHAIN; i++) style = styles.get(style.basedOn);
  return style?.level ?? 0;
}

function addressIn(field: string): string {
  return LINK_FIELD.exec(field)?.[1] ?? '';
}

/** Returns the heading level of an outline level. Level 0 of an outline is heading 1, and level 9 is body text. */
function levelOf(outline: string): number {
  return /^[0-8]$/.test(outline) ? Number(outline) + 1 : 0;
}

function attributeValue(attributes: AttributeScanner): string {
  return attributes.get('w:val') ?? attributes.get('val') ?? '';
}

function isOn(attributes: AttributeScanner): boolean {
  return !/^(?:0|false|off)$/i.test(attributeValue(attributes));
}
