/**
 * The thread that does the work of admin routes: it inspects URLs and changes removals. Both read files at length,
 * which the thread that accepts connections must not do.
 */
import { serveChannel, systemClock } from '../../base/mod.ts';
import type { InspectRequest, RemovalRequest } from '../../serve/mod.ts';
import { type DataDirectory, openData, readData } from '../data-directory.ts';
import { inspectUrl } from '../inspection/mod.ts';
import { stderrLog } from '../output.ts';
import { allowTargets, removeTargets, settleOrWait } from '../purging/mod.ts';
import { isSettled, parseRemovalTarget, readRemovals } from '../removals/mod.ts';
import type { Config } from '../settings/mod.ts';

export type AdminRequest = { config: Config } & (
  | ({ kind: 'inspect' } & InspectRequest)
  | { kind: 'removals' }
  | ({ kind: 'change' } & RemovalRequest)
  | { kind: 'settle' }
);

serveChannel<AdminRequest, object>({
  handle: async (request) => {
    const { config } = request;
    switch (request.kind) {
      case 'inspect':
        return inspectUrl(readData(config.data), request.url, { ...request, log: stderrLog(config) });
      case 'removals':
        return removalsOf(readData(config.data));
      case 'change':
        return change(openData(config.data), request);
      case 'settle':
        return settleOrWait(openData(config.data), config);
    }
  },
});

function removalsOf({ root }: DataDirectory): object {
  const list = readRemovals(root);
  return { settled: isSettled(list), removed: list.rules };
}

async function change(data: DataDirectory, { action, targets, purge, who }: RemovalRequest): Promise<object> {
  const parsed = targets.map(parseRemovalTarget);
  const report =
    action === 'allow' ? allowTargets(data, parsed, who) : await removeTargets(data, parsed, { purge, who });
  const { rules, nearDuplicates, lines } = report;
  return { at: new Date(systemClock.now()).toISOString(), rules, nearDuplicates, notes: lines };
}
