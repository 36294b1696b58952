/**
 * Computes which items were added to a list and which were removed, by the longest common subsequence. Used for the
 * lines of a page, and for the words of a changed line.
 *
 * The common beginning and end of the two lists are skipped first. The table for the rest has a cell for each
 * pair of items. Copies of a page usually differ little, so the table is small. If the table would have more
 * than `maxCells` cells, all items between the common beginning and end count as replaced. Items are numbered
 * before they are compared in pairs, because comparing long lines that differ only at the end would cost their
 * length each time.
 */

export interface Difference<Item> {
  kind: 'kept' | 'removed' | 'added';
  items: Item[];
}

const MAX_CELLS = 4_000_000;

export function differences<Item>(
  older: readonly Item[],
  newer: readonly Item[],
  maxCells = MAX_CELLS,
): Difference<Item>[] {
  let start = 0;
  while (start < older.length && start < newer.length && older[start] === newer[start]) start++;
  let tail = 0;
  const most = Math.min(older.length, newer.length) - start;
  while (tail < most && older[older.length - 1 - tail] === newer[newer.length - 1 - tail]) tail++;
  const list = new DifferenceList<Item>();
  list.add('kept', older.slice(0, start));
  const left = older.slice(start, older.length - tail);
  const right = newer.slice(start, newer.length - tail);
  if (left.length * right.length > maxCells) {
    list.add('removed', left);
    list.add('added', right);
  } else walk(left, right, list);
  list.add('kept', older.slice(older.length - tail));
  return list.differences;
}

/** A list of differences. Neighbouring differences of the same kind are merged. */
class DifferenceList<Item> {
  readonly differences: Difference<Item>[] = [];

  add(kind: Difference<Item>['kind'], items: readonly Item[]): void {
    if (items.length === 0) return;
    const last = this.differences.at(-1);
    if (last?.kind === kind) for (const item of items) last.items.push(item);
    else this.differences.push({ kind, items: [...items] });
  }
}

function walk<Item>(left: readonly Item[], right: readonly Item[], list: DifferenceList<Item>): void {
  const width = right.length + 1;
  const numbers = new Map<Item, number>();
  const lengths = commonLengths(numbered(left, numbers), numbered(right, numbers), width);
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      list.add('kept', [left[i++]!]);
      j++;
    } else if (
      j >= right.length ||
      (i < left.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      list.add('removed', [left[i++]!]);
    } else list.add('added', [right[j++]!]);
  }
}

/** Maps items to numbers; equal items have equal numbers. */
function numbered<Item>(items: readonly Item[], numbers: Map<Item, number>): Uint32Array {
  return Uint32Array.from(items, (item) => {
    const number = numbers.get(item) ?? numbers.size;
    numbers.set(item, number);
    return number;
  });
}

/**
 * Returns a table whose cell [i, j] is the length of the longest common subsequence of the items from i on
 * and from j on.
 */
function commonLengths(left: Uint32Array, right: Uint32Array, width: number): Uint32Array {
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        left[i] === right[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  return lengths;
}
