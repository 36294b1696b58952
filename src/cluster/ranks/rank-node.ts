/**
 * The work of a node with the role `rank`, and the result for the nodes that index.
 *
 *   hasRanking ──► rankAsNode on each rank node ──► bringClusterRanks on each index node
 */
import type { BlobStore, Directory, Log } from '../../base/mod.ts';
import { fetchRankedParts, type RankWorkerOptions, workOnRanks } from '../../graph/mod.ts';
import { JournalFeed } from '../captures/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { type Waiting, whileServicesHeal, withWaiting } from '../wait-for-services.ts';
import { newestRankJob, openRankBoard } from './postgres-rank-board.ts';

interface RankNodeOptions extends Omit<RankWorkerOptions, 'board'> {
  waiting: Waiting;
}

/**
 * Works on the newest ranking until it is finished, together with other nodes. Returns false if there is no
 * ranking to compute. A task blocks its thread for up to minutes: call this in a thread of its own, and renew
 * the membership of the node in another thread of the same process. Waits while PostgreSQL is unreachable; the
 * caller's blob store and journal must also wait.
 */
export async function rankAsNode(
  sql: ClusterDatabase,
  node: string,
  { waiting, ...options }: RankNodeOptions,
): Promise<boolean> {
  const job = await whileServicesHeal(() => newestRankJob(sql, false), waiting);
  if (job === null) return false;
  const board = withWaiting(await whileServicesHeal(() => openRankBoard(sql, job, node), waiting), waiting);
  await workOnRanks({ ...options, board });
  return true;
}

/**
 * Copies the journal of a writer to a directory below `copies`, and returns the directory. Batches with damaged objects are
 * left out and logged: a ranking without their links is better than none.
 */
export async function copyJournal(
  sql: ClusterDatabase,
  journal: BlobStore,
  copies: Directory,
  writer: string,
  log: Log,
): Promise<Directory> {
  const feed = new JournalFeed(sql, journal, copies.directory(`journal-${writer}`), { log });
  await feed.bringWriter(writer);
  return feed.directory;
}

/** Copies of a finished ranking, which `openRankedParts` opens. */
export interface RankCopies {
  name: string;
  /** A directory for each part. */
  directories: readonly Directory[];
  nodeCount: number;
}

/** Brings a finished ranking to directories below `cache`, one for each part; with `withLinks`, also the link graph. */
export async function bringClusterRanks(
  sql: ClusterDatabase,
  blobs: BlobStore,
  cache: Directory,
  name: string,
  withLinks = false,
): Promise<RankCopies> {
  const board = await openRankBoard(sql, name, '');
  const directories = Array.from({ length: board.job.parts }, (_, part) =>
    cache.directory(`${name}-${part}`),
  );
  const nodeCount = await fetchRankedParts(board, blobs, (part) => directories[part]!, withLinks);
  return { name, directories, nodeCount };
}
