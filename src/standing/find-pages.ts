/**
 * Finds the new and changed pages that match standing queries.
 *
 *   journal files that the index has since the last time -> pages with a text that was not known
 *     -> an index of only these pages -> one search per query -> store
 *
 * The cost depends on the number of new pages and of queries, not on the size of the index. A page is new if the
 * journal had no findable version of it and no other page with the same text; it is changed if title or text differ
 * from the last version. Each step of at most PAGES_PER_STEP pages is one transaction. A step that is repeated after
 * a crash finds its pages known and their matches stored.
 *
 * The first run reads the whole journal, to know the pages that were there before.
 */
import { type Clock, type Directory, GyreError, hash64, type Log } from '../base/mod.ts';
import { indexPages } from '../build/mod.ts';
import {
  advance,
  firstFile,
  isRead,
  type JournalPosition,
  type JournalRecord,
  journalFiles,
  type PageRecord,
  readJournal,
} from '../journal/mod.ts';
import { isListed, mayBeFound } from '../page/mod.ts';
import type { SearchRequest, SearchResponse } from '../query/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import type { StandingPage } from './found-page.ts';
import type { FoundStep, KnownPage, Progress, StandingQuery, StandingStore } from './standing-store.ts';

interface FindOptions {
  store: StandingStore;
  journal: Directory;
  /** The journal position of the index. Pages after it are not searchable yet, so they are left for later. */
  indexed: JournalPosition;
  /** Makes an empty directory for an index that only this function uses. `remove` deletes it. */
  scratch(): { index: Directory; remove(): void };
  openSearcher(index: Directory): PageSearcher;
  /** Returns true if the operator has removed the URL. */
  isRemoved(url: CanonicalUrl): boolean;
  clock: Clock;
  log: Log;
  signal?: AbortSignal;
}

interface PageSearcher {
  search(request: SearchRequest): Promise<SearchResponse>;
  close(): void;
}

/** The number of pages that are indexed and stored in one step. */
const PAGES_PER_STEP = 500;
/** The number of unchanged or old pages that are stored in one step. */
const KNOWN_PER_STEP = 5000;
const MAX_SNIPPET = 300;
const MAX_TITLE = 300;

/** Returns the number of pages that were found, over all queries. */
export async function findNewPages(options: FindOptions): Promise<number> {
  const { store, journal, indexed, signal } = options;
  if (store.list().length === 0) return 0;
  let progress = currentProgress(options);
  let found = 0;
  for (const file of journalFiles(journal, progress.position)) {
    if (!isRead(indexed, file)) continue;
    const reading = new FileReading(options, file, progress);
    for (const record of readJournal(journal, file)) {
      if (signal?.aborted) return found;
      reading.take(record);
      if (reading.isFull) found += await reading.flush();
    }
    progress = reading.progressAfter();
    found += await reading.flush(progress);
  }
  return found;
}

/** Returns the progress, or begins again if the journal was rebuilt: then only later fetches are new. */
function currentProgress({ store, journal }: FindOptions): Progress {
  const first = firstFile(journal);
  const known = store.readProgress();
  if (known?.first === first) return known;
  const nothing = { first, position: {}, newestMs: 0, floor: {}, floorMs: 0 };
  if (!known) return nothing;
  const floor = journalFiles(journal).reduce<JournalPosition>(advance, {});
  const progress = { ...nothing, newestMs: known.newestMs, floor, floorMs: known.newestMs };
  store.beginGeneration(progress);
  return progress;
}

interface NewPage {
  record: PageRecord;
  change: StandingPage['change'];
}

/** The work on one journal file. */
class FileReading {
  readonly #options: FindOptions;
  readonly #file: string;
  readonly #queries: readonly StandingQuery[];
  #progress: Progress;
  #pages = new Map<bigint, KnownPage>();
  #gone = new Set<bigint>();
  #new = new Map<bigint, NewPage>();

  constructor(options: FindOptions, file: string, progress: Progress) {
    this.#options = options;
    this.#file = file;
    this.#progress = progress;
    this.#queries = options.store.list().filter(({ since }) => !isRead(since, file));
  }

  get isFull(): boolean {
    return this.#new.size >= PAGES_PER_STEP || this.#pages.size >= KNOWN_PER_STEP;
  }

  progressAfter(): Progress {
    return { ...this.#progress, position: advance(this.#progress.position, this.#file) };
  }

  take(record: JournalRecord): void {
    const { store, isRemoved, clock } = this.#options;
    const key = fingerprint(record.url);
    const known = this.#pages.get(key) ?? store.knownPage(key);
    const { fetchedAt } = record;
    if (known && fetchedAt < known.fetchedAt) return;
    const isNewer = !isRead(this.#progress.floor, this.#file) || fetchedAt > this.#progress.floorMs;
    const newestMs = Math.max(this.#progress.newestMs, fetchedAt);
    this.#progress = { ...this.#progress, newestMs };
    if (record.kind === 'alias' && !isRemoved(record.url) && !isRemoved(record.of)) {
      // What was found at the alias stays, because its URL still leads to the page.
      this.#pages.set(key, { textKey: known?.textKey ?? null, fetchedAt });
      this.#move(key, record.of);
      return;
    }
    if (
      record.kind !== 'page' ||
      !isListed(record.page) ||
      !mayBeFound(record.page.robots, clock.now()) ||
      isRemoved(record.url)
    ) {
      this.#gone.add(key);
      this.#new.delete(key);
      this.#pages.set(key, { textKey: known?.textKey ?? null, fetchedAt });
      return;
    }
    const textKey = textKeyOf(record);
    this.#pages.set(key, { textKey, fetchedAt });
    this.#gone.delete(key);
    const isKnownText = known?.textKey === textKey;
    if (this.#queries.length === 0 || !isNewer || isKnownText) return;
    const isOld = known !== null && known.textKey !== null;
    if (!isOld && this.#isElsewhere(textKey, key)) return;
    const change = this.#new.get(key)?.change ?? (isOld ? 'changed' : 'new');
    this.#new.set(key, { record, change });
  }

  /** Stores what was read so far, and what the queries find in it. Returns the number of found pages. */
  async flush(progress: Progress = this.#progress): Promise<number> {
    const { store, clock } = this.#options;
    const found = this.#new.size > 0 ? await this.#search() : [];
    store.commit({ pages: this.#pages, gone: [...this.#gone], found, progress }, clock.now());
    this.#pages = new Map();
    this.#gone = new Set();
    this.#new = new Map();
    return found.reduce((sum, { pages }) => sum + pages.length, 0);
  }

  /** If an alias is new, makes its document new instead, unless that has a text of its own. */
  #move(alias: bigint, of: CanonicalUrl): void {
    const page = this.#new.get(alias);
    if (!page) return;
    this.#new.delete(alias);
    const key = fingerprint(of);
    const known = this.#pages.get(key) ?? this.#options.store.knownPage(key);
    if (this.#new.has(key) || (known && known.textKey !== textKeyOf(page.record))) return;
    this.#new.set(key, { ...page, record: { ...page.record, url: of } });
  }

  /** Returns true if the text is known from another URL: the page has moved, or is a copy. */
  #isElsewhere(textKey: bigint, key: bigint): boolean {
    for (const [other, page] of this.#pages) if (other !== key && page.textKey === textKey) return true;
    return this.#options.store.hasText(textKey, key);
  }

  async #search(): Promise<FoundStep['found']> {
    const { scratch, openSearcher, log } = this.#options;
    const { index, remove } = scratch();
    try {
      await indexPages(
        index,
        [...this.#new.values()].map(({ record }) => record),
        log,
      );
      const searcher = openSearcher(index);
      try {
        const found = [];
        for (const query of this.#queries)
          found.push({ query: query.id, pages: await this.#matches(searcher, query) });
        return found;
      } finally {
        searcher.close();
      }
    } finally {
      remove();
    }
  }

  async #matches(searcher: PageSearcher, { name, query, newOnly }: StandingQuery) {
    const { results, partial } = await searcher.search({ ...matchRequest(query), limit: this.#new.size });
    if (partial) throw new GyreError('late', `the standing query ${name} was not answered in time`);
    return results
      .map(({ url, title, snippet, fetchedAt }) => ({
        change: this.#new.get(fingerprint(url as CanonicalUrl))!.change,
        url,
        title: title.slice(0, MAX_TITLE).toWellFormed(),
        snippet: snippet.slice(0, MAX_SNIPPET).toWellFormed(),
        fetchedAt: Date.parse(fetchedAt),
      }))
      .filter(({ change }) => !newOnly || change === 'new')
      .sort((a, b) => a.fetchedAt - b.fetchedAt);
  }
}

/** The search for the pages that match a standing query: they have every word of it, as it was typed. */
export function matchRequest(query: string): SearchRequest {
  return { query, offset: 0, limit: 10, everyWord: true, asTyped: true };
}

function textKeyOf({ page: { title, text } }: PageRecord): bigint {
  return BigInt.asIntN(64, hash64(`${title}\n${text}`));
}
