/** Writes docs/scale.md from the capacity model and the simulation. */
import { join } from 'node:path';
import { markdownTable } from '../markdown-table.ts';
import { type Capacity, computeCapacity, DEMANDS } from './capacity.ts';
import { type SimulationResult, simulateCluster } from './cluster-simulation.ts';
import { ASSUMED, RATES, type Rate } from './rates.ts';

const FILE = join(import.meta.dirname, '../../docs/scale.md');

/** The settings of the simulation that the page describes. */
export const SIMULATED = {
  ...{ seed: 1, delayMs: 5_000, requestMs: 3_000, linksPerSecond: 1_000, committedPerSecond: 4_000 },
  maxQueuedPerNode: 10_000,
};
const CLUSTERS = [
  [10, 256],
  [100, 256],
  [256, 256],
  [1_000, 256],
  [1_000, 8_192],
] as const;

const CAPACITY_ROWS: readonly [string, (capacity: Capacity) => string][] = [
  ['pages/s', ({ pagesPerSecond }) => number(pagesPerSecond)],
  ['cores: crawl', ({ crawlCores }) => number(crawlCores)],
  ['cores: index', ({ indexCores }) => number(indexCores)],
  ['cores: ranks', ({ rankCores }) => number(rankCores)],
  ['cores: search', ({ searchCores }) => number(searchCores)],
  ['memory for ranks, GB', ({ rankMemoryGb }) => number(rankMemoryGb)],
  ['memory for search, GB', ({ searchMemoryGb }) => number(searchMemoryGb)],
  ['nodes without search', ({ nodes }) => number(nodes)],
  ['nodes for search', ({ searchNodes }) => number(searchNodes)],
  ['PostgreSQL primaries', ({ primaries }) => number(primaries)],
  ['PostgreSQL disk, TB', ({ stateTb }) => number(stateTb)],
  ['object storage, TB', ({ objectTb }) => number(objectTb)],
  ['disk for search, TB', ({ searchDiskTb }) => number(searchDiskTb)],
  ['download, Gbit/s', ({ downloadGbit }) => number(downloadGbit)],
  ['a ranking, hours', ({ rankHours }) => number(rankHours)],
  ['slices read by a ranking, TB', ({ exchangeTb }) => number(exchangeTb)],
  ['$ per month without search', ({ dollarsPerMonth }) => number(dollarsPerMonth)],
  ['$ per month for search', ({ searchDollarsPerMonth }) => number(searchDollarsPerMonth)],
  ['limits exceeded', ({ limits }) => limits.join('; ') || 'none'],
];

const SIMULATION_ROWS: readonly [string, (result: SimulationResult) => string][] = [
  ['nodes without a vnode', ({ idleNodes }) => number(idleNodes)],
  ['largest load / mean', ({ largestLoad }) => number(largestLoad)],
  ['vnodes moved by a join', ({ movedByJoin }) => percent(movedByJoin)],
  ['vnodes moved by a death', ({ movedByLeave }) => percent(movedByLeave)],
  ['recovery, median s', ({ recoveryMedian }) => number(recoveryMedian)],
  ['recovery, longest s', ({ recoveryLargest }) => number(recoveryLargest)],
  ['without coordinator, s', ({ coordinatorGap }) => number(coordinatorGap)],
  ['deepest queue, links', ({ deepestQueue }) => number(deepestQueue)],
  ['queues drained after, s', ({ drainSeconds }) => number(drainSeconds)],
  ['a vnode had two owners', ({ hadTwoOwners }) => (hadTwoOwners ? 'yes' : 'no')],
  ['crawl paused, s', ({ pausedSeconds }) => number(pausedSeconds)],
];

export function scaleDocs(): { file: string; content: string } {
  return { file: FILE, content: scalePage() };
}

export function simulationOf(nodes: number, vnodes: number): SimulationResult {
  const { maxQueuedPerNode, ...settings } = SIMULATED;
  return simulateCluster({ ...settings, nodes, vnodes, maxQueued: nodes * maxQueuedPerNode });
}

function scalePage(): string {
  const capacities = DEMANDS.map(computeCapacity);
  const simulations = CLUSTERS.map(([nodes, vnodes]) => simulationOf(nodes, vnodes));
  const sizes = CLUSTERS.map(
    ([nodes, vnodes]) => `${nodes.toLocaleString('en-US')} nodes, ${vnodes.toLocaleString('en-US')} vnodes`,
  );
  const { delayMs, requestMs, linksPerSecond, committedPerSecond, maxQueuedPerNode } = SIMULATED;
  return `# Scale

<!-- Written by npm run docs from bench/scale/; edit bench/scale/page.ts. -->

This page computes what a cluster needs for a number of pages, and simulates its nodes. Nothing larger than the measured rates below
has been run. The cluster is [not complete](design/cluster.md#limits) yet.

## Nodes, memory, disk, network and money

Every page is fetched once in ${ASSUMED.revisitDays.value} days. Queries: ${DEMANDS.map(({ name, queriesPerSecond }) => `${queriesPerSecond}/s at ${name}`).join(', ')}.

${transposed(['', ...DEMANDS.map(({ name }) => name)], CAPACITY_ROWS, capacities)}

The cost of search is an upper bound: it takes the time of a query as proportional to the number of pages, and was only measured at
${number(ASSUMED.pagesOfOneIndex.value)} pages. Money is for rented machines and storage; traffic and people are not included. The
processor time of a page and of a link was measured in the embedded engine; crawling in a cluster takes more.

## Limits, in the order in which they are reached

1. **The shares of all nodes in one WebAssembly memory**, at about 160 M pages. Every rank worker has four bytes per node of the
   graph. Reading the shares block by block, and adding to the sums of all own columns, would lift it; sums are then added in
   another order.
2. **One PostgreSQL primary**, at ${number(ASSUMED.primaryRows.value / 1e9)} G known URLs (about 400 M pages) or ${number(RATES.commitsPerSecond.value * ASSUMED.utilization.value)} pages/s, which is ${number(ASSUMED.utilization.value)} of its measured rate. Vnodes
   spread over several primaries lift it: a row of the crawl state has a vnode, and a commit needs only the rows of its vnodes. Owners
   of contents are the exception: they are unique in the whole cluster, and need a partition by digest.
3. **2^32 nodes of the link graph**, at about 860 M pages: numbers of nodes and URLs have 32 bits.
4. **256 vnodes.** A vnode has one owner, so at most 256 nodes crawl, and the others have no work. With 100 nodes the largest
   load is ${number(simulations[1]!.largestLoad)} times the mean. More vnodes lift it; the number is the length of the hash in \`url/partition.ts\`, and the rows of
   the crawl state must then be renumbered. Each vnode is a queue in RabbitMQ, which was not measured with thousands of queues.
5. **Slices of all workers through object storage.** Each worker reads the shares of all nodes in each iteration, so the bytes grow
   with the square of the pages. Links are mostly local: only the blocks that a part has tiles for would be needed.

## A thousand nodes, simulated

The simulation runs the assignment of vnodes (\`src/cluster/vnode-assignment.ts\`) and the rules of leases and claims in virtual
time: member leases of 6 s and a coordinator lease of 5 s, renewed every second, a politeness delay of ${delayMs / 1000} s, and requests of up to ${requestMs / 1000} s.
A node joins, a node dies, and then 1 % of all nodes and the coordinator die at once. Each node finds ${number(linksPerSecond)} links/s for
random vnodes and can commit ${number(committedPerSecond)}; the crawl pauses while more than ${number(maxQueuedPerNode)} links per node are queued.

${transposed(['', ...sizes], SIMULATION_ROWS, simulations)}

A vnode recovers after the lease of its owner, one politeness delay, and up to two seconds for the plan and the claim. So a shorter delay
shortens the recovery, and the number of nodes does not change it.

## Measured rates

${rateTable(RATES)}

## Assumptions

${rateTable(ASSUMED)}
`;
}

function transposed<T>(
  head: string[],
  rows: readonly [string, (item: T) => string][],
  items: readonly T[],
): string {
  return markdownTable(
    head,
    rows.map(([name, show]) => [name, ...items.map(show)]),
  );
}

function rateTable(rates: Readonly<Record<string, Rate>>): string {
  const rows = Object.entries(rates).map(([name, { value, unit, source }]) => [
    name,
    `${number(value)} ${unit}`,
    source,
  ]);
  return markdownTable(['rate', 'value', 'from'], rows);
}

/** Rounds to three significant digits. */
function number(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 });
}

function percent(share: number): string {
  return `${number(share * 100)} %`;
}
