/**
 * Collects the parts of a page that its text alone does not show: pictures with their captions, blocks of code, and
 * structured data.
 */
import { MAX_JSON_LD, readJsonLd, StructuredData } from '../metadata/mod.ts';
import type { CodeBlock, StructuredItem } from '../page.ts';
import { CodeCollector } from './code-collector.ts';
import { Role, type Tag } from './html-tags.ts';
import { type AttributeScanner, Note } from './html-tokens.ts';
import { ImageCollector, type RawImage } from './image-collector.ts';
import { Microdata } from './microdata.ts';

export interface ContentParts {
  images: readonly RawImage[];
  code: readonly CodeBlock[];
  structured: StructuredItem[];
}

export class PartCollector {
  readonly #source: Buffer;
  readonly #images = new ImageCollector();
  readonly #microdata = new Microdata();
  readonly #structured = new StructuredData();
  readonly #code: CodeCollector;

  constructor(source: Buffer) {
    this.#source = source;
    this.#code = new CodeCollector(source);
  }

  /** Ends the collection. `text` is the text of the whole page. */
  finish(text: string): ContentParts {
    this.#microdata.finish(text, this.#structured);
    return { images: this.#images.images, code: this.#code.blocks, structured: this.#structured.finish() };
  }

  /** The depth of the innermost element that is a part or has one; 0 if no such element is open. */
  get innermost(): number {
    return Math.max(this.#images.innermost, this.#microdata.innermost);
  }

  /**
   * Handles the start tag of an element at `depth`, which is 0 for an element without content. `units` is the length
   * of the text before it.
   */
  enter(tag: Tag, attributes: AttributeScanner, depth: number, units: number): void {
    if (depth > 0) this.#images.enter(tag, this.#source, attributes, depth, units);
    if ((attributes.notes & (Note.item | Note.property)) !== 0)
      this.#microdata.enter(tag, attributes, depth, units);
  }

  /** Handles the end of all elements deeper than `depth`. */
  leave(depth: number, units: number): void {
    this.#images.leave(depth, units);
    this.#microdata.leave(depth, units);
  }

  /** Reads a script from position `from` to `to` if it is JSON-LD. */
  addScript(attributes: AttributeScanner, from: number, to: number): void {
    if (to - from > MAX_JSON_LD || !/ld\+json/i.test(attributes.get('type') ?? '')) return;
    readJsonLd(this.#source.toString('utf8', from, to), this.#structured);
  }

  /**
   * Handles the start tag of a block of code. `from` is the position of the byte after the tag, and `at` the length
   * of the text before it. Returns `from`.
   */
  open(role: Role, from: number, at: number): number {
    if (role === Role.code) this.#code.open(from, at);
    return from;
  }

  /** Handles an end tag. `from` is the position of its first byte, and `at` the length of the text before it. */
  close(role: Role, from: number, at: number): void {
    if (role === Role.code) this.#code.close(from, at);
  }

  /**
   * Adds a picture. Returns the byte range of its `alt` text, which becomes part of the page's text; null if it
   * has none.
   */
  addImage(attributes: AttributeScanner, at: number): [number, number] | null {
    this.#images.add(attributes, at);
    return attributes.rangeOf('alt');
  }
}
