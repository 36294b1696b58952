/**
 * Which hosts of other domains link to a host, which it links to, and its partners: those that do both. The hosts of
 * one owner may link to each other as they like; such links are left out.
 *
 * Links lie in rows, one for each host, ascending: 4 bytes for each link in each direction, and no object for any.
 */
import { UintList } from './uint-list.ts';

/** Links between hosts as parallel columns, each once, in any order. */
export interface HostLinks {
  sources: Uint32Array;
  targets: Uint32Array;
}

interface Rows {
  /** Where each row starts; one more than there are rows. */
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

/** Hands over what two ascending lists share; returns how much that is. */
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

/** By counting; values of one row stay in the order in which they come. */
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

/** The same links the other way round, each row ascending. */
function turned({ starts, values }: Rows): Rows {
  const rowCount = starts.length - 1;
  const keys = new Uint32Array(values.length);
  for (let row = 0; row < rowCount; row++) keys.fill(row, starts[row], starts[row + 1]);
  return rowsOf(rowCount, values, keys);
}

/** What both have, row by row. */
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
