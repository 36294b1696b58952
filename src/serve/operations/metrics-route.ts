/** Serves /metrics: counters of the server, and the state of the index, the crawl and the process. */

import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../base/mod.ts';
import type { IndexStats } from '../../query/mod.ts';
import type { Guards } from '../guards/mod.ts';
import { type Gauge, type RequestMetrics, renderGauges } from '../http/mod.ts';
import { type CrawlFigures, indexStats, type ServerContext } from '../server-context.ts';

/** The content type of metrics. */
export const METRICS_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

export function metricsRoutes(
  server: FastifyInstance,
  site: ServerContext,
  clock: Clock,
  guards: Guards,
  requests: RequestMetrics,
): void {
  const startedAt = clock.now() - process.uptime() * 1000;
  server.addHook('onResponse', async (request, reply) => {
    requests.observe(request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
  });
  server.get('/metrics', (_request, reply) => {
    const gauges = [
      ...guards.gauges(),
      ...indexGauges(site),
      ...crawlGauges(site),
      ...processGauges(site.version, startedAt),
    ];
    return reply.type(METRICS_FORMAT).send(requests.render() + renderGauges(gauges));
  });
}

function indexGauges(site: ServerContext): Gauge[] {
  const stats = indexStats(site);
  if (!stats) return [];
  return [
    { name: 'gyre_index_documents', help: 'Live documents of the index.', value: stats.docCount },
    { name: 'gyre_index_segments', help: 'Segments of the index.', value: stats.segmentCount },
    { name: 'gyre_index_size_bytes', help: 'Size of the index.', value: stats.sizeBytes },
    ...cacheGauges(stats.cache),
  ];
}

function cacheGauges(cache: IndexStats['cache']): Gauge[] {
  if (!cache) return [];
  return [
    { name: 'gyre_answer_cache_hits_total', help: 'Search responses from the cache.', value: cache.hits },
    {
      name: 'gyre_answer_cache_misses_total',
      help: 'Search responses that were computed.',
      value: cache.misses,
    },
    {
      name: 'gyre_answer_cache_size_bytes',
      help: 'Memory of cached search responses.',
      value: cache.sizeBytes,
    },
  ];
}

function crawlGauges(site: ServerContext): Gauge[] {
  const status = site.status();
  if (!status) return [];
  return [
    { name: 'gyre_crawl_pages_total', help: 'Pages fetched.', value: status.pages },
    { name: 'gyre_crawl_errors_total', help: 'Fetches that failed.', value: status.errors },
    { name: 'gyre_crawl_queued', help: 'URLs known and not fetched yet.', value: status.queued },
    ...(status.crawl ? figureGauges(status.crawl) : []),
  ];
}

function figureGauges({ bytes, statuses, activeHosts, underWay }: CrawlFigures): Gauge[] {
  return [
    { name: 'gyre_crawl_bytes_total', help: 'Bytes of response bodies.', value: bytes },
    { name: 'gyre_crawl_hosts', help: 'Hosts with work in memory.', value: activeHosts },
    { name: 'gyre_crawl_in_flight', help: 'Hosts with a request in flight.', value: underWay },
    ...Object.entries(statuses).map(([status, value]) => ({
      name: 'gyre_crawl_responses_total',
      help: 'Responses by HTTP status.',
      value,
      labels: { status },
    })),
  ];
}

/** Returns the gauges of this process. `startedAt` is the time at which it was started. */
export function processGauges(version: string, startedAt: number): Gauge[] {
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  return [
    { name: 'gyre_build_info', help: 'Version of Gyre, as a label.', value: 1, labels: { version } },
    { name: 'process_start_time_seconds', help: 'Start time of the process.', value: startedAt / 1000 },
    { name: 'process_cpu_seconds_total', help: 'CPU time used.', value: (cpu.user + cpu.system) / 1e6 },
    { name: 'process_resident_memory_bytes', help: 'Resident memory of the process.', value: memory.rss },
    { name: 'nodejs_heap_used_bytes', help: 'JavaScript heap in use.', value: memory.heapUsed },
    { name: 'nodejs_external_bytes', help: 'Memory of buffers outside the heap.', value: memory.external },
  ];
}
