/**
 * Writes the text of an office document as XHTML, from which the page is made. The text is limited, because a small
 * spreadsheet can refer to one long text from every cell.
 */
import { escapeHtml } from '../formats/mod.ts';
import { MAX_TEXT } from '../limits.ts';

/** The maximum number of UTF-16 units of markup. Most of it is text, which has at most MAX_TEXT. */
const MAX_MARKUP = 8 * MAX_TEXT;
const MAX_LEVEL = 6;

interface TextStyle {
  /** The URL that the text links to; empty for no link. */
  href?: string;
  isStrong?: boolean;
}

export class MarkupWriter {
  readonly #parts: string[] = [];
  #length = 0;
  /** The block that is being written, and the link and the emphasis that are open in it. */
  #block = '';
  #href = '';
  #isStrong = false;

  get isFull(): boolean {
    return this.#length >= MAX_MARKUP;
  }

  /** Adds text to the current block, at most MAX_TEXT of it. Successive texts with the same URL are one link. */
  text(text: string, { href = '', isStrong = false }: TextStyle = {}): void {
    if (text === '' || this.isFull) return;
    if (href !== this.#href || isStrong !== this.#isStrong) this.#restyle(href, isStrong);
    this.#write(escapeHtml(text.slice(0, MAX_TEXT)));
  }

  /** Adds a link without text to the current block. */
  link(href: string): void {
    this.#restyle(href, false);
    this.#restyle('', false);
  }

  /** Ends the current block. Level 0 is a paragraph, other levels are headings. */
  endBlock(level = 0): void {
    if (this.#block === '') return;
    this.#restyle('', false);
    const tag = level <= 0 ? 'p' : `h${Math.min(level, MAX_LEVEL)}`;
    this.#parts.push(`<${tag}>${this.#block}</${tag}>\n`);
    this.#length += 2 * tag.length + 6;
    this.#block = '';
  }

  /** Adds markup of the document as it is. */
  addMarkup(markup: string): void {
    this.endBlock();
    if (this.isFull) return;
    const kept = markup.slice(0, MAX_MARKUP - this.#length);
    this.#parts.push(kept);
    this.#length += kept.length;
  }

  finish(): string {
    this.endBlock();
    return this.#parts.join('');
  }

  #restyle(href: string, isStrong: boolean): void {
    if (this.#isStrong) this.#write('</b>');
    if (this.#href !== '') this.#write('</a>');
    if (href !== '') this.#write(`<a href="${escapeHtml(href)}">`);
    if (isStrong) this.#write('<b>');
    this.#href = href;
    this.#isStrong = isStrong;
  }

  #write(markup: string): void {
    this.#block += markup;
    this.#length += markup.length;
  }
}
