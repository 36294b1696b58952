/**
 * Tracks the regions of a page that its markup declares: hidden text, text that must not be quoted, the
 * content, and the boilerplate of the site. An element opens a region, and its end closes it.
 *
 * An unclosed menu would cover the whole page, so such a region is ignored. An unclosed region that must not
 * be quoted extends to the end of the page, so that nothing is quoted against the will of its author.
 */

import type { Range } from '../page.ts';
import { joined } from '../text/mod.ts';
import { Part, type Tag } from './html-tags.ts';
import { type AttributeScanner, Note } from './html-tokens.ts';
import { purposeOf } from './purpose.ts';

export interface HtmlRegions {
  /** The ranges of menus, headers and footers that are recognised by element or role. */
  site: Range[];
  /** The ranges of menus, headers and footers that are recognised by class names. */
  suggested: Range[];
  /** The range of `<main>` or of the only `<article>`; null if there is none or more than one. */
  content: Range | null;
  noSnippet: Range[];
}

const RegionKind = { hidden: 1, noSnippet: 2, site: 4, suggested: 8, main: 16, article: 32 } as const;
const KINDS = Object.values(RegionKind);
const CONTENT = RegionKind.main | RegionKind.article;
const SITE = RegionKind.site | RegionKind.suggested;
const MAX_OPEN = 256;
const MAX_RANGES = 1_000;

interface Region {
  kinds: number;
  /** The depth of the element in the path of open elements. */
  depth: number;
  start: number;
}

export class RegionTracker {
  readonly #open: Region[] = [];
  readonly #ranges = new Map<number, Range[]>(KINDS.map((kind) => [kind, []]));
  #innermost = 0;
  #hiddenCount = 0;

  /** The depth of the innermost open region; 0 if there is none. */
  get innermost(): number {
    return this.#innermost;
  }

  get isHidden(): boolean {
    return this.#hiddenCount > 0;
  }

  /**
   * Handles a start tag. `mayHide` is true if the element asks to be hidden and has an end tag, so that the
   * hidden range is bounded.
   */
  enter(
    tag: Tag,
    source: Buffer,
    attributes: AttributeScanner,
    mayHide: boolean,
    depth: number,
    units: number,
  ): void {
    let kinds = this.#partOf(tag, source, attributes);
    if ((attributes.notes & Note.noSnippet) !== 0) kinds |= RegionKind.noSnippet;
    if (mayHide) kinds |= RegionKind.hidden;
    if (kinds === 0 || this.#open.length === MAX_OPEN) return;
    if ((kinds & RegionKind.main) !== 0) this.#doubtSite();
    if ((kinds & RegionKind.hidden) !== 0) this.#hiddenCount++;
    this.#open.push({ kinds, depth, start: units });
    this.#innermost = depth;
  }

  /** Closes the regions of all elements deeper than `depth`. */
  leave(depth: number, units: number): void {
    while (this.#innermost > depth) {
      const region = this.#open.pop()!;
      this.#close(region, units);
      this.#innermost = this.#open.at(-1)?.depth ?? 0;
    }
  }

  finish(units: number): HtmlRegions {
    for (const region of this.#open.reverse()) {
      region.kinds &= CONTENT | RegionKind.noSnippet;
      this.#close(region, units);
    }
    const of = (kind: number) => this.#ranges.get(kind)!;
    const contents = of(RegionKind.main).length > 0 ? of(RegionKind.main) : of(RegionKind.article);
    return {
      site: joined(of(RegionKind.site)),
      suggested: outermost(of(RegionKind.suggested)),
      content: contents.length === 1 ? contents[0]! : null,
      noSnippet: joined(of(RegionKind.noSnippet)),
    };
  }

  #partOf(tag: Tag, source: Buffer, attributes: AttributeScanner): number {
    if (tag.part === Part.main) return RegionKind.main;
    if (tag.part === Part.navigation) return RegionKind.site;
    if (tag.part === Part.article) return this.#isInside(CONTENT | SITE) ? 0 : RegionKind.article;
    if (tag.part === Part.edge && !this.#isInside(CONTENT)) return RegionKind.site;
    if (!tag.isContainer || tag.name === 'body') return 0;
    const purpose = purposeOf(source, attributes);
    if (purpose === 'content') return RegionKind.main;
    if (purpose === 'navigation') return RegionKind.site;
    return purpose === 'suggested' ? RegionKind.suggested : 0;
  }

  #isInside(kinds: number): boolean {
    return this.#open.some((region) => (region.kinds & kinds) !== 0);
  }

  /**
   * Removes the open boilerplate regions around the content: an element that contains the content is not a
   * menu, whatever its name.
   */
  #doubtSite(): void {
    for (const region of this.#open) region.kinds &= ~SITE;
  }

  #close({ kinds, start }: Region, end: number): void {
    if ((kinds & RegionKind.hidden) !== 0) this.#hiddenCount--;
    if (end === start) return;
    for (const kind of KINDS) {
      const ranges = this.#ranges.get(kind)!;
      if ((kinds & kind) !== 0 && ranges.length < MAX_RANGES) ranges.push([start, end]);
    }
  }
}

/**
 * Removes ranges that are inside others. Adjacent ranges are not joined, because each is judged separately.
 */
function outermost(ranges: readonly Range[]): Range[] {
  let last = -1;
  return ranges
    .toSorted((a, b) => a[0] - b[0] || b[1] - a[1])
    .filter(([, end]) => {
      const isOutside = end > last;
      last = Math.max(last, end);
      return isOutside;
    });
}
