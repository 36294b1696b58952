/**
 * Separates the content of a page from the boilerplate that is repeated on every page of its site.
 *
 * It uses two signals. Markup: menus, headers and footers are recognised by element, by role, or less reliably
 * by class names; everything outside `<main>` is boilerplate. Text: a block that is mostly links is a menu, a
 * long one with few links is content, and a short one has the class of its neighbours. (Kohlschütter et al.,
 * "Boilerplate Detection using Shallow Text Features", WSDM 2010, found that length and link density are nearly
 * sufficient.)
 *
 * Either signal may be wrong about a whole page: on some pages lists of links are the content. A signal that
 * leaves too little content is therefore ignored. Nothing is removed: the ranges only mark text that gets less
 * weight and is not quoted.
 */

import { type Mark, MarkKind, type Range } from '../page.ts';
import { joined } from '../text/mod.ts';
import type { HtmlRegions } from './html-regions.ts';

const Verdict = { unsure: 0, content: 1, site: 2 } as const;

interface Block {
  start: number;
  end: number;
  linked: number;
  isHeading: boolean;
  /** `hunch` is a `Verdict` by the text alone; `verdict` is the final one. */
  hunch: number;
  verdict: number;
}

interface HeardMarkup {
  site: Range[];
  content: Range[];
}

/** A block of at least this length with few links is content. */
const LONG = 100;
const FEW_LINKS = 0.35;
const MANY_LINKS = 0.6;
/** Content is accepted only if it has at least this share of the page, or this length. */
const LEAST_SHARE = 0.15;
const LEAST_UNITS = 200;
/**
 * A region that only class names mark as boilerplate is accepted if it is at most this long, or full of links.
 */
const SHORT_STRETCH = 120;
/** Minimum number of consecutive blocks. */
const SHORTEST_MENU = 3;

export function findBoilerplate(text: string, marks: readonly Mark[], regions: HtmlRegions): Range[] {
  const blocks = blocksOf(text, marks);
  const isMarked = markBlocks(blocks, heardMarkup(blocks, regions, text.length));
  if (!isMarked && !blocks.some(({ hunch }) => hunch === Verdict.site)) return [];
  judgeByText(blocks);
  return rangesOf(blocks);
}

/** Splits the text into lines and counts the linked characters of each. */
function blocksOf(text: string, marks: readonly Mark[]): Block[] {
  const blocks: Block[] = [];
  let next = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    let linked = 0;
    let isHeading = false;
    for (; next < marks.length && marks[next]!.start < end; next++) {
      const mark = marks[next]!;
      if (mark.kind === MarkKind.link) linked += mark.end - mark.start;
      else if (mark.kind !== MarkKind.emphasis) isHeading = true;
    }
    const hunch = isHeading ? Verdict.unsure : hunchOf(end - start, linked);
    blocks.push({ start, end, linked, isHeading, hunch, verdict: Verdict.unsure });
    start = end + 1;
  }
  return blocks;
}

function hunchOf(length: number, linked: number): number {
  if (linked > MANY_LINKS * length) return Verdict.site;
  return length >= LONG && linked < FEW_LINKS * length ? Verdict.content : Verdict.unsure;
}

/** Sets the verdicts that the markup gives. Returns true if any block is boilerplate. */
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

/** Returns the regions that the markup marks, as far as they are plausible. */
function heardMarkup(
  blocks: readonly Block[],
  { site, suggested, content }: HtmlRegions,
  length: number,
): HeardMarkup {
  const named = joined([...site, ...suggested.filter((range) => isPlausible(range, blocks, length))]);
  if (content !== null) {
    const ranges = joined([...named, ...complement(content, length)]);
    if (leavesEnough(ranges, length)) return { site: ranges, content: [content] };
  }
  return { site: [named, site].find((ranges) => leavesEnough(ranges, length)) ?? [], content: [] };
}

function isPlausible([start, end]: Range, blocks: readonly Block[], length: number): boolean {
  if (end - start <= SHORT_STRETCH && end - start < length / 2) return true;
  let linked = 0;
  for (let i = firstFrom(blocks, start); i < blocks.length && blocks[i]!.start < end; i++) {
    linked += blocks[i]!.linked;
  }
  return linked / (end - start) > FEW_LINKS;
}

function leavesEnough(ranges: readonly Range[], length: number): boolean {
  const left = length - ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  return left >= LEAST_UNITS || left >= LEAST_SHARE * length;
}

function complement([start, end]: Range, length: number): Range[] {
  const ranges: Range[] = [
    [0, start],
    [end, length],
  ];
  return ranges.filter((range) => range[1] > range[0]);
}

/** Tests the middle of the block, as a range may begin with the separator before it. */
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
 * Sets the final verdicts, but only if there is content. Headings and short blocks get the verdict of their
 * neighbours.
 */
function judgeByText(blocks: readonly Block[]): void {
  const verdicts = new Uint8Array(blocks.length);
  for (let i = 0; i < blocks.length; i++) verdicts[i] = blocks[i]!.verdict || blocks[i]!.hunch;
  forgiveFewLinks(blocks, verdicts);
  if (!verdicts.includes(Verdict.content)) return;
  const following = followingVerdicts(verdicts);
  let before: number = Verdict.unsure;
  for (let i = 0; i < blocks.length; i++) {
    const after = following[i]!;
    if (verdicts[i] !== Verdict.unsure) {
      before = verdicts[i]!;
      blocks[i]!.verdict = before;
    } else if (blocks[i]!.isHeading) blocks[i]!.verdict = after;
    else if (isAmongSite(before, after)) blocks[i]!.verdict = Verdict.site;
  }
}

/** True if there is boilerplate on at least one side, and content on neither. */
function isAmongSite(before: number, after: number): boolean {
  return before !== Verdict.content && after !== Verdict.content && before + after !== 0;
}

/** One or two consecutive lines of links are not a menu, unless the markup says so. */
function forgiveFewLinks(blocks: readonly Block[], verdicts: Uint8Array): void {
  let from = 0;
  let isMarked = false;
  for (let i = 0; i <= verdicts.length; i++) {
    if (verdicts[i] === Verdict.site) {
      isMarked ||= blocks[i]!.verdict === Verdict.site;
      continue;
    }
    if (i - from < SHORTEST_MENU && !isMarked) verdicts.fill(Verdict.unsure, from, i);
    from = i + 1;
    isMarked = false;
  }
}

/** For each block, the next verdict after it that is not unsure; unsure if there is none. */
function followingVerdicts(verdicts: Uint8Array): Uint8Array {
  const following = new Uint8Array(verdicts.length);
  let next: number = Verdict.unsure;
  for (let i = verdicts.length - 1; i >= 0; i--) {
    following[i] = next;
    if (verdicts[i] !== Verdict.unsure) next = verdicts[i]!;
  }
  return following;
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

/** Returns the first block that ends after `start`. */
function firstFrom(blocks: readonly Block[], start: number): number {
  let low = 0;
  for (let high = blocks.length; low < high; ) {
    const at = (low + high) >> 1;
    if (blocks[at]!.end > start) high = at;
    else low = at + 1;
  }
  return low;
}
