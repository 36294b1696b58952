/**
 * Runs a crawl without fetching: the real frontier, recorder, seen set and state, stored on disk as usual, on
 * the generated web of growing-web.ts. HTTP, parsing and the archive are left out, because their cost does
 * not depend on the number of known URLs.
 */
import { join } from 'node:path';
import { openDirectory, Random, silentLog, systemClock } from '../../src/base/mod.ts';
import { CrawlLog } from '../../src/crawl/crawl-log.ts';
import { PolitenessLedger } from '../../src/crawl/politeness-ledger.ts';
import { NEAR_DUPLICATE_DEFAULTS, NearDuplicates } from '../../src/crawl/duplicates/near-duplicates.ts';
import { Domains } from '../../src/crawl/frontier/domains.ts';
import { Frontier } from '../../src/crawl/frontier/frontier.ts';
import { HostGroups } from '../../src/crawl/frontier/host-groups.ts';
import { Importance } from '../../src/crawl/frontier/importance.ts';
import { SeenLog } from '../../src/crawl/frontier/seen-log.ts';
import { SeenSet } from '../../src/crawl/frontier/seen-set.ts';
import { DirectLinkExchange } from '../../src/crawl/link-exchange.ts';
import { type CrawlState, openCrawlState } from '../../src/crawl/mod.ts';
import { linksTo } from '../../src/crawl/parsing/read-response.ts';
import { ResponseParser } from '../../src/crawl/parsing/response-parser.ts';
import { Recorder } from '../../src/crawl/recorder.ts';
import { RevisitSchedule } from '../../src/crawl/schedule/mod.ts';
import { openCaptureStore } from '../../src/crawl/state/capture-store.ts';
import { openMarks } from '../../src/crawl/state/commit-marks.ts';
import type { UrlResult } from '../../src/crawl/state/crawl-state.ts';
import { PendingState } from '../../src/crawl/state/pending-state.ts';
import { BUDGET_DEFAULTS } from '../../src/crawl/traps/host-budget.ts';
import { openTraps } from '../../src/crawl/traps/trap-notes.ts';
import { PLAIN_READING } from '../../src/page/plain-reading.fixture.ts';
import { createScope, createUrlRules, type UrlRulesPlan } from '../../src/url/mod.ts';
import { linksOf, seeds } from './growing-web.ts';

/** The number of fetch results per commit, the same as in `crawler.ts`. */
const COMMIT_RESULTS = 256;

export class FrontierCrawl {
  readonly #state: CrawlState;
  readonly #recorder: Recorder;
  readonly #frontier: Frontier;
  readonly #seen: SeenSet;
  readonly #random = new Random(1);

  static async open(path: string): Promise<FrontierCrawl> {
    const directory = openDirectory(path);
    const archive = openDirectory(join(path, 'archive'));
    const journal = openDirectory(join(path, 'journal'));
    const state = openCrawlState(directory);
    const marks = await openMarks(state, [archive, journal]);
    const seen = new SeenSet();
    const importance = new Importance();
    const hostGroups = new HostGroups({ addressDelayMs: 0, groups: [], clock: systemClock });
    const domains = new Domains({ state, clock: systemClock, budget: BUDGET_DEFAULTS, domains: [] });
    const frontier = new Frontier({
      state,
      importance,
      hostGroups,
      domains,
      clock: systemClock,
    });
    const findings = new PendingState(state);
    const recorder = new Recorder({
      state,
      findings,
      urlRules: createUrlRules({}, createScope('web', [], [])),
      clock: systemClock,
      importance,
      schedule: new RevisitSchedule({
        ...{ firstMs: 1e9, minMs: 1e9, maxMs: 1e9, visitsPerDay: 1, policies: [] },
        ...{ notes: findings, clock: systemClock },
      }),
      seen,
      // A parser without threads, because no page is parsed.
      parser: new ResponseParser({
        urlRules: {} as UrlRulesPlan,
        maxBodyBytes: 0,
        heapBytes: 512 * 1024 * 1024,
        threads: 0,
        reading: PLAIN_READING,
        limitMs: 0,
        log: silentLog,
      }),
      seenLog: await SeenLog.open(directory, marks, seen),
      exchange: new DirectLinkExchange(),
      captures: openCaptureStore(
        { archive, journal, rotateBytes: 1e9, software: 'bench', clock: systemClock, compression: 'gzip' },
        marks,
      ),
      near: new NearDuplicates(directory.directory('dedup'), marks.sketches, NEAR_DUPLICATE_DEFAULTS),
      traps: openTraps(systemClock, findings),
      domains,
      crawlLog: new CrawlLog(directory, 64 * 1024 * 1024),
      ledger: new PolitenessLedger(directory, systemClock),
      maxUrlsPerHost: 1e6,
    });
    await frontier.resume(0);
    return new FrontierCrawl(state, recorder, frontier, seen);
  }

  private constructor(state: CrawlState, recorder: Recorder, frontier: Frontier, seen: SeenSet) {
    this.#state = state;
    this.#recorder = recorder;
    this.#frontier = frontier;
    this.#seen = seen;
  }

  get knownCount(): number {
    return this.#seen.size;
  }

  get heldHosts(): number {
    return this.#frontier.heldCount;
  }

  async seed(): Promise<void> {
    await this.#recorder.discovered(linksTo(seeds(), 0), null);
    await this.#commit();
  }

  /** Resolves with true if a host is ready for a request. A restarted crawl waits for this. */
  async isReady(): Promise<boolean> {
    return (await this.#frontier.next()).kind === 'lease';
  }

  /** Visits pages until `isEnough` returns true, and commits the last results. */
  async visit(isRich: boolean, isEnough: (visited: number) => boolean): Promise<number> {
    let visited = 0;
    while (!isEnough(visited)) {
      const next = await this.#frontier.next();
      if (next.kind === 'lease') {
        await this.#visitHost(next.host, isRich);
        visited++;
      }
      if (next.kind !== 'lease' || this.#recorder.pendingCount >= COMMIT_RESULTS) await this.#commit();
    }
    await this.#commit();
    return visited;
  }

  close(): void {
    this.#recorder.close();
    this.#state.close();
  }

  async #visitHost(
    host: Extract<Awaited<ReturnType<Frontier['next']>>, { kind: 'lease' }>['host'],
    isRich: boolean,
  ): Promise<void> {
    const ready = host.take()!;
    const links = linksTo(linksOf(ready.url, isRich, this.#random), ready.depth + 1);
    const fetchedAt = systemClock.now();
    const result: UrlResult = {
      fingerprint: ready.fingerprint,
      state: 'done',
      attempts: 0,
      status: 200,
      reason: { code: 'page' },
      fetchedAt,
    };
    const { url } = ready;
    await this.#recorder.discovered(links, url);
    this.#recorder.visited(
      { host, result, links },
      { time: '', url, status: 200, state: 'done', reason: 'page', bytes: 0, ms: 0 },
    );
    host.responded(0, fetchedAt);
    host.pageRequested();
    this.#recorder.hostChanged(host.snapshot());
    this.#frontier.release(host);
  }

  async #commit(): Promise<void> {
    const { results, owners, rows, added } = await this.#recorder.commit();
    this.#frontier.committed(results, owners, rows);
    await this.#frontier.added(added);
  }
}
