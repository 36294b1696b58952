/**
 * Finds postings and offers that lists no longer have, although their pages are still there.
 *
 * A list is a page that links, in some version, to at least two pages with such a record, and does not have exactly
 * one itself: the page of a posting may link to similar ones that change all the time.
 *
 * A posting moves from one list page to the next when others are added. Therefore it counts as dropped only when no
 * list has it, and all lists of these hosts have been visited since the last one dropped it. A posting that was never in a
 * list, for example because a sitemap has it, is never dropped.
 */
import type { Directory } from '../../base/mod.ts';
import type { JournalRecord } from '../../journal/mod.ts';
import { fingerprint, originOf } from '../../url/mod.ts';
import { missingSince, numberedRecords, type PageLifetime, type PageLifetimes } from './record-lifetimes.ts';

/** The types of things that are available only while lists have them. */
const LISTED_TYPES: ReadonlySet<string> = new Set(['JobPosting', 'Offer']);
const LEAST_LINKS = 2;

interface ListPage {
  key: bigint;
  origin: string;
  isList: boolean;
  links: Map<bigint, ListLink>;
}

interface ListLink {
  linkedAt: number;
  /** Time of the first later version without the link; null if there is none. */
  missingAt: number | null;
}

/** Returns for each page with a dropped posting the time at which the last list dropped it. */
export async function droppedPages(
  journal: Directory,
  files: readonly string[],
  pages: PageLifetimes,
  visitedAt: (key: bigint, page: PageLifetime) => Promise<number>,
): Promise<Map<bigint, number>> {
  const single = singlePages(pages);
  const dropped = new Map<bigint, number>();
  if (single.size === 0) return dropped;
  const lists = [...listsIn(journal, files, pages, single)];
  const oldestVisits = new Map<string, number>();
  for (const { key, origin } of lists) {
    const page = pages.get(key)!;
    if (page.kind !== 'page') continue;
    oldestVisits.set(origin, Math.min(oldestVisits.get(origin) ?? Infinity, await visitedAt(key, page)));
  }
  for (const [target, { at, origins }] of lastDrops(lists)) {
    const isSettled = [...origins].every((origin) => (oldestVisits.get(origin) ?? Infinity) >= at);
    if (at < Infinity && isSettled) dropped.set(target, at);
  }
  return dropped;
}

/** Returns the pages that have, or had, exactly one record of such a type. */
function singlePages(pages: PageLifetimes): Set<bigint> {
  const single = new Set<bigint>();
  for (const [key, page] of pages) {
    const listed = [...page.statements.values()].filter(({ type }) => LISTED_TYPES.has(type));
    const current = listed.filter((statement) => missingSince(page, statement) === null);
    if (current.length === 1 || (current.length === 0 && listed.length === 1)) single.add(key);
  }
  return single;
}

function listsIn(
  journal: Directory,
  files: readonly string[],
  pages: PageLifetimes,
  single: ReadonlySet<bigint>,
): Iterable<ListPage> {
  const lists = new Map<bigint, ListPage>();
  for (const { record } of numberedRecords(journal, files)) {
    const key = fingerprint(record.url);
    if (single.has(key)) continue;
    const targets = targetsOf(record, pages, single);
    let list = lists.get(key);
    if (!list) {
      if (targets.size === 0) continue;
      list = { key, origin: originOf(record.url), isList: false, links: new Map() };
      lists.set(key, list);
    }
    addVersion(list, targets, record.fetchedAt);
  }
  return [...lists.values()].filter(({ isList }) => isList);
}

function targetsOf(record: JournalRecord, pages: PageLifetimes, single: ReadonlySet<bigint>): Set<bigint> {
  const targets = new Set<bigint>();
  if (record.kind !== 'page') return targets;
  for (const { url } of record.page.links) {
    const key = fingerprint(url);
    const target = single.has(key) ? key : pages.get(key)?.of;
    if (target && single.has(target)) targets.add(target);
  }
  return targets;
}

function addVersion(list: ListPage, targets: ReadonlySet<bigint>, at: number): void {
  if (targets.size >= LEAST_LINKS) list.isList = true;
  for (const target of targets) {
    const link = list.links.get(target);
    if (link && link.linkedAt > at) continue;
    const missingAt = (link?.missingAt ?? 0) > at ? link!.missingAt : null;
    list.links.set(target, { linkedAt: at, missingAt });
  }
  for (const [target, link] of list.links) {
    if (targets.has(target) || link.linkedAt > at) continue;
    link.missingAt = Math.min(link.missingAt ?? at, at);
  }
}

/** Returns for each linked page when the last list dropped it, and the hosts of its lists; infinity if a list has it. */
function lastDrops(lists: readonly ListPage[]): Map<bigint, { at: number; origins: Set<string> }> {
  const drops = new Map<bigint, { at: number; origins: Set<string> }>();
  for (const { origin, links } of lists) {
    for (const [target, { missingAt }] of links) {
      const known = drops.get(target) ?? { at: 0, origins: new Set() };
      known.at = Math.max(known.at, missingAt ?? Infinity);
      known.origins.add(origin);
      drops.set(target, known);
    }
  }
  return drops;
}
