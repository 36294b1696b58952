/**
 * Reads XML as feeds and sitemaps use it: a list of records (`<item>`, `<entry>`, `<url>`), each with fields,
 * and fields of the document around them. It reads in one pass without a tree.
 *
 * Names keep their prefix and are lower-cased. Fields may be nested; each has the text that is directly in it.
 * Fields that hold HTML get all of their content as markup, whether it was escaped, in CDATA, or XHTML. Broken
 * XML gives the fields that could be read, in linear time. Each tag costs a step of the budget, and each field
 * a piece.
 */
import type { WorkBudget } from '../../base/mod.ts';
import type { AttributeScanner } from '../html/mod.ts';
import { scanXml, type XmlHandler } from './xml-scanner.ts';

interface XmlField {
  text: string;
  /** The attributes of the field. Only attributes that `XmlShape` names are kept. */
  attributes: Record<string, string>;
}

export class XmlRecord {
  readonly name: string;
  readonly #fields = new Map<string, XmlField[]>();

  constructor(name: string) {
    this.name = name;
  }

  all(name: string): readonly XmlField[] {
    return this.#fields.get(name) ?? [];
  }

  /**
   * Returns the text of a field: the first field in the order of `names` that has text. Returns the empty
   * string if none has text.
   */
  text(...names: string[]): string {
    for (const name of names) {
      for (const { text } of this.all(name)) if (text.trim() !== '') return text.trim();
    }
    return '';
  }

  add(name: string): XmlField | null {
    const fields = this.#fields.get(name) ?? [];
    if (fields.length === MAX_FIELDS || (fields.length === 0 && this.#fields.size === MAX_FIELDS))
      return null;
    this.#fields.set(name, fields);
    const field: XmlField = { text: '', attributes: {} };
    fields.push(field);
    return field;
  }
}

export interface XmlDocument {
  /** The name of the outermost element, such as `rss` or `urlset`. Empty if the document is not XML. */
  root: string;
  /** The fields outside all records. */
  head: XmlRecord;
  records: XmlRecord[];
}

export interface XmlShape {
  /** The names of elements that are records, such as `item`. */
  records: ReadonlySet<string>;
  /** The names of fields whose content is HTML. */
  markup: ReadonlySet<string>;
  /** The names of attributes that are kept. */
  attributes: readonly string[];
  maxRecords: number;
}

const MAX_FIELDS = 100;
const MAX_FIELD_TEXT = 200_000;
const MAX_DEPTH = 100;

export function readXml(source: Buffer, shape: XmlShape, budget: WorkBudget): XmlDocument {
  const reader = new XmlReader(source, shape, budget);
  scanXml(source, reader, budget, () => reader.isFull);
  return reader.document;
}

class XmlReader implements XmlHandler {
  readonly document: XmlDocument = { root: '', head: new XmlRecord(''), records: [] };
  readonly #source: Buffer;
  readonly #shape: XmlShape;
  readonly #budget: WorkBudget;
  /** The open fields of the current record, outermost first. A field that is not kept is null. */
  readonly #open: (XmlField | null)[] = [];
  #record: XmlRecord;
  /** The nesting depth inside a field whose content is HTML; 0 outside of such a field. */
  #markupDepth = 0;

  constructor(source: Buffer, shape: XmlShape, budget: WorkBudget) {
    this.#budget = budget;
    this.#source = source;
    this.#shape = shape;
    this.#record = this.document.head;
  }

  get isFull(): boolean {
    return this.document.records.length > this.#shape.maxRecords;
  }

  startTag(tag: string, attributes: AttributeScanner, from: number, to: number): void {
    if (this.#markupDepth > 0) {
      this.text(() => this.#source.toString('utf8', from, to));
      this.#markupDepth++;
      return;
    }
    const name = tag.toLowerCase();
    if (this.document.root === '') this.document.root = name;
    this.#openElement(name, attributes);
  }

  endTag(name: string, from: number, to: number): void {
    if (this.#markupDepth > 1) {
      this.text(() => this.#source.toString('utf8', from, to));
      this.#markupDepth--;
    } else this.#closeElement(name.toLowerCase());
  }

  text(read: () => string): void {
    const field = this.#open.at(-1);
    if (field && field.text.length < MAX_FIELD_TEXT) field.text += read();
  }

  #openElement(name: string, attributes: AttributeScanner): void {
    if (this.#shape.records.has(name)) {
      this.#record = new XmlRecord(name);
      this.document.records.push(this.#record);
      this.#open.length = 0;
    }
    if (this.#open.length === MAX_DEPTH) return;
    const field = this.#record.add(name);
    this.#budget.keep();
    this.#open.push(field);
    if (field) this.#keepAttributes(field, attributes);
    if (this.#shape.markup.has(name)) this.#markupDepth = 1;
  }

  #keepAttributes(field: XmlField, attributes: AttributeScanner): void {
    for (const name of this.#shape.attributes) {
      const value = attributes.get(name);
      if (value !== null) field.attributes[name] = value;
    }
  }

  #closeElement(name: string): void {
    this.#markupDepth = 0;
    this.#open.pop();
    if (name === this.#record.name) {
      this.#record = this.document.head;
      this.#open.length = 0;
    }
  }
}
