/** Follows the removals of a cluster while a node runs. While PostgreSQL is away, the last list holds. */
import { type Log, messageOf, sleep } from '../../base/mod.ts';
import { type ClusterDatabase, readClusterRemovals, readRemovalRevision } from '../../cluster/mod.ts';
import { type RemovalList, RemovedUrls, removedBy } from '../removals/mod.ts';

const POLL_MS = 1_000;

export class RemovalFollower {
  readonly #database: ClusterDatabase;
  readonly #log: Log;
  #list: RemovalList = { revision: 0, settled: 0, rules: [] };
  #urls = new RemovedUrls([]);

  private constructor(database: ClusterDatabase, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /** Reads the removals, and follows them until the signal is aborted. */
  static async start(database: ClusterDatabase, log: Log, signal: AbortSignal): Promise<RemovalFollower> {
    const follower = new RemovalFollower(database, log);
    await follower.#read();
    void follower.#follow(signal);
    return follower;
  }

  get list(): RemovalList {
    return this.#list;
  }

  get urls(): RemovedUrls {
    return this.#urls;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for (let trouble = ''; !signal.aborted; await sleep(POLL_MS, signal)) {
      try {
        if ((await readRemovalRevision(this.#database)) !== this.#list.revision) await this.#read();
        trouble = '';
      } catch (error) {
        const reason = messageOf(error);
        if (reason !== trouble && !signal.aborted) this.#log.warn('removals not read', { reason });
        trouble = reason;
      }
    }
  }

  async #read(): Promise<void> {
    this.#list = await readClusterRemovals(this.#database);
    this.#urls = removedBy(this.#list);
  }
}
