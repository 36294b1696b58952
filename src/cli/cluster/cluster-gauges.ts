/** The metrics of the whole cluster, which only the coordinator has, so that each is reported once. */
import { messageOf } from '../../base/mod.ts';
import { type ClusterHealth, readClusterHealth, readDeadLetterCount } from '../../cluster/mod.ts';
import type { Gauge } from '../../serve/mod.ts';
import type { NodeContext } from './node-role.ts';

const READ_MS = 15_000;

export class ClusterGauges {
  readonly #context: NodeContext;
  /** Null if the last reading failed: an old number would hide that a service is away. */
  #health: ClusterHealth | null = null;
  #deadLetters: number | null = null;
  #nextMs = 0;

  constructor(context: NodeContext) {
    this.#context = context;
  }

  /** Reads the numbers in the background, if the last reading was long ago. */
  readIfDue(): void {
    if (performance.now() < this.#nextMs) return;
    this.#nextMs = performance.now() + READ_MS;
    void this.#read();
  }

  gauges(): Gauge[] {
    const { freeVnodes = null, indexLagMs = null, damagedObjects = null } = this.#health ?? {};
    const gauges = [
      { name: 'gyre_cluster_free_vnodes', help: 'Vnodes without a live owner.', value: freeVnodes },
      {
        name: 'gyre_cluster_index_lag_seconds',
        help: 'Age of the oldest pages that are crawled and not indexed.',
        value: indexLagMs === null ? null : indexLagMs / 1000,
      },
      {
        name: 'gyre_cluster_damaged_objects',
        help: 'Journal objects and shards that are damaged, so that pages are not indexed.',
        value: damagedObjects,
      },
      {
        name: 'gyre_cluster_dead_letters',
        help: 'Messages that no node could read or store.',
        value: this.#deadLetters,
      },
    ];
    return gauges.flatMap(({ value, ...gauge }) => (value === null ? [] : [{ ...gauge, value }]));
  }

  async #read(): Promise<void> {
    const { database, cluster } = this.#context;
    [this.#health, this.#deadLetters] = await Promise.all([
      this.#unlessAway(readClusterHealth(database)),
      this.#unlessAway(readDeadLetterCount(cluster.rabbitmq, cluster.name)),
    ]);
  }

  /** Returns null if the service cannot be used. */
  async #unlessAway<T>(reading: Promise<T>): Promise<T | null> {
    try {
      return await reading;
    } catch (error) {
      this.#context.log.debug('metrics of the cluster not read', { reason: messageOf(error) });
      return null;
    }
  }
}
