/** Implements the admin API of a gateway: the state of the whole cluster, and commands for all its nodes. */
import {
  type ClusterDatabase,
  changeLiveSettings,
  deleteDeadLetters,
  type LiveSettings,
  readDeadLetters,
  resendDeadLetters,
  setCrawlPaused,
  stopCluster,
} from '../../cluster/mod.ts';
import type { ClusterTools } from '../../serve/mod.ts';
import { type ClusterPlace, factsAsJson, gatherFacts } from './cluster-facts.ts';

const MAX_LETTERS = 100;
/** The state is read from all services at most this often, however many clients ask. */
const FRESH_MS = 1_000;

interface ToolsOptions {
  cluster: ClusterPlace;
  database: ClusterDatabase;
  /** Checks live settings. Throws a `UsageError` if they are wrong. */
  check(settings: LiveSettings): void;
}

export function openClusterTools({ cluster, database, check }: ToolsOptions): ClusterTools {
  const { rabbitmq, name } = cluster;
  let last: { state: Promise<object>; atMs: number } | null = null;
  const readState = async () => factsAsJson(await gatherFacts(cluster, database));
  return {
    state() {
      if (last === null || performance.now() - last.atMs > FRESH_MS)
        last = { state: readState(), atMs: performance.now() };
      return last.state;
    },
    async act(action) {
      if (action === 'stop') await stopCluster(database);
      else await setCrawlPaused(database, action === 'pause');
    },
    async apply(settings) {
      check(settings);
      return await changeLiveSettings(database, settings);
    },
    deadLetters: () => readDeadLetters(rabbitmq, name, MAX_LETTERS),
    settleDeadLetters: (action) =>
      action === 'resend' ? resendDeadLetters(rabbitmq, name) : deleteDeadLetters(rabbitmq, name),
  };
}
