/**
 * Builds the snippet of a result: the passage of a document that shows why it matches the query.
 *
 * The snippet is built around the best window (best-window.ts). It begins with the sentence of the first query
 * word if that sentence begins close enough. It ends at the end of a sentence if there is one within the length
 * limit, else between words. Blocks are separated by a dot (`Installation · Run npm`). Once there are ENOUGH
 * characters, only running text is added. Lines that only repeat the title are skipped. If the title has all
 * content words of the query, the page is about the query, and the snippet is its first running text. If the
 * text has no word of the query, the snippet is the description of the page, or else its first running text. A
 * best window that is a list is often a menu or a table of contents. Then the snippet is the description or the
 * best running text, if this has at least LIST_SHARE of the weight of the list's query words. Otherwise it is
 * the first running text, followed by the items with the query words.
 *
 * Text that must not be quoted was removed before indexing (see build/). The document's `maxSnippet` limits the
 * length.
 */
import type { StoredDocument } from '../../index/mod.ts';
import { bestWindow, isLowSurrogate, type Sought, sumOf, type Window } from './best-window.ts';
import type { Hit } from './query-highlighter.ts';
import { blockEnd, isProse, isSentenceStart, isStopped, sentenceStart } from './sentences.ts';
import { isWithin, type Lines, repeatsTitle, titleLines } from './title-lines.ts';

export type { Sought } from './best-window.ts';

/** A snippet as plain text, and the positions of the query's words in it: [start, end) in UTF-16 units, ascending. */
interface Snippet {
  text: string;
  highlights: [number, number][];
  /** True if the snippet is one passage of the document, unchanged except for ellipses at its ends. */
  isPassage: boolean;
}

const NOTHING: Snippet = { text: '', highlights: [], isPassage: false };
const LENGTH = 200;
/** The maximum total length of the ellipses at both ends of a snippet, in characters. */
const OMISSION_LENGTH = 4;
/** A window with less than this share of the query's word weight contains only words like "the". */
const TELLING_SHARE = 0.1;
/**
 * The description or running text is shown instead of a list if its query words have at least this share of the
 * weight of the query words in the list.
 */
const LIST_SHARE = 0.5;
/** The minimum number of items of a list, and their maximum mean length in characters. */
const LEAST_ITEMS = 3;
const ITEM_LENGTH = 60;
/** Lines with more commas than this are lists of items that commas separate. */
const MANY_COMMAS = 5;
/** The share of a snippet for the items of a list, after the running text that says what the page is. */
const ITEMS_SHARE = 0.4;
/** The number of characters at the beginning of a page with a list that are searched for running text. */
const LIST_REACH = 4000;
/** Once the snippet has this many characters, only running text is added to it. */
const ENOUGH = 100;
/** The minimum number of characters of a block that is added to a snippet. */
const MIN_PIECE = 40;
/** A snippet ends at the end of a sentence if it then uses at least this share of the available length. */
const GOOD_END = 0.75;
/** The maximum number of characters that a snippet skips to continue with running text. */
const REACH = 1000;
/** A title with at least this share of the query's word weight counts as having all content words of the query. */
const COVERING_SHARE = 0.9;
/**
 * The first running text of a page whose title has all content words of the query is shown if it has at least
 * this share of the query's word weight.
 */
const LEAD_SHARE = 0.25;
/** Matches page descriptions for machines, such as `class: Map, package: java.util`. They are not shown. */
const LABELLED = /\w: [^.]*\w: /;
/** Matches characters of code. Short lines with them are an example or a declaration, not a menu. */
const CODE = /[{};]/;
/** Matches copyright notices. They are not shown unless they have the words of the query. */
const NOTICE =
  /\bcopyright\s*(?:©|\(c\)|\d{4})|©\s*(?:copyright|\d{4})|\ball rights reserved|^permission is (?:hereby )?granted/i;

/** The text from which a snippet is taken, and the lines to leave out because they repeat the title. */
interface Source {
  text: string;
  titles: Lines;
  hits: readonly Hit[];
  length: number;
  isMarked: readonly boolean[] | undefined;
}

export function snippetOf(document: StoredDocument, sought: Sought): Snippet {
  const { text, title, maxSnippet = Number.POSITIVE_INFINITY } = document;
  const length = Math.min(LENGTH, maxSnippet - OMISSION_LENGTH);
  if (length <= 0) return NOTHING;
  const { isMarked } = sought;
  const titles = titleLines(text, title);
  const lead = findLead({ text, titles, hits: [], length, isMarked }, title, sought);
  if (lead) return lead;
  const { window, prose, hits } = bestWindow(text, titles, sought);
  const source = { text, titles, hits, length, isMarked };
  const described = describe(document, sought, length);
  if (window === null || !isTelling(window, sought)) {
    if (described.source.text !== '') return { ...cut(described.source, 0, 0), isPassage: false };
    return window ? cut(source, startFor(source, window), window.end) : cutFirst(source);
  }
  if (window.isProse) return cut(source, startFor(source, window), window.end);
  const isReplaceable = !sought.phrases?.length && isList(document, window);
  const least = isReplaceable ? LIST_SHARE * window.weight : window.weight;
  if (described.source.text !== '' && described.weight >= least)
    return { ...cut(described.source, 0, 0), isPassage: false };
  if (!isReplaceable) return cut(source, startFor(source, window), window.end);
  if (prose && prose.weight >= least) return cut(source, startFor(source, prose), prose.end);
  return cutList(source, described.source, window);
}

/** Returns true if the window has more of the query than words like "the". */
function isTelling({ weight }: Window, { weights }: Sought): boolean {
  return weight >= TELLING_SHARE * sumOf(weights);
}

/**
 * Returns true if the text at the window is a list of short items, on lines of their own or separated by commas, and
 * not only a few lines before running text.
 */
function isList({ text, code = [] }: StoredDocument, { start }: Window): boolean {
  if (code.some((block) => block.start <= start && start < block.end)) return false;
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - LENGTH);
  const end = endOfLines(text, from, start + LENGTH);
  if (end - from < LENGTH && end < text.length) return false;
  const lines = text.slice(from, end);
  const items = lines.split(lines.split(',').length > MANY_COMMAS ? /[\n,]/ : '\n');
  return items.length >= LEAST_ITEMS && (end - from) / items.length <= ITEM_LENGTH;
}

/** Returns the end of the lines from `from` on that are not running text, at most `limit`. */
function endOfLines(text: string, from: number, limit: number): number {
  const last = Math.min(limit, text.length);
  for (let at = from; at < last; ) {
    const end = blockEnd(text, at);
    if (isProse(text, at, Math.min(end, at + LENGTH))) return at;
    at = end + 1;
  }
  return last;
}

/**
 * Builds the snippet of a page on which only a list has the words of the query: the beginning of its running text,
 * which says what the page is, and the items of the list. Without running text it is the description, and without
 * that only the list.
 */
function cutList(source: Source, description: Source, window: Window): Snippet {
  const { text, length } = source;
  if (CODE.test(text.slice(window.start, window.start + LENGTH)))
    return cut(source, startFor(source, window), window.end);
  const start = firstProse(source, LIST_REACH);
  const itemsLength = Math.floor(ITEMS_SHARE * length);
  if (!isProse(text, start, blockEnd(text, start, start + LENGTH)) || itemsLength < MIN_PIECE) {
    if (description.text !== '') return { ...cut(description, 0, 0), isPassage: false };
    return cut(source, startFor(source, window), window.end);
  }
  const lead = piecesFrom({ ...source, length: length - itemsLength }, start, 0);
  const joint = ' … ';
  const items = { ...source, length: itemsLength - joint.length };
  const [first, ...rest] = piecesFrom(items, startFor(items, window), window.end);
  const matching = rest.filter((piece) => piece.start < window.end);
  const pieces = [...lead, { ...first!, joint }, ...matching];
  return written(source, pieces, isSentenceStart(text, start) ? '' : '… ', '');
}

/**
 * Builds the snippet of a page whose text has no word of the query. If the page has no text except its title,
 * the snippet is the title.
 */
function cutFirst(source: Source): Snippet {
  const start = firstProse(source);
  return start < source.text.length ? cut(source, start, 0) : cut({ ...source, titles: [] }, 0, 0);
}

/**
 * Returns at most `count` snippets that begin with different sentences of the first running text, for a page that
 * has no word of the query. Returns none if there is only one such sentence.
 */
export function leadingSnippets(
  { text, title, maxSnippet = LENGTH }: StoredDocument,
  count: number,
): string[] {
  const length = Math.min(LENGTH, maxSnippet - OMISSION_LENGTH);
  if (length <= 0) return [];
  const source: Source = { text, titles: titleLines(text, title), hits: [], length, isMarked: undefined };
  const snippets: string[] = [];
  let next = firstProse(source);
  for (let at = next; at < Math.min(text.length, REACH) && snippets.length < count; at++) {
    if (at < next || !isSentenceStart(text, at) || isWithin(source.titles, at)) continue;
    if (!isProse(text, at, blockEnd(text, at, at + length))) continue;
    snippets.push(cut(source, at, 0).text);
    next = at + MIN_PIECE;
  }
  return snippets.length > 1 ? snippets : [];
}

/** Returns the first running text of a page as a snippet if the title has all content words of the query; else null. */
function findLead(source: Source, title: string, sought: Sought): Snippet | null {
  const { weights, phrases = [], isMarked } = sought;
  const total = sumOf(weights.filter((_, word) => isMarked?.[word] ?? true));
  if (phrases.length > 0 || weightIn(title, 0, title.length, sought) < COVERING_SHARE * total) return null;
  const { text, length } = source;
  const start = firstProse(source);
  const end = blockEnd(text, start, start + length);
  if (!isProse(text, start, end) || weightIn(text, start, end, sought) < LEAD_SHARE * total) return null;
  const hits: Hit[] = [];
  sought.finder.find(text, start, pieceAfter(text, start + length), hits);
  return cut({ ...source, hits }, start, 0);
}

/** Returns the end of the word at `at`. */
function pieceAfter(text: string, at: number): number {
  let end = Math.min(at, text.length);
  while (end < text.length && text.charCodeAt(end) > 0x20) end++;
  return end;
}

/** Returns the total weight of the different query words in the range [start, end) of a text. */
function weightIn(text: string, start: number, end: number, { finder, weights, isMarked }: Sought): number {
  const hits: Hit[] = [];
  finder.find(text.slice(start, end), 0, end - start, hits);
  const words = [...new Set(hits.map(({ word }) => word))];
  return sumOf(words.map((word) => ((isMarked?.[word] ?? true) ? weights[word]! : 0)));
}

/**
 * Returns the description of a page as text for a snippet, and the weight of the query's words in it. The text is
 * empty if the description only repeats the title, or is for machines.
 */
function describe(
  { description, title }: StoredDocument,
  sought: Sought,
  length: number,
): { source: Source; weight: number } {
  const isUseless = repeatsTitle(description, title) || LABELLED.test(description);
  const text = isUseless ? '' : description;
  const hits: Hit[] = [];
  sought.finder.find(text, 0, text.length, hits);
  const weight = sumOf([...new Set(hits.map(({ word }) => word))].map((word) => sought.weights[word]!));
  return { source: { text, titles: [], hits, length, isMarked: sought.isMarked }, weight };
}

/** Returns the position at which a snippet starts, so that it shows the window and the text before it. */
function startFor({ text, titles, length }: Source, window: Window): number {
  const slack = Math.max(0, length - (window.end - window.start));
  const earliest = Math.max(0, window.start - slack);
  let start = sentenceStart(text, earliest, window.start);
  if (start < 0) {
    const from = Math.min(window.start - Math.floor(slack / 3), text.length - length);
    return wordStart(text, Math.max(earliest, from), window.start);
  }
  // If the snippet would be short because it is near the end of the text, it begins earlier.
  while (text.length - start < ENOUGH) {
    const before = sentenceStart(text, Math.max(0, text.length - length), start - 2);
    if (before < 0 || isWithin(titles, before) || !isProse(text, before, start - 1)) break;
    start = before;
  }
  return start;
}

/** Returns the position of the first word that starts in [from, to]. A word must start at `to`. */
function wordStart(text: string, from: number, to: number): number {
  for (let at = Math.max(1, from); at < to; at++) if (/\s/.test(text[at - 1]!)) return at;
  return from <= 0 ? 0 : to;
}

/**
 * Returns the start of the first block of running text near the beginning of a page. If there is none, returns the
 * start of the first block after the title.
 */
function firstProse({ text, titles }: Source, reach = REACH): number {
  let first = -1;
  for (let at = 0; at < Math.min(text.length, reach); ) {
    const end = blockEnd(text, at);
    if (!isWithin(titles, at) && !isNotice(text, at)) {
      if (isProse(text, at, Math.min(end, at + LENGTH))) return at;
      if (first < 0) first = at;
    }
    at = end + 1;
  }
  return first < 0 ? text.length : first;
}

/** Returns true if the block that begins at `at` is a copyright notice. */
function isNotice(text: string, at: number): boolean {
  return NOTICE.test(text.slice(at, blockEnd(text, at, at + LENGTH)));
}

/** A range of a block that is added to a snippet, and the separator before it. */
interface Piece {
  start: number;
  end: number;
  joint: string;
}

/**
 * Builds the snippet that begins at `from`. `until` is the end of the last query word that the snippet should
 * show.
 */
function cut(source: Source, from: number, until: number): Snippet {
  const { text } = source;
  const pieces = piecesFrom(source, from, until);
  if (pieces.length === 0) return NOTHING;
  const { start } = pieces[0]!;
  const { end } = pieces.at(-1)!;
  const lead = isSentenceStart(text, start) ? '' : '… ';
  const isWhole = end >= text.length || text[end] === '\n' || isStopped(text, end);
  return written(source, pieces, lead, isWhole ? '' : ' …');
}

function piecesFrom({ text, titles, length }: Source, from: number, until: number): Piece[] {
  const pieces: Piece[] = [];
  let room = length;
  let isGap = false;
  for (let at = from; at < text.length && at < Math.max(from, until) + REACH; ) {
    while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
    const whole = blockEnd(text, at, at + length + 1);
    const isNeeded = at < until || length - room < ENOUGH || isProse(text, at, whole);
    const isIdle = isWithin(titles, at) || (at >= until && isNotice(text, at));
    if (isIdle || !isNeeded) isGap = pieces.length > 0;
    else {
      const joint = pieces.length === 0 ? '' : jointAfter(text, pieces.at(-1)!.end, isGap);
      if (pieces.length > 0 && room - joint.length < Math.min(MIN_PIECE, whole - at)) break;
      const end = endFor(text, at, room - joint.length, whole, until);
      if (end > at) pieces.push({ start: at, end, joint });
      if (end < trimmed(text, at, whole)) break;
      room -= joint.length + end - at;
      isGap = false;
    }
    at = blockEnd(text, whole) + 1;
  }
  return pieces;
}

/**
 * Returns the separator between two pieces of a snippet: an ellipsis if text between them is left out, a space if the
 * first piece ends like a sentence or with a colon, semicolon or comma, and else a dot.
 */
function jointAfter(text: string, end: number, isGap: boolean): string {
  if (isGap && text[end - 1] !== '…') return ' … ';
  return isStopped(text, end) || ':;,'.includes(text[end - 1]!) ? ' ' : ' · ';
}

/**
 * Returns the end of a piece of at most `room` characters. This is the end of the block; else the end of a sentence
 * that uses most of the room and includes all query words; else a space; else any character boundary.
 */
function endFor(text: string, start: number, room: number, whole: number, until: number): number {
  const limit = start + room;
  if (limit >= whole) return trimmed(text, start, whole);
  for (let at = limit; at > Math.max(start + GOOD_END * room, until); at--)
    if (isSentenceStart(text, at)) return trimmed(text, start, at);
  for (let at = limit; at > start + room / 2; at--)
    if (/\s/.test(text[at - 1]!)) return trimmed(text, start, at);
  return isLowSurrogate(text, limit) ? limit - 1 : limit;
}

function trimmed(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length;
}

function written(
  { text, hits, isMarked }: Source,
  pieces: readonly Piece[],
  lead: string,
  tail: string,
): Snippet {
  let shown = lead;
  const ranges: [number, number][] = [];
  for (const { start, end, joint } of pieces) {
    const shift = shown.length + joint.length - start;
    for (const hit of hits) {
      if (hit.start < start || hit.end > end || isMarked?.[hit.word] === false) continue;
      ranges.push([hit.start + shift, hit.end + shift]);
    }
    shown += joint + text.slice(start, end);
  }
  return { text: shown + tail, highlights: joined(ranges), isPassage: pieces.length === 1 };
}

/**
 * Merges overlapping ranges into one highlight. Ranges overlap in scripts without spaces, which are indexed as
 * pairs.
 */
function joined(ranges: [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = out.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
}
