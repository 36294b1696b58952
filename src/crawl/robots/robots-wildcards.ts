/**
 * All patterns with `*` of a robots.txt in one automaton, so that a verdict does not try one pattern after
 * another.
 *
 * Such a pattern is a text at the beginning of the path, followed by pieces that must occur in this order
 * with anything between them. A state represents the part of a pattern before one of its stars; patterns with
 * the same beginning share their states. An edge leads from a state to the next by one piece:
 *
 *   /a*b*c, /a*b*d      "/a" -> state 1 --b--> state 2 --c--> state 3 (rule of line 1)
 *                                                      --d--> state 4 (rule of line 2)
 *
 * A state that is reached stays active until the end of the path, because a star matches anything. The
 * leftmost occurrence of each piece is therefore the best: a later one leaves less text for the following
 * pieces.
 *
 * The pieces are found by the Aho-Corasick automaton ("Efficient string matching", 1975): one pass over the
 * path finds every occurrence of every piece, and follows the edges of that piece.
 *
 * Two limits bound the work whatever the file says. Nodes and states are at most `MAX_SIZE` (about 1.5 MB);
 * the caller decides what happens to a rule without room. A pass takes at most `MAX_STEPS` steps (a fifth of
 * a millisecond) and then gives up. Real files are far from both limits: 2,000 rules with 20 octets after
 * their first star fit, and a path takes one or two steps per octet.
 */
import type { BestRule } from './robots-matcher.ts';

const MAX_SIZE = 65_536;
const MAX_STEPS = 50_000;
const ASCII = 128;

/** Limits of the automaton; tests use smaller ones than the default. */
export interface WildcardLimits {
  maxSize?: number;
  maxSteps?: number;
}

/** Fields of a node. The nodes are a tree of the octets of all pieces; the root is node 0. */
const OCTET = 0;
const CHILD = 1;
const SIBLING = 2;
/** Field: the node of the longest proper suffix of this node's text that is also a node. */
const FAIL = 3;
/**
 * Field: the nearest node along the `FAIL` links, starting with this one, at which a piece ends; 0 if there is none.
 */
const REPORT = 4;
const DEPTH = 5;
/** Field: the first edge of the piece that ends at this node; 0 if there is none. */
const EDGE = 6;
const NODE_FIELDS = 7;

/**
 * Fields of an edge. Edge n leads to state n; states are numbered from 1. `FROM` is the state at which the edge
 * begins. It is 0 for the first state of a pattern, which represents the text before the first star.
 */
const FROM = 0;
const NEXT_EDGE = 1;
const RULE = 2;
const EDGE_FIELDS = 3;

/** Number of nodes that `link` processes between two pauses. */
const LINKS_PER_STEP = 256;

export class WildcardAutomaton {
  #nodes = new Int32Array(16 * NODE_FIELDS);
  #nodeCount = 1;
  #edges = new Int32Array(16 * EDGE_FIELDS);
  #edgeCount = 1;
  /** The children of the root by octet. This table is fast, and most steps begin at the root. */
  readonly #firstNodes = new Int32Array(ASCII);
  /** For each pair of a state and a piece, the edge that exists; needed only while patterns are added. */
  #known = new Map<number, number>();
  /** The path position at which each state became active; -1 if it is not active. */
  #since = new Int32Array(0);
  readonly #active: number[] = [];
  readonly #maxSize: number;
  readonly #maxSteps: number;

  constructor({ maxSize = MAX_SIZE, maxSteps = MAX_STEPS }: WildcardLimits = {}) {
    this.#maxSize = maxSize;
    this.#maxSteps = maxSteps;
  }

  /**
   * Adds the state that follows the beginning of a pattern, before its first star. Returns its number, or 0 if there
   * is no room.
   */
  addState(): number {
    return this.#hasRoom(1) ? this.#addEdge(0, 0) : 0;
  }

  /** Returns the state that `piece` leads to from `state`, and adds it if necessary; 0 if there is no room. */
  addPiece(state: number, piece: string): number {
    if (!this.#hasRoom(piece.length + 1)) return 0;
    const node = this.#nodeFor(piece);
    const key = state * MAX_SIZE + node;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const edge = this.#addEdge(state, this.#nodes[node * NODE_FIELDS + EDGE]!);
    this.#nodes[node * NODE_FIELDS + EDGE] = edge;
    this.#known.set(key, edge);
    return edge;
  }

  /** Returns the best rule whose pattern ends at this state, or -1 if there is none. */
  ruleAt(state: number): number {
    return this.#edges[state * EDGE_FIELDS + RULE]!;
  }

  setRule(state: number, rule: number): void {
    this.#edges[state * EDGE_FIELDS + RULE] = rule;
  }

  /** Computes the `FAIL` and `REPORT` links, level by level. No piece may be added afterwards. */
  *link(): Generator<void, void> {
    this.#known = new Map();
    this.#since = new Int32Array(this.#edgeCount).fill(-1);
    const queue = new Int32Array(this.#nodeCount);
    let end = 0;
    for (let taken = -1; taken < end; taken++) {
      const parent = taken < 0 ? 0 : queue[taken]!;
      for (let node = this.#nodes[parent * NODE_FIELDS + CHILD]!; node > 0; node = this.#siblingOf(node)) {
        this.#linkNode(node, parent);
        queue[end++] = node;
      }
      if (taken % LINKS_PER_STEP === 0) yield;
    }
  }

  /** Marks a state as reached at path position `at`. Callers use it before `run`, and `run` uses it, too. */
  activate(state: number, at: number, best: BestRule): void {
    this.#since[state] = at;
    this.#active.push(state);
    best.offer(this.ruleAt(state));
  }

  /** Passes the rules of all states that the path reaches to `best`. Returns false if this takes too many steps. */
  run(path: string, best: BestRule): boolean {
    const isDone = this.#active.length === 0 || this.#findPieces(path, best);
    for (const state of this.#active) this.#since[state] = -1;
    this.#active.length = 0;
    return isDone;
  }

  #findPieces(path: string, best: BestRule): boolean {
    const nodes = this.#nodes;
    let steps = 0;
    let node = 0;
    for (let at = this.#since[this.#active[0]!]!; at < path.length; at++) {
      const octet = path.charCodeAt(at);
      let next = this.#childOf(node, octet);
      for (; next === 0 && node > 0; next = this.#childOf(node, octet)) {
        node = nodes[node * NODE_FIELDS + FAIL]!;
        steps++;
      }
      node = next;
      let ending = nodes[node * NODE_FIELDS + REPORT]!;
      while (ending > 0) {
        steps += this.#follow(ending, at + 1, best);
        ending = nodes[nodes[ending * NODE_FIELDS + FAIL]! * NODE_FIELDS + REPORT]!;
      }
      if (++steps > this.#maxSteps) return false;
    }
    return true;
  }

  /** Follows the edges of the piece of `node`, which ends before path position `end`. Returns the number of steps. */
  #follow(node: number, end: number, best: BestRule): number {
    const start = end - this.#nodes[node * NODE_FIELDS + DEPTH]!;
    let count = 1;
    for (let edge = this.#nodes[node * NODE_FIELDS + EDGE]!; edge > 0; count++) {
      const since = this.#since[this.#edges[edge * EDGE_FIELDS + FROM]!]!;
      if (since >= 0 && since <= start && this.#since[edge] === -1) this.activate(edge, end, best);
      edge = this.#edges[edge * EDGE_FIELDS + NEXT_EDGE]!;
    }
    return count;
  }

  #linkNode(node: number, parent: number): void {
    const nodes = this.#nodes;
    const base = node * NODE_FIELDS;
    let fail = 0;
    for (let from = parent; from > 0 && fail === 0; ) {
      from = nodes[from * NODE_FIELDS + FAIL]!;
      fail = this.#childOf(from, nodes[base + OCTET]!);
    }
    nodes[base + FAIL] = fail;
    nodes[base + REPORT] = nodes[base + EDGE]! > 0 ? node : nodes[fail * NODE_FIELDS + REPORT]!;
  }

  #siblingOf(node: number): number {
    return this.#nodes[node * NODE_FIELDS + SIBLING]!;
  }

  #childOf(node: number, octet: number): number {
    if (node === 0) return this.#firstNodes[octet] ?? 0;
    const nodes = this.#nodes;
    let child = nodes[node * NODE_FIELDS + CHILD]!;
    while (child > 0 && nodes[child * NODE_FIELDS + OCTET] !== octet) {
      child = nodes[child * NODE_FIELDS + SIBLING]!;
    }
    return child;
  }

  #nodeFor(piece: string): number {
    let node = 0;
    for (let at = 0; at < piece.length; at++) {
      const octet = piece.charCodeAt(at);
      node = this.#childOf(node, octet) || this.#addNode(node, octet, at + 1);
    }
    return node;
  }

  #addNode(parent: number, octet: number, depth: number): number {
    this.#nodes = withRoom(this.#nodes, this.#nodeCount * NODE_FIELDS, NODE_FIELDS);
    const sibling = this.#nodes[parent * NODE_FIELDS + CHILD]!;
    this.#nodes.set([octet, 0, sibling, 0, 0, depth, 0], this.#nodeCount * NODE_FIELDS);
    this.#nodes[parent * NODE_FIELDS + CHILD] = this.#nodeCount;
    if (parent === 0) this.#firstNodes[octet] = this.#nodeCount;
    return this.#nodeCount++;
  }

  #addEdge(from: number, next: number): number {
    this.#edges = withRoom(this.#edges, this.#edgeCount * EDGE_FIELDS, EDGE_FIELDS);
    this.#edges.set([from, next, -1], this.#edgeCount * EDGE_FIELDS);
    return this.#edgeCount++;
  }

  #hasRoom(count: number): boolean {
    return this.#nodeCount + this.#edgeCount + count <= this.#maxSize;
  }
}

function withRoom(ints: Int32Array<ArrayBuffer>, used: number, more: number): Int32Array<ArrayBuffer> {
  if (used + more <= ints.length) return ints;
  const larger = new Int32Array(2 * ints.length);
  larger.set(ints);
  return larger;
}
