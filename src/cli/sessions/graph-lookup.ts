/**
 * Finds the pages that link to a page, for queries, in the link graph.
 *
 * The graph is opened at the first lookup, because few queries need it. It is opened again after `refresh`,
 * because new ranks come with a new graph. An unreadable graph is treated as absent until `gyre rank` writes
 * another.
 */
import { CorruptError, type Log, messageOf, systemCode } from '../../base/mod.ts';
import type { LinkTable } from '../../graph/mod.ts';
import type { LinkLookup } from '../../query/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';

interface OpenGraph {
  links: LinkTable | null;
}

export class GraphLookup implements LinkLookup {
  readonly #openNewest: () => LinkTable | null;
  readonly #log: Log;
  #open: OpenGraph | null = null;
  #generation = 0;

  /** `openNewest` opens the newest link graph; it returns null if there is none. */
  constructor(openNewest: () => LinkTable | null, log: Log) {
    this.#openNewest = openNewest;
    this.#log = log;
  }

  get generation(): number {
    return this.#generation;
  }

  get hasLinks(): boolean {
    return this.#opened().links !== null;
  }

  linksTo(url: CanonicalUrl): CanonicalUrl[] {
    const { links } = this.#opened();
    return this.#guarded(() => links?.linksTo(url).map((link) => link.url)) ?? [];
  }

  documentOf(url: CanonicalUrl): CanonicalUrl | null {
    const { links } = this.#opened();
    return this.#guarded(() => links?.documentOf(url)) ?? null;
  }

  /** Returns the open link graph; null if there is none. It is closed by the next refresh. */
  get table(): LinkTable | null {
    return this.#opened().links;
  }

  /** Makes the next lookup open the newest link graph. */
  refresh(): void {
    this.close();
    this.#generation++;
  }

  close(): void {
    this.#open?.links?.close();
    this.#open = null;
  }

  #opened(): OpenGraph {
    this.#open ??= { links: this.#guarded(this.#openNewest) ?? null };
    return this.#open;
  }

  #guarded<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CorruptError) && systemCode(error) !== 'ENOENT') throw error;
      this.#log.warn('link graph unreadable', { reason: messageOf(error), advice: 'run gyre rank' });
      return undefined;
    }
  }
}
