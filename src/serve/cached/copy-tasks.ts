/**
 * The tasks that run in the threads of `archive-pool.ts`: showing, comparing and reading copies of pages. A
 * task does all slow work on a foreign file and returns plain data.
 *
 * If the newest copy of a page has `noarchive` or `noindex`, no copy of the page is shown.
 */

import type { CdxEntry, CdxQuery, FetchedCaptures } from '../../archive/mod.ts';
import { type FeedEntry, type InfoboxRow, type Page, readFeedEntries, readInfobox } from '../../page/mod.ts';
import { pageHighlighter } from '../../query/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { type CopyDifferences, compareTexts } from './compare-copies.ts';
import { copyDocument, FIRST_MATCH, isDarkToo, MAX_COPY_BYTES } from './copy-document.ts';
import type { CopyContent, CopyStore, NoCopy, PageCopy } from './page-archive.ts';
import type { PageContents } from './page-contents.ts';

/** The maximum number of copies in the list of copies. The archive may have more. */
const MAX_LISTED = 100;

export type CopyTask =
  | { kind: 'copy'; url: CanonicalUrl; at: string; query: string }
  | { kind: 'compare'; url: CanonicalUrl; from: string; to: string }
  | { kind: 'page'; url: CanonicalUrl };

/** Finds captures for replay tools. */
interface CapturesTask {
  kind: 'captures';
  url: CanonicalUrl;
  query: CdxQuery;
}

/** Reads the contents of a page for programs (page-contents.ts). */
interface ContentsTask {
  kind: 'contents';
  url: CanonicalUrl;
}

/** A task with the captures that were fetched for it, if the archive is not in files of this machine. */
export interface ArchiveTask {
  task: CopyTask | CapturesTask | ContentsTask;
  fetched?: FetchedCaptures;
}

export type CopyResult = ShownCopy | CopyComparison | ArchivedPage | FoundCaptures | PageContents | NoCopy;

export interface FoundCaptures {
  kind: 'captures';
  captures: CdxEntry[];
}

export interface ShownCopy {
  kind: 'copy';
  copy: PageCopy;
  /** The newest copies of the page, newest first. */
  copies: PageCopy[];
  /** True if the copy is too long to be shown completely. */
  isCut: boolean;
  /** True if the page has dark colours. */
  isDark: boolean;
  title: string;
  /** True if a word of the query is in the copy. The first such word has the id `FIRST_MATCH`. */
  hasMatch: boolean;
  /** The copy as HTML, without scripts and other active content. */
  document: string;
}

export interface CopyComparison extends CopyDifferences {
  kind: 'comparison';
  older: PageCopy;
  newer: PageCopy;
}

export interface ArchivedPage {
  kind: 'page';
  page: Omit<Page, 'links'>;
  /** The rows of the infobox, if the page is an encyclopedia article. */
  facts: InfoboxRow[];
  /** The entries of the feed, if the page is a feed. */
  entries: FeedEntry[];
  fetchedAt: number;
}

export function doCopyTask(store: CopyStore, task: CopyTask, now: number): CopyResult {
  const { url } = task;
  if (task.kind === 'page') return newestPage(store, url);
  const choose = copyChooser(store, url, now);
  if (task.kind === 'copy') {
    const found = choose(task.at);
    return found.kind === 'found' ? shownCopy(url, found, task.query) : found;
  }
  const [from, to] = [choose(task.from), choose(task.to)];
  if (from.kind !== 'found') return from;
  if (to.kind !== 'found') return to;
  const [older, newer] = from.copy.fetchedAt <= to.copy.fetchedAt ? [from, to] : [to, from];
  const differences = compareTexts(older.content.page.text, newer.content.page.text);
  return { kind: 'comparison', older: older.copy, newer: newer.copy, ...differences };
}

interface FoundCopy {
  kind: 'found';
  copy: PageCopy;
  content: CopyContent;
  copies: PageCopy[];
}

/**
 * Returns a function that chooses a copy of one page by its time. The function reads each copy at most once. It
 * always reads the newest copy too, because this copy decides whether any copy may be shown.
 */
function copyChooser(store: CopyStore, url: CanonicalUrl, now: number): (at: string) => FoundCopy | NoCopy {
  const copies = store.copies(url);
  const contents = new Map<string, CopyContent | null>();
  const read = (at: string) => {
    if (!contents.has(at)) contents.set(at, store.read(url, at));
    return contents.get(at)!;
  };
  return (at) => {
    const newest = copies[0] && read(copies[0].at);
    if (newest && !allowsCopies(newest.page, now)) return { kind: 'refused' };
    const copy = at === '' ? copies[0] : copies.find((each) => each.at === at);
    const content = copy && read(copy.at);
    if (!copy || !content) return { kind: 'none' };
    if (!allowsCopies(content.page, now)) return { kind: 'refused' };
    return { kind: 'found', copy, content, copies };
  };
}

/** Returns true if the robots directives of a page allow its copies to be shown. */
export function allowsCopies({ robots }: Page, now: number): boolean {
  return robots.archive && robots.index && (robots.unavailableAfter ?? Number.POSITIVE_INFINITY) > now;
}

function shownCopy(url: CanonicalUrl, { copy, content, copies }: FoundCopy, query: string): ShownCopy {
  const find = pageHighlighter(query, content.page.language);
  const document = copyDocument(url, content, find);
  return {
    kind: 'copy',
    ...{ copy, copies: copies.slice(0, MAX_LISTED) },
    isCut: content.body.length > MAX_COPY_BYTES,
    isDark: isDarkToo(content),
    title: content.page.title,
    hasMatch: document.includes(`<mark id="${FIRST_MATCH}">`),
    document,
  };
}

function newestPage(store: CopyStore, url: CanonicalUrl): ArchivedPage | NoCopy {
  const [newest] = store.copies(url);
  const content = newest && store.read(url, newest.at);
  if (!newest || !content) return { kind: 'none' };
  const { contentType, body } = content;
  const { links: _, ...page } = content.page;
  const input = { url, contentType, body, xRobotsTag: [] };
  return {
    kind: 'page',
    page,
    facts: page.contentType === 'text/html' ? readInfobox(input) : [],
    entries: page.kind === 'feed' ? readFeedEntries(input) : [],
    fetchedAt: newest.fetchedAt,
  };
}
