/**
 * The compiled rules of a robots.txt, and the rule that decides about a path (RFC 9309 § 2.2.2). Among the
 * matching rules, the one with the longest pattern decides, and `Allow` wins a tie.
 *
 *   pattern      prefix trie              automaton for pieces
 *   /a/b         "/a/b" has the rule
 *   /a/b$        "/a/b$" has the rule     a path ends in `$`, its only `$`
 *   /a*b*c$      "/a" has a state         state --b--> state --c$--> state, which has the rule
 *
 * Repeated patterns are stored once. The cost of a verdict is about the length of the path, whatever the
 * number of rules.
 *
 * Files beyond the limits of `robots-wildcards.ts` are simplified on the safe side, so that no path is
 * fetched that the whole file disallows. A `Disallow` without room for its whole pattern disallows everything
 * that matches the part that fits, with its original precedence; an `Allow` without room is dropped. A path
 * that takes too many steps is disallowed.
 */
import type { RobotsPattern } from './robots-pattern.ts';
import { PrefixTrie } from './robots-trie.ts';
import { WildcardAutomaton, type WildcardLimits } from './robots-wildcards.ts';

interface RobotsRule {
  allow: boolean;
  /** Line number of the rule in the file, starting with 1. */
  line: number;
}

export interface RobotsVerdict {
  allowed: boolean;
  /** The deciding rule. Null if no rule matched, which means allowed, or if the path took too many steps. */
  rule: RobotsRule | null;
}

/** Collects the most specific of the matching rules. Rules are numbered in file order. */
export interface BestRule {
  /** Adds a matching rule; -1 means no rule. */
  offer(rule: number): void;
}

export class RobotsMatcher {
  readonly #trie = new PrefixTrie();
  readonly #wildcards: WildcardAutomaton;
  /**
   * For each rule number, the precedence of the rule: twice the length of its pattern, plus one for `Allow`.
   */
  readonly #precedence: number[] = [];
  readonly #lines: number[] = [];
  #simplifiedCount = 0;

  constructor(limits: WildcardLimits = {}) {
    this.#wildcards = new WildcardAutomaton(limits);
  }

  /** Number of rules, including those that were simplified. */
  get size(): number {
    return this.#lines.length;
  }

  /** Number of rules that were simplified because the file exceeds the limits. */
  get simplifiedCount(): number {
    return this.#simplifiedCount;
  }

  /** Adds a rule. Rules must be added in file order, and `link` must be called before the first verdict. */
  add({ allow, line }: RobotsRule, pattern: RobotsPattern): void {
    if (pattern.isCut) this.#simplifiedCount++;
    if (pattern.isCut && allow) return;
    const rule = this.#lines.push(line) - 1;
    this.#precedence.push(2 * pattern.length + Number(allow));
    const node = this.#trie.nodeFor(pattern.start);
    if (pattern.pieces.length === 0) this.#offerToNode(node, rule);
    else this.#addWildcards(node, pattern.pieces, rule);
  }

  /** Prepares the automaton for verdicts, in steps of less than a millisecond. */
  link(): Generator<void, void> {
    return this.#wildcards.link();
  }

  /** Returns the rule that decides about a path. `path` must be normalized by `compareForm`. */
  verdict(path: string): RobotsVerdict {
    let best = -1;
    const rules: BestRule = { offer: (rule) => (best = this.#better(best, rule)) };
    let at = 0;
    for (let node = 0; ; ) {
      rules.offer(this.#trie.ruleAt(node));
      const state = this.#trie.stateAt(node);
      if (state > 0) this.#wildcards.activate(state, at, rules);
      node = this.#trie.step(node, path, at);
      if (node === 0) break;
      at += this.#trie.labelLength(node);
    }
    if (!this.#wildcards.run(path, rules)) return { allowed: false, rule: null };
    if (best < 0) return { allowed: true, rule: null };
    const allow = this.#precedence[best]! % 2 === 1;
    return { allowed: allow, rule: { allow, line: this.#lines[best]! } };
  }

  #addWildcards(node: number, pieces: readonly string[], rule: number): void {
    let state = this.#trie.stateAt(node) || this.#wildcards.addState();
    if (state === 0) {
      if (this.#simplifies(rule)) this.#offerToNode(node, rule);
      return;
    }
    this.#trie.setState(node, state);
    for (const piece of pieces) {
      const next = this.#wildcards.addPiece(state, piece);
      if (next === 0 && !this.#simplifies(rule)) return;
      if (next === 0) break;
      state = next;
    }
    this.#offerToState(state, rule);
  }

  /**
   * Counts a rule whose pattern does not fit completely. Returns true if the rule then applies to the stored
   * beginning of the pattern.
   */
  #simplifies(rule: number): boolean {
    this.#simplifiedCount++;
    return this.#precedence[rule]! % 2 === 0;
  }

  #offerToNode(node: number, rule: number): void {
    this.#trie.setRule(node, this.#better(this.#trie.ruleAt(node), rule));
  }

  #offerToState(state: number, rule: number): void {
    this.#wildcards.setRule(state, this.#better(this.#wildcards.ruleAt(state), rule));
  }

  /** Returns the rule with the higher precedence, or the earlier one if both are equal; -1 means no rule. */
  #better(rule: number, other: number): number {
    if (rule < 0 || other < 0) return Math.max(rule, other);
    const difference = this.#precedence[rule]! - this.#precedence[other]!;
    return difference > 0 || (difference === 0 && rule < other) ? rule : other;
  }
}
