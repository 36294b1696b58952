/**
 * Measures how close together the words of a query are in a document. The positions of each word are an
 * ascending list.
 */

type Positions = ArrayLike<number>;

/**
 * Returns the greatest total weight of words that occur in one window of `length` positions. Each list has the
 * positions of one word; only its elements with the indexes from `starts` to `ends` - 1 are used. The window
 * moves over all positions in ascending order, and each position enters and leaves it once. The search stops
 * when the window has all words.
 */
export function heaviestPassage(
  lists: readonly Positions[],
  weights: readonly number[],
  length: number,
  starts: readonly number[] = lists.map(() => 0),
  ends: readonly number[] = lists.map((list) => list.length),
): number {
  const count = lists.length;
  if (heads.length < count) [heads, tails, nexts] = [scratch(count), scratch(count), scratch(count)];
  let missing = 0;
  let total = 0;
  for (let list = 0; list < count; list++) {
    heads[list] = tails[list] = starts[list]!;
    nexts[list] = Number.POSITIVE_INFINITY;
    if (starts[list]! >= ends[list]!) continue;
    nexts[list] = lists[list]![starts[list]!]!;
    missing++;
    total += weights[list]!;
  }
  let best = 0;
  let weight = 0;
  // The first position in the window: nothing leaves the window before this position does.
  let first = Number.POSITIVE_INFINITY;
  while (missing > 0) {
    const list = leastOf(nexts, count);
    const position = nexts[list]!;
    if (position === Number.POSITIVE_INFINITY) return best;
    if (first <= position - length) {
      first = Number.POSITIVE_INFINITY;
      for (let other = 0; other < count; other++) {
        const positions = lists[other]!;
        const from = tails[other]!;
        const head = heads[other]!;
        let tail = from;
        while (tail < head && positions[tail]! <= position - length) tail++;
        if (tail < head && positions[tail]! < first) first = positions[tail]!;
        if (tail === from) continue;
        tails[other] = tail;
        if (tail < head) continue;
        weight -= weights[other]!;
        missing++;
      }
    }
    if (tails[list] === heads[list]) {
      weight += weights[list]!;
      missing--;
    }
    if (position < first) first = position;
    const head = ++heads[list]!;
    nexts[list] = head < ends[list]! ? lists[list]![head]! : Number.POSITIVE_INFINITY;
    if (weight > best) best = weight;
  }
  return total;
}

/**
 * Buffers of `heaviestPassage`, by list: the index of the next position that enters the window, the index of the first
 * position in the window, and the next position.
 */
let heads = scratch(64);
let tails = scratch(64);
let nexts = scratch(64);

function scratch(count: number): Float64Array<ArrayBuffer> {
  return new Float64Array(count);
}

/** Returns the index of the smallest of the first `count` numbers; of equal numbers, the first. */
function leastOf(numbers: Float64Array, count: number): number {
  let least = 0;
  for (let at = 1; at < count; at++) if (numbers[at]! < numbers[least]!) least = at;
  return least;
}

/**
 * Returns the length of the longest run: words that are adjacent in the document, in the order of the query.
 */
export function longestRun(lists: readonly Positions[]): number {
  let longest = 0;
  let before: Positions = [];
  for (const list of lists) {
    if (runs.length < list.length) runs = new Uint16Array(2 * list.length);
    let at = 0;
    for (let i = 0; i < list.length; i++) {
      const previous = list[i]! - 1;
      while (at < before.length && before[at]! < previous) at++;
      const run = at < before.length && before[at] === previous ? runsBefore[at]! + 1 : 1;
      runs[i] = run;
      if (run > longest) longest = run;
    }
    before = list;
    [runs, runsBefore] = [runsBefore, runs];
  }
  return longest;
}

/**
 * The length of the run of words that ends at each position of a list. `runs` is for the current list,
 * `runsBefore` for the list before it.
 */
let runs = new Uint16Array(512);
let runsBefore = new Uint16Array(512);

/** Counts the positions in `second` that follow a position in `first` at exactly `distance`. */
export function pairCount(first: Positions, second: Positions, distance: number): number {
  let count = 0;
  let at = 0;
  for (let i = 0; i < first.length; i++) {
    const wanted = first[i]! + distance;
    while (at < second.length && second[at]! < wanted) at++;
    if (second[at] === wanted) count++;
  }
  return count;
}

/**
 * Returns the lengths of all maximal runs. A run is a sequence of adjacent words in the order of the query.
 * Each list has the positions of one word, and no position is in two lists.
 */
export function runLengths(lists: readonly Positions[]): number[] {
  const wordAt = new Map<number, number>();
  for (const [word, list] of lists.entries())
    for (let at = 0; at < list.length; at++) wordAt.set(list[at]!, word);
  const lengths: number[] = [];
  for (const [position, word] of wordAt) {
    if (word > 0 && wordAt.get(position - 1) === word - 1) continue;
    let length = 1;
    while (wordAt.get(position + length) === word + length) length++;
    lengths.push(length);
  }
  return lengths;
}
