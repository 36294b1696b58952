/**
 * The link graph as queries ask it: who links to a page.
 *
 * Opened with the first question, since few ask; opened anew after `refresh`, as new ranks come with a new graph. A
 * graph that cannot be read is as good as none until `gyre rank` makes another.
 */
import { CorruptError, type Directory, type Log, messageOf, systemCode } from '../base/mod.ts';
import { type LinkTable, openLinks } from '../graph/mod.ts';
import type { LinkLookup } from '../query/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';

interface OpenGraph {
  links: LinkTable | null;
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
    const { links } = this.#opened();
    return this.#guarded(() => links?.linksTo(url).map((link) => link.url)) ?? [];
  }

  documentOf(url: CanonicalUrl): CanonicalUrl | null {
    const { links } = this.#opened();
    return this.#guarded(() => links?.documentOf(url)) ?? null;
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
    this.#open ??= { links: this.#guarded(() => openLinks(this.#graph)) ?? null };
    return this.#open;
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
