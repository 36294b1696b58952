/**
 * Finds site icons in the crawl state, for the server. The state is opened when the first icon is requested,
 * because it may not exist earlier. If the state is unreadable, the server shows letters instead of icons.
 */
import { type Log, messageOf } from '../../base/mod.ts';
import { type CrawlState, hasCrawlState, openCrawlState } from '../../crawl/mod.ts';
import type { DataDirectory } from '../data-directory.ts';

export class SiteIcons {
  readonly #data: DataDirectory;
  readonly #log: Log;
  #state: CrawlState | null = null;
  #isBroken = false;

  constructor(data: DataDirectory, log: Log) {
    this.#data = data;
    this.#log = log;
  }

  /** Returns the URL of the site's icon, possibly a `data:` URL; null if none was found. */
  async iconOf(origin: string): Promise<string | null> {
    if (this.#isBroken || !hasCrawlState(this.#data.root)) return null;
    try {
      this.#state ??= openCrawlState(this.#data.root, { readOnly: true });
      return (await this.#state.host(origin))?.icon?.found || null;
    } catch (error) {
      this.#isBroken = true;
      this.#log.warn('site icons unreadable', { reason: messageOf(error) });
      return null;
    }
  }

  close(): void {
    this.#state?.close();
    this.#state = null;
  }
}
