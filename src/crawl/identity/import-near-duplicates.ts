/**
 * Near duplicates among imported pages, with the same sketches and verdicts as in a crawl, so that an archive
 * imported elsewhere becomes the same documents there.
 *
 * A page is compared with all pages before it. Verdicts that need requests to the host are not made here:
 * soft 404s, mirrors, and canonical links to pages that are not fetched yet.
 */

import type { Directory } from '../../base/mod.ts';
import type { AliasRecord } from '../../journal/mod.ts';
import type { Page } from '../../page/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { type NearDuplicates, sketchOfPage } from '../duplicates/mod.ts';
import type { PendingState } from '../state/mod.ts';
import { openSketches, SKETCHES_DIRECTORY, type SketchesOptions } from './open-sketches.ts';

interface ImportNearDuplicatesOptions extends Omit<SketchesOptions, 'directory'> {
  /** The directory of the crawl. */
  directory: Directory;
  /** Number of committed sketches. */
  sketches: number;
  /** The changes of the import that are not committed yet. */
  pending: PendingState;
}

export class ImportNearDuplicates {
  readonly #near: NearDuplicates;
  readonly #pending: PendingState;

  static async open({
    directory,
    sketches,
    pending,
    ...options
  }: ImportNearDuplicatesOptions): Promise<ImportNearDuplicates> {
    const near = await openSketches(
      { ...options, directory: directory.directory(SKETCHES_DIRECTORY) },
      sketches,
    );
    return new ImportNearDuplicates(pending, near);
  }

  private constructor(pending: PendingState, near: NearDuplicates) {
    this.#pending = pending;
    this.#near = near;
  }

  /** Returns the earlier page with nearly the same words; null if this page is a document of its own. */
  async findTwin(url: CanonicalUrl, page: Page, fetchedAt: number): Promise<CanonicalUrl | null> {
    const key = fingerprint(url);
    await this.#retire(key);
    const of = await this.#twinOf(key, page);
    const alias: AliasRecord | null = of && { kind: 'alias', url, fetchedAt, of, reason: 'near-duplicate' };
    this.#pending.keepVerdict(key, alias ?? 'page');
    this.#pending.keepUrl(url);
    return of;
  }

  /** Forgets the words of a page that is no longer to be indexed. */
  async unlist(url: CanonicalUrl): Promise<void> {
    const key = fingerprint(url);
    await this.#retire(key);
    this.#pending.keepVerdict(key, 'page');
  }

  /** Returns the sketch entry of a page that is a document of its own; null if it has none. */
  async entryOf(key: bigint): Promise<number | null> {
    const entry = await this.#pending.sketchOf(key);
    return entry !== null && this.#near.ownerOf(entry) === key ? entry : null;
  }

  /** Makes the sketches durable and returns their number for the next commit. */
  flush(): Promise<number> {
    return this.#near.flush();
  }

  close(): void {
    this.#near.close();
  }

  async #twinOf(key: bigint, page: Page): Promise<CanonicalUrl | null> {
    const sketch = sketchOfPage(page);
    const found = this.#near.find(sketch, key);
    const twin = found && (await this.#pending.urlOf(found.owner));
    const entry = found && twin ? found.entry : this.#near.add(key, sketch);
    if (entry !== null) this.#pending.keepSketch(key, entry);
    return twin;
  }

  /** Retires the sketch of the page's previous content. */
  async #retire(key: bigint): Promise<void> {
    const entry = await this.entryOf(key);
    if (entry !== null) this.#near.retire(entry);
  }
}
