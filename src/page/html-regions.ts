/**
 * The stretches of a page that its markup sets apart: what is hidden, what must not be quoted, what is
 * the content and what belongs to the site around it. An element opens a region, and its end closes it.
 *
 * A menu that is never closed would swallow the page, so such a region counts for nothing; a
 * region that must not be quoted then reaches to the end, as its author would rather have it.
 */
import { Part, type Tag } from './html-tags.ts';
import { type AttributeScanner, Note } from './html-tokens.ts';
import type { Range } from './page.ts';
import { purposeOf } from './purpose.ts';
import { joined } from './ranges.ts';

export interface HtmlRegions {
  /** Menus, headers, footers by element or role. */
  site: Range[];
  /** The same, as names of classes suggest. */
  suggested: Range[];
  /** `<main>`, or the only `<article>`; null if neither is there once. */
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
  /** Of the element in the path of open ones. */
  depth: number;
  start: number;
}

export class RegionTracker {
  readonly #open: Region[] = [];
  readonly #ranges = new Map<number, Range[]>(KINDS.map((kind) => [kind, []]));
  #innermost = 0;
  #hiddenCount = 0;

  /** The depth of the innermost element that is open here; 0 if there is none. */
  get innermost(): number {
    return this.#innermost;
  }

  get isHidden(): boolean {
    return this.#hiddenCount > 0;
  }

  /** `mayHide`: the element has an end, so that what it hides is bounded. */
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

  /** All elements below `depth` have ended. */
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

  /** What the content is inside of is not a menu, whatever it calls itself. */
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

/** Without those inside others. Neighbours stay apart, as each is to be judged by itself. */
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
