/**
 * Collects the links of a page while it is read.
 *
 * Some links are marks beside the text and not part of it: `¶` and `#` after a heading, `[source]` and `[docs]`
 * after the name of a function. Their text is dropped, so that it is neither found nor quoted.
 */
import type { WorkBudget } from '../../base/mod.ts';
import type { TextBuilder } from '../text/mod.ts';
import { type AttributeScanner, Note } from './html-tokens.ts';

/**
 * A link as the page writes it. Its text is `text` or, if that is null, the text of the page from `start` to
 * `end`.
 */
export interface RawLink {
  href: string;
  rel: string | null;
  text: string | null;
  start: number;
  end: number;
}

/** The maximum length in UTF-16 units of a mark such as `[source]`, with the separator before it. */
const MAX_MARK = 14;

const WORD = /[\p{L}\p{N}]/u;
const BRACKETED = /^\s*[[(](?:source|src|docs?|edit|view source|legend|permalink|link|top)[\])]$/i;
/** Class names that documentation generators give to links to source code, and the texts of these links. */
const SOURCE_LINK = /(?:^|\s)(?:srclink|src|sourceLink|view-source)(?:\s|$)/;
const SOURCE = /^\s*(?:source|src|view source)$/i;

export class LinkCollector {
  readonly links: RawLink[] = [];
  readonly #source: Buffer;
  readonly #text: TextBuilder;
  readonly #attributes: AttributeScanner;
  readonly #budget: WorkBudget;
  #open: RawLink | null = null;
  /** The byte range of the class attribute of the open link. */
  #classRange: [number, number] | null = null;

  /** `attributes` has the attributes of the tag that is being read. */
  constructor(source: Buffer, text: TextBuilder, attributes: AttributeScanner, budget: WorkBudget) {
    this.#source = source;
    this.#text = text;
    this.#attributes = attributes;
    this.#budget = budget;
  }

  /** The link that contains the current position of the reader; null if there is none. */
  get openLink(): RawLink | null {
    return this.#open;
  }

  openAnchor(): void {
    this.close();
    const href = this.#attributes.get('href');
    if (href === null) return;
    this.add(href, null);
    this.#open = this.links.at(-1)!;
    this.#classRange = (this.#attributes.notes & Note.class) === 0 ? null : this.#attributes.rangeOf('class');
    this.#text.save();
  }

  close(): void {
    const link = this.#open;
    if (link === null) return;
    const length = this.#text.units - link.start;
    if (length > 0 && length <= MAX_MARK && this.#isMark(link.href)) this.#text.rewind();
    link.end = this.#text.units;
    this.#open = null;
  }

  add(href: string | null, text: string | null): void {
    if (href === null) return;
    this.#budget.keep();
    const start = this.#text.units;
    this.links.push({ href, rel: this.#attributes.get('rel'), text, start, end: start });
  }

  #isMark(href: string): boolean {
    const className = this.#classRange ? this.#source.toString('latin1', ...this.#classRange) : '';
    return isLinkMark(this.#text.textSinceSave(), href, className);
  }
}

/**
 * Returns true if a link is a mark beside the text, such as `¶` or `[source]`. `className` is the value of
 * its class attribute, or the empty string.
 */
function isLinkMark(text: string, href: string, className: string): boolean {
  if (!WORD.test(text)) return href.includes('#');
  return BRACKETED.test(text) || (SOURCE.test(text) && SOURCE_LINK.test(className));
}
