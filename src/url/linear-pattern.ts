/**
 * Matches regular expressions in linear time. The patterns of the operator are applied to URLs from unknown
 * sites, and a crafted URL can make a backtracking matcher run for hours. This matcher follows all paths
 * through the pattern in parallel (Thompson's construction): its time is at most the length of the URL times
 * the size of the pattern. Sets of paths are cached as states of an automaton. A character that leads to a
 * cached state takes one step.
 *
 * It supports characters, `.`, classes, `\d \w \s` and their opposites, groups, `|`, `* + ? {m,n}`, `^` and
 * `$`. It refuses constructs that need backtracking (look-around, references), and `\b`. It matches only ASCII,
 * as a canonical URL has no other characters.
 */
import { UsageError } from '../base/mod.ts';
import { type PatternNode, parsePattern } from './pattern-parser.ts';

const MAX_PATTERN_LENGTH = 500;
const MAX_PROGRAM_SIZE = 2000;
const MAX_STATES = 200;

const Op = { set: 0, fork: 1, jump: 2, start: 3, end: 4, match: 5 } as const;

interface Program {
  readonly ops: number[];
  /**
   * The jump targets of the instructions `fork` and `jump`. A `fork` also continues at the next instruction.
   */
  readonly targets: number[];
  readonly sets: (Uint8Array | null)[];
}

/**
 * Returns a function that finds the pattern anywhere in a text. Throws a UsageError that describes the mistake
 * in the pattern.
 */
export function compilePattern(source: string): (text: string) => boolean {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new UsageError('bad-pattern', `a pattern has at most ${MAX_PATTERN_LENGTH} characters`);
  }
  const program: Program = { ops: [], targets: [], sets: [] };
  compile(parsePattern(source), program);
  emit(program, Op.match);
  const matcher = new Matcher(program);
  return (text) => matcher.finds(text);
}

function emit(program: Program, op: number, target = 0, set: Uint8Array | null = null): number {
  if (program.ops.length >= MAX_PROGRAM_SIZE) {
    throw new UsageError('bad-pattern', 'too many repetitions: use fewer or smaller ones');
  }
  program.targets.push(target);
  program.sets.push(set);
  return program.ops.push(op) - 1;
}

function compile(node: PatternNode, program: Program): void {
  if (node.kind === 'set') emit(program, Op.set, 0, node.characters);
  else if (node.kind === 'sequence') for (const part of node.parts) compile(part, program);
  else if (node.kind === 'choice') compileChoice(node.options, program);
  else if (node.kind === 'repeat') compileRepeat(node, program);
  else emit(program, node.kind === 'start' ? Op.start : Op.end);
}

function compileChoice(options: readonly PatternNode[], program: Program): void {
  const jumps: number[] = [];
  for (const option of options.slice(0, -1)) {
    const fork = emit(program, Op.fork);
    compile(option, program);
    jumps.push(emit(program, Op.jump));
    program.targets[fork] = program.ops.length;
  }
  compile(options.at(-1)!, program);
  for (const jump of jumps) program.targets[jump] = program.ops.length;
}

function compileRepeat(
  { part, least, most }: Extract<PatternNode, { kind: 'repeat' }>,
  program: Program,
): void {
  for (let count = 0; count < least; count++) compile(part, program);
  const forks: number[] = [];
  const optional = most === Number.POSITIVE_INFINITY ? 1 : most - least;
  for (let count = 0; count < optional; count++) {
    forks.push(emit(program, Op.fork));
    compile(part, program);
  }
  if (most === Number.POSITIVE_INFINITY) emit(program, Op.jump, forks[0]!);
  for (const fork of forks) program.targets[fork] = program.ops.length;
}

/** A state of the automaton: the set of program positions that a match may have reached after some text. */
interface State {
  /** The positions of instructions that wait for a character, in ascending order. */
  readonly places: readonly number[];
  readonly accepts: boolean;
  readonly acceptsAtEnd: boolean;
  /** The next state for each character code. An entry is computed at its first use. */
  readonly next: (State | undefined)[];
}

/**
 * Runs the automaton and creates its states when a text first reaches them. When a pattern has created
 * MAX_STATES states, all states are discarded.
 */
class Matcher {
  readonly #program: Program;
  readonly #states = new Map<string, State>();
  readonly #first: State;

  constructor(program: Program) {
    this.#program = program;
    this.#first = this.#state([0], true);
  }

  finds(text: string): boolean {
    let state = this.#first;
    for (let at = 0; at < text.length && !state.accepts; at++) {
      const code = text.charCodeAt(at);
      state = state.next[code] ?? this.#step(state, code);
    }
    return state.accepts || state.acceptsAtEnd;
  }

  /**
   * Returns the next state after a character. It includes instruction 0, because a match may begin at any
   * character.
   */
  #step(state: State, code: number): State {
    const { sets } = this.#program;
    const moved = state.places.filter((place) => sets[place]![code] === 1).map((place) => place + 1);
    const next = this.#state([...moved, 0], false);
    state.next[code] = next;
    return next;
  }

  #state(seeds: readonly number[], atStart: boolean): State {
    const within = this.#closure(seeds, atStart, false);
    const acceptsAtEnd = this.#closure(seeds, atStart, true).accepts;
    const key = `${within.accepts} ${acceptsAtEnd} ${within.places}`;
    let state = this.#states.get(key);
    if (state === undefined) {
      if (this.#states.size >= MAX_STATES) this.#forget();
      state = { ...within, acceptsAtEnd, next: new Array(128) };
      this.#states.set(key, state);
    }
    return state;
  }

  #forget(): void {
    for (const { next } of this.#states.values()) next.fill(undefined);
    this.#states.clear();
  }

  /** Follows all instructions that consume no character, and returns the instructions reached. */
  #closure(seeds: readonly number[], atStart: boolean, atEnd: boolean): Pick<State, 'places' | 'accepts'> {
    const { ops, targets } = this.#program;
    const entered = new Set<number>();
    const waiting = [...seeds];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (entered.has(place)) continue;
      entered.add(place);
      const op = ops[place];
      if (op === Op.jump) waiting.push(targets[place]!);
      else if (op === Op.fork) waiting.push(targets[place]!, place + 1);
      else if ((op === Op.start && atStart) || (op === Op.end && atEnd)) waiting.push(place + 1);
    }
    const places = [...entered].filter((place) => ops[place] === Op.set).sort((a, b) => a - b);
    return { places, accepts: entered.has(ops.length - 1) };
  }
}
