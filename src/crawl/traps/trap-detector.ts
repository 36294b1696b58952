/**
 * The traps of one host. It is told what is discovered and what is fetched, and says of any address
 * whether it leads deeper into a trap. What it remembers is bounded, whatever the host does.
 *
 *   discovered   a link was found: counts combinations of filters and the reach of calendars
 *   fetched      a page came: compares texts
 *   assess       asked again before an address is fetched, since much may have been learned meanwhile
 *
 * A trap is cut, never the host: what does not look like the trap is fetched as before.
 */
import type { Clock } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { Calendars, type CalendarWindow } from './calendars.ts';
import { FacetCounter, type Facets } from './facets.ts';
import { type Content, IdleParameters } from './idle-parameters.ts';
import { assessRepetition } from './repetition.ts';
import { SamePages } from './same-pages.ts';
import type { Assessment, Trap } from './trap.ts';
import { shapeOf, type UrlShape } from './url-shape.ts';

/** What was learned, for the state: JSON. What led to it is forgotten. */
export interface TrapMemory {
  calendars: CalendarWindow[];
  facets: Facets[];
  idleParameters: string[];
  samePages: string[];
  cuts: TrapCut[];
}

/** A line of the report: a trap, and what it would have cost. */
export interface TrapCut {
  trap: Trap;
  /** How often an address was refused or replaced because of it. */
  count: number;
  /** The first of them. */
  example: CanonicalUrl;
}

const MAX_CUTS = 64;
/** Of the links of a page, so many are looked at to learn from it. */
const MAX_LINKS = 500;

export class TrapDetector {
  readonly #calendars: Calendars;
  readonly #facets: FacetCounter;
  readonly #idleParameters: IdleParameters;
  readonly #samePages: SamePages;
  readonly #cuts: Map<string, TrapCut>;

  constructor(clock: Clock, memory?: TrapMemory) {
    this.#calendars = new Calendars(clock, memory?.calendars);
    this.#facets = new FacetCounter(memory?.facets);
    this.#idleParameters = new IdleParameters(memory?.idleParameters);
    this.#samePages = new SamePages(memory?.samePages);
    this.#cuts = new Map(memory?.cuts.map((cut) => [keyOf(cut.trap), { ...cut }]));
  }

  /** A trap is counted for the report: whoever asks is expected to act on it. */
  assess(url: CanonicalUrl): Assessment {
    const shape = shapeOf(url);
    const repetition = assessRepetition(shape);
    if (repetition.trap) return this.#counted(repetition, url);
    return this.#counted(this.#assessLearned(shape, this.#calendars.assess(shape)), url);
  }

  /** A link to `url` was found on `source`, or in a list of addresses (null). Learns from it and assesses it. */
  discovered(url: CanonicalUrl, source: CanonicalUrl | null): Assessment {
    const shape = shapeOf(url);
    const repetition = assessRepetition(shape);
    if (repetition.trap) return this.#counted(repetition, url);
    this.#facets.discovered(shape);
    const calendar = this.#calendars.discovered(shape, source === null ? null : () => shapeOf(source));
    return this.#counted(this.#assessLearned(shape, calendar), url);
  }

  /** A page of this host came, a duplicate of another or not, with links to these pages of the host. */
  fetched(url: CanonicalUrl, sketch: Content, links: readonly CanonicalUrl[]): void {
    const shape = shapeOf(url);
    // What is remembered of a page must not hold on to its whole sketch.
    const { simLow, simHigh, shingleCount } = sketch;
    const content = { simLow, simHigh, shingleCount };
    this.#idleParameters.fetched(shape, content);
    this.#samePages.fetched(shape, content);
    this.#calendars.fetched(shape, () => links.slice(0, MAX_LINKS).map(shapeOf));
  }

  /** How much it remembers, in things of about a hundred bytes. */
  get size(): number {
    const parts = [this.#calendars, this.#facets, this.#idleParameters, this.#samePages];
    return parts.reduce((sum, { size }) => sum + size, this.#cuts.size);
  }

  /** The traps that were met, most costly first. */
  report(): TrapCut[] {
    return [...this.#cuts.values()].sort((a, b) => b.count - a.count);
  }

  /** Null while there is nothing worth keeping. */
  memory(): TrapMemory | null {
    const memory: TrapMemory = {
      calendars: this.#calendars.windows,
      facets: this.#facets.full,
      idleParameters: this.#idleParameters.names,
      samePages: this.#samePages.patterns,
      cuts: this.report(),
    };
    return Object.values(memory).every((list: unknown[]) => list.length === 0) ? null : memory;
  }

  #assessLearned(shape: UrlShape, calendar: Assessment): Assessment {
    if (calendar.trap) return calendar;
    if (shape.parameters.length > 0) {
      const idle = this.#idleParameters.assess(shape);
      if (idle.trap) return idle;
      const facets = this.#facets.assess(shape);
      if (facets.trap) return facets;
    }
    return this.#samePages.assess(shape);
  }

  #counted(assessment: Assessment, url: CanonicalUrl): Assessment {
    const { trap } = assessment;
    if (!trap) return assessment;
    const key = keyOf(trap);
    const cut = this.#cuts.get(key);
    if (cut) cut.count++;
    else if (this.#cuts.size < MAX_CUTS) this.#cuts.set(key, { trap, count: 1, example: url });
    return assessment;
  }
}

function keyOf({ rule }: Trap): string {
  return rule.verb === 'strip' ? `strip ${rule.parameter}` : `${rule.match} ${rule.value}`;
}
