/**
 * Gathers what happened and makes it true in one step: archive, journal and state.
 *
 *   results -> encoded by the reader threads -> WARC and journal (appended, synced)
 *           -> one transaction in the state -> frontier
 *
 * The transaction carries the lengths of WARC and journal, so a crash before it leaves bytes that
 * the next start cuts off, and URLs that are still ready; a crash after it loses nothing.
 */
import type { JournalWriter, WarcWriter } from '../archive/mod.ts';
import { type CanonicalUrl, fingerprint, originOf } from '../url/mod.ts';
import type { CrawlLog, CrawlLogLine } from './crawl-log.ts';
import type {
  CommitReport,
  ContentOwner,
  CrawlState,
  Discovered,
  HostRow,
  UrlResult,
} from './crawl-state.ts';
import type { NearDuplicates } from './dedup/mod.ts';
import type { HostQueue } from './frontier.ts';
import type { Importance } from './importance.ts';
import type { Verdict } from './reader-messages.ts';
import type { Readers, Ticket } from './readers.ts';
import { type Links, urlsOf } from './reading.ts';
import type { SeenLog, SeenSet } from './seen-set.ts';
import type { TrapDetectors } from './traps/mod.ts';

/** An answer that a reader thread holds, and what is to become of it. */
export interface Kept extends Omit<Verdict, 'id'> {
  ticket: Ticket;
}

/** What one visit to a URL leaves behind. */
export interface Visited {
  host: HostQueue;
  result: UrlResult;
  kept?: Kept;
  links?: Links;
  /** Its new entry among the sketches. */
  sketch?: number | null;
  /** What the URL had before and has no longer: a content, an entry among the sketches. */
  released?: string;
  retired?: number;
}

interface Pending {
  results: UrlResult[];
  owners: Map<bigint, HostQueue>;
  discovered: Discovered[];
  hosts: Map<string, HostRow>;
  kept: Map<Ticket, Kept>;
  contents: Map<string, ContentOwner>;
  released: Map<string, CanonicalUrl>;
  lines: CrawlLogLine[];
}

export interface Committed extends CommitReport {
  results: UrlResult[];
  owners: Map<bigint, HostQueue>;
}

export interface RecorderOptions {
  state: CrawlState;
  readers: Readers;
  warc: WarcWriter;
  journal: JournalWriter;
  seen: SeenSet;
  seenLog: SeenLog;
  importance: Importance;
  near: NearDuplicates;
  traps: TrapDetectors;
  crawlLog: CrawlLog;
  maxUrlsPerHost: number;
}

export class Recorder {
  readonly #options: RecorderOptions;
  #pending = emptyPending();
  #committing: Pending | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** How many results wait for a commit. */
  get pendingCount(): number {
    return this.#pending.results.length + (this.#committing?.results.length ?? 0);
  }

  get hasPending(): boolean {
    const { results, discovered, hosts } = this.#pending;
    return results.length + discovered.length + hosts.size > 0;
  }

  /** How many journal files are finished. */
  get journalFiles(): number {
    return this.#options.journal.mark.file - 1;
  }

  visited({ result, host, kept, links, released, retired }: Visited, line: CrawlLogLine): void {
    const pending = this.#pending;
    pending.results.push(result);
    pending.owners.set(result.fingerprint, host);
    pending.lines.push(line);
    if (kept) pending.kept.set(kept.ticket, kept);
    if (released) pending.released.set(released, line.url);
    if (retired !== undefined) this.#options.near.retire(retired);
    if (!links) return;
    this.discovered(links, line.url);
    this.#options.importance.countLinks(links.fingerprints);
  }

  /**
   * Takes up the links that are new. One that leads into a trap is not taken up; where there is an address to
   * visit in its place, that is.
   */
  discovered({ urls, fingerprints, depth }: Links, source: CanonicalUrl | null): void {
    const { seen, traps } = this.#options;
    let list: CanonicalUrl[] | null = null;
    for (let at = 0; at < fingerprints.length; at++) {
      const key = fingerprints[at]!;
      if (seen.has(key)) continue;
      list ??= urlsOf(urls);
      const url = list[at]!;
      const { trap, instead } = traps.of(originOf(url)).discovered(url, source);
      if (!trap) this.#takeUp({ url, fingerprint: key, depth });
      else if (instead) this.#takeUp({ url: instead, fingerprint: fingerprint(instead), depth });
    }
  }

  #takeUp(found: Discovered): void {
    const { seen, seenLog } = this.#options;
    if (!seen.add(found.fingerprint)) return;
    seenLog.append(found.fingerprint);
    this.#pending.discovered.push(found);
  }

  hostChanged(row: HostRow): void {
    this.#pending.hosts.set(row.origin, { ...row });
  }

  /** The first URL with this content, committed or about to be; null if that is now `claimant`. */
  async claimContent(digest: string, claimant: ContentOwner): Promise<ContentOwner | null> {
    const pending = () => this.#pending.contents.get(digest) ?? this.#committing?.contents.get(digest);
    const committed = pending() ?? (await this.#options.state.contentOwner(digest));
    const owner = pending() ?? (committed && this.#isReleased(digest, committed) ? null : committed);
    if (!owner) this.#pending.contents.set(digest, claimant);
    return owner ?? null;
  }

  #isReleased(digest: string, { url }: ContentOwner): boolean {
    return [this.#pending, this.#committing].some((batch) => batch?.released.get(digest) === url);
  }

  /** One commit at a time: the caller waits for the last before it asks for the next. */
  async commit(): Promise<Committed> {
    const batch = this.#pending;
    this.#committing = batch;
    this.#pending = emptyPending();
    const { state, readers, warc: archive, journal: log, seenLog, near, maxUrlsPerHost } = this.#options;
    // Begun before anything is waited for: they hold what belongs to this batch, and nothing later.
    const logs = Promise.all([seenLog.flush(), near.flush()]);
    for (const written of await readers.write(batch.kept, archive.compression)) {
      archive.write(written.archive);
      for (const frame of written.journal) log.write(frame);
    }
    const [warc, journal, [seenBytes, sketches]] = await Promise.all([archive.flush(), log.flush(), logs]);
    const report = await state.commit({
      results: batch.results,
      discovered: batch.discovered,
      hosts: [...batch.hosts.values()],
      contents: batch.contents,
      released: batch.released,
      maxUrlsPerHost,
      warc,
      journal,
      seenBytes,
      sketches,
    });
    this.#committing = null;
    archive.rotateIfLarge();
    this.#options.crawlLog.write(batch.lines);
    return { ...report, results: batch.results, owners: batch.owners };
  }

  /** Hands the journal so far to the stages that follow. Only right after a commit. */
  rotateJournal(): void {
    this.#options.journal.rotate();
  }

  close(): void {
    this.#options.readers.close();
    this.#options.warc.close();
    this.#options.journal.close();
    this.#options.seenLog.close();
    this.#options.crawlLog.close();
    this.#options.near.close();
  }
}

function emptyPending(): Pending {
  return {
    results: [],
    owners: new Map(),
    discovered: [],
    hosts: new Map(),
    kept: new Map(),
    contents: new Map(),
    released: new Map(),
    lines: [],
  };
}
