/**
 * Separates the content of a page from its boilerplate: menus, headers and footers that are on every page of
 * the site.
 *
 * It uses three signals. Markup: menus, headers and footers are recognised by element, by role, or less
 * reliably by class names; everything outside `<main>` is boilerplate. Text: a block that is mostly links is
 * a menu, a long block with few links is content, and a short block is the same as its neighbours.
 * (Kohlschütter et al., "Boilerplate Detection using Shallow Text Features", WSDM 2010, found that length and
 * link density are nearly sufficient.) Purpose: a row of links to the next, previous and parent page is a
 * menu, and copyright lines at the end are a footer, even inside `<main>` (page-edges.ts).
 *
 * Each signal may be wrong about a page: on some pages lists of links are the content. Therefore a signal is
 * ignored if it leaves too little content. Boilerplate is not removed, but gets less weight and is not
 * quoted.
 */

import type { Mark, Range } from '../page.ts';
import { eachLine, joined } from '../text/mod.ts';
import type { HtmlRegions } from './html-regions.ts';
import type { RawLink } from './link-collector.ts';
import { isFooterLine, isPageTurner } from './page-edges.ts';

const Verdict = { unsure: 0, content: 1, site: 2 } as const;

interface Block {
  start: number;
  end: number;
  linked: number;
  isHeading: boolean;
  /** True if the block is a menu in a single line. */
  isMenuRow: boolean;
  /** `hunch` is the preliminary verdict from the text of the block alone. `verdict` is the final one. */
  hunch: number;
  verdict: number;
}

interface HeardMarkup {
  site: Range[];
  content: Range[];
}

/** The minimum length in UTF-16 units of a block that counts as content if it has few links. */
const LONG = 100;
const FEW_LINKS = 0.35;
const MANY_LINKS = 0.6;
/**
 * The minimum share of the page that must remain as content, unless the remaining content has at least
 * LEAST_UNITS.
 */
const LEAST_SHARE = 0.15;
const LEAST_UNITS = 200;
/**
 * The minimum length of the content in UTF-16 units. If less remains, another signal decides what is content.
 */
const LEAST_LEFT = 40;
/**
 * The maximum length in UTF-16 units of a region that counts as boilerplate because of its class names. A
 * longer region counts as boilerplate only if it is full of links.
 */
const SHORT_STRETCH = 120;
/** The minimum number of consecutive link blocks in a menu, or of links in a menu of one line. */
const SHORTEST_MENU = 3;
/** The minimum share of letters inside links in a menu of one line. */
const ROW_LINKS = 0.75;
/** The maximum length of a menu of one line, in letters and digits. */
const LONGEST_ROW = 400;
/** The number of blocks at the end of a page that are tested for footer lines. */
const FOOTER_BLOCKS = 12;
const IS_LETTER = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[\da-z]/i.test(String.fromCharCode(code)) ? 1 : 0,
);
/** Matches source code. A line of code with linked names is not a menu. */
const CODE = /[;={}]|::|->|\w\(/;

type BoilerplateSource = {
  text: string;
  marks: readonly Mark[];
  regions: HtmlRegions;
  links: readonly RawLink[];
};

export function findBoilerplate({ text, marks, regions, links }: BoilerplateSource, title: string): Range[] {
  const blocks = blocksOf(text, marks, links);
  const footer = footerBlocks(blocks, text);
  for (const block of footer) block.hunch = Verdict.unsure;
  const isMarked = markBlocks(blocks, heardMarkup(blocks, regions, text.length));
  const turners = blocksOfTurners(blocks, links);
  if (isMarked || turners.length > 0 || blocks.some(({ hunch }) => hunch === Verdict.site)) {
    for (const block of turners) block.verdict = Verdict.site;
    judgeByText(blocks, (heading) => isTitle(text.slice(heading.start, heading.end), title));
  }
  for (const block of footer) block.verdict = Verdict.site;
  return rangesOf(blocks);
}

function blocksOf(text: string, marks: readonly Mark[], links: readonly RawLink[]): Block[] {
  const blocks: Block[] = [];
  let nextLink = 0;
  eachLine(text, marks, (start, end, linked, isHeading) => {
    const firstLink = nextLink;
    while (nextLink < links.length && links[nextLink]!.start < end) nextLink++;
    const isMenuRow =
      nextLink - firstLink >= SHORTEST_MENU &&
      !isHeading &&
      isRow(text, start, end, links.slice(firstLink, nextLink));
    const isShortLink = nextLink > firstLink && end - start <= LONG;
    const length = isShortLink ? lettersIn(text, start, end) : end - start;
    const hunch = isHeading ? Verdict.unsure : isMenuRow ? Verdict.site : hunchOf(length, linked);
    blocks.push({ start, end, linked, isHeading, isMenuRow, hunch, verdict: Verdict.unsure });
  });
  return blocks;
}

function hunchOf(length: number, linked: number): number {
  if (linked > MANY_LINKS * length) return Verdict.site;
  return length >= LONG && linked < FEW_LINKS * length ? Verdict.content : Verdict.unsure;
}

/** Returns true if a line is a menu such as `Previous | Contents | Next`. Only letters and digits count. */
function isRow(text: string, start: number, end: number, links: readonly RawLink[]): boolean {
  if (end - start > LONGEST_ROW) return false;
  let linked = 0;
  let named = 0;
  for (const link of links) {
    const letters = lettersIn(text, Math.max(start, link.start), Math.min(end, link.end));
    linked += letters;
    if (letters > 0) named++;
  }
  if (named < SHORTEST_MENU || linked < ROW_LINKS * lettersIn(text, start, end)) return false;
  return !CODE.test(text.slice(start, end));
}

/** Counts the letters and digits of a range. All characters outside ASCII count as letters. */
function lettersIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x80 || IS_LETTER[code] === 1) count++;
  }
  return count;
}

/**
 * Returns the lines at the end of the page that belong to a footer. They are boilerplate, but do not make the
 * blocks beside them boilerplate.
 */
function footerBlocks(blocks: readonly Block[], text: string): Block[] {
  return blocks.slice(-FOOTER_BLOCKS).filter(({ start, end, isHeading }) => {
    return !isHeading && isFooterLine(text.slice(start, Math.min(end, start + LONGEST_ROW)), end - start);
  });
}

/** Returns the blocks that are mostly links and contain a link to the next, previous or parent page. */
function blocksOfTurners(blocks: readonly Block[], links: readonly RawLink[]): Block[] {
  const found = new Set<Block>();
  for (const { rel, start, end } of links) {
    if (rel === null || end === start || !isPageTurner(rel)) continue;
    const block = blocks[firstFrom(blocks, start)];
    if (block && block.linked > (block.end - block.start) / 2) found.add(block);
  }
  return [...found];
}

/** Returns true if a heading is the title of the page, with or without the name of the site after it. */
function isTitle(heading: string, title: string): boolean {
  const [name, whole] = [heading, title].map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ''));
  return name !== '' && whole!.startsWith(name!);
}

/** Sets the verdicts that follow from the markup. Returns true if any block is boilerplate. */
function markBlocks(blocks: readonly Block[], { site, content }: HeardMarkup): boolean {
  if (site.length === 0 && content.length === 0) return false;
  let isAny = false;
  for (const block of blocks) {
    if (isInside(block, site)) {
      block.verdict = Verdict.site;
      isAny = true;
    } else if (isInside(block, content)) block.verdict = Verdict.content;
  }
  return isAny;
}

/**
 * Returns the regions that the markup declares as content or boilerplate. Ignores class names that are
 * implausible, and declarations that leave too little content.
 */
function heardMarkup(
  blocks: readonly Block[],
  { site, suggested, content }: HtmlRegions,
  length: number,
): HeardMarkup {
  const named = joined([...site, ...suggested.filter((range) => isPlausible(range, blocks, length))]);
  if (content !== null) {
    const ranges = joined([...named, ...complement(content, length)]);
    if (leavesEnough(ranges, blocks, length)) return { site: ranges, content: [content] };
  }
  return { site: [named, site].find((ranges) => leavesEnough(ranges, blocks, length)) ?? [], content: [] };
}

function isPlausible(range: Range, blocks: readonly Block[], length: number): boolean {
  const [start, end] = range;
  if (end - start <= SHORT_STRETCH && end - start < length / 2) return true;
  return linkedIn(range, blocks) / (end - start) > FEW_LINKS;
}

/**
 * Returns true if enough text is outside of `ranges`. A little text is enough if the ranges are mostly links, as on
 * the page of a function without a description.
 */
function leavesEnough(ranges: readonly Range[], blocks: readonly Block[], length: number): boolean {
  let taken = 0;
  for (const [start, end] of ranges) taken += end - start;
  const left = length - taken;
  if (left >= LEAST_UNITS || left >= LEAST_SHARE * length) return true;
  if (left < LEAST_LEFT) return false;
  let linked = 0;
  for (const range of ranges) linked += linkedIn(range, blocks);
  return linked > MANY_LINKS * taken;
}

function linkedIn([start, end]: Range, blocks: readonly Block[]): number {
  let linked = 0;
  for (let i = firstFrom(blocks, start); i < blocks.length && blocks[i]!.start < end; i++) {
    linked += blocks[i]!.linked;
  }
  return linked;
}

function complement([start, end]: Range, length: number): Range[] {
  const ranges: Range[] = [
    [0, start],
    [end, length],
  ];
  return ranges.filter((range) => range[1] > range[0]);
}

/**
 * Returns true if the middle of the block is in one of the ranges. The start of a block is not tested,
 * because a range may begin with the separator before the block.
 */
function isInside(block: Block, ranges: readonly Range[]): boolean {
  const middle = (block.start + block.end) / 2;
  let low = 0;
  for (let high = ranges.length; low < high; ) {
    const at = (low + high) >> 1;
    if (ranges[at]![1] > middle) high = at;
    else low = at + 1;
  }
  return low < ranges.length && ranges[low]![0] <= middle;
}

/**
 * Sets the final verdicts from the text, but only if enough text remains as content. Short blocks get the
 * verdict of their neighbours. A heading gets the verdict of the block after it, unless the heading is the
 * title of the page.
 */
function judgeByText(blocks: readonly Block[], isTitleOf: (heading: Block) => boolean): void {
  const verdicts = new Uint8Array(blocks.length);
  for (let i = 0; i < blocks.length; i++) verdicts[i] = blocks[i]!.verdict || blocks[i]!.hunch;
  forgiveFewLinks(blocks, verdicts);
  if (verdicts.includes(Verdict.content)) {
    if (contentLength(blocks, verdicts) >= LEAST_UNITS) joinSite(blocks, verdicts);
  } else if (!keepMenuOnTop(blocks, verdicts)) return;
  for (let i = blocks.length - 1; i >= 0; i--) {
    const block = blocks[i]!;
    const isOpen = block.isHeading && verdicts[i] === Verdict.unsure;
    if (!isOpen) block.verdict = verdicts[i]!;
    else block.verdict = isTitleOf(block) ? Verdict.content : (blocks[i + 1]?.verdict ?? Verdict.unsure);
  }
}

/** Returns the total length of the blocks that are content. */
function contentLength(blocks: readonly Block[], verdicts: Uint8Array): number {
  let length = 0;
  for (let i = 0; i < blocks.length; i++)
    if (verdicts[i] === Verdict.content) length += blocks[i]!.end - blocks[i]!.start;
  return length;
}

/**
 * On a page without a block of content, lists of links may be the content, for example the members of a class. Then
 * only menu rows and lists before the first heading count as menus. Returns false if they leave too little text.
 */
function keepMenuOnTop(blocks: readonly Block[], verdicts: Uint8Array): boolean {
  const heading = blocks.findIndex(({ isHeading }, i) => isHeading && verdicts[i] !== Verdict.site);
  for (let i = Math.max(0, heading); i < blocks.length; i++)
    if (!blocks[i]!.isMenuRow) verdicts[i] = blocks[i]!.verdict;
  let left = 0;
  for (let i = 0; i < blocks.length; i++)
    if (verdicts[i] !== Verdict.site) left += blocks[i]!.end - blocks[i]!.start;
  return left >= LEAST_LEFT && left >= LEAST_SHARE * blocks.at(-1)!.end;
}

/**
 * Marks short blocks next to menus as boilerplate, for example the label "Version 2". A longer sequence of
 * short blocks is left alone, because it may be a table or a list of names. So are all short blocks of a page
 * with little content: the page may be about them, and the content only a banner above its menu.
 */
function joinSite(blocks: readonly Block[], verdicts: Uint8Array): void {
  let before: number = Verdict.unsure;
  for (let i = 0; i < blocks.length; ) {
    let end = i;
    let length = 0;
    while (end < blocks.length && verdicts[end] === Verdict.unsure) {
      if (!blocks[end]!.isHeading) length += blocks[end]!.end - blocks[end]!.start;
      end++;
    }
    if (length <= LEAST_UNITS && isAmongSite(before, verdicts[end] ?? Verdict.unsure)) {
      for (let at = i; at < end; at++) if (!blocks[at]!.isHeading) verdicts[at] = Verdict.site;
    }
    before = verdicts[end] ?? before;
    i = end + 1;
  }
}

/** Returns true if a neighbour of a block is boilerplate and neither neighbour is content. */
function isAmongSite(before: number, after: number): boolean {
  return before !== Verdict.content && after !== Verdict.content && before + after !== 0;
}

/**
 * One or two consecutive lines of links are no longer counted as a menu, with three exceptions: the markup says
 * that they are a menu, one of the lines is a menu by itself, or they are two lines at the beginning or end of
 * the page.
 */
function forgiveFewLinks(blocks: readonly Block[], verdicts: Uint8Array): void {
  let from = 0;
  let isMarked = false;
  for (let i = 0; i <= verdicts.length; i++) {
    if (verdicts[i] === Verdict.site) {
      isMarked ||= blocks[i]!.verdict === Verdict.site || blocks[i]!.isMenuRow;
      continue;
    }
    const isAtEdge = from === 0 || i === verdicts.length;
    const least = isAtEdge ? SHORTEST_MENU - 1 : SHORTEST_MENU;
    if (i - from < least && !isMarked) verdicts.fill(Verdict.unsure, from, i);
    from = i + 1;
    isMarked = false;
  }
}

function rangesOf(blocks: readonly Block[]): Range[] {
  const ranges: Range[] = [];
  let last: Range | null = null;
  for (const { start, end, verdict } of blocks) {
    if (verdict !== Verdict.site) last = null;
    else if (last) last[1] = end;
    else {
      last = [start, end];
      ranges.push(last);
    }
  }
  return ranges;
}

/** Returns the index of the first block that ends after `start`. */
function firstFrom(blocks: readonly Block[], start: number): number {
  let low = 0;
  for (let high = blocks.length; low < high; ) {
    const at = (low + high) >> 1;
    if (blocks[at]!.end > start) high = at;
    else low = at + 1;
  }
  return low;
}
