/**
 * A page as a copy to look at: its text and form, and nothing that acts.
 *
 * The markup is written anew, tag by tag, from a list of attributes that only describe. Scripts, frames, media,
 * drawings and everything else that loads or runs is left out with its content; addresses stay on links alone and
 * become absolute. What the browser makes of broken markup it makes of the copy, but that elements hundreds deep in one
 * another lose their tags. Words may be marked in the text.
 *
 * This is the first wall. The copy must be served under a policy that forbids scripts and loading: a style sheet
 * can name files in more ways than are caught here.
 */
import { decodeReferences } from './character-reference.ts';
import { declaredCharset, toUtf8 } from './charset.ts';
import { parseContentType } from './content-type.ts';
import { CopyDepth } from './copy-depth.ts';
import {
  AttributeScanner,
  afterBogusComment,
  afterDeclaration,
  endTagAt,
  isLetter,
  nameEnd,
  scriptEndAt,
} from './html-tokens.ts';
import type { Range } from './page.ts';
import type { PageInput } from './page-input.ts';

export interface InertCopy {
  /** Markup for the inside of a document. */
  markup: string;
  /** The source was too long, and only its beginning was copied. */
  isCut: boolean;
}

export interface InertCopyOptions {
  /** Which stretches of a text to mark, ascending and apart. */
  find(text: string): readonly Range[];
  maxBytes: number;
}

const LESS_THAN = 0x3c;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;

/** Left out with all that is in them. */
const DROPPED = new Set(
  'script template iframe frame frameset object embed applet noembed noframes audio video canvas svg math title textarea select datalist dialog portal'.split(
    ' ',
  ),
);
/** Only the tag is left out. */
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

export function inertCopy(input: PageInput, options: InertCopyOptions): InertCopy {
  const { charset } = parseContentType(input.contentType);
  const whole = toUtf8(input.body, charset, declaredCharset);
  const source = whole.subarray(0, options.maxBytes);
  return { markup: new Copier(source, input.url, options).copy(), isCut: source.length < whole.length };
}

/** Text as markup, with the words that were looked for in `<mark>`. */
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
  #base: string;

  constructor(source: Buffer, url: string, options: InertCopyOptions) {
    this.#source = source;
    this.#base = url;
    this.#options = options;
  }

  copy(): string {
    const source = this.#source;
    for (let at = 0; at < source.length; ) {
      const next = source.indexOf(LESS_THAN, at);
      const textEnd = next < 0 ? source.length : next;
      if (textEnd > at) this.#addText(at, textEnd);
      if (next < 0) break;
      at = this.#tagAt(next);
    }
    return this.#pieces.join('');
  }

  /** Copies what begins with the `<` at `at`, and returns the position after it. */
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

  /** Behind the end tag of an element that is left out. */
  #afterElement(name: string, from: number): number {
    const end = name === 'script' ? scriptEndAt(this.#source, from) : endTagAt(this.#source, name, from);
    return end >= this.#source.length ? end : afterBogusComment(this.#source, end);
  }

  #styleSheet(from: number): number {
    const end = endTagAt(this.#source, 'style', from);
    this.#pieces.push(`<style>${withoutAddresses(this.#source.toString('utf8', from, end))}</style>`);
    return end >= this.#source.length ? end : afterBogusComment(this.#source, end);
  }

  #keptAttributes(name: string): string {
    let kept = '';
    for (const attribute of KEPT_ATTRIBUTES) {
      const value = this.#attributes.get(attribute);
      if (value === null) continue;
      kept += ` ${attribute}="${escaped(attribute === 'style' ? withoutAddresses(value) : value)}"`;
    }
    return name === 'a' ? kept + this.#linkAttributes() : kept;
  }

  /** A link within the page stays one; others open beside the copy, and tell nobody where they stood. */
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
    if (url?.protocol === 'http:' || url?.protocol === 'https:') this.#base = url.href;
  }

  #addText(from: number, to: number): void {
    const text = decodeReferences(this.#source, from, to, false);
    this.#pieces.push(markedText(text, this.#options.find(text)));
  }

  #name(from: number, end: number): string {
    return this.#source.toString('latin1', from, end).toLowerCase();
  }
}

/** `a`, `h1`, `my-element`; what else a browser takes for a name is not worth copying. */
function isPlainName(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,40}$/.test(name);
}

/** Without the addresses that it names in the usual ways, letters written as escapes included; the rest is up to the policy. */
function withoutAddresses(css: string): string {
  return css
    .replace(/\\(?:0{0,4}([46][1-9a-f]|[57][0-9a])\s?|([g-z]))/gi, (_escape, code, letter) =>
      code === undefined ? letter : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/@import[^;]*;?/gi, '')
    .replace(/(?:url|src|image)\([^)]*\)?|image-set\(/gi, 'none');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
