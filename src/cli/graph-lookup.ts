/**
 * The link graph as queries ask it: who links to a page, and what its host is worth.
 *
 * Opened with the first question, since few ask; opened anew after `refresh`, as new ranks come with a new graph. A
 * graph that cannot be read is as good as none until `gyre rank` makes another.
 */
import { CorruptError, type Directory, type Log, messageOf, systemCode } from '../base/mod.ts';
import { type HostSignals, type LinkTable, openLinks, readHosts } from '../graph/mod.ts';
import type { LinkLookup } from '../query/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';

interface OpenGraph {
  links: LinkTable | null;
  hosts: ReadonlyMap<string, HostSignals> | null;
}

export class GraphLookup implements LinkLookup {
  readonly #graph: Directory;
  readonly #log: Log;
  #open: OpenGraph | null = null;
  #generation = 0;

  constructor(graph: Directory, log: Log) {
    this.#graph = graph;
    this.#log = log;
  }

  get generation(): number {
    return this.#generation;
  }

  get hasLinks(): boolean {
    return this.#opened().links !== null;
  }

  linksTo(url: CanonicalUrl): CanonicalUrl[] {
    return this.#reading(({ links }) => links?.linksTo(url).map((link) => link.url)) ?? [];
  }

  /** Ranks sum to 1 over all hosts: times their count, an average host has 1. */
  hostRankOf(host: string): number | null {
    const { hosts } = this.#opened();
    const signals = hosts?.get(host);
    return hosts && signals ? signals.rank * hosts.size : null;
  }

  /** The next question is answered from the newest graph. */
  refresh(): void {
    this.close();
    this.#generation++;
  }

  close(): void {
    this.#open?.links?.close();
    this.#open = null;
  }

  #opened(): OpenGraph {
    this.#open ??= this.#guarded(() => ({
      links: openLinks(this.#graph),
      hosts: readHosts(this.#graph),
    })) ?? {
      links: null,
      hosts: null,
    };
    return this.#open;
  }

  #reading<T>(ask: (graph: OpenGraph) => T): T | undefined {
    const graph = this.#opened();
    return this.#guarded(() => ask(graph));
  }

  #guarded<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CorruptError) && systemCode(error) !== 'ENOENT') throw error;
      this.#log.warn('link graph unreadable: run gyre rank', { reason: messageOf(error) });
      return undefined;
    }
  }
}
