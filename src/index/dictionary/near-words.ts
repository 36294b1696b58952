/**
 * Finds the words of a sorted dictionary within an edit distance of a given word.
 *
 * The distance is the number of letters that must be inserted, deleted, replaced, or swapped with their
 * neighbour (optimal string alignment). Words are walked in order, and the walk keeps one row of the distance
 * table per letter, so a word that shares a prefix with the previous one costs only the rows of its other
 * letters. If no word with some prefix can be within the distance, all words with that prefix are skipped at
 * once. Without a fixed prefix the walk still visits a large part of a large dictionary, so it stops after
 * `MAX_VISITED` words and returns the words found so far.
 */

/** Words visited in one walk: about 50 ms. */
const MAX_VISITED = 200_000;
/** Number of out-of-reach words that are skipped one by one before the walk seeks in the dictionary. */
const STEPS_BEFORE_LEAP = 8;

export interface NearWord<Entry> {
  entry: Entry;
  distance: number;
}

/** `wordsFrom` yields the words that are not less than its argument, ascending by UTF-16 units. */
export function nearWords<Entry>(
  wordsFrom: (from: string) => Generator<Entry>,
  wordOf: (entry: Entry) => string,
  word: string,
  maxDistance: number,
  prefix = '',
): NearWord<Entry>[] {
  const table = new DistanceTable(word, maxDistance);
  const found: NearWord<Entry>[] = [];
  let walk = wordsFrom(prefix);
  let outOfReach = '';
  let steps = 0;
  for (let visited = 0; visited < MAX_VISITED; visited++) {
    const { value: entry, done } = walk.next();
    if (done || !wordOf(entry).startsWith(prefix)) break;
    const candidate = wordOf(entry);
    if (outOfReach !== '' && candidate.startsWith(outOfReach)) {
      if (++steps < STEPS_BEFORE_LEAP) continue;
      const next = afterAllWith(outOfReach);
      if (next === null) break;
      walk = wordsFrom(next);
      continue;
    }
    steps = 0;
    const depth = table.enter(candidate);
    outOfReach = depth < 0 ? '' : candidate.slice(0, depth);
    if (depth < 0 && table.distance <= maxDistance) found.push({ entry, distance: table.distance });
  }
  return found;
}

/** Returns the least string that is greater than all strings with this prefix, or null if there is none. */
export function afterAllWith(prefix: string): string | null {
  for (let length = prefix.length; length > 0; length--) {
    const last = prefix.charCodeAt(length - 1);
    if (last < 0xffff) return prefix.slice(0, length - 1) + String.fromCharCode(last + 1);
  }
  return null;
}

class DistanceTable {
  readonly #word: string;
  readonly #maxDistance: number;
  /** Row `d` has the distances of the first `d` letters of the candidate to each prefix of the word. */
  readonly #rows: Uint16Array[];
  readonly #minima: number[] = [0];
  #candidate = '';
  #depth = 0;

  constructor(word: string, maxDistance: number) {
    this.#word = word;
    this.#maxDistance = maxDistance;
    this.#rows = [Uint16Array.from({ length: word.length + 1 }, (_, i) => i)];
  }

  /** The distance of the last candidate, if `enter` returned -1 for it. */
  get distance(): number {
    return this.#rows[this.#depth]![this.#word.length]!;
  }

  /**
   * Fills the rows of a candidate. Returns the length of a prefix that is out of reach, or -1 if there is
   * none.
   */
  enter(candidate: string): number {
    let depth = 0;
    while (depth < this.#depth && candidate[depth] === this.#candidate[depth]) depth++;
    this.#candidate = candidate;
    this.#depth = depth;
    while (this.#depth < candidate.length) {
      this.#fillRow(++this.#depth);
      const least = Math.min(this.#minima[this.#depth]!, this.#minima[this.#depth - 1]! + 1);
      if (least > this.#maxDistance) return this.#depth;
    }
    return -1;
  }

  #fillRow(depth: number): void {
    const rows = this.#rows;
    rows[depth] ??= new Uint16Array(this.#word.length + 1);
    const row = rows[depth];
    const before = rows[depth - 1]!;
    const letter = this.#candidate.charCodeAt(depth - 1);
    row[0] = depth;
    let least = depth;
    for (let i = 1; i < row.length; i++) {
      const own = this.#word.charCodeAt(i - 1);
      let cost = Math.min(row[i - 1]! + 1, before[i]! + 1, before[i - 1]! + (own === letter ? 0 : 1));
      if (this.#isSwap(depth, i, letter, own)) cost = Math.min(cost, rows[depth - 2]![i - 2]! + 1);
      row[i] = cost;
      if (cost < least) least = cost;
    }
    this.#minima[depth] = least;
  }

  #isSwap(depth: number, i: number, letter: number, own: number): boolean {
    if (depth < 2 || i < 2) return false;
    return letter === this.#word.charCodeAt(i - 2) && own === this.#candidate.charCodeAt(depth - 2);
  }
}
