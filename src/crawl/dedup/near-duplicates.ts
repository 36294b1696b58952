/**
 * Which page is this one nearly the same as?
 *
 *   sketch -> entries that share a band (memory) -> simhash is near (memory) -> bins agree (disk)
 *
 * An entry is a page that was no near duplicate itself when it came, and owns its content. The check on
 * disk is what decides; the two before it only keep its number small, a read or two for a page that has
 * a duplicate and hardly ever one for a page that has none.
 *
 * The sketch estimates. A pair passes unless the estimate is below the wanted similarity by more than two
 * standard errors: of pairs that are just similar enough hardly one is missed, and what slips in from
 * below is about as similar.
 *
 * Not thread-safe and not shared: one crawl, one instance. Whether the owner still has the content it had
 * is for the caller to keep true, by `retire` when a page has changed or gone.
 */
import type { Directory } from '../../base/mod.ts';
import { BandTable } from './band-table.ts';
import { NearLog } from './near-log.ts';
import { BAND_COUNT, BIN_COUNT, type Sketch, similarity, similarityError } from './sketch.ts';

export interface NearDuplicateOptions {
  /** Jaccard coefficient of three-word shingles from which two pages are the same. */
  similarity: number;
  /** Texts with fewer shingles are never near duplicates: too little is known of them. */
  minShingles: number;
  /** How many entries are remembered at least; about 45 bytes of memory each. */
  maxEntries: number;
}

export const NEAR_DUPLICATE_DEFAULTS: NearDuplicateOptions = {
  similarity: 0.9,
  minShingles: 32,
  maxEntries: 4_000_000,
};

export interface NearDuplicate {
  /** The fingerprint of the URL that owns the content. */
  owner: bigint;
  entry: number;
  similarity: number;
}

/** Pairs at 0.9 differ in 6.7 bits on average, with a standard deviation of 2.5. */
const MAX_DISTANCE = 16;
const STANDARD_ERRORS = 2;
const NO_SKETCH: Sketch = {
  simLow: 0,
  simHigh: 0,
  shingleCount: 0,
  bins: new Uint8Array(BIN_COUNT),
  bands: new Uint32Array(BAND_COUNT),
};

export class NearDuplicates {
  readonly #options: NearDuplicateOptions;
  readonly #log: NearLog;
  readonly #table: BandTable;

  /** Opens what was remembered when `flush` returned `entryCount`; 0 begins anew. */
  constructor(
    directory: Directory,
    entryCount: number,
    options: NearDuplicateOptions = NEAR_DUPLICATE_DEFAULTS,
  ) {
    this.#options = options;
    this.#log = new NearLog(directory, entryCount);
    this.#table = new BandTable(options.maxEntries);
    this.#load(Math.max(0, entryCount - options.maxEntries));
  }

  get entryCount(): number {
    return this.#log.entryCount;
  }

  /** The memory that the index takes. */
  get sizeBytes(): number {
    return this.#table.sizeBytes;
  }

  /** The page most similar to this one, if it is similar enough. `except` is the page's own owner. */
  find(sketch: Sketch, except?: bigint): NearDuplicate | null {
    if (sketch.shingleCount < this.#options.minShingles) return null;
    let best: NearDuplicate | null = null;
    let least = this.#leastSimilarity(sketch);
    for (const entry of this.#table.candidates(sketch, MAX_DISTANCE)) {
      const value = similarity(sketch.bins, this.#log.bins(entry));
      if (value < least) continue;
      const owner = this.#log.owner(entry);
      if (owner === except) continue;
      best = { owner, entry, similarity: value };
      least = value + Number.EPSILON;
    }
    return best;
  }

  /**
   * Remembers the page as the owner of its content and returns the number of the entry, to be kept
   * with the page; null for a text too short to be compared.
   */
  add(owner: bigint, sketch: Sketch): number | null {
    if (sketch.shingleCount < this.#options.minShingles) return null;
    const entry = this.#log.entryCount;
    this.#log.append(owner, sketch, null);
    this.#table.add(entry, sketch);
    return entry;
  }

  /** The page of this entry has other content now, or none. */
  retire(entry: number): void {
    this.#table.skip(this.#log.entryCount);
    this.#log.append(0n, NO_SKETCH, entry);
    this.#table.retire(entry);
  }

  /** The fingerprint of the URL that an entry is of, retired or not. */
  ownerOf(entry: number): bigint {
    return this.#log.owner(entry);
  }

  /** The min-hash bins of an entry, retired or not. */
  binsOf(entry: number): Uint8Array {
    return this.#log.bins(entry);
  }

  /** The number of entries to commit; what is added after it is cut when the crawl is opened again. */
  flush(): Promise<number> {
    return this.#log.flush();
  }

  close(): void {
    this.#log.close();
  }

  #leastSimilarity(sketch: Sketch): number {
    const { similarity: wanted } = this.#options;
    return wanted - STANDARD_ERRORS * similarityError(wanted, sketch.shingleCount);
  }

  #load(from: number): void {
    let entry = from;
    this.#log.readKeys(from, (record) => {
      if (record.retires === null) {
        this.#table.add(entry, record);
      } else {
        this.#table.skip(entry);
        this.#table.retire(record.retires);
      }
      entry++;
    });
  }
}
