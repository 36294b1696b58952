/**
 * Reads the text of a presentation (PresentationML, ISO/IEC 29500): the slides in their order, each with its title as
 * a heading and with the notes of the speaker. Hidden slides, page numbers, dates and footers are left out.
 */
import { elementsIn, localName, scanXml, type XmlHandler } from '../formats/mod.ts';
import type { AttributeScanner } from '../html/mod.ts';
import { MarkupWriter } from './markup-writer.ts';
import type { OfficePackage, Relationship } from './office-package.ts';

/** Placeholders that repeat on every slide, and the picture of the slide on its notes. */
const REPEATED = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);
const TITLES: Readonly<Record<string, number>> = { ctrTitle: 1, title: 2 };
const HIDDEN_SLIDE = /<(?:\w+:)?sld\s[^>]{0,2000}\bshow=["'](?:0|false)["']/;

/** Returns the text of the presentation in the part `main`, whose bytes are `source`, as XHTML. */
export function slidesMarkup(file: OfficePackage, main: string, source: Buffer): string {
  const relationships = file.relationshipsOf(main);
  const writer = new MarkupWriter();
  for (const { attributes } of elementsIn(source, ['sldId'], ['r:id'], file.budget)) {
    if (writer.isFull || file.budget.isSpent) break;
    const slide = relationships.get(attributes['r:id'] ?? '');
    if (slide && !slide.isExternal) readSlide(file, slide.target, writer);
  }
  return writer.finish();
}

function readSlide(file: OfficePackage, part: string, writer: MarkupWriter): void {
  const source = file.readXml(part);
  if (!source || HIDDEN_SLIDE.test(source.toString('latin1', 0, 8192))) return;
  const relationships = file.relationshipsOf(part);
  readShapes(file, source, relationships, writer);
  const notes = [...relationships.values()].find(({ type }) => type === 'notesSlide');
  const spoken = notes && !notes.isExternal ? file.readXml(notes.target) : null;
  if (notes && spoken) readShapes(file, spoken, file.relationshipsOf(notes.target), writer);
}

function readShapes(
  file: OfficePackage,
  source: Buffer,
  relationships: ReadonlyMap<string, Relationship>,
  writer: MarkupWriter,
): void {
  scanXml(source, new ShapeReader(writer, relationships), file.budget, () => writer.isFull);
  writer.endBlock();
}

class ShapeReader implements XmlHandler {
  readonly #writer: MarkupWriter;
  readonly #relationships: ReadonlyMap<string, Relationship>;
  #level = 0;
  #isRepeated = false;
  /** The number of open elements with the older form of content that is also in a newer form. */
  #fallbacks = 0;
  #isText = false;
  #isStrong = false;
  #href = '';

  constructor(writer: MarkupWriter, relationships: ReadonlyMap<string, Relationship>) {
    this.#writer = writer;
    this.#relationships = relationships;
  }

  startTag(tag: string, attributes: AttributeScanner): void {
    const name = localName(tag);
    if (name === 'Fallback') this.#fallbacks++;
    else if (name === 'sp') this.#startShape();
    else if (name === 'ph') this.#readPlaceholder(attributes.get('type') ?? '');
    else if (name === 'r') this.#startRun();
    else if (name === 'rPr') this.#isStrong = attributes.get('b') === '1';
    else if (name === 'hlinkClick') this.#readLink(attributes.get('r:id') ?? '');
    else if (name === 't') this.#isText = true;
    else if (name === 'br') this.#write(' ');
  }

  endTag(tag: string): void {
    const name = localName(tag);
    if (name === 'Fallback') this.#fallbacks = Math.max(0, this.#fallbacks - 1);
    else if (name === 'sp') this.#startShape();
    else if (name === 'p') this.#writer.endBlock(this.#level);
    else if (name === 't') this.#isText = false;
  }

  text(read: () => string): void {
    if (this.#isText) this.#write(read());
  }

  #startShape(): void {
    this.#level = 0;
    this.#isRepeated = false;
    this.#startRun();
  }

  #startRun(): void {
    this.#href = '';
    this.#isStrong = false;
  }

  #readPlaceholder(type: string): void {
    this.#isRepeated = REPEATED.has(type);
    this.#level = Object.hasOwn(TITLES, type) ? TITLES[type]! : 0;
  }

  #readLink(id: string): void {
    const relationship = this.#relationships.get(id);
    this.#href = relationship?.isExternal ? relationship.target : '';
  }

  #write(text: string): void {
    if (this.#isRepeated || this.#fallbacks > 0) return;
    this.#writer.text(text, { href: this.#href, isStrong: this.#isStrong && this.#level === 0 });
  }
}
