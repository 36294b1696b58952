/**
 * Builds the snippet of a page on which only a list has the words of the query. Such a list is often a menu or a table
 * of contents, and a person learns more from a sentence that says what the page is.
 */
import type { StoredDocument } from '../../index/mod.ts';
import type { Window } from './best-window.ts';
import { blockEnd, isProse, isSentenceStart } from './sentences.ts';
import {
  firstProse,
  MIN_PIECE,
  piecesFrom,
  SNIPPET_LENGTH,
  type Snippet,
  type SnippetPiece,
  type Source,
  snippetFrom,
  startFor,
  wordStart,
  written,
} from './snippet-pieces.ts';

/** The minimum number of items of a list, and their maximum mean length in characters. */
const LEAST_ITEMS = 3;
const ITEM_LENGTH = 60;
/** Lines with more commas than this are lists of items that commas separate. */
const MANY_COMMAS = 5;
/** The share of a snippet for the items of a list, after the running text that says what the page is. */
const ITEMS_SHARE = 0.4;
/** The number of characters at the beginning of a page with a list that are searched for running text. */
const LIST_REACH = 4000;
/** Matches characters of code. Short lines with them are an example or a declaration, not a menu. */
const CODE = /[{};]/;

/**
 * Returns true if the text at the window is a list of short items, on lines of their own or separated by commas, and
 * not only a few lines before running text.
 */
export function isList({ text, code = [] }: StoredDocument, { start }: Window): boolean {
  if (code.some((block) => block.start <= start && start < block.end)) return false;
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - SNIPPET_LENGTH);
  const end = endOfLines(text, from, start + SNIPPET_LENGTH);
  if (end - from < SNIPPET_LENGTH && end < text.length) return false;
  const lines = text.slice(from, end);
  const items = lines.split(lines.split(',').length > MANY_COMMAS ? /[\n,]/ : '\n');
  return items.length >= LEAST_ITEMS && (end - from) / items.length <= ITEM_LENGTH;
}

/** Returns the end of the lines from `from` on that are not running text, at most `limit`. */
function endOfLines(text: string, from: number, limit: number): number {
  const last = Math.min(limit, text.length);
  for (let at = from; at < last; ) {
    const end = blockEnd(text, at);
    if (isProse(text, at, Math.min(end, at + SNIPPET_LENGTH))) return at;
    at = end + 1;
  }
  return last;
}

/**
 * Builds the snippet of a page on which only a list has the words of the query: the beginning of its running text,
 * which says what the page is, and the items of the list. Without running text it is the description, and without
 * that only these items.
 */
export function cutList(source: Source, description: Source, window: Window): Snippet {
  const { text, length } = source;
  if (CODE.test(text.slice(window.start, window.start + SNIPPET_LENGTH)))
    return snippetFrom(source, startFor(source, window), window.end);
  const start = firstProse(source, LIST_REACH);
  const itemsLength = Math.floor(ITEMS_SHARE * length);
  if (!isProse(text, start, blockEnd(text, start, start + SNIPPET_LENGTH)) || itemsLength < MIN_PIECE) {
    if (description.text !== '') return { ...snippetFrom(description, 0, 0), isPassage: false };
    const items = matchingItems(source, window);
    return written(source, items, isSentenceStart(text, items[0]!.start) ? '' : '… ', '');
  }
  const lead = piecesFrom({ ...source, length: length - itemsLength }, start, 0);
  const joint = ' … ';
  const [first, ...rest] = matchingItems({ ...source, length: itemsLength - joint.length }, window);
  const pieces = [...lead, { ...first!, joint }, ...rest];
  return written(source, pieces, isSentenceStart(text, start) ? '' : '… ', '');
}

/** A snippet with fewer characters is continued with facts that follow its last item. */
const SHORT_ITEMS = 60;
/** Matches a fact of a list, such as `Boiling point: 78 °C`. */
const FACT = /^[^:：\n]{2,50}[:：]\s*[^\n]{1,100}$/u;

/** Returns the items of a list that have query words of the window. The items between them are left out. */
function matchingItems(source: Source, window: Window): SnippetPiece[] {
  const from = startOfItem(source, window);
  const inWindow = source.hits.filter(({ start, end }) => start >= window.start && end <= window.end);
  const [first, ...rest] = piecesFrom(source, from, window.end);
  let isGap = false;
  const matching = rest.flatMap((piece): SnippetPiece[] => {
    const isMatch = inWindow.some(({ start }) => piece.start <= start && start < piece.end);
    const joint = isGap ? ' … ' : piece.joint;
    isGap = !isMatch;
    return isMatch ? [{ ...piece, joint }] : [];
  });
  return withFacts(source, [first!, ...matching]);
}

/**
 * Adds the facts that follow the last item if the snippet is short and this item is a fact too. A page such as
 * `Name: Caffeine` with further lines is described by its facts.
 */
function withFacts({ text, length }: Source, items: SnippetPiece[]): SnippetPiece[] {
  const last = items.at(-1)!;
  const used = items.reduce((sum, { start, end, joint }) => sum + joint.length + end - start, 0);
  if (used >= SHORT_ITEMS || !FACT.test(text.slice(last.start, last.end))) return items;
  const facts: SnippetPiece[] = [];
  let room = length - used;
  for (let start = last.end + 1; start < text.length && room > 0; ) {
    const end = blockEnd(text, start, start + length);
    const joint = ' · ';
    room -= joint.length + end - start;
    if (room < 0 || !FACT.test(text.slice(start, end))) break;
    facts.push({ start, end, joint });
    start = end + 1;
  }
  return [...items, ...facts];
}

/** Returns the start of the first line of the window, or of a later word if the window would not fit. */
function startOfItem({ text, length }: Source, { start, end }: Window): number {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const earliest = Math.max(line, end - length);
  return earliest === line ? line : wordStart(text, Math.min(earliest, start), start);
}
