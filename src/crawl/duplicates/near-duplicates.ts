/**
 * Finds the known page that is nearly the same as a given page.
 *
 *   sketch -> entries that share a band (memory) -> simhash is near (memory) -> bins agree (disk)
 *
 * An entry is a page that was not a near duplicate itself when it was fetched, and owns its content. The
 * check on disk decides. The two checks before it only keep the number of disk reads small: one or two for a
 * page that has a duplicate, and almost none for a page without.
 *
 * The sketch gives an estimate. A pair passes unless the estimate is below the wanted similarity by more than
 * two standard errors. So hardly any pair that is just similar enough is missed, and false positives are only
 * slightly below the threshold.
 *
 * Not thread-safe and not shared: one instance per crawl. The caller must keep owners up to date, by calling
 * `retire` when a page has changed or is gone.
 */
import { CorruptError, type Directory } from '../../base/mod.ts';
import { BAND_COUNT, BIN_COUNT, type Sketch, similarity, similarityError } from '../../sketch/mod.ts';
import { BandTable } from './band-table.ts';
import { NearLog } from './near-log.ts';

export interface NearDuplicateOptions {
  /**
   * Minimum similarity of near duplicates: the Jaccard coefficient of the sets of three-word shingles of the two
   * pages.
   */
  similarity: number;
  /** Minimum number of shingles of a text that is compared. Shorter texts are never near duplicates. */
  minShingles: number;
  /** Minimum number of pages whose sketches are kept in memory, at about 45 bytes each. */
  maxEntries: number;
}

export const NEAR_DUPLICATE_DEFAULTS: NearDuplicateOptions = {
  similarity: 0.9,
  minShingles: 32,
  maxEntries: 4_000_000,
};

interface NearDuplicate {
  /** The fingerprint of the URL that owns the content of this entry. */
  owner: bigint;
  entry: number;
  similarity: number;
}

/**
 * Maximum number of different simhash bits between near duplicates. Pages with a similarity of 0.9 differ in 6.7 bits
 * on average, with a standard deviation of 2.5.
 */
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
  readonly #onDamage: (error: CorruptError) => void;

  /**
   * Opens the first `entryCount` entries, the number that the last committed `flush` returned; 0 starts an empty
   * index. Throws a `CorruptError` if the keys are damaged. A damaged entry that is found later is reported to
   * `onDamage` and never matches.
   */
  constructor(
    directory: Directory,
    entryCount: number,
    options: NearDuplicateOptions = NEAR_DUPLICATE_DEFAULTS,
    onDamage: (error: CorruptError) => void = () => {},
  ) {
    this.#options = options;
    this.#onDamage = onDamage;
    this.#log = new NearLog(directory, entryCount);
    this.#table = new BandTable(options.maxEntries);
    this.#load(Math.max(0, entryCount - options.maxEntries));
  }

  get entryCount(): number {
    return this.#log.entryCount;
  }

  /** Memory used by the index, in bytes. */
  get sizeBytes(): number {
    return this.#table.sizeBytes;
  }

  /**
   * Returns the most similar known page if it is similar enough. `except` is an owner to ignore, usually the page
   * that is compared.
   */
  find(sketch: Sketch, except?: bigint): NearDuplicate | null {
    if (sketch.shingleCount < this.#options.minShingles) return null;
    let best: NearDuplicate | null = null;
    let least = this.#leastSimilarity(sketch);
    for (const entry of this.#table.candidates(sketch, MAX_DISTANCE)) {
      const bins = this.binsOf(entry);
      const value = bins ? similarity(sketch.bins, bins) : 0;
      if (value < least) continue;
      const owner = this.ownerOf(entry);
      if (owner === null || owner === except) continue;
      best = { owner, entry, similarity: value };
      least = value + Number.EPSILON;
    }
    return best;
  }

  /**
   * Adds the page as the owner of its content. Returns the number of the new entry, which the caller stores with the
   * page, or null if the text is too short to be compared.
   */
  add(owner: bigint, sketch: Sketch): number | null {
    if (sketch.shingleCount < this.#options.minShingles) return null;
    const entry = this.#log.entryCount;
    this.#log.append(owner, sketch, null);
    this.#table.add(entry, sketch);
    return entry;
  }

  /** Retires an entry whose page has new content or no longer exists, so that it no longer matches. */
  retire(entry: number): void {
    this.#table.skip(this.#log.entryCount);
    this.#log.append(0n, NO_SKETCH, entry);
    this.#table.retire(entry);
  }

  /** Returns the fingerprint of the URL of an entry, even if it is retired; null if the entry is damaged. */
  ownerOf(entry: number): bigint | null {
    return this.#unlessDamaged(() => this.#log.owner(entry));
  }

  /** Returns the min-hash bins of an entry, even if it is retired; null if the entry is damaged. */
  binsOf(entry: number): Uint8Array | null {
    return this.#unlessDamaged(() => this.#log.bins(entry));
  }

  /**
   * Makes all entries durable and returns their number, which the caller commits. Entries added after the last commit
   * are truncated when the crawl is opened again.
   */
  flush(): Promise<number> {
    return this.#log.flush();
  }

  close(): void {
    this.#log.close();
  }

  #unlessDamaged<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      this.#onDamage(error);
      return null;
    }
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
