/** Counts for people: the progress line, the status page and the closing report. */
import type { Trouble } from './answer.ts';

export interface CrawlSnapshot {
  state: 'running' | 'paused' | 'done' | 'stopped';
  /** Pages that were read. */
  pages: number;
  /** Answers of every kind but icons. */
  fetched: number;
  bytes: number;
  queued: number;
  /** Hosts with work, and how many of them are being asked. */
  activeHosts: number;
  underWay: number;
  /** The journal files that are finished are numbered from 1 to this. */
  journalFiles: number;
  /** How often each kind of trouble came up. */
  troubles: Record<string, number>;
}

export class CrawlProgress {
  state: CrawlSnapshot['state'] = 'running';
  queued = 0;
  #pages = 0;
  #fetched = 0;
  #bytes = 0;
  readonly #troubles = new Map<string, number>();

  get fetchedCount(): number {
    return this.#fetched;
  }

  fetched(isPage: boolean, bytes: number): void {
    this.#fetched++;
    this.#bytes += bytes;
    if (isPage) this.#pages++;
  }

  /** An icon is no page, and none of the answers that a crawl is limited to. */
  fetchedIcon(bytes: number): void {
    this.#bytes += bytes;
  }

  troubled(trouble: Trouble): void {
    this.#fetched++;
    this.#trouble(trouble.kind === 'busy' ? `HTTP ${trouble.status}` : trouble.reason);
  }

  refused(reason: string): void {
    this.#trouble(reason);
  }

  snapshot(hosts: Pick<CrawlSnapshot, 'activeHosts' | 'underWay'>, journalFiles: number): CrawlSnapshot {
    return {
      state: this.state,
      pages: this.#pages,
      fetched: this.#fetched,
      bytes: this.#bytes,
      queued: this.queued,
      ...hosts,
      journalFiles,
      troubles: Object.fromEntries(this.#troubles),
    };
  }

  #trouble(reason: string): void {
    this.#troubles.set(reason, (this.#troubles.get(reason) ?? 0) + 1);
  }
}
