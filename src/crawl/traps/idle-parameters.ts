/**
 * Parameters that change the address and never the page: session ids under names that no list knows,
 * referrers, layout switches.
 *
 * Two pages whose addresses differ in one parameter alone, or in having it at all, are compared. Same text:
 * a vote that the parameter is idle. Other text: it matters. A parameter with enough votes and nothing
 * against it is left out of addresses from then on; values that look drawn at random need fewer. One page
 * that does depend on it is enough to take it back into account, for then pages would be lost.
 */
import { type Sketch, simhashDistance, textKey } from '../dedup/mod.ts';
import { BoundedMap } from './bounded-map.ts';
import { type Assessment, CLEAR } from './trap.ts';
import { type Parameter, type UrlShape, withParameters } from './url-shape.ts';

/** What is compared of a page's text. */
export type Content = Pick<Sketch, 'simLow' | 'simHigh' | 'shingleCount'>;

const MAX_NAMES = 64;
const MAX_PAGES = 256;
/** Of the parameters of one address, so many are looked at. */
const MAX_PARAMETERS = 6;
const SAME_DISTANCE = 2;
/** A page with less text may show something else that differs, such as a picture. */
const MIN_SHINGLES = 8;
const VOTES = 5;
const VOTES_FOR_RANDOM = 3;
const RANDOM_VALUE = /^(?=.*\d)[\w.-]{6,}$/;
/** What pages and searches are numbered and sorted by is never left out. */
const MEANT = /^(?:id|p|page|q|query|s|search|item|article|product|offset|start)$/i;

interface Votes {
  idle: number;
  meant: number;
  /** All values so far looked random. */
  isRandom: boolean;
}

export class IdleParameters {
  readonly #votes = new BoundedMap<string, Votes>(MAX_NAMES);
  readonly #pages = new BoundedMap<number, { url: number; content: Content }>(MAX_PAGES);
  readonly #known: Set<string>;

  constructor(names: Iterable<string> = []) {
    this.#known = new Set(names);
  }

  /** In things of about a hundred bytes. */
  get size(): number {
    return this.#pages.size * 2 + this.#votes.size;
  }

  /** The parameters that are left out. */
  get names(): string[] {
    return [...this.#known];
  }

  assess(shape: UrlShape): Assessment {
    if (this.#known.size === 0) return CLEAR;
    const idle = shape.parameters.find((each) => this.#known.has(each.name));
    if (!idle) return CLEAR;
    const kept = shape.parameters.filter((each) => !this.#known.has(each.name));
    const pattern = `…${idle.inPath ? ';' : '?'}${idle.name}=*`;
    return {
      trap: { kind: 'idle-parameter', pattern, rule: { verb: 'strip', parameter: idle.name } },
      instead: withParameters(shape, kept),
    };
  }

  fetched(shape: UrlShape, content: Content): void {
    if (content.shingleCount < MIN_SHINGLES) return;
    const url = textKey(shape.url);
    for (const parameter of shape.parameters.slice(0, MAX_PARAMETERS)) {
      if (MEANT.test(parameter.name)) continue;
      const without = withParameters(
        shape,
        shape.parameters.filter((each) => each !== parameter),
      );
      const withOther = textKey(`${parameter.name} ${without}`);
      const earlier = this.#pages.get(withOther) ?? this.#pages.get(textKey(without));
      if (earlier && earlier.url !== url) this.#vote(parameter, earlier.content, content);
      this.#pages.set(withOther, { url, content });
    }
    this.#pages.set(url, { url, content });
  }

  #vote({ name, value }: Parameter, one: Content, other: Content): void {
    const votes = this.#votes.get(name) ?? { idle: 0, meant: 0, isRandom: true };
    this.#votes.set(name, votes);
    votes.isRandom &&= RANDOM_VALUE.test(value);
    if (simhashDistance(one, other) <= SAME_DISTANCE) votes.idle++;
    else votes.meant++;
    const enough = votes.isRandom ? VOTES_FOR_RANDOM : VOTES;
    if (votes.meant > 0) this.#known.delete(name);
    else if (votes.idle >= enough && this.#known.size < MAX_NAMES) this.#known.add(name);
  }
}
