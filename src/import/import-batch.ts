/**
 * The captures and documents that an import has taken since its last commit. The archive and the crawl state
 * do not have them yet.
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
   * Returns the data for the next revisit of a URL, as the last result of this URL in the batch has it;
   * undefined if the batch has no result of the URL.
   */
  lastCapture(key: bigint): UrlResult['last'] {
    return this.results.findLast((result) => result.fingerprint === key)?.last;
  }
}
