/**
 * Gathers what happened and makes it true in one step: archive, journal and state.
 *
 *   results -> WARC and journal (appended, synced) -> one transaction in the state -> frontier
 *
 * The transaction carries the lengths of WARC and journal, so a crash before it leaves bytes that
 * the next start cuts off, and URLs that are still ready; a crash after it loses nothing.
 */
import type { Capture, JournalRecord, JournalWriter, WarcWriter } from '../archive/mod.ts';
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
import type { SeenLog, SeenSet } from './seen-set.ts';
import type { TrapDetectors } from './traps/mod.ts';

/** A link to follow, known or not. */
export interface FoundLink {
  url: CanonicalUrl;
  depth: number;
}

/** What one visit to a URL leaves behind. */
export interface Visited {
  host: HostQueue;
  result: UrlResult;
  capture?: Capture;
  record?: JournalRecord;
  links?: FoundLink[];
}

interface Pending {
  results: UrlResult[];
  owners: Map<bigint, HostQueue>;
  discovered: Discovered[];
  hosts: Map<string, HostRow>;
  captures: Capture[];
  records: JournalRecord[];
  contents: Map<string, ContentOwner>;
  lines: CrawlLogLine[];
}

export interface Committed extends CommitReport {
  results: UrlResult[];
  owners: Map<bigint, HostQueue>;
}

export interface RecorderOptions {
  state: CrawlState;
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

  visited(visited: Visited, line: CrawlLogLine): void {
    const pending = this.#pending;
    pending.results.push(visited.result);
    pending.owners.set(visited.result.fingerprint, visited.host);
    pending.lines.push(line);
    if (visited.capture) pending.captures.push(visited.capture);
    if (visited.record) pending.records.push(visited.record);
    if (visited.links) {
      const source = visited.capture?.url as CanonicalUrl | undefined;
      const fingerprints = this.discovered(visited.links, source ?? null);
      this.#options.importance.countLinks(fingerprints);
    }
  }

  /**
   * Takes up the links that are new, and returns the fingerprints of all. One that leads into a trap is
   * not taken up; where there is an address to visit in its place, that is.
   */
  discovered(links: readonly FoundLink[], source: CanonicalUrl | null): bigint[] {
    return links.map((link) => {
      const key = fingerprint(link.url);
      if (this.#options.seen.has(key)) return key;
      const { trap, instead } = this.#options.traps.of(originOf(link.url)).discovered(link.url, source);
      if (!trap) this.#takeUp(link, key);
      else if (instead) this.#takeUp({ ...link, url: instead }, fingerprint(instead));
      return key;
    });
  }

  #takeUp({ url, depth }: FoundLink, key: bigint): void {
    const { seen, seenLog } = this.#options;
    if (!seen.add(key)) return;
    seenLog.append(key);
    this.#pending.discovered.push({ url, fingerprint: key, depth });
  }

  hostChanged(row: HostRow): void {
    this.#pending.hosts.set(row.origin, { ...row });
  }

  /** The first URL with this content, committed or about to be; null if that is now `claimant`. */
  async claimContent(digest: string, claimant: ContentOwner): Promise<ContentOwner | null> {
    const pending = () => this.#pending.contents.get(digest) ?? this.#committing?.contents.get(digest);
    const committed = pending() ?? (await this.#options.state.contentOwner(digest));
    const owner = pending() ?? committed;
    if (!owner) this.#pending.contents.set(digest, claimant);
    return owner ?? null;
  }

  /** One commit at a time: the caller waits for the last before it asks for the next. */
  async commit(): Promise<Committed> {
    const batch = this.#pending;
    this.#committing = batch;
    this.#pending = emptyPending();
    const { state, warc: archive, journal: log, seenLog, near, maxUrlsPerHost } = this.#options;
    for (const capture of batch.captures) archive.append(capture);
    for (const record of batch.records) log.append(record);
    const files = [archive.flush(), log.flush(), seenLog.flush(), near.flush()] as const;
    const [warc, journal, seenBytes, sketches] = await Promise.all(files);
    const report = await state.commit({
      results: batch.results,
      discovered: batch.discovered,
      hosts: [...batch.hosts.values()],
      contents: batch.contents,
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
    captures: [],
    records: [],
    contents: new Map(),
    lines: [],
  };
}
