/**
 * The measured rates of the capacity model. Each rate names its source, a program or data, so that it can be
 * measured again. "The real pages" are 90,988 pages of documentation sites, 1.1 GiB as received, crawled from a
 * server on the same machine; two cores of an AMD EPYC.
 */
export interface Rate {
  value: number;
  unit: string;
  source: string;
}

const REAL = 'the real pages';

export const RATES = {
  bodyBytes: rate(12_980, 'bytes/page', `${REAL}: 1.1 GiB`),
  crawlCpuMs: rate(1.09, 'ms/page', `gyre crawl of ${REAL}: 99 s of processor time`),
  buildCpuMs: rate(0.48, 'ms/page', `gyre build of ${REAL}: 44 s of processor time`),
  rankCpuMicros: rate(5.2, 'µs/link', `gyre rank of ${REAL}: 24 s of processor time for 4.6 million links`),
  linksPerPage: rate(50, 'links/page', `gyre rank of ${REAL}`),
  archiveBytes: rate(7_100, 'bytes/page', `archive/ of ${REAL}: 616 MiB`),
  journalBytes: rate(3_700, 'bytes/page', `journal/ of ${REAL}: 321 MiB`),
  indexBytes: rate(3_930, 'bytes/page', `index/ of ${REAL}: 341 MiB, without vectors`),
  newUrlsPerSecond: rate(48_000, 'URLs/s', 'scripts/services run postgresql -- node bench/cluster/main.ts'),
  commitsPerSecond: rate(1_600, 'pages/s', 'scripts/services run postgresql -- node bench/cluster/main.ts'),
  stateBytes: rate(610, 'bytes/page', `crawl.db of ${REAL}: 53 MiB, known URLs included`),
  queryCpuMs: rate(20, 'ms/query', 'one query over 90,000 pages, of 15 to 20 ms; npm run bench:query'),
  tileBytesPerLink: rate(4, 'bytes/link', 'docs/formats.md, graph file'),
  sliceBytesPerNode: rate(4, 'bytes/node', 'graph/parts/step-tasks.ts: the shares of all nodes are read'),
  iterationCpuNs: rate(
    1.1,
    'ns/link',
    'node bench/cluster/ranks-main.ts --edges 20000000: one worker, all tiles in memory',
  ),
} as const satisfies Record<string, Rate>;

/** Assumptions of the model, for figures that were not measured. */
export const ASSUMED = {
  pagesOfOneIndex: rate(
    90_000,
    'pages',
    'the size at which queries were measured; the time of a larger shard is taken as proportional',
  ),
  nodesPerPage: rate(5, 'nodes/page', 'linked URLs that are not crawled are nodes too'),
  iterations: rate(40, 'iterations', 'a ranking that starts with equal ranks'),
  revisitDays: rate(30, 'days', 'each page is fetched once in this time'),
  ranksPerRevisit: rate(4, 'rankings', 'rankings of the whole graph in that time'),
  newUrlsPerPage: rate(3, 'new URLs/page', 'most links of a page lead to known URLs'),
  utilization: rate(0.6, 'of a core', 'the rest is for failures, peaks and merging'),
  replicas: rate(2, 'replicas', 'of each index shard'),
  coresPerNode: rate(8, 'cores', 'a node'),
  memoryPerNode: rate(32, 'GB', 'a node'),
  cachedIndexShare: rate(0.1, 'of the index', 'in memory on search nodes'),
  primaryRows: rate(2e9, 'URLs', 'one PostgreSQL primary; its indexes then take about a terabyte'),
  coreHourDollars: rate(0.04, '$/core/h', 'virtual machines with 4 GB per core, rented for long'),
  objectDollars: rate(0.023, '$/GB/month', 'object storage'),
  diskDollars: rate(0.08, '$/GB/month', 'local disks of search nodes and databases'),
} as const satisfies Record<string, Rate>;

function rate(value: number, unit: string, source: string): Rate {
  return { value, unit, source };
}
