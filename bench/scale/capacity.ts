/**
 * The capacity model: what a cluster needs for a number of pages, from measured rates. Every result is
 * proportional to the measured rates; effects that were not measured are not included.
 */
import { VNODES } from '../../src/url/partition.ts';
import { ASSUMED, RATES } from './rates.ts';

export interface Demand {
  name: string;
  pages: number;
  queriesPerSecond: number;
}

export interface Capacity {
  pagesPerSecond: number;
  crawlCores: number;
  indexCores: number;
  rankCores: number;
  searchCores: number;
  /**
   * The number of nodes for crawling, indexing and ranking. The next field is the number of nodes for
   * searching.
   */
  nodes: number;
  searchNodes: number;
  rankMemoryGb: number;
  searchMemoryGb: number;
  objectTb: number;
  searchDiskTb: number;
  stateTb: number;
  primaries: number;
  downloadGbit: number;
  /** The size of all slices that the workers together read in one ranking, in TB. */
  exchangeTb: number;
  rankHours: number;
  /** The costs of everything except search. The next field has the costs of search: cores, memory and disks. */
  dollarsPerMonth: number;
  searchDollarsPerMonth: number;
  /** The first limits of the present design that this demand exceeds. */
  limits: string[];
}

const DAY_SECONDS = 86_400;
const MONTH_HOURS = 730;
const GB = 1e9;
const TB = 1e12;
/** Nodes of a graph have numbers below this. */
const MAX_NODES = 2 ** 32;
/**
 * The maximum number of nodes whose shares fit into a WebAssembly memory, at four bytes each. Larger graphs are
 * ranked in parts.
 */
const MAX_SHARED_NODES = 800e6;

export const DEMANDS: readonly Demand[] = [
  { name: '1 M pages', pages: 1e6, queriesPerSecond: 1 },
  { name: '100 M pages', pages: 100e6, queriesPerSecond: 10 },
  { name: '10 G pages', pages: 10e9, queriesPerSecond: 100 },
  { name: '8,000 pages/s', pages: 8_000 * ASSUMED.revisitDays.value * DAY_SECONDS, queriesPerSecond: 100 },
];

export function computeCapacity({ pages, queriesPerSecond }: Demand): Capacity {
  const revisitSeconds = ASSUMED.revisitDays.value * DAY_SECONDS;
  const pagesPerSecond = pages / revisitSeconds;
  const cores = (cpuSecondsPerSecond: number) =>
    Math.max(0.1, cpuSecondsPerSecond / ASSUMED.utilization.value);
  const crawlCores = cores((pagesPerSecond * RATES.crawlCpuMs.value) / 1e3);
  const indexCores = cores((pagesPerSecond * RATES.buildCpuMs.value) / 1e3);
  const ranking = computeRanking(pages);
  const rankCores = cores((ranking.cpuSeconds * ASSUMED.ranksPerRevisit.value) / revisitSeconds);
  const queryMs = RATES.queryCpuMs.value * Math.max(1, pages / ASSUMED.pagesOfOneIndex.value);
  const searchCores = cores((queriesPerSecond * queryMs) / 1e3);
  const indexBytes = pages * RATES.indexBytes.value;
  const searchMemoryGb = (indexBytes * ASSUMED.cachedIndexShare.value * ASSUMED.replicas.value) / GB;
  const stateBytes = pages * RATES.stateBytes.value;
  const newUrls = pagesPerSecond * ASSUMED.newUrlsPerPage.value;
  const knownUrls = pages * ASSUMED.nodesPerPage.value;
  const primaries = Math.max(
    1,
    Math.ceil(pagesPerSecond / (RATES.commitsPerSecond.value * ASSUMED.utilization.value)),
    Math.ceil(newUrls / (RATES.newUrlsPerSecond.value * ASSUMED.utilization.value)),
    Math.ceil(knownUrls / ASSUMED.primaryRows.value),
  );
  const nodes = nodesFor(crawlCores + indexCores + rankCores, ranking.memoryGb);
  const searchNodes = nodesFor(searchCores, searchMemoryGb);
  const objectBytes = pages * (RATES.archiveBytes.value + RATES.journalBytes.value) + indexBytes;
  const searchDiskBytes = indexBytes * ASSUMED.replicas.value;
  const nodeDollars = ASSUMED.coresPerNode.value * ASSUMED.coreHourDollars.value * MONTH_HOURS;
  const capacity = {
    ...{
      pagesPerSecond,
      crawlCores,
      indexCores,
      rankCores,
      searchCores,
      nodes,
      searchNodes,
      searchMemoryGb,
      primaries,
    },
    rankMemoryGb: ranking.memoryGb,
    objectTb: objectBytes / TB,
    searchDiskTb: searchDiskBytes / TB,
    stateTb: stateBytes / TB,
    downloadGbit: (pagesPerSecond * RATES.bodyBytes.value * 8) / 1e9,
    exchangeTb: ranking.exchangeBytes / TB,
    rankHours: ranking.hours,
    dollarsPerMonth:
      (nodes + primaries) * nodeDollars +
      (objectBytes / GB) * ASSUMED.objectDollars.value +
      (stateBytes / GB) * ASSUMED.diskDollars.value,
    searchDollarsPerMonth: searchNodes * nodeDollars + (searchDiskBytes / GB) * ASSUMED.diskDollars.value,
  };
  return { ...capacity, limits: limitsOf(pages, capacity) };
}

function nodesFor(cores: number, memoryGb: number): number {
  const forMemory = Math.ceil(memoryGb / ASSUMED.memoryPerNode.value);
  return Math.max(1, Math.ceil(cores / ASSUMED.coresPerNode.value), forMemory);
}

/**
 * Computes the cost of one ranking. There are as many workers as are needed to hold the tiles and the shares in
 * memory.
 */
function computeRanking(pages: number) {
  const links = pages * RATES.linksPerPage.value;
  const graphNodes = pages * ASSUMED.nodesPerPage.value;
  const tileBytes = links * RATES.tileBytesPerLink.value;
  // In addition to tiles, a worker holds the shares of all nodes, up to the size of a WebAssembly memory.
  const shareBytes = Math.min(graphNodes, MAX_SHARED_NODES) * RATES.sliceBytesPerNode.value;
  const roomBytes = ASSUMED.memoryPerNode.value * GB - shareBytes;
  const workers = Math.max(1, Math.ceil(tileBytes / roomBytes));
  const iterationSeconds = (links * RATES.iterationCpuNs.value * ASSUMED.iterations.value) / 1e9;
  const cpuSeconds = (links * RATES.rankCpuMicros.value) / 1e6 + iterationSeconds;
  return {
    cpuSeconds,
    workers,
    memoryGb: (tileBytes + shareBytes * workers) / GB,
    exchangeBytes:
      workers > 1 ? workers * graphNodes * RATES.sliceBytesPerNode.value * ASSUMED.iterations.value : 0,
    hours: cpuSeconds / workers / 3600,
  };
}

function limitsOf(pages: number, { nodes, primaries }: { nodes: number; primaries: number }): string[] {
  const graphNodes = pages * ASSUMED.nodesPerPage.value;
  const limits: [boolean, string][] = [
    [primaries > 1, `one PostgreSQL primary (${primaries} needed)`],
    [graphNodes > MAX_SHARED_NODES, 'shares of all nodes in one WebAssembly memory'],
    [graphNodes > MAX_NODES, '2^32 nodes of the link graph'],
    [nodes > VNODES, `${VNODES} vnodes`],
  ];
  return limits.filter(([isExceeded]) => isExceeded).map(([, name]) => name);
}
