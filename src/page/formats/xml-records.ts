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
import { AttributeScanner, afterBogusComment, afterDeclaration, isLetter, nameEnd } from '../html/mod.ts';
import { decodeReferences } from '../text/mod.ts';

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

const SLASH = 0x2f;
const BANG = 0x21;
const LESS_THAN = 0x3c;
const CDATA_START = '<![CDATA[';
const CDATA_END = ']]>';
const MAX_FIELDS = 100;
const MAX_FIELD_TEXT = 200_000;
const MAX_DEPTH = 100;

export function readXml(source: Buffer, shape: XmlShape, budget: WorkBudget): XmlDocument {
  return new XmlReader(source, shape, budget).read();
}

class XmlReader {
  readonly #source: Buffer;
  readonly #shape: XmlShape;
  readonly #budget: WorkBudget;
  readonly #attributes = new AttributeScanner();
  readonly #document: XmlDocument = { root: '', head: new XmlRecord(''), records: [] };
  /** The open fields of the current record, outermost first. A field that is not kept is null. */
  readonly #open: (XmlField | null)[] = [];
  #record: XmlRecord;
  /** The nesting depth inside a field whose content is HTML; 0 outside of such a field. */
  #markupDepth = 0;

  constructor(source: Buffer, shape: XmlShape, budget: WorkBudget) {
    this.#budget = budget;
    this.#source = source;
    this.#shape = shape;
    this.#record = this.#document.head;
  }

  read(): XmlDocument {
    const source = this.#source;
    for (let at = 0; at < source.length && !this.#isFull && this.#budget.step(); ) {
      at = source[at] === LESS_THAN ? this.#readMarkup(at) : this.#readText(at);
    }
    return this.#document;
  }

  get #isFull(): boolean {
    return this.#document.records.length > this.#shape.maxRecords;
  }

  #readText(at: number): number {
    const next = this.#source.indexOf(LESS_THAN, at);
    const end = next < 0 ? this.#source.length : next;
    this.#append(() => decodeReferences(this.#source, at, end, false));
    return end;
  }

  #readMarkup(at: number): number {
    const next = this.#source[at + 1] ?? 0;
    if (isLetter(next) || next === 0x5f) return this.#readStartTag(at);
    if (next === SLASH) return this.#readEndTag(at);
    if (next !== BANG) return afterBogusComment(this.#source, at + 1);
    if (this.#source.toString('latin1', at, at + CDATA_START.length) !== CDATA_START) {
      return afterDeclaration(this.#source, at);
    }
    const from = at + CDATA_START.length;
    const end = this.#source.indexOf(CDATA_END, from);
    const to = end < 0 ? this.#source.length : end;
    this.#append(() => this.#source.toString('utf8', from, to));
    return to + CDATA_END.length;
  }

  #readStartTag(at: number): number {
    const to = nameEnd(this.#source, at + 1);
    const after = this.#attributes.scan(this.#source, to);
    if (after < 0) return this.#source.length;
    if (this.#markupDepth > 0) {
      this.#append(() => this.#source.toString('utf8', at, after));
      if (!this.#attributes.isSelfClosing) this.#markupDepth++;
      return after;
    }
    const name = this.#source.toString('utf8', at + 1, Math.min(to, at + 101)).toLowerCase();
    if (this.#document.root === '') this.#document.root = name;
    this.#openElement(name);
    if (this.#attributes.isSelfClosing) this.#closeElement(name);
    return after;
  }

  #openElement(name: string): void {
    if (this.#shape.records.has(name)) {
      this.#record = new XmlRecord(name);
      this.#document.records.push(this.#record);
      this.#open.length = 0;
    }
    if (this.#open.length === MAX_DEPTH) return;
    const field = this.#record.add(name);
    this.#budget.keep();
    this.#open.push(field);
    if (field) this.#keepAttributes(field);
    if (this.#shape.markup.has(name)) this.#markupDepth = 1;
  }

  #keepAttributes(field: XmlField): void {
    for (const name of this.#shape.attributes) {
      const value = this.#attributes.get(name);
      if (value !== null) field.attributes[name] = value;
    }
  }

  #readEndTag(at: number): number {
    const to = nameEnd(this.#source, at + 2);
    const after = afterBogusComment(this.#source, to);
    if (this.#markupDepth > 1) {
      this.#append(() => this.#source.toString('utf8', at, after));
      this.#markupDepth--;
      return after;
    }
    this.#closeElement(this.#source.toString('utf8', at + 2, Math.min(to, at + 102)).toLowerCase());
    return after;
  }

  #closeElement(name: string): void {
    this.#markupDepth = 0;
    this.#open.pop();
    if (name === this.#record.name) {
      this.#record = this.#document.head;
      this.#open.length = 0;
    }
  }

  #append(text: () => string): void {
    const field = this.#open.at(-1);
    if (field && field.text.length < MAX_FIELD_TEXT) field.text += text();
  }
}
