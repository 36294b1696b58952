/**
 * Reads the text, links and metadata of HTML without building a tree.
 *
 * The path of open elements and some counters are enough to know which text is shown, how it looks, what it
 * links to, and in which region of the page it is. For valid markup the result is the same as with a tree,
 * and nearly always for invalid markup. If a browser moves content (misplaced text in a table), the words
 * stay where they were written. `oracle.test.ts` compares the results with a real tree builder.
 *
 * The input is valid UTF-8. Every step advances, so reading takes linear time. Each tag or run of text costs
 * a step of the budget, each link a piece.
 */
import type { WorkBudget } from '../../base/mod.ts';
import { type Mark, MarkKind, type RobotsDirectives } from '../page.ts';
import { decodeReferences, Separator, type Style, TextBuilder, useRuns } from '../text/mod.ts';
import { type ContentParts, PartCollector } from './content-parts.ts';
import { HtmlMetadata } from './html-metadata.ts';
import { type HtmlRegions, RegionTracker } from './html-regions.ts';
import { Part, Role, type Tag, TagFinder } from './html-tags.ts';
import {
  AttributeScanner,
  afterBogusComment,
  afterDeclaration,
  endTagAt,
  isLetter,
  Note,
  scriptEndAt,
} from './html-tokens.ts';
import { LinkCollector, type RawLink } from './link-collector.ts';
import { OpenElements } from './open-elements.ts';

export interface HtmlContent extends ContentParts {
  text: string;
  marks: Mark[];
  links: RawLink[];
  metadata: HtmlMetadata;
  regions: HtmlRegions;
}

interface HtmlOptions {
  /** True if the markup is XML: then `<p/>` is an empty element and CDATA is text. */
  isXml: boolean;
  maxTextUnits: number;
  /** Receives the robots directives that the page declares. */
  robots: RobotsDirectives;
  budget: WorkBudget;
}

const BANG = 0x21;
const SLASH = 0x2f;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const QUESTION_MARK = 0x3f;
const CDATA_START = '<![CDATA[';
const CDATA_END = ']]>';
/** The maximum number of bytes of a title that are decoded, also if `<title>` is never closed. */
const MAX_TITLE_BYTES = 16_384;

export function readHtml(source: Buffer, options: HtmlOptions): HtmlContent {
  return new HtmlReader(source, options).read();
}

class HtmlReader {
  readonly #source: Buffer;
  readonly #isXml: boolean;
  readonly #budget: WorkBudget;
  readonly #text: TextBuilder;
  readonly #metadata: HtmlMetadata;
  readonly #tags = new TagFinder();
  readonly #attributes = new AttributeScanner();
  readonly #elements = new OpenElements();
  readonly #regions = new RegionTracker();
  readonly #links: LinkCollector;
  readonly #parts: PartCollector;
  readonly #endTags = new Map<string, number>();

  /**
   * The depth of the innermost open element whose end tag changes the state of the reader. Most end tags
   * close deeper elements and need only one comparison with this depth.
   */
  #innermost = 0;
  #heading: Style = 0;
  #headingDepth = 0;
  #emphasisDepth = 0;
  /** The number of open `<svg>` elements, and the link that was open when the outermost one began. */
  #svgDepth = 0;
  #linkAroundSvg: RawLink | null = null;
  #templateDepth = 0;
  /** The position in the source up to which text is hidden. */
  #hiddenUntil = 0;

  constructor(source: Buffer, options: HtmlOptions) {
    this.#source = source;
    this.#isXml = options.isXml;
    this.#budget = options.budget;
    this.#text = new TextBuilder(source.length, options.maxTextUnits);
    this.#parts = new PartCollector(source);
    useRuns(source);
    this.#metadata = new HtmlMetadata(options.robots);
    this.#links = new LinkCollector(source, this.#text, this.#attributes, options.budget);
  }

  read(): HtmlContent {
    const source = this.#source;
    for (let at = 0; at < source.length && this.#budget.step(); ) {
      at = source[at] === LESS_THAN ? this.#readMarkup(at) : this.#readText(at);
    }
    this.#links.close();
    const { text, marks } = this.#text.finish();
    return {
      text,
      marks,
      links: this.#links.links,
      metadata: this.#metadata,
      regions: this.#regions.finish(text.length),
      ...this.#parts.finish(text),
    };
  }

  #isHidden(at: number): boolean {
    return at < this.#hiddenUntil || this.#svgDepth > 0 || this.#templateDepth > 0 || this.#regions.isHidden;
  }

  #readText(at: number): number {
    if (!this.#isHidden(at)) return this.#text.appendMarkup(this.#source, at, this.#source.length);
    const next = this.#source.indexOf(LESS_THAN, at);
    return next < 0 ? this.#source.length : next;
  }

  #readMarkup(at: number): number {
    const next = this.#source[at + 1] ?? 0;
    if (isLetter(next)) return this.#readStartTag(at + 1);
    if (next === SLASH) return this.#readEndTag(at + 2);
    if (next === QUESTION_MARK) return afterBogusComment(this.#source, at);
    if (next !== BANG) return this.#readLiteral(at, at + 1);
    return this.#isCdata(at) ? this.#readCdata(at) : afterDeclaration(this.#source, at);
  }

  #readLiteral(from: number, to: number): number {
    if (!this.#isHidden(from)) this.#text.appendRaw(this.#source, from, to);
    return to;
  }

  #isCdata(at: number): boolean {
    if (!this.#isXml && this.#svgDepth === 0) return false;
    return this.#source.toString('latin1', at, at + CDATA_START.length) === CDATA_START;
  }

  #readCdata(at: number): number {
    const end = this.#source.indexOf(CDATA_END, at);
    if (end < 0) return this.#source.length;
    this.#readLiteral(at + CDATA_START.length, end);
    return end + CDATA_END.length;
  }

  #readStartTag(from: number): number {
    const tag = this.#tags.find(this.#source, from);
    const at = this.#attributes.scan(this.#source, this.#tags.end);
    if (at < 0) return this.#source.length;
    if (tag.endsSvg) this.#svgDepth = 0;
    if (this.#templateDepth > 0) return this.#skipInTemplate(tag, at);
    this.#text.separate(tag.separator);
    const isEmpty =
      this.#attributes.isSelfClosing && (this.#isXml || this.#svgDepth > 0 || tag.role === Role.svg);
    const depth = tag.nests && !isEmpty ? this.#openElement(tag) : 0;
    if (this.#attributes.notes !== 0 || tag.part !== Part.none) this.#enter(tag, depth, at);
    if (tag.role === Role.ordinary) return at;
    this.#readAttributes(tag, at);
    if (isEmpty) return at;
    return this.#svgDepth > 0 && tag.role > Role.anchor ? this.#openInSvg(tag, at) : this.#open(tag, at);
  }

  /** Opens an element and returns its depth in the path of open elements. */
  #openElement(tag: Tag): number {
    const depth = this.#elements.open(tag);
    if (depth <= this.#innermost) this.#leave(depth - 1);
    return depth;
  }

  /** Closes all elements deeper than `depth`. */
  #leave(depth: number): void {
    this.#regions.leave(depth, this.#text.units);
    this.#parts.leave(depth, this.#text.units);
    if (this.#heading !== 0 && depth < this.#headingDepth) {
      this.#heading = 0;
      this.#restyle();
    }
    const inner = Math.max(this.#regions.innermost, this.#parts.innermost);
    this.#innermost = this.#heading === 0 ? inner : Math.max(inner, this.#headingDepth);
  }

  /** Handles attributes of any element, such as `hidden`. `depth` is 0 for an element without content. */
  #enter(tag: Tag, depth: number, at: number): void {
    const { notes } = this.#attributes;
    if (depth > 0) {
      const mayHide = (notes & Note.hidden) !== 0 && this.#mayHide(tag, at);
      this.#regions.enter(tag, this.#source, this.#attributes, mayHide, depth, this.#text.units);
    }
    this.#parts.enter(tag, this.#attributes, depth, this.#text.units);
    this.#innermost = Math.max(this.#innermost, this.#regions.innermost, this.#parts.innermost);
  }

  /**
   * Decides whether an element that asks to be hidden is hidden. An element that is never closed is shown. A
   * hidden `<html>` or `<body>` is shown too, because scripts would show it. Content that is hidden
   * `until-found` is also shown, because it is meant to be found by searches.
   */
  #mayHide(tag: Tag, at: number): boolean {
    if (tag.name === 'html' || tag.name === 'body') return false;
    if (this.#attributes.get('hidden')?.trim().toLowerCase() === 'until-found') return false;
    return tag.kin !== 0 || this.#endTagOf(tag, at) < this.#source.length;
  }

  #skipInTemplate(tag: Tag, at: number): number {
    if (tag.role === Role.template) this.#templateDepth++;
    if (tag.role === Role.script) return scriptEndAt(this.#source, at);
    return tag.role >= Role.raw && tag.role <= Role.title ? this.#endTagOf(tag, at) : at;
  }

  #readAttributes(tag: Tag, at: number): void {
    const attributes = this.#attributes;
    switch (tag.role) {
      case Role.area:
        this.#links.add(attributes.get('href'), attributes.get('alt') ?? '');
        break;
      case Role.frame:
      case Role.inlineFrame:
        this.#links.add(attributes.get('src'), '');
        break;
      case Role.image:
        this.#readImage(at);
        break;
      case Role.html:
        this.#metadata.readHtml(attributes);
        break;
      case Role.base:
        this.#metadata.readBase(attributes);
        break;
      case Role.meta:
        this.#links.add(this.#metadata.readMeta(attributes), '');
        break;
      case Role.time:
        this.#metadata.readTime(attributes);
        break;
      case Role.link:
        // Reads `<link>` only before the first word of the text, that is in the head. Otherwise a comment on
        // a page could declare the canonical URL of the page.
        if (this.#text.units === 0) this.#metadata.readLink(attributes);
        break;
    }
  }

  /** Handles a start tag and returns the position at which reading continues. */
  #open(tag: Tag, at: number): number {
    switch (tag.role) {
      case Role.heading:
        this.#heading = tag.style;
        this.#headingDepth = this.#elements.depth - 1;
        this.#innermost = Math.max(this.#innermost, this.#headingDepth);
        return this.#restyled(at);
      case Role.emphasis:
        this.#emphasisDepth++;
        return this.#restyled(at);
      case Role.anchor:
        this.#links.openAnchor();
        return this.#restyled(at);
      case Role.script:
        return this.#readScript(at, scriptEndAt(this.#source, at));
      case Role.raw:
      case Role.inlineFrame:
        return this.#endTagOf(tag, at);
      case Role.verbatim:
        return this.#readLiteral(at, this.#endTagOf(tag, at));
      case Role.textArea:
        return this.#readTextArea(at, this.#endTagOf(tag, at));
      case Role.plainText:
        return this.#readLiteral(at, this.#source.length);
      case Role.title:
        return this.#readTitle(at, this.#endTagOf(tag, at));
      case Role.hidden:
        return this.#hidden(at, this.#endTagOf(tag, at));
      case Role.svg:
        this.#svgDepth = 1;
        this.#linkAroundSvg = this.#links.openLink;
        return at;
      case Role.template:
        if (!this.#attributes.has('shadowrootmode')) this.#templateDepth++;
        return at;
      default:
        return this.#parts.open(tag.role, at, this.#text.units);
    }
  }

  /** Handles a start tag inside an `<svg>`, where the content of every element is markup. */
  #openInSvg(tag: Tag, at: number): number {
    if (tag.role === Role.svg) this.#svgDepth++;
    return at;
  }

  #readEndTag(from: number): number {
    const source = this.#source;
    if (from >= source.length) return this.#readLiteral(from - 2, from);
    if (!isLetter(source[from]!)) return afterBogusComment(source, from);
    const tag = this.#tags.find(source, from);
    const to = this.#tags.end;
    const at = source[to] === GREATER_THAN ? to + 1 : this.#attributes.scan(source, to);
    if (at < 0) return source.length;
    if (this.#templateDepth > 0) {
      if (tag.role === Role.template) this.#templateDepth--;
      return at;
    }
    this.#text.separate(tag.separator);
    if (tag.nests) this.#closeElement(tag);
    if (tag.role !== Role.ordinary) this.#close(tag, from - 2);
    return at;
  }

  /** Handles an end tag. The end of the element around an `<svg>` also ends the `<svg>`. */
  #closeElement(tag: Tag): void {
    if (tag.name === 'body' || tag.name === 'html' || !this.#elements.close(tag)) return;
    if (tag.isContainer) this.#svgDepth = 0;
    if (this.#elements.depth < this.#innermost) this.#leave(this.#elements.depth);
  }

  #close(tag: Tag, from: number): void {
    if (tag.role === Role.anchor) {
      const { openLink } = this.#links;
      if (openLink !== null && openLink === this.#linkAroundSvg) this.#svgDepth = 0;
      this.#links.close();
    }
    if (tag.role === Role.heading) this.#heading = 0;
    if (tag.role === Role.emphasis && this.#emphasisDepth > 0) this.#emphasisDepth--;
    if (tag.role === Role.svg && this.#svgDepth > 0) this.#svgDepth--;
    if (tag.role <= Role.anchor) this.#restyle();
    else this.#parts.close(tag.role, from, this.#text.units);
  }

  #restyle(): void {
    const inner = this.#links.openLink ? MarkKind.link : this.#emphasisDepth > 0 ? MarkKind.emphasis : 0;
    this.#text.restyle(this.#heading === 0 ? inner : this.#heading);
  }

  #restyled(at: number): number {
    this.#restyle();
    return at;
  }

  /** Finds the next end tag of an element. The result is cached, so that no byte is searched twice for one name. */
  #endTagOf(tag: Tag, at: number): number {
    const known = this.#endTags.get(tag.name) ?? -1;
    if (known >= at) return known;
    const found = endTagAt(this.#source, tag.name, at);
    this.#endTags.set(tag.name, found);
    return found;
  }

  /**
   * Marks the content from `from` to `to` as hidden, but reads its links. An element that is never closed is
   * not hidden: showing too much is better than losing the rest of the page.
   */
  #hidden(from: number, to: number): number {
    if (to < this.#source.length) this.#hiddenUntil = Math.max(this.#hiddenUntil, to);
    return from;
  }

  #readImage(at: number): void {
    const isHidden = (this.#attributes.notes & Note.hidden) !== 0 || this.#isHidden(at);
    const alt = isHidden ? null : this.#parts.addImage(this.#attributes, this.#text.units);
    if (alt) this.#text.appendAttribute(this.#source, alt[0], alt[1]);
    this.#text.separate(Separator.space);
  }

  #readScript(from: number, to: number): number {
    this.#parts.addScript(this.#attributes, from, to);
    return to;
  }

  #readTextArea(from: number, to: number): number {
    if (!this.#isHidden(from)) this.#text.appendText(this.#source, from, to);
    return to;
  }

  #readTitle(from: number, to: number): number {
    const end = Math.min(to, from + MAX_TITLE_BYTES);
    if (this.#metadata.title === '')
      this.#metadata.title = decodeReferences(this.#source, from, end, false).trim();
    return to;
  }
}
