/**
 * The role `rank`: begins rankings of the whole graph when they are due, and computes them together with the other
 * nodes of the role. The computation runs in a thread of its own, which ends with the node; its tasks then move to
 * other nodes. If it fails, the old ranks stay in use and the node tries again later.
 */
import { rmSync } from 'node:fs';
import { askThread, messageOf, openDirectory, sleep } from '../../base/mod.ts';
import { hasRanking, refusalIn, whileServicesHeal } from '../../cluster/mod.ts';
import type { RoleHealth } from '../node-health/mod.ts';
import type { NodeContext, NodeRole } from './node-role.ts';
import type { RankThreadRequest } from './rank-node-thread.ts';

const POLL_MS = 1_000;
const RETRY_MS = 30_000;

export const rankRole: NodeRole = {
  async run(context) {
    const { signal, log, health } = context;
    const counts = { finished: 0, failed: 0, isBusy: false };
    health.set('rank', rankHealth(counts));
    while (!signal.aborted) {
      try {
        await rankIfDue(context, counts);
        await sleep(POLL_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        const refusal = refusalIn(error);
        if (refusal !== null) throw refusal;
        counts.failed++;
        log.error('ranking failed', { reason: messageOf(error), retryMs: RETRY_MS });
        await sleep(RETRY_MS, signal);
      }
    }
  },
};

interface RankCounts {
  finished: number;
  failed: number;
  isBusy: boolean;
}

function rankHealth(counts: RankCounts): RoleHealth {
  return {
    notReady: () => null,
    gauges: () => [
      {
        name: 'gyre_rank_runs_total',
        help: 'Rankings that the node worked on until they were finished.',
        value: counts.finished,
      },
      { name: 'gyre_rank_failures_total', help: 'Rankings that failed on the node.', value: counts.failed },
      { name: 'gyre_rank_busy', help: '1 while the node works on a ranking.', value: counts.isBusy ? 1 : 0 },
    ],
  };
}

async function rankIfDue(context: NodeContext, counts: RankCounts): Promise<void> {
  const { database, cluster, config, node, signal, waiting } = context;
  forgetPurged(context);
  if (!(await whileServicesHeal(() => hasRanking(database), waiting))) return;
  const request = { cluster, config, node };
  counts.isBusy = true;
  try {
    await askThread<RankThreadRequest>(new URL('./rank-node-thread.ts', import.meta.url), request, signal);
    if (!signal.aborted) counts.finished++;
  } finally {
    counts.isBusy = false;
  }
}

/** Removes the local copies of the journal when pages were purged, so that no copy has their contents. */
function forgetPurged({ directory, removals }: NodeContext): void {
  const copies = directory.directory('ranks');
  const purged = removals.list.rules.filter(({ purge }) => purge === 'done').length;
  const mark = `purged-${purged}`;
  if (purged === 0 || copies.has(mark)) return;
  rmSync(copies.path, { recursive: true, force: true });
  openDirectory(copies.path).replace(mark, Buffer.alloc(0));
}
