/**
 * Detects parameters that change the URL and never the page: session ids with unlisted names, referrers,
 * layout switches.
 *
 * Two pages whose URLs differ only in one parameter, or in its presence, are compared. If both pages have the
 * same text, this is a vote that the parameter is idle; if their texts differ, this is a vote that it matters.
 * Texts that are nearly equal because of a common template are no vote if the titles differ, or if the contents
 * differ and the value does not look random (a random value may itself be in the text). A parameter with enough
 * votes for idle and no vote against is removed from URLs from then on. A single later vote against it ends the
 * removal, because otherwise pages would be lost.
 *
 * Values that look random need fewer votes, and one vote in `TOLERANCE` may be against them: a page with a
 * session id in its links may also show the latest news, which change between two visits.
 */

import { BoundedCache } from '../../base/mod.ts';
import { type Sketch, simhashDistance } from '../../sketch/mod.ts';
import { textKey } from '../duplicates/mod.ts';
import { type Assessment, CLEAR } from './trap.ts';
import { type Parameter, type UrlShape, withParameters } from './url-shape.ts';

/** Features of a page's text that are compared between two URLs. */
export type PageContent = Pick<Sketch, 'simLow' | 'simHigh' | 'shingleCount'> & {
  /**
   * Hash of the title and, if the text is short, of the text without menus. It distinguishes pages that share a
   * template, whose sketches are nearly equal (sketch/content-ranges.ts).
   */
  contentKey: number;
  titleKey: number;
};

const MAX_NAMES = 64;
const MAX_PAGES = 256;
/** Maximum number of parameters that are checked per URL. */
const MAX_PARAMETERS = 6;
const SAME_DISTANCE = 2;
/**
 * Minimum number of shingles of a page that is compared. Shorter pages may differ in content other than text, such as
 * a picture.
 */
const MIN_SHINGLES = 8;
const VOTES = 5;
const VOTES_FOR_RANDOM = 3;
const RANDOM_VALUE = /^(?=.*\d)[\w.-]{6,}$/;
/** Names of parameters that are never removed, because they usually number, search or select pages. */
const MEANT = /^(?:id|p|page|q|query|s|search|item|article|product|offset|start)$/i;

/** For a parameter with random values, one vote in TOLERANCE may say that the parameter matters. */
const TOLERANCE = 20;
/**
 * Share of values that must look random for a parameter to count as random. It is less than 1, because some random
 * values have no digit.
 */
const RANDOM_SHARE = 0.8;

interface Votes {
  idle: number;
  meant: number;
  /** Number of votes in which the value looked random. */
  random: number;
}

export class IdleParameters {
  readonly #votes = BoundedCache.ofEntries<string, Votes>(MAX_NAMES);
  readonly #pages = BoundedCache.ofEntries<number, { url: number; content: PageContent }>(MAX_PAGES);
  readonly #known: Set<string>;

  constructor(names: Iterable<string> = []) {
    this.#known = new Set(names);
  }

  /** Memory used by the votes about parameters, in units of about a hundred bytes. */
  get size(): number {
    return this.#pages.size * 2 + this.#votes.size;
  }

  /** Returns the names of the parameters that are removed from URLs. */
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
      replacementUrl: withParameters(shape, kept),
    };
  }

  fetched(shape: UrlShape, content: PageContent): void {
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

  #vote({ name, value }: Parameter, one: PageContent, other: PageContent): void {
    const isNear = simhashDistance(one, other) <= SAME_DISTANCE;
    const looksRandom = RANDOM_VALUE.test(value);
    const isSame = looksRandom ? one.titleKey === other.titleKey : one.contentKey === other.contentKey;
    if (isNear && !isSame) return;
    const votes = this.#votes.get(name) ?? { idle: 0, meant: 0, random: 0 };
    this.#votes.set(name, votes);
    if (looksRandom) votes.random++;
    if (isNear) votes.idle++;
    else votes.meant++;
    const isRandom = votes.random >= RANDOM_SHARE * (votes.idle + votes.meant);
    const tolerated = isRandom ? Math.floor(votes.idle / TOLERANCE) : 0;
    const enough = isRandom ? VOTES_FOR_RANDOM : VOTES;
    if (votes.meant > tolerated) this.#known.delete(name);
    else if (votes.idle >= enough && this.#known.size < MAX_NAMES) this.#known.add(name);
  }
}
