/**
 * Three lists for each host: the hosts of other domains that link to it, the hosts of other domains that it links to,
 * and its partners, which are the hosts in both lists. Links between hosts of one domain are ignored, because one owner
 * may link its own hosts freely.
 *
 * Each list is a row of ascending host numbers in a typed array, so a link takes 4 bytes in each direction.
 */
import { UintList } from '../tiles/mod.ts';

/**
 * The links between hosts as two columns, sources and targets. Each link occurs once. The links may be in any
 * order.
 */
export interface HostLinks {
  sources: Uint32Array;
  targets: Uint32Array;
}

interface Rows {
  /** The index in `values` at which each row starts, followed by the index at which the last row ends. */
  starts: Uint32Array;
  values: Uint32Array;
}

export class HostNeighbours {
  readonly #in: Rows;
  readonly #out: Rows;
  readonly #partners: Rows;

  constructor(hostCount: number, { sources, targets }: HostLinks, domainOf: Uint32Array) {
    const isBetween = (_: number, at: number) => domainOf[sources[at]!] !== domainOf[targets[at]!];
    const unordered = rowsOf(hostCount, sources.filter(isBetween), targets.filter(isBetween));
    this.#in = turned(unordered);
    this.#out = turned(this.#in);
    this.#partners = common(this.#in, this.#out);
  }

  linkingTo(host: number): Uint32Array {
    return rowOf(this.#in, host);
  }

  linkedFrom(host: number): Uint32Array {
    return rowOf(this.#out, host);
  }

  partnersOf(host: number): Uint32Array {
    return rowOf(this.#partners, host);
  }
}

/** Calls `take` for each value that both ascending lists contain. Returns the number of these values. */
export function shared(one: Uint32Array, other: Uint32Array, take?: (value: number) => void): number {
  let count = 0;
  let at = 0;
  for (const value of one) {
    while (at < other.length && other[at]! < value) at++;
    if (other[at] !== value) continue;
    count++;
    take?.(value);
  }
  return count;
}

function rowOf({ starts, values }: Rows, row: number): Uint32Array {
  return values.subarray(starts[row], starts[row + 1]);
}

/** Groups values by key with a counting sort. The values of one key keep their order. */
function rowsOf(rowCount: number, keys: Uint32Array, values: Uint32Array): Rows {
  const starts = new Uint32Array(rowCount + 1);
  for (const key of keys) starts[key + 1]!++;
  for (let row = 0; row < rowCount; row++) starts[row + 1]! += starts[row]!;
  const next = starts.slice();
  const placed = new Uint32Array(values.length);
  keys.forEach((key, at) => {
    placed[next[key]!++] = values[at]!;
  });
  return { starts, values: placed };
}

/**
 * Reverses every link: row n of the result has the numbers of the rows that contain n, in ascending order.
 */
function turned({ starts, values }: Rows): Rows {
  const rowCount = starts.length - 1;
  const keys = new Uint32Array(values.length);
  for (let row = 0; row < rowCount; row++) keys.fill(row, starts[row], starts[row + 1]);
  return rowsOf(rowCount, values, keys);
}

/** Intersects two tables row by row: row n of the result has the values that are in row n of both tables. */
function common(one: Rows, other: Rows): Rows {
  const rowCount = one.starts.length - 1;
  const starts = new Uint32Array(rowCount + 1);
  const values = new UintList();
  for (let row = 0; row < rowCount; row++) {
    shared(rowOf(one, row), rowOf(other, row), (value) => values.push(value));
    starts[row + 1] = values.length;
  }
  return { starts, values: values.view() };
}
