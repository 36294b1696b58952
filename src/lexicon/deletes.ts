/**
 * Finds, for a misspelled word, the words of a vocabulary that the user may have meant.
 *
 * The deletes of a word are its first 7 letters with zero, one or (for words of 7 letters or more) two letters
 * removed. Two words that are one edit apart have a delete in common, and so do most long words that are two
 * edits apart. Therefore the words near a typed word are found by looking up the deletes of the typed word,
 * with a few dozen look-ups (symmetric delete, W. Garbe 2012). `cat` has the deletes cat, at, ct and ca.
 *
 * The table groups the words of the vocabulary by the hashes of their deletes. It takes about 100 bytes and a
 * microsecond per word to make, so it is made in memory and not stored on disk.
 */
const DELETES_FROM = 7;
const LONG_WORD = 7;
/** The greatest number of deletes of one word: its first 7 letters with zero, one or two letters removed. */
const MAX_DELETES = 1 + DELETES_FROM + (DELETES_FROM * (DELETES_FROM - 1)) / 2;
/** The average number of words in a group of the hash table. */
const GROUP_SIZE = 4;

export class DeletesTable {
  readonly #shift: number;
  readonly #starts: Uint32Array;
  readonly #hashes: Uint32Array;
  readonly #owners: Uint32Array;

  /** Builds the table. `numbers` has the number of each word in the vocabulary. */
  constructor(words: readonly string[], numbers: ArrayLike<number>) {
    const found = new Uint32Array(MAX_DELETES);
    let hashes = new Uint32Array(16 * words.length + MAX_DELETES);
    let owners = new Uint32Array(hashes.length);
    let count = 0;
    for (let at = 0; at < words.length; at++) {
      if (count + MAX_DELETES > hashes.length) [hashes, owners] = [grown(hashes), grown(owners)];
      const deletes = hashDeletes(words[at]!, found);
      for (let i = 0; i < deletes; i++, count++) {
        hashes[count] = found[i]!;
        owners[count] = numbers[at]!;
      }
    }
    this.#shift = 32 - Math.min(24, Math.max(1, Math.ceil(Math.log2(1 + count / GROUP_SIZE))));
    this.#starts = new Uint32Array(2 ** (32 - this.#shift) + 1);
    this.#hashes = new Uint32Array(count);
    this.#owners = new Uint32Array(count);
    this.#group(hashes.subarray(0, count), owners);
  }

  /** Adds to `into` the numbers of the words that share a delete with `word`. */
  collect(word: string, into: Set<number>): void {
    const found = new Uint32Array(MAX_DELETES);
    const count = hashDeletes(word, found);
    for (let i = 0; i < count; i++) {
      const group = found[i]! >>> this.#shift;
      for (let at = this.#starts[group]!; at < this.#starts[group + 1]!; at++)
        if (this.#hashes[at] === found[i]) into.add(this.#owners[at]!);
    }
  }

  /** Sorts the entries by the group of their hash, with a counting sort. */
  #group(hashes: Uint32Array, owners: Uint32Array): void {
    for (const hash of hashes) this.#starts[(hash >>> this.#shift) + 1]!++;
    for (let group = 1; group < this.#starts.length; group++)
      this.#starts[group]! += this.#starts[group - 1]!;
    const next = this.#starts.slice();
    for (let at = 0; at < hashes.length; at++) {
      const to = next[hashes[at]! >>> this.#shift]!++;
      this.#hashes[to] = hashes[at]!;
      this.#owners[to] = owners[at]!;
    }
  }
}

function grown(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * column.length);
  larger.set(column);
  return larger;
}

/**
 * Writes the hashes of all deletes of a word to `found`, and returns their number. Equal deletes, which doubled
 * letters cause, are written once. The hash is FNV-1a over UTF-16 units, mixed so that its upper bits depend on
 * all units.
 */
function hashDeletes(word: string, found: Uint32Array): number {
  const length = Math.min(word.length, DELETES_FROM);
  let count = 0;
  found[count++] = hashWithout(word, length, -1, -1);
  for (let first = 0; first < length; first++) {
    if (first > 0 && word.charCodeAt(first) === word.charCodeAt(first - 1)) continue;
    found[count++] = hashWithout(word, length, first, -1);
    if (word.length < LONG_WORD) continue;
    for (let second = first + 1; second < length; second++)
      found[count++] = hashWithout(word, length, first, second);
  }
  return count;
}

function hashWithout(word: string, length: number, first: number, second: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at++)
    if (at !== first && at !== second) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
