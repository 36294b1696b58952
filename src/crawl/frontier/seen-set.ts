/**
 * The set of known URLs, by fingerprint (docs/decisions/0010). New fingerprints are in a table in memory, so most links
 * of a page are checked without disk access. When the table has used up its share of the memory, its fingerprints
 * become a sorted run on disk, and the table begins again. The set is exact: a filter may only say that a run perhaps
 * has a fingerprint, and then the run is read.
 *
 *   lookup -> table -> for each run: filter -> block of 512 fingerprints, from the cache of blocks or from disk
 *
 * Half of the memory is for the table, three eighths are for the filters, and the rest is for blocks. If the filters
 * need more, the largest is folded to half its size. Runs are not merged: each is as large as the table, so that even
 * with the least memory there are few.
 */
import { BoundedCache, type Directory } from '../../base/mod.ts';
import { BLOCK_KEYS, SeenRun, type Stretch } from './seen-run.ts';
import { SeenTable } from './seen-table.ts';

const SLOT_BYTES = 8;
const BLOCK_BYTES = BLOCK_KEYS * SLOT_BYTES;
const FIRST_CAPACITY = 1 << 16;
/**
 * Share of used slots from which the table is written to disk. The table may be 70 % full; the rest is for links that
 * are found before the next commit.
 */
const SPILL_LOAD = 0.6;

export class SeenSet {
  readonly #table = new SeenTable();
  readonly #maxInTable: number;
  readonly #filterBytes: number;
  readonly #blocks: BoundedCache<number, Uint32Array>;
  #runs: SeenRun[] = [];
  #inRuns = 0;

  /** `memoryBytes` limits the memory of the set; there is no limit by default. */
  constructor(memoryBytes = Number.POSITIVE_INFINITY) {
    this.#maxInTable = capacityWithin(memoryBytes / 2) * SPILL_LOAD;
    this.#filterBytes = (memoryBytes * 3) / 8;
    this.#blocks = BoundedCache.ofEntries(Math.max(16, memoryBytes / 8 / BLOCK_BYTES));
  }

  get size(): number {
    return this.#table.size + this.#inRuns;
  }

  get runCount(): number {
    return this.#runs.length;
  }

  /** True if the table should be written to disk as a run. */
  get isTableFull(): boolean {
    return this.#table.size >= this.#maxInTable;
  }

  has(fingerprint: bigint): boolean {
    const words = wordsOf(fingerprint);
    return this.#has(words[0]!, words[1]!);
  }

  /** Adds a fingerprint; returns false if it was already present. */
  add(fingerprint: bigint): boolean {
    const words = wordsOf(fingerprint);
    return this.#add(words[0]!, words[1]!);
  }

  /** Adds fingerprints that are stored as in `seen.log`: two 32-bit words each, the low word first. */
  addWords(words: Uint32Array): void {
    for (let at = 0; at < words.length; at += 2) {
      const [low, high] = [words[at]!, words[at + 1]!];
      this.#add(low === 0 && high === 0 ? 1 : low, high);
    }
  }

  /** Makes room for this many fingerprints, up to the memory limit of the table. */
  reserve(count: number): void {
    this.#table.reserve(Math.min(count, this.#maxInTable));
  }

  /**
   * Writes the table to disk as a run, except the fingerprints in `uncommitted`, which stay in memory. Resolves when
   * the run is durable; the set can be used before that.
   */
  spill(directory: Directory, stretch: Stretch, uncommitted: readonly bigint[]): Promise<void> {
    const left = uncommitted.map((each) => (each === 0n ? 1n : BigInt.asUintN(64, each)));
    const { run, sealed } = SeenRun.write(directory, stretch, this.#table.takeSorted(), left);
    this.#table.clear();
    this.useRun(run);
    for (const each of uncommitted) {
      const words = wordsOf(each);
      this.#table.add(words[0]!, words[1]!);
    }
    return sealed;
  }

  useRun(run: SeenRun): void {
    this.#runs.push(run);
    this.#inRuns += run.count;
    const filterBytes = () => this.#runs.reduce((sum, each) => sum + each.filterBytes, 0);
    while (filterBytes() > this.#filterBytes) {
      const largest = this.#runs.reduce((a, b) => (b.filterBytes > a.filterBytes ? b : a));
      if (!largest.fold()) break;
    }
  }

  close(): void {
    for (const run of this.#runs) run.close();
    this.#runs = [];
  }

  #has(low: number, high: number): boolean {
    return this.#table.has(low, high) || (this.#runs.length > 0 && this.#isInRun(low, high));
  }

  #add(low: number, high: number): boolean {
    if (this.#runs.length > 0 && this.#has(low, high)) return false;
    return this.#table.add(low, high);
  }

  /**
   * Returns true if a run has the fingerprint. The newest run is searched first, because most repeated links
   * are repeated soon after their discovery.
   */
  #isInRun(low: number, high: number): boolean {
    for (let number = this.#runs.length - 1; number >= 0; number--) {
      const run = this.#runs[number]!;
      const block = run.blockOf(low, high);
      if (block < 0) continue;
      const keys = this.#blocks.remember(number * 2 ** 32 + block, () => run.readBlock(block));
      if (isAmong(keys, low, high)) return true;
    }
    return false;
  }
}

/** Returns the number of slots of the largest table that fits into these bytes. */
function capacityWithin(bytes: number): number {
  if (bytes === Number.POSITIVE_INFINITY) return bytes;
  return Math.max(FIRST_CAPACITY, 2 ** Math.floor(Math.log2(bytes / SLOT_BYTES)));
}

function isAmong(keys: Uint32Array, low: number, high: number): boolean {
  let [from, to] = [0, keys.length / 2];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const [midLow, midHigh] = [keys[2 * middle]!, keys[2 * middle + 1]!];
    if (midLow === low && midHigh === high) return true;
    if (midHigh > high || (midHigh === high && midLow > low)) to = middle;
    else from = middle + 1;
  }
  return false;
}

const scratch = new BigInt64Array(1);
const scratchWords = new Uint32Array(scratch.buffer);

/**
 * Returns the low and high 32-bit word of a fingerprint. Fingerprint 0 is mapped to 1, because 0 marks an empty slot.
 */
function wordsOf(fingerprint: bigint): Uint32Array {
  scratch[0] = fingerprint === 0n ? 1n : fingerprint;
  return scratchWords;
}
