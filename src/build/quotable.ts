/**
 * Selects the text of a page that may be quoted and is useful as a quotation. Only this text is stored with the
 * document, so snippets contain nothing else. Other words are indexed and can be found, but are not stored.
 *
 *   nosnippet        stores no text
 *   data-nosnippet   stores all text except the marked elements
 *   max-snippet:N    stores all text, and N: query/snippets/snippet.ts applies the limit
 *
 * Boilerplate is not stored, nor are lists of links and tables of contents within the content (idle-lines.ts).
 * If a page has little other text, its lists of links are stored too, and if it still has very little, also its
 * boilerplate. A page without running text, such as the front page of a book, is stored with its table of contents,
 * even if its markup looks like a menu.
 */
import type { Heading, StoredDocument } from '../index/mod.ts';
import { headingLevel, type Page, type Range } from '../page/mod.ts';
import { aroundContents, idleLines } from './idle-lines.ts';

/** If the text to store has fewer characters than this, the lists of links are stored too. */
const LEAST_TEXT = 80;
/** If the content has fewer characters than this, the boilerplate is stored too. */
const LEAST_CONTENT = 20;
/** A page with more text than this is not stored with its table of contents. */
const MUCH_TEXT = 300;
/** Matches the end of a sentence in a line long enough to be running text. */
const RUNNING_TEXT = /[^\n]{50}[.!?…。！？।؟۔](?:["'”’»)\]]{0,3}(?:\s|$))|[。！？]/u;

type Quotable = Pick<StoredDocument, 'description' | 'text' | 'maxSnippet' | 'headings' | 'code'>;

export function quotableOf(page: Page): Quotable {
  const { maxSnippet, snippet } = page.robots;
  if (!snippet) return { description: '', text: '' };
  const kept = quotedRanges(page);
  const { text, starts } = joinedText(page.text, kept);
  const quotable: Quotable = {
    description: page.description,
    text,
    headings: movedHeadings(page, kept, starts),
    ...(page.code && { code: moved(page.code, kept, starts) }),
  };
  return maxSnippet === undefined ? quotable : { ...quotable, maxSnippet };
}

/** Returns the ranges of the text to store, with as little boilerplate as possible. */
function quotedRanges(page: Page): Range[] {
  const { text, boilerplate = [], noSnippet = [] } = page;
  const { lists, others } = idleLines(page);
  const useless = [...noSnippet, ...others];
  const around = [...useless, ...boilerplate];
  const own = complement([...around, ...lists], text);
  const length = lengthOf(own);
  if (length >= MUCH_TEXT || (length >= LEAST_TEXT && hasRunningText(own, text))) return own;
  const edges = aroundContents(page);
  const contents = edges ? complement([...useless, ...edges], text) : [];
  const all = complement(useless, text);
  const choices = [contents, length >= LEAST_TEXT ? own : [], complement(around, text), all];
  const chosen = choices.find((kept) => lengthOf(kept) >= LEAST_CONTENT);
  return chosen ?? (all.length > 0 ? all : complement(noSnippet, text));
}

function hasRunningText(ranges: readonly Range[], text: string): boolean {
  return ranges.some(([start, end]) => RUNNING_TEXT.test(text.slice(start, end)));
}

/**
 * Returns the ranges of the text that are outside of the given ranges, trimmed of white space. The given ranges
 * may overlap.
 */
function complement(ranges: readonly Range[], text: string): Range[] {
  const parts: Range[] = [];
  let from = 0;
  const add = (to: number) => {
    const part = text.slice(from, to);
    const start = from + part.length - part.trimStart().length;
    const end = from + part.trimEnd().length;
    if (end > start) parts.push([start, end]);
  };
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (start > from) add(start);
    from = Math.max(from, end);
  }
  add(text.length);
  return parts;
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
}

/**
 * Joins the text of the ranges with line breaks, so that two ranges that were not adjacent are not read as one
 * sentence.
 */
function joinedText(text: string, ranges: readonly Range[]): { text: string; starts: number[] } {
  let length = 0;
  const starts = ranges.map(([start, end]) => {
    const at = length;
    length += end - start + 1;
    return at;
  });
  return { text: ranges.map(([start, end]) => text.slice(start, end)).join('\n'), starts };
}

/** Returns the headings that are stored, with their offsets in the stored text instead of the page's text. */
function movedHeadings({ marks }: Page, kept: readonly Range[], starts: readonly number[]): Heading[] {
  const headings = marks.flatMap(({ start, end, kind }) => {
    const level = headingLevel(kind);
    return level === 0 ? [] : [{ level, start, end }];
  });
  return moved(headings, kept, starts);
}

/**
 * Returns the marked ranges, such as headings, that are completely stored, with their offsets in the stored
 * text.
 */
function moved<Part extends { start: number; end: number }>(
  parts: readonly Part[],
  kept: readonly Range[],
  starts: readonly number[],
): Part[] {
  let at = 0;
  return parts.flatMap((part) => {
    while (at < kept.length && kept[at]![1] < part.end) at++;
    if (at === kept.length || part.start < kept[at]![0]) return [];
    const shift = starts[at]! - kept[at]![0];
    return [{ ...part, start: part.start + shift, end: part.end + shift }];
  });
}
