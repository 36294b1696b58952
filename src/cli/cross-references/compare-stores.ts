/**
 * Finds URLs that one store has and another lacks:
 *
 *   journal  -> archive   a page was parsed from a capture
 *   journal  -> crawl.db  the crawl knows each page of the journal
 *   crawl.db -> archive   a document has a capture
 *   crawl.db -> journal   a document has a record of its page
 *   journal  -> index     a page that may be found is a document, once its journal file is indexed
 *   index    -> journal   a document has a record of its page
 *   journal  -> graph     a page has a rank, once its journal file is ranked
 *
 * CDX entries are compared with the WARC files by the area `archive` of `gyre doctor`. Removed URLs do not count.
 *
 * Cost: reads the journal twice and the URL of each document once, and looks each page up in the archive, in crawl.db and
 * in the ranks. It holds the URLs of all pages in memory. The caller holds the locks of crawl and index.
 */
import { ArchiveReader } from '../../archive/mod.ts';
import { silentLog } from '../../base/mod.ts';
import { type CrawlState, fingerprintPages, openCrawlState } from '../../crawl/mod.ts';
import { openRanks, rankedUpTo } from '../../graph/mod.ts';
import { IndexReader, readManifest } from '../../index/mod.ts';
import { isRead, journalFiles, newestRecords } from '../../journal/mod.ts';
import { isListed, mayBeFound } from '../../page/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';

type Store = 'archive' | 'journal' | 'crawl.db' | 'index' | 'graph';

interface Comparison {
  /** The number of pages in the journal. */
  pageCount: number;
  broken: BrokenReference[];
}

/** URLs that are in the store `from` and should be in `to`. */
export interface BrokenReference {
  from: Store;
  to: Store;
  count: number;
  /** The first of the URLs. */
  examples: string[];
  /** The command that helps. */
  advice: string;
}

const MAX_EXAMPLES = 3;
const FROM_ARCHIVE =
  'run gyre build --from-archive, which makes the journal and the index from the archive again';
const ADVICE: Readonly<Record<string, string>> = {
  'journal archive': `${FROM_ARCHIVE}; the pages are fetched again when they are due`,
  'crawl.db archive': 'run gyre crawl: the pages are fetched again when they are due',
  'journal crawl.db': 'import the archive into another directory: gyre import archive/*.warc.* --data DIR',
  'crawl.db journal': FROM_ARCHIVE,
  'journal index': 'run gyre build --rebuild, which makes the index from the journal again',
  'index journal': 'run gyre build --rebuild, which makes the index from the journal again',
  'journal graph': 'run gyre rank',
};

export async function compareStores(data: DataDirectory, signal: AbortSignal): Promise<Comparison> {
  const removed = removedBy(readRemovals(data.root));
  const found = new References((url) => removed.matches(url));
  const { pages, others } = readPages(data);
  const state = data.root.has('crawl.db') ? openCrawlState(data.root, { readOnly: true }) : null;
  const archive = data.root.has('archive') ? new ArchiveReader(data.archive) : null;
  try {
    for (const { url, isListed } of pages.values()) {
      if (archive && archive.find(url).length === 0) found.add('journal', 'archive', url);
      // An import writes no capture for feeds and pages that searches never find.
      if (state && isListed && (await state.lastCapture(fingerprint(url))) === null)
        found.add('journal', 'crawl.db', url);
    }
    if (state && !signal.aborted)
      await compareDocuments(state, (key) => pages.has(key) || others.has(key), archive, found);
  } finally {
    archive?.close();
    state?.close();
  }
  if (data.root.has('index') && !signal.aborted) compareIndex(data, pages, found);
  if (data.root.has('graph') && !signal.aborted) compareRanks(data, pages, found);
  return { pageCount: pages.size, broken: found.all() };
}

class References {
  readonly #found = new Map<string, BrokenReference>();
  readonly #isRemoved: (url: CanonicalUrl) => boolean;

  constructor(isRemoved: (url: CanonicalUrl) => boolean) {
    this.#isRemoved = isRemoved;
  }

  add(from: Store, to: Store, url: string): void {
    if (this.#isRemoved(url as CanonicalUrl)) return;
    const key = `${from} ${to}`;
    const found = this.#found.get(key) ?? { from, to, count: 0, examples: [], advice: ADVICE[key]! };
    found.count++;
    if (found.examples.length < MAX_EXAMPLES) found.examples.push(url);
    this.#found.set(key, found);
  }

  all(): BrokenReference[] {
    return [...this.#found.values()];
  }
}

interface KnownPage {
  url: CanonicalUrl;
  isListed: boolean;
  /** True if the page is in a journal file that is indexed, and may be found by searches. */
  isIndexed: boolean;
}

interface JournalPages {
  /** The pages of the journal, by their fingerprints. */
  pages: Map<bigint, KnownPage>;
  /**
   * The fingerprints of URLs whose newest record is an alias or says that the page is gone. The crawl may still have their
   * captures as documents until the next visit.
   */
  others: Set<bigint>;
}

function readPages(data: DataDirectory): JournalPages {
  const pages = new Map<bigint, KnownPage>();
  const others = new Set<bigint>();
  if (!data.root.has('journal')) return { pages, others };
  const indexed = data.root.has('index') ? readManifest(data.index).journal : {};
  const files = journalFiles(data.journal);
  for (const { record, isLater } of newestRecords(data.journal, files, { after: indexed })) {
    if (record.kind !== 'page') {
      others.add(fingerprint(record.url));
      continue;
    }
    const { url, page } = record;
    pages.set(fingerprint(url), {
      ...{ url, isListed: isListed(page) },
      isIndexed: !isLater && mayBeFound(page.robots, Date.now()),
    });
  }
  return { pages, others };
}

/** Compares the documents that the crawl knows with archive and journal. */
async function compareDocuments(
  state: CrawlState,
  isInJournal: (key: bigint) => boolean,
  archive: ArchiveReader | null,
  found: References,
): Promise<void> {
  for await (const keys of fingerprintPages(state)) {
    for (const key of keys) {
      if (isInJournal(key) || !(await state.lastCapture(key))?.isDocument) continue;
      const url = (await state.urlOf(key)) ?? '';
      found.add('crawl.db', 'journal', url);
      if (archive && archive.find(url as CanonicalUrl).length === 0) found.add('crawl.db', 'archive', url);
    }
  }
}

function compareIndex(data: DataDirectory, pages: ReadonlyMap<bigint, KnownPage>, found: References): void {
  const missing = new Map([...pages].filter(([, { isIndexed }]) => isIndexed));
  const index = new IndexReader(data.index, silentLog);
  try {
    for (const { reader, deletes } of index.segments) {
      for (let doc = 0; doc < reader.docCount; doc++) {
        if (deletes.has(doc)) continue;
        const key = reader.table.fingerprints[doc]!;
        missing.delete(key);
        if (!pages.has(key)) found.add('index', 'journal', reader.url(doc));
      }
    }
  } finally {
    index.close();
  }
  for (const { url } of missing.values()) found.add('journal', 'index', url);
}

/** Compares the pages with the ranks, if all files of the journal are in the link graph. */
function compareRanks(data: DataDirectory, pages: ReadonlyMap<bigint, KnownPage>, found: References): void {
  const ranked = rankedUpTo(data.graph);
  if (!journalFiles(data.journal).every((file) => isRead(ranked, file))) return;
  const ranks = openRanks(data.graph);
  if (!ranks) return;
  try {
    for (const [key, { url }] of pages) if (ranks.nodeOf(key) < 0) found.add('journal', 'graph', url);
  } finally {
    ranks.close();
  }
}
