/**
 * Collects results and commits them to archive, journal and state in one step.
 *
 *   results -> encoded by the parser pool -> captures (durable)
 *           -> one transaction in the state -> frontier
 *
 * The transaction stores the mark of the captures (state/capture-store.ts). A crash before it leaves captures
 * that the next start drops, and URLs that are still ready. A crash after it loses nothing.
 */

import type { Clock } from '../base/mod.ts';
import type { AliasRecord, GoneRecord, JournalRecord } from '../journal/mod.ts';
import { type CanonicalUrl, fingerprint, originOf, type UrlRules } from '../url/mod.ts';
import type { CrawlLog, CrawlLogLine } from './crawl-log.ts';
import type { NearDuplicates } from './duplicates/mod.ts';
import type { Domains, HostQueue, Importance, SeenLog, SeenSet } from './frontier/mod.ts';
import type { LinkExchange } from './link-exchange.ts';
import {
  type EncodeOrder,
  type HeldResponse,
  type Links,
  type ResponseParser,
  urlsOf,
} from './parsing/mod.ts';
import type { PolitenessLedger } from './politeness-ledger.ts';
import type { RevisitSchedule } from './schedule/mod.ts';
import type {
  CaptureStore,
  ChangeHint,
  CommitReport,
  CrawlState,
  Discovered,
  FetchVerb,
  HostRow,
  MovedPage,
  PendingState,
  UrlResult,
} from './state/mod.ts';
import { saveTraps, type TrapDetectors } from './traps/mod.ts';

/** A parsed response and the records to write for it. */
export interface Disposition extends EncodeOrder {
  held: HeldResponse;
}

export interface Visited {
  host: HostQueue;
  result: UrlResult;
  disposition?: Disposition;
  /** Alias and gone records for other URLs that follow from this visit. */
  derivedRecords?: readonly (AliasRecord | GoneRecord)[];
  links?: Links;
  /** Number of the new sketch entry of the URL, or null. */
  sketch?: number | null;
  /**
   * True if a page fetched before has the same or nearly the same text. Such pages do not increase the budget of
   * their host.
   */
  isCopy?: boolean;
  /**
   * `released` is the content digest of the previous response, and `retired` its sketch entry, if the new response
   * replaces them.
   */
  released?: string;
  retired?: number;
  /** The target of a redirect of a page, which continues the history of the page. */
  moved?: MovedPage;
}

interface Pending {
  results: UrlResult[];
  owners: Map<bigint, HostQueue>;
  discovered: Discovered[];
  hosts: Map<string, HostRow>;
  kept: Map<HeldResponse, EncodeOrder>;
  records: JournalRecord[];
  hints: ChangeHint[];
  moved: MovedPage[];
  lines: CrawlLogLine[];
  /** Settles with the commit. */
  stored: PromiseWithResolvers<void>;
}

interface UnseenLink {
  url: CanonicalUrl;
  key: bigint;
  origin: string;
  verb: FetchVerb;
  relevance: { relevance?: number };
}

interface Committed extends CommitReport {
  results: UrlResult[];
  owners: Map<bigint, HostQueue>;
  /** The rows of the hosts as committed. */
  rows: Iterable<HostRow>;
}

interface RecorderOptions {
  state: CrawlState;
  parser: ResponseParser;
  captures: CaptureStore;
  exchange: LinkExchange;
  seen: SeenSet;
  seenLog: SeenLog;
  importance: Importance;
  near: NearDuplicates;
  traps: TrapDetectors;
  domains: Domains;
  findings: PendingState;
  urlRules: UrlRules;
  clock: Clock;
  crawlLog: CrawlLog;
  schedule: RevisitSchedule;
  ledger: PolitenessLedger;
  maxUrlsPerHost: number;
}

export class Recorder {
  readonly #options: RecorderOptions;
  #pending = emptyPending();
  /** The number of new links of each page whose links are being sent. */
  readonly #newLinks = new Map<CanonicalUrl, number>();
  #committing: Pending | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
    options.exchange.onReceived((links, source) => this.#received(links, source));
  }

  /** Number of results that wait for a commit. */
  get pendingCount(): number {
    return this.#pending.results.length + (this.#committing?.results.length ?? 0);
  }

  get hasPending(): boolean {
    const { results, discovered, hosts, kept, records } = this.#pending;
    const count = results.length + discovered.length + hosts.size + kept.size + records.length;
    return count > 0 || this.#options.findings.hasPending;
  }

  /** Resolves when everything that was recorded before the call is committed. Rejects if the commit fails. */
  async untilCommitted(): Promise<void> {
    if (this.hasPending) await this.#pending.stored.promise;
    else await this.#committing?.stored.promise;
  }

  get journalFiles(): number {
    return this.#options.captures.publishedFiles;
  }

  /**
   * Adds the result of a visit to the next commit. Before this call, call `discovered` with the links of the
   * page, so that no commit contains the page without its links.
   */
  visited(visited: Visited, line: CrawlLogLine): void {
    const { result, host, disposition: kept, derivedRecords: also = [], links, released, retired } = visited;
    const pending = this.#pending;
    pending.results.push(result);
    pending.owners.set(result.fingerprint, host);
    pending.lines.push(line);
    if (kept) pending.kept.set(kept.held, kept);
    if (visited.moved) pending.moved.push(visited.moved);
    if (released) this.#options.findings.releaseContent(released, line.url);
    if (retired !== undefined) this.#options.near.retire(retired);
    if (kept?.record) this.#options.findings.keepVerdict(result.fingerprint, kept.record);
    this.addDerivedRecords(also);
    if (!links) return;
    this.#options.importance.handOn(result.fingerprint, links.fingerprints);
    this.#options.domains.linked(line.url, links);
  }

  /** Adds records that were derived from other records. They are written after the records of responses. */
  addDerivedRecords(records: readonly (AliasRecord | GoneRecord)[]): void {
    for (const record of records) {
      this.#pending.records.push(record);
      this.#options.findings.keepVerdict(fingerprint(record.url), record);
    }
  }

  /** Drops a parsed response: it is written to neither archive nor journal. */
  discard(held: HeldResponse): void {
    this.#pending.kept.set(held, { duplicateOf: null, record: 'drop' });
  }

  /** Adds a parsed response to the archive, but not to the journal. */
  archived(held: HeldResponse): void {
    this.#pending.kept.set(held, { duplicateOf: null, record: null });
  }

  logged(line: CrawlLogLine): void {
    this.#pending.lines.push(line);
  }

  /**
   * Sends links to the owners of their hosts. Returns the number of links of `source` that lead to new URLs of its own
   * domain.
   */
  async discovered(links: Links, source: CanonicalUrl | null): Promise<number> {
    if (source !== null) this.#newLinks.set(source, 0);
    await this.#options.exchange.send(links, source);
    if (source === null) return 0;
    const count = this.#newLinks.get(source) ?? 0;
    this.#newLinks.delete(source);
    return count;
  }

  /** Adds what a sitemap or feed says about changes of pages to the next commit. */
  hinted(hints: readonly ChangeHint[]): void {
    this.#pending.hints.push(...hints);
  }

  /**
   * Queues links that are new. A link into a trap is not queued; if the trap detector returns a replacement URL, this
   * is queued instead.
   */
  async #received(links: Links, source: CanonicalUrl | null): Promise<void> {
    const { seen, traps, domains } = this.#options;
    const { depth } = links;
    const from = source === null ? '' : originOf(source);
    this.#options.importance.foundRelevant(links);
    const unseen = this.#unseenOf(links);
    const strange = unseen.filter(({ origin }) => !traps.has(origin));
    if (strange.length > 0) await traps.load(new Set(strange.map(({ origin }) => origin)));
    for (const { url, key, origin, verb, relevance } of unseen) {
      // Another page with the same link may have been recorded during the last await.
      if (seen.has(key)) continue;
      const isOwn = source === null || origin === from || domains.nameOf(origin) === domains.nameOf(from);
      const linking = isOwn ? {} : { from };
      const { trap, replacementUrl: instead } = traps.of(origin).discovered(url, source);
      if (!trap && isOwn) this.#countNew(source);
      if (!trap) this.#takeUp({ url, fingerprint: key, depth, verb, ...relevance, ...linking });
      else if (instead) this.#takeUpReplacement(instead, { depth, ...relevance, ...linking });
    }
  }

  /** Counts a new link of a page, unless the page is of another node. */
  #countNew(source: CanonicalUrl | null): void {
    const count = source === null ? undefined : this.#newLinks.get(source);
    if (source !== null && count !== undefined) this.#newLinks.set(source, count + 1);
  }

  #takeUpReplacement(
    replacement: CanonicalUrl,
    rest: Pick<Discovered, 'depth' | 'from' | 'relevance'>,
  ): void {
    const { verb, url } = this.#options.urlRules.decide(replacement, rest.depth);
    if (verb !== 'ignore') this.#takeUp({ ...rest, url, fingerprint: fingerprint(url), verb });
  }

  #unseenOf({ urls, fingerprints, followOnly, relevances }: Links): UnseenLink[] {
    const unseen: UnseenLink[] = [];
    const isFollowOnly = new Set(followOnly);
    let list: CanonicalUrl[] | null = null;
    for (let at = 0; at < fingerprints.length; at++) {
      const key = fingerprints[at]!;
      if (this.#options.seen.has(key)) continue;
      list ??= urlsOf(urls);
      const url = list[at]!;
      const verb = isFollowOnly.has(at) ? 'follow' : 'index';
      const relevance = relevances ? { relevance: relevances[at]! } : {};
      unseen.push({ url, key, origin: originOf(url), verb, relevance });
    }
    return unseen;
  }

  #takeUp(found: Discovered): void {
    const { seen, seenLog } = this.#options;
    if (!seen.add(found.fingerprint)) return;
    seenLog.append(found.fingerprint);
    this.#pending.discovered.push(found);
  }

  /** Adds the row of a host to the next commit; `row` must not change afterwards. */
  hostChanged(row: HostRow): void {
    this.#pending.hosts.set(row.origin, row);
  }

  /**
   * Commits all pending results. Only one commit may run at a time. With `isLast`, also writes data that is otherwise
   * collected for a later commit, such as the domains that link to each other.
   */
  async commit(isLast = false): Promise<Committed> {
    const batch = this.#pending;
    this.#committing = batch;
    this.#pending = emptyPending();
    // A failure reaches the caller. Without this handler it would also end the process if `untilCommitted` was not called.
    batch.stored.promise.catch(() => {});
    try {
      const report = await this.#store(batch, isLast);
      batch.stored.resolve();
      return { ...report, results: batch.results, owners: batch.owners, rows: batch.hosts.values() };
    } catch (error) {
      batch.stored.reject(error);
      throw error;
    }
  }

  /** Stores a batch in captures and state. */
  async #store(batch: Pending, isLast: boolean): Promise<CommitReport> {
    const { state, parser, captures, exchange, seenLog, near, domains, findings, schedule, maxUrlsPerHost } =
      this.#options;
    saveTraps(this.#options.traps, findings, this.#options.clock.now());
    const learned = findings.take();
    const domainLinks = domains.takeLinks(isLast);
    // Both flushes start before the first await, so that they contain no data of the next commit.
    const logs = Promise.all([seenLog.flush(), near.flush()]);
    // A failure is thrown below. Without this handler it would end the process if it came while `encode` is awaited.
    logs.catch(() => {});
    for (const encoded of await parser.encode(batch.kept, captures.compression)) captures.write(encoded);
    for (const record of batch.records) captures.record(record);
    const [mark, [seenMark, sketches]] = await Promise.all([captures.seal(), logs, exchange.flush()]);
    const report = await state.commit({
      results: batch.results,
      discovered: batch.discovered,
      hosts: [...batch.hosts.values()],
      ...learned,
      hints: batch.hints,
      moved: batch.moved,
      schedule: schedule.save(isLast) ?? undefined,
      maxUrlsPerHost,
      hostBudget: domains.hostBudget,
      domainLinks,
      ...mark,
      ...seenMark,
      sketches,
      committedAt: this.#options.clock.now(),
    });
    this.#committing = null;
    findings.committed();
    captures.committed();
    await seenLog.spillIfFull();
    const { crawlLog, ledger } = this.#options;
    crawlLog.write(batch.lines);
    ledger.requested(batch.lines);
    ledger.flush();
    return report;
  }

  /**
   * Finishes the current journal file so that the next stages can read it. Call only directly after a commit.
   */
  rotateJournal(): void {
    this.#options.captures.publish();
  }

  close(): void {
    this.#options.captures.close();
    this.#options.seenLog.close();
    this.#options.crawlLog.close();
    this.#options.ledger.close();
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
    hints: [],
    moved: [],
    lines: [],
    stored: Promise.withResolvers<void>(),
  };
}
