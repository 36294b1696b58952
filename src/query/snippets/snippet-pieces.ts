/**
 * Cuts pieces out of a text and joins them to a snippet.
 */
import { isLowSurrogate, type Window } from './best-window.ts';
import type { Hit } from './query-highlighter.ts';
import { blockEnd, isProse, isSentenceStart, isStopped, sentenceStart } from './sentences.ts';
import { isWithin, type Lines } from './title-lines.ts';

/** A snippet as plain text, and the positions of the query's words in it: [start, end) in UTF-16 units, ascending. */
export interface Snippet {
  text: string;
  highlights: [number, number][];
  /** True if the snippet is one passage of the document, unchanged except for ellipses at its ends. */
  isPassage: boolean;
}

export const NO_SNIPPET: Snippet = { text: '', highlights: [], isPassage: false };
/** The length of a snippet in characters, unless the page permits only a shorter one. */
export const SNIPPET_LENGTH = 200;
/** Once the snippet has this many characters, only running text is added to it. */
const ENOUGH = 100;
/** The minimum number of characters of a block that is added to a snippet. */
export const MIN_PIECE = 40;
/** A snippet ends at the end of a sentence if it then uses at least this share of the available length. */
const GOOD_END = 0.75;
/** The maximum number of characters that are searched for running text, at the beginning of a page and after a piece. */
export const REACH = 1000;
/** Matches copyright notices. They are not shown unless they have the words of the query. */
const NOTICE =
  /\bcopyright\s*(?:©|\(c\)|\d{4})|©\s*(?:copyright|\d{4})|\ball rights reserved|^permission is (?:hereby )?granted/i;

/** The text from which a snippet is taken, and the lines to leave out because they repeat the title. */
export interface Source {
  text: string;
  titles: Lines;
  hits: readonly Hit[];
  length: number;
  isMarked: readonly boolean[] | undefined;
}

/** Returns the position at which a snippet starts, so that it shows the window and the text before it. */
export function startFor({ text, titles, length }: Source, window: Window): number {
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
export function wordStart(text: string, from: number, to: number): number {
  for (let at = Math.max(1, from); at < to; at++) if (/\s/.test(text[at - 1]!)) return at;
  return from <= 0 ? 0 : to;
}

/**
 * Returns the start of the first block of running text near the beginning of a page. If there is none, returns the
 * start of the first block after the title.
 */
export function firstProse({ text, titles }: Source, reach = REACH): number {
  let first = -1;
  for (let at = 0; at < Math.min(text.length, reach); ) {
    const end = blockEnd(text, at);
    if (!isWithin(titles, at) && !isNotice(text, at)) {
      if (isProse(text, at, Math.min(end, at + SNIPPET_LENGTH))) return at;
      if (first < 0) first = at;
    }
    at = end + 1;
  }
  return first < 0 ? text.length : first;
}

/** Returns true if the block that begins at `at` is a copyright notice. */
function isNotice(text: string, at: number): boolean {
  return NOTICE.test(text.slice(at, blockEnd(text, at, at + SNIPPET_LENGTH)));
}

/** A range of a block that is added to a snippet, and the separator before it. */
export interface SnippetPiece {
  start: number;
  end: number;
  joint: string;
}

/**
 * Builds the snippet that begins at `from`. `until` is the end of the last query word that the snippet should
 * show.
 */
export function snippetFrom(source: Source, from: number, until: number): Snippet {
  const { text } = source;
  const pieces = piecesFrom(source, from, until);
  if (pieces.length === 0) return NO_SNIPPET;
  const { start } = pieces[0]!;
  const { end } = pieces.at(-1)!;
  const lead = isSentenceStart(text, start) ? '' : '… ';
  const isWhole = end >= text.length || text[end] === '\n' || isStopped(text, end);
  return written(source, pieces, lead, isWhole ? '' : ' …');
}

export function piecesFrom({ text, titles, length }: Source, from: number, until: number): SnippetPiece[] {
  const pieces: SnippetPiece[] = [];
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

export function written(
  { text, hits, isMarked }: Source,
  pieces: readonly SnippetPiece[],
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
