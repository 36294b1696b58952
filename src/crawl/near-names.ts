/**
 * Near duplicates among pages that nobody crawls here, such as those of an import: the same sketches and the same
 * verdicts as the crawl's, so that an archive that is taken elsewhere becomes the same documents there.
 *
 * A page is compared with all that came before it. What the crawl can tell only by asking the host (pages that are missing
 * in disguise, mirrors, canonical links to what is not fetched yet) is not told here.
 */
import type { AliasRecord } from '../archive/mod.ts';
import type { Directory } from '../base/mod.ts';
import { isListed, type Page } from '../page/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import type { CrawlState } from './crawl-state.ts';
import { contentRanges, type NearDuplicateOptions, NearDuplicates, sketchOf } from './dedup/mod.ts';
import { Findings, type FindingsBatch } from './findings.ts';

export interface NearNamesOptions {
  state: CrawlState;
  /** Where the crawl keeps its sketches, and how many of them count. */
  directory: Directory;
  sketches: number;
  nearDuplicates?: NearDuplicateOptions;
}

export class NearNames {
  readonly #state: CrawlState;
  readonly #near: NearDuplicates;
  readonly #findings: Findings;
  /** Pages since the last commit, which the state does not know yet. */
  readonly #recent = new Map<bigint, CanonicalUrl>();

  constructor({ state, directory, sketches, nearDuplicates }: NearNamesOptions) {
    this.#state = state;
    this.#near = new NearDuplicates(directory, sketches, nearDuplicates);
    this.#findings = new Findings(state.findings);
  }

  /** The record in place of this page if it says nearly what another says; null if it is a document of its own. */
  judge(url: CanonicalUrl, page: Page, fetchedAt: number): AliasRecord | null {
    const key = fingerprint(url);
    this.#retire(key);
    const of = isListed(page) ? this.#twinOf(key, page) : null;
    const record: AliasRecord | null = of && { kind: 'alias', url, fetchedAt, of, reason: 'near-duplicate' };
    this.#findings.keepVerdict(key, record ?? 'page');
    this.#recent.set(key, url);
    return record;
  }

  /** Where the sketch of a page lies that is a document of its own; null if it has none. */
  entryOf(key: bigint): number | null {
    const entry = this.#findings.sketchOf(key);
    return entry !== null && this.#near.ownerOf(entry) === key ? entry : null;
  }

  /** What belongs to the next commit. */
  async take(): Promise<{ findings: FindingsBatch; sketches: number }> {
    const findings = this.#findings.take();
    this.#recent.clear();
    return { findings, sketches: await this.#near.flush() };
  }

  close(): void {
    this.#near.close();
  }

  #twinOf(key: bigint, page: Page): CanonicalUrl | null {
    const sketch = sketchOf(page.text, contentRanges(page));
    const found = this.#near.find(sketch, key);
    const twin = found && (this.#recent.get(found.owner) ?? this.#state.urlOf(found.owner));
    const entry = found && twin ? found.entry : this.#near.add(key, sketch);
    if (entry !== null) this.#findings.keepSketch(key, entry);
    return twin;
  }

  /** What the page said before is no longer anybody's. */
  #retire(key: bigint): void {
    const entry = this.entryOf(key);
    if (entry !== null) this.#near.retire(entry);
  }
}
