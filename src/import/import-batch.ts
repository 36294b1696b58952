/**
 * The captures and documents that an import has taken since its last commit. These captures and documents are
 * not yet in the archive and the crawl state.
 */
import type { CdxEntry } from '../archive/mod.ts';
import type { CrawlState } from '../crawl/mod.ts';

const MAX_ITEMS = 256;
const MAX_BYTES = 32 * 1024 * 1024;

type CrawlBatch = Parameters<CrawlState['commit']>[0];
type UrlResult = CrawlBatch['results'][number];

export class ImportBatch {
  readonly discovered: CrawlBatch['discovered'] = [];
  readonly results: UrlResult[] = [];
  readonly #entries = new Map<string, CdxEntry[]>();
  #items = 0;
  #bytes = 0;

  get isFull(): boolean {
    return this.#items >= MAX_ITEMS || this.#bytes >= MAX_BYTES;
  }

  /** Returns the captures of a URL in this batch, newest first. */
  entriesOf(url: string): readonly CdxEntry[] {
    return this.#entries.get(url)?.toReversed() ?? [];
  }

  add(url: string, entry: CdxEntry, sizeBytes: number): void {
    this.#entries.set(url, [...(this.#entries.get(url) ?? []), entry]);
    this.#items++;
    this.#bytes += sizeBytes;
  }

  /**
   * Returns the data for the next revisit of a URL from the last result of this URL in the batch; undefined if
   * the batch has no result of the URL.
   */
  lastCapture(key: bigint): UrlResult['last'] {
    return this.results.findLast((result) => result.fingerprint === key)?.last;
  }
}
