/** Looks up whether a URL has a page for `/api/v1/pages`, and why not. */
import { type Log, messageOf } from '../../base/mod.ts';
import { type CrawlState, documentOf, hasCrawlState, openCrawlState } from '../../crawl/mod.ts';
import type { PageStanding } from '../../serve/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';

type KnownUrls = Pick<CrawlState, 'verdictOf' | 'outcomesOf' | 'lastCapture'>;

/** `state` is null if there was no crawl yet. */
export async function standingIn(
  state: CrawlState | null,
  url: CanonicalUrl,
  isRemoved: (url: CanonicalUrl) => boolean,
): Promise<PageStanding> {
  if (isRemoved(url)) return { kind: 'removed' };
  if (!state) return { kind: 'unknown' };
  const document = await documentOf(state, url);
  return isRemoved(document) ? { kind: 'removed' } : standingOfDocument(state, document);
}

async function standingOfDocument(state: KnownUrls, url: CanonicalUrl): Promise<PageStanding> {
  const key = fingerprint(url);
  const outcome = (await state.outcomesOf([key])).get(key);
  if (!outcome) return { kind: 'unknown' };
  const { reason } = outcome;
  if (outcome.state === 'refused') return { kind: 'blocked', why: reason.code };
  if (outcome.verdict !== null || reason.code === 'soft 404' || reason.code === 'parked')
    return { kind: 'gone' };
  // A page that is fetched again, or whose last request failed, keeps its contents.
  if ((await state.lastCapture(key))?.isDocument) return { kind: 'page', url };
  if (outcome.state === 'ready') return { kind: 'waiting' };
  if (reason.code === 'gone') return { kind: 'gone' };
  if (reason.code === 'noindex') return { kind: 'blocked', why: reason.code };
  return { kind: outcome.state === 'failed' || reason.code === 'http-status' ? 'failed' : 'no-page' };
}

/** The crawl state of a data directory, which is opened when it is needed, because it may not exist earlier. */
export class KnownPages {
  readonly #data: DataDirectory;
  readonly #log: Log;
  #state: CrawlState | null = null;

  constructor(data: DataDirectory, log: Log) {
    this.#data = data;
    this.#log = log;
  }

  async standingOf(url: CanonicalUrl, isRemoved: (url: CanonicalUrl) => boolean): Promise<PageStanding> {
    try {
      if (!this.#state && hasCrawlState(this.#data.root))
        this.#state = openCrawlState(this.#data.root, { readOnly: true });
      return await standingIn(this.#state, url, isRemoved);
    } catch (error) {
      this.#log.warn('crawl state unreadable', { url, reason: messageOf(error) });
      throw error;
    }
  }

  close(): void {
    this.#state?.close();
    this.#state = null;
  }
}
