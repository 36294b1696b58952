/**
 * Gathers what happened and makes it true in one step: archive, journal and state.
 *
 *   results -> encoded by the reader threads -> WARC and journal (appended, synced)
 *           -> one transaction in the state -> frontier
 *
 * The transaction carries the lengths of WARC and journal, so a crash before it leaves bytes that
 * the next start cuts off, and URLs that are still ready; a crash after it loses nothing.
 */
import type { AliasRecord, GoneRecord, JournalRecord, JournalWriter, WarcWriter } from '../archive/mod.ts';
import { type Clock, freeBytes } from '../base/mod.ts';
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
import type { Findings } from './findings.ts';
import type { HostQueue } from './host-queue.ts';
import type { Importance } from './importance.ts';
import type { Verdict } from './reader-messages.ts';
import type { Readers, Ticket } from './readers.ts';
import { type Links, urlsOf } from './reading.ts';
import type { SeenLog, SeenSet } from './seen-set.ts';
import { saveTraps } from './trap-notes.ts';
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
  /** Records that follow from it, without an answer of their own. */
  also?: readonly (AliasRecord | GoneRecord)[];
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
  kept: Map<Ticket, Omit<Kept, 'ticket'>>;
  records: JournalRecord[];
  contents: Map<string, ContentOwner>;
  released: Map<string, CanonicalUrl>;
  lines: CrawlLogLine[];
}

export interface Committed extends CommitReport {
  results: UrlResult[];
  owners: Map<bigint, HostQueue>;
  /** The rows of the hosts as they are on disk now. */
  rows: Iterable<HostRow>;
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
  findings: Findings;
  clock: Clock;
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
    const { results, discovered, hosts, kept, records } = this.#pending;
    const count = results.length + discovered.length + hosts.size + kept.size + records.length;
    return count > 0 || this.#options.findings.hasPending;
  }

  /** How many journal files are finished. */
  get journalFiles(): number {
    return this.#options.journal.mark.file - 1;
  }

  visited(visited: Visited, line: CrawlLogLine): void {
    const { result, host, kept, also = [], links, released, retired } = visited;
    const pending = this.#pending;
    pending.results.push(result);
    pending.owners.set(result.fingerprint, host);
    pending.lines.push(line);
    if (kept) pending.kept.set(kept.ticket, kept);
    if (released) pending.released.set(released, line.url);
    if (retired !== undefined) this.#options.near.retire(retired);
    if (kept?.record) this.#options.findings.keepVerdict(result.fingerprint, kept.record);
    this.follows(also);
    if (!links) return;
    this.discovered(links, line.url);
    this.#options.importance.handOn(result.fingerprint, links.fingerprints);
  }

  /** Records that follow from what is known by now; they come after those of answers. */
  follows(records: readonly (AliasRecord | GoneRecord)[]): void {
    for (const record of records) {
      this.#pending.records.push(record);
      this.#options.findings.keepVerdict(fingerprint(record.url), record);
    }
  }

  /** The answer is of no further use. */
  released(ticket: Ticket): void {
    this.#pending.kept.set(ticket, { duplicateOf: null, record: 'drop' });
  }

  /** The answer is for the archive alone. */
  archived(ticket: Ticket): void {
    this.#pending.kept.set(ticket, { duplicateOf: null, record: null });
  }

  logged(line: CrawlLogLine): void {
    this.#pending.lines.push(line);
  }

  /**
   * Takes up the links that are new. One that leads into a trap is not taken up; where there is an address to
   * visit in its place, that is.
   */
  discovered({ urls, fingerprints, depth }: Links, source: CanonicalUrl | null): void {
    const { seen, traps } = this.#options;
    const from = source === null ? '' : originOf(source);
    let list: CanonicalUrl[] | null = null;
    for (let at = 0; at < fingerprints.length; at++) {
      const key = fingerprints[at]!;
      if (seen.has(key)) continue;
      list ??= urlsOf(urls);
      const url = list[at]!;
      const origin = originOf(url);
      const linking = source === null || origin === from ? {} : { from };
      const { trap, instead } = traps.of(origin).discovered(url, source);
      if (!trap) this.#takeUp({ url, fingerprint: key, depth, ...linking });
      else if (instead) this.#takeUp({ url: instead, fingerprint: fingerprint(instead), depth, ...linking });
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
    saveTraps(this.#options.traps, this.#options.findings, this.#options.clock.now());
    const findings = this.#options.findings.take();
    // Begun before anything is waited for: they hold what belongs to this batch, and nothing later.
    const logs = Promise.all([seenLog.flush(), near.flush()]);
    for (const written of await readers.write(batch.kept, archive.compression)) {
      archive.write(written.archive);
      freeBytes(written.archive.bytes);
      for (const frame of written.journal) {
        log.write(frame);
        freeBytes(frame.payload);
      }
    }
    for (const record of batch.records) log.append(record);
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
      findings,
    });
    this.#committing = null;
    archive.rotateIfLarge();
    this.#options.crawlLog.write(batch.lines);
    return { ...report, results: batch.results, owners: batch.owners, rows: batch.hosts.values() };
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
    records: [],
    contents: new Map(),
    released: new Map(),
    lines: [],
  };
}
