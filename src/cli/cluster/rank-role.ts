/**
 * The role `rank`: begins rankings of the whole graph when they are due, and computes them together with the other
 * nodes of the role. The computation runs in a thread of its own, which ends with the node; its tasks then move to
 * other nodes. If it fails, the old ranks stay in use and the node tries again later.
 */
import { askThread, messageOf, sleep } from '../../base/mod.ts';
import { hasRanking, whileServicesHeal } from '../../cluster/mod.ts';
import type { NodeContext, NodeRole } from './node-role.ts';
import type { RankThreadRequest } from './rank-node-thread.ts';

const POLL_MS = 1_000;
const RETRY_MS = 30_000;

export const rankRole: NodeRole = {
  async run(context) {
    const { signal, log } = context;
    while (!signal.aborted) {
      try {
        await rankIfDue(context);
        await sleep(POLL_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        log.error('ranking failed', { reason: messageOf(error), retryMs: RETRY_MS });
        await sleep(RETRY_MS, signal);
      }
    }
  },
};

async function rankIfDue({ database, cluster, config, node, signal, waiting }: NodeContext): Promise<void> {
  if (!(await whileServicesHeal(() => hasRanking(database), waiting))) return;
  const request = { cluster, config, node };
  await askThread<RankThreadRequest>(new URL('./rank-node-thread.ts', import.meta.url), request, signal);
}
