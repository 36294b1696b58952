/** Test fixture: a frontier with a real crawl state and a clock that the test sets. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { WARC_START } from '../../archive/mod.ts';
import { openDirectory } from '../../base/mod.ts';
import { JOURNAL_START } from '../../journal/mod.ts';
import { canonicalize, fingerprint } from '../../url/mod.ts';
import type { CrawlState, HostRow, UrlResult, UrlState } from '../state/crawl-state.ts';
import type { SiteIcon } from '../state/site-icon.ts';
import { openCrawlState } from '../state/sqlite/sqlite-state.ts';
import { Frontier } from './frontier.ts';
import { HostGroups } from './host-groups.ts';
import type { HostQueue } from './host-queue.ts';
import { Importance } from './importance.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-frontier-'));
after(() => rmSync(root, { recursive: true }));
let directories = 0;

export class World {
  time = 1_000_000;
  readonly state: CrawlState;
  readonly importance = new Importance();
  readonly frontier: Frontier;

  constructor(name = String(++directories), workingHosts = 5000) {
    this.state = openCrawlState(openDirectory(join(root, name)));
    this.frontier = new Frontier({
      state: this.state,
      importance: this.importance,
      hostGroups: new HostGroups({ addressDelayMs: 0, groups: [], clock: { now: () => this.time } }),
      clock: { now: () => this.time },
      workingHosts,
    });
  }

  async discover(...raws: string[]): Promise<void> {
    const { added } = await this.#commit([], raws);
    await this.frontier.added(added);
  }

  /** Fetches the next URL of a leased host, commits the given result, and releases the host. */
  async finish(host: HostQueue, state: UrlState, nextFetchAt = this.time): Promise<string> {
    host.responded(0, nextFetchAt);
    return this.#finish(host, state);
  }

  /** Fetches the next URL of a leased host with this result, and parks the host. */
  async park(host: HostQueue, state: UrlState, untilMs: number): Promise<string> {
    const failure = { code: 'http-status' as const, status: 503 };
    host.park({ code: 'failed', request: 'page', failure }, untilMs);
    return this.#finish(host, state);
  }

  async #finish(host: HostQueue, state: UrlState): Promise<string> {
    const ready = host.take()!;
    const result = {
      fingerprint: ready.fingerprint,
      state,
      attempts: 1,
      status: 200,
      reason: { code: 'page' as const },
      fetchedAt: 0,
    };
    this.frontier.release(host);
    const rows = [host.snapshot()];
    await this.#commit([result], [], rows);
    this.frontier.committed([result], new Map([[ready.fingerprint, host]]), rows);
    return ready.url;
  }

  /** Stores the icon state of a leased host, releases the host, and commits. */
  async settleIcon(host: HostQueue, icon: SiteIcon): Promise<void> {
    host.keepIcon(icon);
    this.frontier.release(host);
    await this.commitRow(host);
  }

  async commitRow(host: HostQueue): Promise<void> {
    const rows = [host.snapshot()];
    await this.#commit([], [], rows);
    this.frontier.committed([], new Map(), rows);
  }

  /** Adds links from pages of another host to these URLs. */
  link(...raws: string[]): void {
    for (const raw of raws) this.importance.handOn(0n, BigInt64Array.of(fingerprint(canonicalize(raw)!)));
  }

  async lease(): Promise<HostQueue> {
    const next = await this.frontier.next();
    assert.ok(next.kind === 'lease', next.kind);
    return next.host;
  }

  #commit(results: UrlResult[], raws: string[], hosts: HostRow[] = []) {
    const discovered = raws.map((raw) => {
      const url = canonicalize(raw)!;
      return { url, fingerprint: fingerprint(url), depth: 0 };
    });
    const marks = { warc: WARC_START, journal: JOURNAL_START, seenBytes: 0, sketches: 0 };
    return this.state.commit({
      results,
      discovered,
      hosts,
      contents: new Map(),
      maxUrlsPerHost: 1e6,
      ...marks,
    });
  }
}
