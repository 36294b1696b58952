/**
 * Keeps the sketches of imported pages, so that a later crawl can compare its pages with them. An import does not
 * detect soft 404s or mirrors and does not check canonical links.
 */

import type { Directory } from '../../base/mod.ts';
import type { Page } from '../../page/mod.ts';
import { sketchOfPage } from '../../sketch/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { NearDuplicates } from '../duplicates/mod.ts';
import type { PendingState } from '../state/mod.ts';
import { openSketches, SKETCHES_DIRECTORY, type SketchesOptions } from './open-sketches.ts';

interface ImportSketchesOptions extends Omit<SketchesOptions, 'directory'> {
  /** The directory of the crawl. */
  directory: Directory;
  /** Number of committed sketches. */
  sketches: number;
  /** Changes that the import has not committed yet. */
  pending: PendingState;
}

export class ImportSketches {
  readonly #near: NearDuplicates;
  readonly #pending: PendingState;

  static async open({
    directory,
    sketches,
    pending,
    ...options
  }: ImportSketchesOptions): Promise<ImportSketches> {
    const near = await openSketches(
      { ...options, directory: directory.directory(SKETCHES_DIRECTORY) },
      sketches,
    );
    return new ImportSketches(pending, near);
  }

  private constructor(pending: PendingState, near: NearDuplicates) {
    this.#pending = pending;
    this.#near = near;
  }

  /** Stores the sketch of a page that is a document of its own. */
  async keep(url: CanonicalUrl, page: Page): Promise<void> {
    const key = fingerprint(url);
    await this.#retire(key);
    const entry = this.#near.add(key, sketchOfPage(page));
    if (entry !== null) this.#pending.keepSketch(key, entry);
  }

  /** Removes the sketch of a page that is no longer indexed. */
  unlist(url: CanonicalUrl): Promise<void> {
    return this.#retire(fingerprint(url));
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

  /** Removes the sketch of the page's previous content. */
  async #retire(key: bigint): Promise<void> {
    const entry = await this.entryOf(key);
    if (entry !== null) this.#near.retire(entry);
  }
}
