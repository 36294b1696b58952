/**
 * A radix tree over the beginnings of robots.txt patterns: one walk along a path finds every pattern text
 * that the path begins with.
 *
 * A node represents the octets from the root to it, and its label the last of them. Labels are slices of one
 * pool of octets, so a file of 33,000 rules takes about 2 MB. Nodes are records of six integers:
 *
 *   start, end   of the label in the pool
 *   child        first child, 0 if there is none (the root is never a child)
 *   sibling      next child of the same parent, 0 if there is none
 *   rule         best rule with this text, -1 if there is none
 *   state        state of the automaton for patterns that continue with `*`, 0 if there is none
 *
 * The cost of a walk is the length of the path, and at most 80 comparisons per node on it, because the
 * normalized form of `robots-pattern.ts` has 80 distinct octets.
 */
const START = 0;
const END = 1;
const CHILD = 2;
const SIBLING = 3;
const RULE = 4;
const STATE = 5;
const FIELDS = 6;

export class PrefixTrie {
  #nodes = new Int32Array(16 * FIELDS);
  #nodeCount = 1;
  #pool = Buffer.alloc(256);
  #poolSize = 0;

  constructor() {
    this.#nodes[RULE] = -1;
  }

  /** Returns the best rule at `node`, or -1 if there is none. */
  ruleAt(node: number): number {
    return this.#nodes[node * FIELDS + RULE]!;
  }

  setRule(node: number, rule: number): void {
    this.#nodes[node * FIELDS + RULE] = rule;
  }

  stateAt(node: number): number {
    return this.#nodes[node * FIELDS + STATE]!;
  }

  setState(node: number, state: number): void {
    this.#nodes[node * FIELDS + STATE] = state;
  }

  labelLength(node: number): number {
    return this.#nodes[node * FIELDS + END]! - this.#nodes[node * FIELDS + START]!;
  }

  /** Returns the child of `node` whose label occurs completely in `path` at position `at`; 0 if there is none. */
  step(node: number, path: string, at: number): number {
    const child = at < path.length ? this.#childOf(node, path.charCodeAt(at)) : 0;
    return child > 0 && this.#matched(child, path, at) === this.labelLength(child) ? child : 0;
  }

  /** Returns the node for `text`, and adds it if necessary. */
  nodeFor(text: string): number {
    let node = 0;
    for (let at = 0; at < text.length; ) {
      const child = this.#childOf(node, text.charCodeAt(at));
      if (child === 0) return this.#addLeaf(node, text, at);
      const matched = this.#matched(child, text, at);
      if (matched < this.labelLength(child)) this.#split(child, matched);
      at += matched;
      node = child;
    }
    return node;
  }

  #childOf(node: number, octet: number): number {
    const nodes = this.#nodes;
    let child = nodes[node * FIELDS + CHILD]!;
    while (child > 0 && this.#pool[nodes[child * FIELDS + START]!] !== octet) {
      child = nodes[child * FIELDS + SIBLING]!;
    }
    return child;
  }

  /** Returns the number of octets at the beginning of the node's label that match `text` at position `at`. */
  #matched(node: number, text: string, at: number): number {
    const start = this.#nodes[node * FIELDS + START]!;
    const most = Math.min(this.labelLength(node), text.length - at);
    let count = 0;
    while (count < most && this.#pool[start + count] === text.charCodeAt(at + count)) count++;
    return count;
  }

  #addLeaf(parent: number, text: string, at: number): number {
    const start = this.#poolSize;
    this.#poolSize += text.length - at;
    if (this.#poolSize > this.#pool.length) {
      const larger = Buffer.alloc(Math.max(2 * this.#pool.length, this.#poolSize));
      larger.set(this.#pool);
      this.#pool = larger;
    }
    for (let to = start; to < this.#poolSize; ) this.#pool[to++] = text.charCodeAt(at++);
    const sibling = this.#nodes[parent * FIELDS + CHILD]!;
    const leaf = this.#add([start, this.#poolSize, 0, sibling, -1, 0]);
    this.#nodes[parent * FIELDS + CHILD] = leaf;
    return leaf;
  }

  /**
   * Shortens the label of `node` to `length` octets; a new child gets the rest of the label and everything
   * stored at the node.
   */
  #split(node: number, length: number): void {
    const base = node * FIELDS;
    const [start = 0, end = 0, child = 0, , rule = 0, state = 0] = this.#nodes.subarray(base, base + FIELDS);
    const lower = this.#add([start + length, end, child, 0, rule, state]);
    this.#nodes[base + END] = start + length;
    this.#nodes[base + CHILD] = lower;
    this.#nodes[base + RULE] = -1;
    this.#nodes[base + STATE] = 0;
  }

  #add(fields: readonly number[]): number {
    if ((this.#nodeCount + 1) * FIELDS > this.#nodes.length) {
      const larger = new Int32Array(2 * this.#nodes.length);
      larger.set(this.#nodes);
      this.#nodes = larger;
    }
    this.#nodes.set(fields, this.#nodeCount * FIELDS);
    return this.#nodeCount++;
  }
}
