/**
 * Computes the figures of the dashboard: once a second for all viewers, from the same sources as `/metrics`.
 *
 *   server context, request metrics, process   every second, also without viewers: the history of the charts
 *   crawl state, index, disk (`Dashboard`)     only while someone watches, because reading them costs more
 */
import type { Clock } from '../../../base/mod.ts';
import type { LiveSample, LiveSearches, LiveSnapshot, NamedCount } from '../../../web/mod.ts';
import type { RequestMetrics, SearchTimings } from '../../http/mod.ts';
import { indexStats, type ServerContext } from '../../server-context.ts';
import type { Dashboard } from './dashboard.ts';
import { quantileMs } from './quantile.ts';

const HISTORY = 600;
const WINDOW_MS = 60_000;
const MAX_NAMES = 12;

interface TimedTimings {
  at: number;
  timings: SearchTimings;
}

interface SamplerOptions {
  site: ServerContext;
  dashboard: Dashboard;
  requests: RequestMetrics;
  clock: Clock;
}

export class Sampler {
  readonly #options: SamplerOptions;
  #history: LiveSample[] = [];
  #timings: TimedTimings[] = [];

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  get history(): readonly LiveSample[] {
    return this.#history;
  }

  /** Adds a sample of the present moment to the history. */
  sample(): LiveSample {
    const { site, requests, clock } = this.#options;
    const at = clock.now();
    this.#timings.push({ at, timings: requests.searchTimings() });
    const first = this.#timings.findIndex((each) => each.at >= at - WINDOW_MS);
    this.#timings = this.#timings.slice(Math.max(0, first));
    const status = site.status();
    const { total, medianMs, p95Ms } = this.#searches();
    const sample = {
      at,
      pages: status?.pages ?? 0,
      bytes: status?.crawl?.bytes ?? 0,
      errors: status?.errors ?? 0,
      searches: total,
      queued: status?.queued ?? 0,
      docs: indexStats(site)?.docCount ?? 0,
      medianMs,
      p95Ms,
      usedBytes: process.memoryUsage.rss(),
    };
    this.#history = [...this.#history.slice(1 - HISTORY), sample];
    return sample;
  }

  snapshot(): LiveSnapshot {
    const { site, dashboard, clock } = this.#options;
    const { frontier, index, queries, disk } = dashboard.facts();
    return {
      at: clock.now(),
      crawl: crawlOf(site),
      frontier,
      index: index && { ...index, docs: indexStats(site)?.docCount ?? index.docs },
      searches: this.#searches(),
      queries,
      memory: { usedBytes: process.memoryUsage.rss(), limitBytes: dashboard.memoryLimitBytes },
      disk,
    };
  }

  /** Compares the counters of now with those of a minute ago. */
  #searches(): LiveSearches {
    const now = this.#options.requests.searchTimings();
    const before = this.#timings[0];
    const seconds = before ? Math.max(1, (this.#options.clock.now() - before.at) / 1000) : 1;
    const counts = now.counts.map((count, bucket) => count - (before?.timings.counts[bucket] ?? 0));
    const recent = counts.reduce((sum, count) => sum + count, 0);
    return {
      total: now.counts.reduce((sum, count) => sum + count, 0),
      perMinute: Math.round((recent / Math.max(seconds, 60)) * 60),
      medianMs: quantileMs(counts, now.boundsSeconds, 0.5),
      p95Ms: quantileMs(counts, now.boundsSeconds, 0.95),
    };
  }
}

function crawlOf(site: ServerContext): LiveSnapshot['crawl'] {
  const status = site.status();
  if (!status) return null;
  const { state, pages, queued, errors, crawl } = status;
  if (!crawl) return { state, pages, queued, errors, own: null };
  const { isStopped, bytes, activeHosts, underWay, statuses, failures } = crawl;
  const own = { bytes, activeHosts, underWay, statuses: byName(statuses), failures: mostFrequent(failures) };
  return { state: isStopped ? 'stopped' : state, pages, queued, errors, own };
}

function byName(counts: Readonly<Record<string, number>>): NamedCount[] {
  return Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
}

function mostFrequent(counts: Readonly<Record<string, number>>): NamedCount[] {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(MAX_NAMES).reduce((sum, [, count]) => sum + count, 0);
  return [...sorted.slice(0, MAX_NAMES), ...(rest > 0 ? [['others', rest] as const] : [])];
}
