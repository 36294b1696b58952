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
import { bestWindow, type Sought, sumOf, type Window } from './best-window.ts';
import { cutList, isList } from './list-snippet.ts';
import type { Hit } from './query-highlighter.ts';
import { blockEnd, isProse, isSentenceStart } from './sentences.ts';
import {
  firstProse,
  MIN_PIECE,
  NO_SNIPPET,
  REACH,
  SNIPPET_LENGTH,
  type Snippet,
  type Source,
  snippetFrom,
  startFor,
} from './snippet-pieces.ts';
import { isWithin, repeatsTitle, titleLines } from './title-lines.ts';

export type { Sought } from './best-window.ts';

/** The maximum total length of the ellipses at both ends of a snippet, in characters. */
const OMISSION_LENGTH = 4;
/** A window with less than this share of the query's word weight contains only words like "the". */
const TELLING_SHARE = 0.1;
/**
 * The description or running text is shown instead of a list if its query words have at least this share of the
 * weight of the query words in the list.
 */
const LIST_SHARE = 0.5;
/** A title with at least this share of the query's word weight counts as having all content words of the query. */
const COVERING_SHARE = 0.9;
/**
 * The first running text of a page whose title has all content words of the query is shown if it has at least
 * this share of the query's word weight.
 */
const LEAD_SHARE = 0.25;
/** Matches page descriptions for machines, such as `class: Map, package: java.util`. They are not shown. */
const LABELLED = /\w: [^.]*\w: /;

export function snippetOf(document: StoredDocument, sought: Sought): Snippet {
  const { text, title, maxSnippet = Number.POSITIVE_INFINITY } = document;
  const length = Math.min(SNIPPET_LENGTH, maxSnippet - OMISSION_LENGTH);
  if (length <= 0) return NO_SNIPPET;
  const { isMarked } = sought;
  const titles = titleLines(text, title);
  const lead = findLead({ text, titles, hits: [], length, isMarked }, title, sought);
  if (lead) return lead;
  const { window, prose, hits } = bestWindow(text, titles, sought);
  const source = { text, titles, hits, length, isMarked };
  const described = describe(document, sought, length);
  if (window === null || !isTelling(window, sought)) {
    if (described.source.text !== '') return { ...snippetFrom(described.source, 0, 0), isPassage: false };
    return window ? snippetFrom(source, startFor(source, window), window.end) : cutFirst(source);
  }
  if (window.isProse) return snippetFrom(source, startFor(source, window), window.end);
  const isReplaceable = !sought.phrases?.length && text.length > length && isList(document, window);
  const least = isReplaceable ? LIST_SHARE * window.weight : window.weight;
  if (described.source.text !== '' && described.weight >= least)
    return { ...snippetFrom(described.source, 0, 0), isPassage: false };
  if (!isReplaceable) return snippetFrom(source, startFor(source, window), window.end);
  if (prose && prose.weight >= least) return snippetFrom(source, startFor(source, prose), prose.end);
  return cutList(source, described.source, window);
}

/** Returns true if the window has more of the query than words like "the". */
function isTelling({ weight }: Window, { weights }: Sought): boolean {
  return weight >= TELLING_SHARE * sumOf(weights);
}

/**
 * Builds the snippet of a page whose text has no word of the query. If the page has no text except its title,
 * the snippet is the title.
 */
function cutFirst(source: Source): Snippet {
  const start = firstProse(source);
  return start < source.text.length
    ? snippetFrom(source, start, 0)
    : snippetFrom({ ...source, titles: [] }, 0, 0);
}

/**
 * Returns at most `count` snippets that begin with different sentences of the first running text, for a page that
 * has no word of the query. Returns none if there is only one such sentence.
 */
export function leadingSnippets(
  { text, title, maxSnippet = SNIPPET_LENGTH }: StoredDocument,
  count: number,
): string[] {
  const length = Math.min(SNIPPET_LENGTH, maxSnippet - OMISSION_LENGTH);
  if (length <= 0) return [];
  const source: Source = { text, titles: titleLines(text, title), hits: [], length, isMarked: undefined };
  const snippets: string[] = [];
  let next = firstProse(source);
  for (let at = next; at < Math.min(text.length, REACH) && snippets.length < count; at++) {
    if (at < next || !isSentenceStart(text, at) || isWithin(source.titles, at)) continue;
    if (!isProse(text, at, blockEnd(text, at, at + length))) continue;
    snippets.push(snippetFrom(source, at, 0).text);
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
  return snippetFrom({ ...source, hits }, start, 0);
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
