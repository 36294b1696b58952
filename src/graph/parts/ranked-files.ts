/**
 * The result of a ranking in parts. `fetchRankedParts` brings its tables to local directories, one for each part, where the
 * readers of a ranking on one node open them. Every directory has the file of the hosts.
 */
import type { BlobStore, Directory } from '../../base/mod.ts';
import { anchorsName } from '../anchors/mod.ts';
import { hostsName } from '../hosts/mod.ts';
import { nodeUrlsName } from '../node-urls.ts';
import { graphName, hostGraphName, ranksName } from '../ranks-format.ts';
import { type FinishedTask, type RankBoard, type RankJob, totalOf } from './rank-job.ts';
import { blobName } from './task-context.ts';

type Results = Readonly<Record<string, readonly FinishedTask[]>>;

interface PartFile {
  phase: string;
  label: string;
  nameOf(generation: number): string;
  /** True for a blob of the last task of the phase, which has the hosts of all parts. */
  isOfHosts?: boolean;
}

/** The files that an index needs. The file with the ranks comes last, because it makes the other files valid. */
const TABLES: readonly PartFile[] = [
  { phase: 'tiles', label: 'hosts', nameOf: hostsName, isOfHosts: true },
  { phase: 'files', label: 'anchors', nameOf: anchorsName },
  { phase: 'files', label: 'ranks', nameOf: ranksName },
];
/** Links and URLs of the nodes, for look-ups of links. They are much larger, and an index does not need them. */
const LINKS: readonly PartFile[] = [
  { phase: 'tiles', label: 'graph', nameOf: graphName },
  { phase: 'nodes', label: 'nodes', nameOf: nodeUrlsName },
];
const HOST_GRAPH: PartFile = { phase: 'tiles', label: 'graph', nameOf: hostGraphName, isOfHosts: true };

/** Returns the names of all blobs of the result. */
export function namesOfRanking(job: RankJob, results: Results): string[] {
  const files = [...TABLES, ...LINKS, HOST_GRAPH];
  return partsOf(job).flatMap((part) => files.map((file) => blobOf(job, results, part, file)));
}

/**
 * Brings the tables of a finished job to `directoryOf(part)`: ranks, anchor texts and hosts; with `withLinks`, also the
 * link graph, which `openLinks` opens. Files that are there already are not fetched again. Returns the number of nodes of
 * the graph.
 */
export async function fetchRankedParts(
  board: RankBoard,
  blobs: BlobStore,
  directoryOf: (part: number) => Directory,
  withLinks = false,
): Promise<number> {
  const { job } = board;
  const results: Record<string, FinishedTask[]> = {};
  for (const phase of ['nodes', 'tiles', 'files']) results[phase] = await board.resultsOf(phase);
  for (const part of partsOf(job)) {
    for (const file of withLinks ? [...LINKS, ...TABLES] : TABLES) {
      const name = file.nameOf(job.generation);
      if (directoryOf(part).has(name)) continue;
      directoryOf(part).replace(name, await blobs.get(blobOf(job, results, part, file)));
    }
  }
  return totalOf(results.nodes!, 'nodes');
}

function partsOf({ parts }: RankJob): number[] {
  return Array.from({ length: parts }, (_, part) => part);
}

/** Returns the name of the blob with a file of a part. */
function blobOf(job: RankJob, results: Results, part: number, { phase, label, isOfHosts }: PartFile): string {
  const task = isOfHosts ? job.parts : part;
  return blobName(job, phase, task, results[phase]![task]!.epoch, label);
}
