/**
 * Generates the graphs of the benchmark as files of unsorted edges: pairs of u32, source and target. They are
 * seeded, so every run has the same graphs.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

export interface EdgeFile {
  path: string;
  nodeCount: number;
  edgeCount: number;
}

const EDGES_AT_ONCE = 1 << 18;
/**
 * The probabilities of the four quarters in R-MAT (0.57, 0.19, 0.19 and 0.05) as cumulative bounds in 256ths.
 */
const QUARTERS = [146, 195, 243] as const;

/** Writes an R-MAT graph with 16 edges per node and shuffled ids, as in the Graph500 and GAP benchmarks. */
export function writeRmat(path: string, scale: number): EdgeFile {
  const nodeCount = 2 ** scale;
  const random = new Xorshift(scale);
  const ids = shuffledIds(nodeCount, random);
  return writeEdges(path, nodeCount, nodeCount * 16, (edge) => {
    let source = 0;
    let target = 0;
    let bits = 0;
    for (let level = 0; level < scale; level++) {
      if ((level & 3) === 0) bits = random.next();
      const part = bits & 255;
      bits >>>= 8;
      const quarter = part < QUARTERS[0] ? 0 : part < QUARTERS[1] ? 1 : part < QUARTERS[2] ? 2 : 3;
      source = (source << 1) | (quarter >> 1);
      target = (target << 1) | (quarter & 1);
    }
    edge[0] = ids[source]!;
    edge[1] = ids[target]!;
  });
}

/**
 * Writes a graph like the web with ids in the order of host and path. Hosts have very different sizes. Four of
 * five links stay within the host, most of them to nearby pages and to its front pages. The other links go to
 * other hosts by popularity.
 */
export function writeWebLike(path: string, edgeCount: number): EdgeFile {
  const nodeCount = Math.ceil(edgeCount / 16);
  const random = new Xorshift(7);
  const starts = hostStarts(nodeCount, random);
  const hostOf = new Uint32Array(nodeCount);
  for (let host = 0; host + 1 < starts.length; host++) hostOf.fill(host, starts[host], starts[host + 1]);
  const popular = shuffledIds(starts.length - 1, random);
  return writeEdges(path, nodeCount, edgeCount, (edge) => {
    const source = random.below(nodeCount);
    const isLocal = random.below(5) !== 0;
    const host = isLocal ? hostOf[source]! : popular[random.skewed(popular.length)]!;
    const start = starts[host]!;
    const size = starts[host + 1]! - start;
    const isNear = isLocal && random.below(2) === 0;
    edge[0] = source;
    edge[1] = isNear ? start + ((source - start + random.skewed(size)) % size) : start + random.skewed(size);
  });
}

function writeEdges(
  path: string,
  nodeCount: number,
  edgeCount: number,
  draw: (edge: Uint32Array) => void,
): EdgeFile {
  const file = openSync(path, 'w');
  const pairs = new Uint32Array(EDGES_AT_ONCE * 2);
  const edge = new Uint32Array(2);
  for (let written = 0; written < edgeCount; ) {
    const count = Math.min(EDGES_AT_ONCE, edgeCount - written);
    for (let at = 0; at < count * 2; at += 2) {
      draw(edge);
      pairs[at] = edge[0]!;
      pairs[at + 1] = edge[1]!;
    }
    writeSync(file, new Uint8Array(pairs.buffer, 0, count * 8));
    written += count;
  }
  closeSync(file);
  return { path, nodeCount, edgeCount };
}

function hostStarts(nodeCount: number, random: Xorshift): Uint32Array {
  const starts = [0];
  for (let end = 0; end < nodeCount; ) {
    end = Math.min(nodeCount, end + 1 + random.skewed(Math.ceil(nodeCount / 50)));
    starts.push(end);
  }
  return Uint32Array.from(starts);
}

function shuffledIds(count: number, random: Xorshift): Uint32Array {
  const ids = Uint32Array.from({ length: count }, (_, id) => id);
  for (let last = count - 1; last > 0; last--) {
    const other = random.below(last + 1);
    const id = ids[last]!;
    ids[last] = ids[other]!;
    ids[other] = id;
  }
  return ids;
}

/**
 * A random generator for hundreds of millions of numbers. Its 32 bits of state are enough for the shape of a
 * graph.
 */
class Xorshift {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) | 1;
  }

  next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return Math.imul(state, 0x9e3779b1) >>> 0;
  }

  below(limit: number): number {
    return Math.floor((this.next() / 4294967296) * limit);
  }

  /**
   * Returns a random number below `limit`. Small numbers are far more likely: the density is nearly the
   * inverse of the number.
   */
  skewed(limit: number): number {
    return Math.min(limit - 1, Math.floor(limit ** (this.next() / 4294967296)) - 1);
  }
}
