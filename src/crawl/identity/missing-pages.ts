/**
 * Detects responses that are not pages although their status is 200: soft 404s and parked domains.
 *
 * Each host gets one probe, a request for a URL that cannot exist, after its first pages or as soon as there
 * are suspicious signs: a title that apologises, several URLs with the same text, redirects to the front
 * page. The probe obeys robots.txt, politeness and the lease like any request. Its result is stored with the
 * host, and the probe is repeated after a month.
 *
 *   load       before a visit      -> reads the result of the last probe of the host
 *   judge      every page          -> "soft 404", "parked", or null; counts responses and suspicions
 *   probeFor   is a probe due?     -> returns the URL for the visitor to request
 *   learned    the probe response  -> a page accepted earlier that equals it is withdrawn
 */

import { BoundedCache, type Clock, type Random } from '../../base/mod.ts';
import type { GoneRecord } from '../../journal/mod.ts';
import { type CanonicalUrl, fingerprint, originOf, pathOf } from '../../url/mod.ts';
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
} from '../duplicates/mod.ts';
import type { PageFacts } from '../parsing/mod.ts';
import { type RobotsRules, robotsVerdict } from '../robots/mod.ts';
import type { CrawlState, PendingState } from '../state/mod.ts';

/** A host is probed after ENOUGH_ANSWERS responses, or at once after ENOUGH_SUSPICIONS suspicious responses. */
const ENOUGH_ANSWERS = 10;
const ENOUGH_SUSPICIONS = 2;
const PROBE_LIFETIME_MS = 30 * 24 * 3_600_000;
const MAX_HOSTS = 4096;

/** Outcome of a request for a URL that cannot exist. */
type ProbeAnswer =
  | { kind: 'gone' | 'sitemap' | 'other' | 'unchanged' }
  | { kind: 'redirect'; to: CanonicalUrl | null }
  | { kind: 'page'; page: Pick<PageFacts, 'title' | 'sketch'>; digest: string };

interface Host {
  probe: MissingProbe | null;
  /** Time from which the host is probed again. */
  staleAt: number;
  answers: number;
  suspicions: number;
  /** True if a probe of the host is in flight or was sent in this run. */
  isAsked: boolean;
}

interface MissingPagesOptions {
  state: CrawlState;
  findings: PendingState;
  near: NearDuplicates;
  clock: Clock;
  random: Random;
}

export class MissingPages {
  readonly #options: MissingPagesOptions;
  readonly #hosts = BoundedCache.ofEntries<string, Host>(MAX_HOSTS);

  constructor(options: MissingPagesOptions) {
    this.#options = options;
  }

  /** True if the probe result of the host is in memory. */
  has(origin: string): boolean {
    return this.#hosts.peek(origin) !== undefined;
  }

  /** Reads the result of the host's last probe from the state. */
  async load(origin: string): Promise<void> {
    const [note] = await this.#options.findings.notesOf([origin], 'missing-page');
    if (this.has(origin)) return;
    const probe = note ? decodeProbe(note.value) : null;
    this.#hosts.set(origin, { ...newHost(), probe, staleAt: note ? note.notedAt + PROBE_LIFETIME_MS : 0 });
  }

  /** Returns a probe URL if a probe of the host is due and robots.txt allows it. */
  probeFor(origin: string, rules: RobotsRules): CanonicalUrl | null {
    const host = this.#hosts.peek(origin);
    if (!host || host.isAsked || !isDue(host) || host.staleAt > this.#options.clock.now()) return null;
    host.isAsked = true;
    const url = missingUrl(origin, this.#options.random);
    return robotsVerdict(rules.rules, pathOf(url)).allowed ? url : null;
  }

  /**
   * Stores the result of a probe. Returns a gone record if a page that was accepted earlier turns out to be a soft
   * 404.
   */
  async learned(origin: string, answer: ProbeAnswer): Promise<GoneRecord | null> {
    const { clock, findings } = this.#options;
    const twin = answer.kind === 'page' ? await this.#twinOf(origin, answer) : null;
    const probe = await this.#probeOf(origin, answer, twin);
    const now = clock.now();
    Object.assign(this.#host(origin), { probe, staleAt: now + PROBE_LIFETIME_MS });
    findings.keepNote({ origin, kind: 'missing-page', value: encodeProbe(probe), notedAt: now });
    if (probe.kind !== 'page' || twin === null || pathOf(twin) === '/') return null;
    const entry = await findings.sketchOf(fingerprint(twin));
    if (entry !== null) this.#options.near.retire(entry);
    return { kind: 'gone', url: twin, fetchedAt: now, status: 200, reason: 'soft 404' };
  }

  /** Returns the reason why a response is not a real page, or null if it is one. */
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

  /** Reports that two URLs of the host have the same text, which is a sign of soft 404s. */
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
    const host = newHost();
    this.#hosts.set(origin, host);
    return host;
  }

  /** Returns the accepted page of this host with the same content as the probe response. */
  async #twinOf(origin: string, { page, digest }: Extract<ProbeAnswer, { kind: 'page' }>) {
    const { near, state } = this.#options;
    const found = near.find(page.sketch);
    const twin = found ? await state.urlOf(found.owner) : ((await state.contentOwner(digest))?.url ?? null);
    return twin !== null && originOf(twin) === origin ? twin : null;
  }

  async #probeOf(origin: string, answer: ProbeAnswer, twin: CanonicalUrl | null): Promise<MissingProbe> {
    if (answer.kind === 'redirect' && answer.to) return { kind: 'redirect', to: answer.to };
    if (answer.kind !== 'page') return { kind: 'honest' };
    const { title, sketch } = answer.page;
    const home = `${origin}/` as CanonicalUrl;
    if (twin === home) return { kind: 'one-page' };
    const entry = await this.#options.findings.sketchOf(fingerprint(home));
    const bins = entry === null ? null : this.#options.near.binsOf(entry);
    return probeOfPage(
      { title, sketch },
      bins && { title: '', sketch: { bins, shingleCount: sketch.shingleCount } },
    );
  }
}

function newHost(): Host {
  return { probe: null, staleAt: 0, answers: 0, suspicions: 0, isAsked: false };
}

function isDue({ answers, suspicions }: Host): boolean {
  return answers >= ENOUGH_ANSWERS || suspicions >= ENOUGH_SUSPICIONS;
}
