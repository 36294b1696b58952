/**
 * Detects the traps of one host. It receives discovered links and fetched pages, and decides for any URL
 * whether it leads deeper into a trap. Its memory is bounded, whatever the host does.
 *
 *   discovered   a link was found: counts combinations of filters and the range of calendars
 *   fetched      a page was fetched: compares texts
 *   assess       called again before a URL is fetched, because more may have been learned in the meantime
 *
 * Only the trap is cut off, never the host: URLs that do not match the trap are fetched as before.
 */
import type { Clock } from '../../base/mod.ts';
import { type CanonicalUrl, originOf } from '../../url/mod.ts';
import { Calendars, type CalendarWindow } from './calendars.ts';
import { FacetCounter, type Facets } from './facets.ts';
import { IdleParameters, type PageContent } from './idle-parameters.ts';
import { OpenEnds, type OpenEndsMemory } from './open-ends.ts';
import { assessRepetition } from './repetition.ts';
import { SamePages } from './same-pages.ts';
import type { Assessment, Trap } from './trap.ts';
import { shapeOf, type UrlShape } from './url-shape.ts';

/** The conclusions of a trap detector, which the state stores as JSON. The evidence is not stored. */
export interface TrapMemory {
  calendars: CalendarWindow[];
  facets: Facets[];
  idleParameters: string[];
  samePages: string[];
  /** Conclusions about endless links; absent in the state of older versions. */
  openEnds?: OpenEndsMemory;
  cuts: TrapCut[];
}

/** A trap and the number of URLs that it affected, for reports. */
interface TrapCut {
  trap: Trap;
  /** Number of URLs that were refused or replaced because of the trap. */
  count: number;
  /** The first URL that was refused or replaced because of the trap. */
  example: CanonicalUrl;
}

const OPEN_ENDED: Assessment = {
  trap: { kind: 'open-ended', pattern: '/*', rule: { verb: 'ignore', match: 'prefix', value: '/' } },
  replacementUrl: null,
};
const MAX_CUTS = 64;
/** Maximum number of links per page from which the detector learns. */
const MAX_LINKS = 500;

export class TrapDetector {
  readonly #calendars: Calendars;
  readonly #facets: FacetCounter;
  readonly #idleParameters: IdleParameters;
  readonly #samePages: SamePages;
  readonly #openEnds: OpenEnds;
  readonly #cuts: Map<string, TrapCut>;

  constructor(clock: Clock, memory?: TrapMemory) {
    this.#calendars = new Calendars(clock, memory?.calendars);
    this.#facets = new FacetCounter(memory?.facets);
    this.#idleParameters = new IdleParameters(memory?.idleParameters);
    this.#samePages = new SamePages(memory?.samePages);
    this.#openEnds = new OpenEnds(memory?.openEnds);
    this.#cuts = new Map(memory?.cuts.map((cut) => [keyOf(cut.trap), { ...cut }]));
  }

  /**
   * Returns whether a URL leads into a trap. A trap is counted in the report, so the caller must refuse or replace
   * the URL.
   */
  assess(url: CanonicalUrl): Assessment {
    const shape = shapeOf(url);
    const repetition = assessRepetition(shape);
    if (repetition.trap) return this.#counted(repetition, url);
    return this.#counted(this.#assessLearned(shape, this.#calendars.assess(shape)), url);
  }

  /**
   * Learns from a link to `url` on the page `source` (null for sitemaps and seeds), and returns whether the URL leads
   * into a trap.
   */
  discovered(url: CanonicalUrl, source: CanonicalUrl | null): Assessment {
    const shape = shapeOf(url);
    const repetition = assessRepetition(shape);
    if (repetition.trap) return this.#counted(repetition, url);
    this.#facets.discovered(shape);
    const calendar = this.#calendars.discovered(shape, source === null ? null : () => shapeOf(source));
    const assessment = this.#counted(this.#assessLearned(shape, calendar), url);
    if (!assessment.trap) this.#followLink(shape, source);
    return assessment;
  }

  /** True if the links of the host seem to have no end, judged by a sample of its pages. */
  get isOpenEnded(): boolean {
    return this.#openEnds.isOpenEnded;
  }

  #followLink({ url, origin }: UrlShape, source: CanonicalUrl | null): void {
    const isOwn = source !== null && originOf(source) === origin;
    const isRunaway = this.#openEnds.discovered(url, source, isOwn);
    if (isRunaway && this.isOpenEnded) this.#counted(OPEN_ENDED, source!);
  }

  /** Learns from a fetched page of this host and from its links to pages of the host. Duplicates count, too. */
  fetched(url: CanonicalUrl, sketch: PageContent, links: readonly CanonicalUrl[]): void {
    const shape = shapeOf(url);
    // These values are copied, so that the whole sketch of the page can be freed.
    const { simLow, simHigh, shingleCount, contentKey, titleKey } = sketch;
    const content = { simLow, simHigh, shingleCount, contentKey, titleKey };
    this.#idleParameters.fetched(shape, content);
    this.#samePages.fetched(shape, content);
    this.#openEnds.fetched(url, links);
    this.#calendars.fetched(shape, () => links.slice(0, MAX_LINKS).map(shapeOf));
  }

  /** Memory used by the detector of a host, in units of about a hundred bytes. */
  get size(): number {
    const parts = [this.#calendars, this.#facets, this.#idleParameters, this.#samePages, this.#openEnds];
    return parts.reduce((sum, { size }) => sum + size, this.#cuts.size);
  }

  /** Returns the traps that were found. Traps with the most affected URLs come first. */
  report(): TrapCut[] {
    return [...this.#cuts.values()].sort((a, b) => b.count - a.count);
  }

  /** Returns the conclusions to store, or null if there are none. */
  memory(): TrapMemory | null {
    const memory: TrapMemory = {
      calendars: this.#calendars.windows,
      facets: this.#facets.full,
      idleParameters: this.#idleParameters.names,
      samePages: this.#samePages.patterns,
      cuts: this.report(),
    };
    if (this.#openEnds.memory.pages > 0) memory.openEnds = this.#openEnds.memory;
    else if (Object.values(memory).every((list: unknown[]) => list.length === 0)) return null;
    return memory;
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
