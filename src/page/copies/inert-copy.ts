/**
 * Creates a copy of a page for display: its text and layout, without scripts or anything that loads.
 *
 * The markup is written again tag by tag, with a fixed list of descriptive attributes. Scripts, frames, media,
 * drawings and everything else that loads or runs is left out with its content. Only links keep their URLs,
 * which become absolute. Browsers handle broken markup in the copy as in the page, except that elements nested
 * hundreds deep lose their tags. Words in the text may be highlighted.
 *
 * This is the first line of defence. The copy must also be served under a Content Security Policy that
 * forbids scripts and loading, because future browsers may load files by CSS features that `inert-style.ts`
 * does not know.
 */
import type { WorkBudget } from '../../base/mod.ts';
import { MAX_URL_LENGTH } from '../../url/mod.ts';
import { parseContentType } from '../content-type.ts';
import {
  AttributeScanner,
  afterBogusComment,
  afterDeclaration,
  endTagAt,
  isLetter,
  nameEnd,
  scriptEndAt,
} from '../html/mod.ts';
import { documentBudget } from '../limits.ts';
import type { Range } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { declaredCharset, decodeReferences, toUtf8 } from '../text/mod.ts';
import { CopyDepth } from './copy-depth.ts';
import { inertStyle } from './inert-style.ts';

interface InertCopy {
  /** The copy as markup for the body of a document. */
  markup: string;
  /** True if the page was too long or exceeded its work budget, so that only its beginning was copied. */
  isCut: boolean;
}

interface InertCopyOptions {
  /** Finds the ranges of a text to highlight. They are ascending and do not overlap. */
  find(text: string): readonly Range[];
  maxBytes: number;
}

const LESS_THAN = 0x3c;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;

/** Elements that are left out with their content. */
const DROPPED = new Set(
  'script template iframe frame frameset object embed applet noembed noframes audio video canvas svg math title textarea select datalist dialog portal'.split(
    ' ',
  ),
);
/** Elements whose tags are left out and whose content stays. */
const UNWRAPPED = new Set(
  'meta base link form input button source track param noscript picture map area image isindex keygen bgsound plaintext xmp listing'.split(
    ' ',
  ),
);
const VOID = new Set('embed frame input meta base link source track param area img br hr wbr col'.split(' '));
const KEPT_ATTRIBUTES =
  'class id dir lang title alt style align valign bgcolor color size face border cellpadding cellspacing colspan rowspan span scope headers start reversed value type datetime role open'.split(
    ' ',
  );

/** The number of UTF-16 units of a style sheet that use up one step of the work budget. */
const UNITS_OF_STYLE_A_STEP = 8;

export function inertCopy(input: PageInput, options: InertCopyOptions): InertCopy {
  const { charset } = parseContentType(input.contentType);
  const whole = toUtf8(input.body, charset, declaredCharset);
  const source = whole.subarray(0, options.maxBytes);
  const budget = documentBudget(source.length);
  const markup = new Copier(source, input.url, options, budget).copy();
  return { markup, isCut: source.length < whole.length || budget.isSpent };
}

/** Returns a text as HTML, with the given ranges in `<mark>`. */
export function markedText(text: string, ranges: readonly Range[]): string {
  let markup = '';
  let done = 0;
  for (const [start, end] of ranges) {
    markup += `${escaped(text.slice(done, start))}<mark>${escaped(text.slice(start, end))}</mark>`;
    done = end;
  }
  return markup + escaped(text.slice(done));
}

class Copier {
  readonly #source: Buffer;
  readonly #options: InertCopyOptions;
  readonly #attributes = new AttributeScanner();
  readonly #pieces: string[] = [];
  readonly #depth = new CopyDepth();
  readonly #budget: WorkBudget;
  #base: string;

  constructor(source: Buffer, url: string, options: InertCopyOptions, budget: WorkBudget) {
    this.#source = source;
    this.#budget = budget;
    this.#base = url;
    this.#options = options;
  }

  copy(): string {
    const source = this.#source;
    for (let at = 0; at < source.length && this.#budget.step(); ) {
      const next = source.indexOf(LESS_THAN, at);
      const textEnd = next < 0 ? source.length : next;
      if (textEnd > at) this.#addText(at, textEnd);
      if (next < 0) break;
      at = this.#tagAt(next);
    }
    return this.#pieces.join('');
  }

  /** Copies the markup that begins with the `<` at `at`, and returns the position after it. */
  #tagAt(at: number): number {
    const source = this.#source;
    const second = source[at + 1] ?? 0;
    if (isLetter(second)) return this.#startTag(at + 1);
    if (second === BANG) return afterDeclaration(source, at);
    if (second === QUESTION) return afterBogusComment(source, at);
    if (second !== SLASH) {
      this.#pieces.push('&lt;');
      return at + 1;
    }
    return isLetter(source[at + 2] ?? 0) ? this.#endTag(at + 2) : afterBogusComment(source, at);
  }

  #startTag(from: number): number {
    const end = nameEnd(this.#source, from);
    const name = this.#name(from, end);
    const after = this.#attributes.scan(this.#source, end);
    if (after < 0) return this.#source.length;
    if (name === 'base') this.#setBase(this.#attributes.get('href'));
    if (name === 'style') return this.#styleSheet(after);
    if (DROPPED.has(name)) return VOID.has(name) ? after : this.#afterElement(name, after);
    if (!UNWRAPPED.has(name) && isPlainName(name) && (VOID.has(name) || this.#depth.enter(name)))
      this.#pieces.push(`<${name}${this.#keptAttributes(name)}>`);
    return after;
  }

  #endTag(from: number): number {
    const end = nameEnd(this.#source, from);
    const name = this.#name(from, end);
    const after = this.#attributes.scan(this.#source, end);
    if (!DROPPED.has(name) && !UNWRAPPED.has(name) && isPlainName(name) && this.#depth.leave(name))
      this.#pieces.push(`</${name}>`);
    return after < 0 ? this.#source.length : after;
  }

  /** Returns the position after the end tag of an element that is left out. */
  #afterElement(name: string, from: number): number {
    const end = name === 'script' ? scriptEndAt(this.#source, from) : endTagAt(this.#source, name, from);
    return end >= this.#source.length ? end : afterBogusComment(this.#source, end);
  }

  #styleSheet(from: number): number {
    const end = endTagAt(this.#source, 'style', from);
    this.#pieces.push(`<style>${this.#inertStyle(this.#source.toString('utf8', from, end))}</style>`);
    return end >= this.#source.length ? end : afterBogusComment(this.#source, end);
  }

  #keptAttributes(name: string): string {
    let kept = '';
    for (const attribute of KEPT_ATTRIBUTES) {
      const value = this.#attributes.get(attribute);
      if (value === null) continue;
      kept += ` ${attribute}="${escaped(attribute === 'style' ? this.#inertStyle(value) : value)}"`;
    }
    return name === 'a' ? kept + this.#linkAttributes() : kept;
  }

  /**
   * Returns the attributes of a copied link. A link within the page stays a link within the page. Other links
   * open in a new tab and send no referrer.
   */
  #linkAttributes(): string {
    const href = this.#attributes.get('href')?.trim() ?? '';
    if (href === '') return '';
    if (href.startsWith('#')) return ` href="${escaped(href)}"`;
    const url = URL.parse(href, this.#base);
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return '';
    return ` href="${escaped(url.href)}" target="_blank" rel="noopener noreferrer nofollow"`;
  }

  #setBase(href: string | null): void {
    const url = href === null ? null : URL.parse(href, this.#base);
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
    // The length of the `<base>` URL is limited. Every link is resolved against it, so a very long one would
    // make the copy take quadratic time.
    if (isWeb && url.href.length <= MAX_URL_LENGTH) this.#base = url.href;
  }

  #addText(from: number, to: number): void {
    const text = decodeReferences(this.#source, from, to, false);
    this.#pieces.push(markedText(text, this.#options.find(text)));
  }

  #inertStyle(css: string): string {
    this.#budget.step(css.length / UNITS_OF_STYLE_A_STEP);
    return inertStyle(css);
  }

  #name(from: number, end: number): string {
    return this.#source.toString('latin1', from, end).toLowerCase();
  }
}

/**
 * Returns true for a plain element name such as `a`, `h1` or `my-element`. Other names that browsers accept
 * are not copied.
 */
function isPlainName(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,40}$/.test(name);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
