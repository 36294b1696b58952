/**
 * Pages that are none, although their status is 200: soft 404s and parked domains.
 *
 * Each host is asked once for an address that it cannot have, after its first pages, or as soon as something
 * looks suspicious: a title that apologises, several addresses with one text, redirects to the front page.
 * The request is one like any other to robots.txt, politeness and the lease. What came is kept with the host,
 * and asked for again after a month.
 *
 *   answered   is it time?   -> `probeFor` gives the visitor the address to ask for
 *   learned    the answer    -> a page that was taken for one before is taken back
 *   judge      every page    -> "soft 404", "parked", or nothing against it
 */
import type { GoneRecord } from '../archive/mod.ts';
import type { Clock, Random } from '../base/mod.ts';
import { type CanonicalUrl, fingerprint, originOf, pathOf } from '../url/mod.ts';
import type { CrawlState } from './crawl-state.ts';
import {
  apologises,
  decodeProbe,
  encodeProbe,
  isParked,
  isSoft404,
  isSoft404Redirect,
  type MissingProbe,
  missingUrl,
  type NearDuplicates,
  probeOfPage,
} from './dedup/mod.ts';
import type { Findings } from './findings.ts';
import type { PageFacts } from './reading.ts';
import { type RobotsRules, robotsVerdict } from './robots-rules.ts';
import { BoundedMap } from './traps/mod.ts';

/** Answers after which a host is worth a probe, and suspicions that make it worth one at once. */
const ENOUGH_ANSWERS = 10;
const ENOUGH_SUSPICIONS = 3;
const PROBE_LIFETIME_MS = 30 * 24 * 3_600_000;
const MAX_HOSTS = 4096;

/** What answered a probe. */
export type ProbeAnswer =
  | { kind: 'gone' | 'sitemap' | 'other' | 'unchanged' }
  | { kind: 'redirect'; to: CanonicalUrl | null }
  | { kind: 'page'; page: Pick<PageFacts, 'title' | 'sketch'>; digest: string };

interface Host {
  probe: MissingProbe | null;
  /** From then on it is asked again. */
  staleAt: number;
  answers: number;
  suspicions: number;
  /** A probe is under way or has failed in this run. */
  isAsked: boolean;
}

export interface MissingPagesOptions {
  state: CrawlState;
  findings: Findings;
  near: NearDuplicates;
  clock: Clock;
  random: Random;
}

export class MissingPages {
  readonly #options: MissingPagesOptions;
  readonly #hosts = new BoundedMap<string, Host>(MAX_HOSTS);

  constructor(options: MissingPagesOptions) {
    this.#options = options;
  }

  /** An address to ask the host for now, if it is time and robots.txt allows it. */
  probeFor(origin: string, rules: RobotsRules): CanonicalUrl | null {
    const host = this.#hosts.peek(origin);
    if (!host || host.isAsked || !isDue(host) || host.staleAt > this.#options.clock.now()) return null;
    host.isAsked = true;
    const url = missingUrl(origin, this.#options.random);
    return robotsVerdict(rules.rules, pathOf(url)).allowed ? url : null;
  }

  /** The probe was answered. Returns the record of a page that turns out to be none. */
  async learned(origin: string, answer: ProbeAnswer): Promise<GoneRecord | null> {
    const { clock, findings } = this.#options;
    const twin = answer.kind === 'page' ? await this.#twinOf(origin, answer) : null;
    const probe = this.#probeOf(origin, answer, twin);
    const now = clock.now();
    Object.assign(this.#host(origin), { probe, staleAt: now + PROBE_LIFETIME_MS });
    findings.keepNote({ origin, kind: 'missing-page', value: encodeProbe(probe), notedAt: now });
    if (probe.kind !== 'page' || twin === null || pathOf(twin) === '/') return null;
    const entry = findings.sketchOf(fingerprint(twin));
    if (entry !== null) this.#options.near.retire(entry);
    return { kind: 'gone', url: twin, fetchedAt: now, status: 200, reason: 'soft 404' };
  }

  /** What speaks against this page, if anything does. */
  judge(url: CanonicalUrl, { title, sketch, parkedSigns }: PageFacts): 'soft 404' | 'parked' | null {
    const host = this.#answered(url);
    if (apologises(title)) host.suspicions = ENOUGH_SUSPICIONS;
    if (host.probe && isSoft404(host.probe, { url, title, sketch })) return 'soft 404';
    return isParked(parkedSigns, host.probe) ? 'parked' : null;
  }

  judgeRedirect(url: CanonicalUrl, to: CanonicalUrl): 'soft 404' | null {
    const host = this.#answered(url);
    if (pathOf(to) === '/' && originOf(to) === originOf(url)) host.suspicions++;
    return host.probe && isSoft404Redirect(host.probe, url, to) ? 'soft 404' : null;
  }

  /** Two addresses of the host have one text. */
  suspect(origin: string): void {
    this.#host(origin).suspicions++;
  }

  #answered(url: CanonicalUrl): Host {
    const host = this.#host(originOf(url));
    host.answers++;
    return host;
  }

  #host(origin: string): Host {
    const known = this.#hosts.get(origin);
    if (known) return known;
    const note = this.#options.findings.note(origin, 'missing-page');
    const host = {
      probe: note && decodeProbe(note.value),
      staleAt: note ? note.notedAt + PROBE_LIFETIME_MS : 0,
      answers: 0,
      suspicions: 0,
      isAsked: false,
    };
    this.#hosts.set(origin, host);
    return host;
  }

  /** The page of this host that shows what the probe was answered with. */
  async #twinOf(origin: string, { page, digest }: Extract<ProbeAnswer, { kind: 'page' }>) {
    const { near, state } = this.#options;
    const found = near.find(page.sketch);
    const twin = found ? state.urlOf(found.owner) : ((await state.contentOwner(digest))?.url ?? null);
    return twin !== null && originOf(twin) === origin ? twin : null;
  }

  #probeOf(origin: string, answer: ProbeAnswer, twin: CanonicalUrl | null): MissingProbe {
    if (answer.kind === 'redirect' && answer.to) return { kind: 'redirect', to: answer.to };
    if (answer.kind !== 'page') return { kind: 'honest' };
    const { title, sketch } = answer.page;
    const home = `${origin}/` as CanonicalUrl;
    if (twin === home) return { kind: 'one-page' };
    const entry = this.#options.findings.sketchOf(fingerprint(home));
    const bins = entry === null ? null : this.#options.near.binsOf(entry);
    return probeOfPage(
      { title, sketch },
      bins && { title: '', sketch: { bins, shingleCount: sketch.shingleCount } },
    );
  }
}

function isDue({ answers, suspicions }: Host): boolean {
  return answers >= ENOUGH_ANSWERS || suspicions >= ENOUGH_SUSPICIONS;
}
