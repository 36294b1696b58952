/**
 * What the crawl does with a host that shows the same site as another: it asks the other one.
 *
 *   page of either host     -> `observe` compares the two, path by path; a mirror is kept with the host
 *   URL of a mirror, leased -> `standIn`: not fetched, its twin on the primary host is taken up instead
 *   twin turns out missing  -> `reopened`: the URL is fetched on the mirror after all
 *
 * So the mirror costs no more than it took to find out, and a page that only it has is still found, provided
 * that something links to it.
 */
import type { AliasRecord } from '../archive/mod.ts';
import type { Clock, Log } from '../base/mod.ts';
import { type CanonicalUrl, fingerprint, originOf, pathOf, type UrlRules } from '../url/mod.ts';
import type { CrawlState, ReadyUrl, UrlResult } from './crawl-state.ts';
import { MIRROR_DEFAULTS, type Mirror, MirrorFinder } from './dedup/mod.ts';
import type { Findings, Outcome } from './findings.ts';
import { type Links, linksTo } from './reading.ts';

/** Instead of a visit: why, whose name the URL is, and what to fetch. */
export interface StandIn {
  reason: string;
  also: AliasRecord[];
  links: Links;
}

export interface MirrorHostsOptions {
  state: CrawlState;
  findings: Findings;
  urlRules: UrlRules;
  clock: Clock;
  log: Log;
}

const REASON = 'mirror of ';

export class MirrorHosts {
  readonly #options: MirrorHostsOptions;
  readonly #finder: MirrorFinder;

  constructor(options: MirrorHostsOptions) {
    this.#options = options;
    const known = options.findings.store.notes('mirror');
    this.#finder = new MirrorFinder(
      MIRROR_DEFAULTS,
      known.map(({ value }) => JSON.parse(value) as Mirror),
    );
  }

  /** A page came; `duplicateOf` is the URL that had its content before. */
  observe(url: CanonicalUrl, duplicateOf: CanonicalUrl | null): void {
    const found = this.#finder.observe(url, fingerprint(duplicateOf ?? url), duplicateOf);
    if (!found) return;
    this.#options.log.info('mirror found', { ...found });
    // Others may have followed: a host that was a primary takes its own mirrors along.
    const changed = this.#finder.mirrors().filter(({ of }) => of === found.of);
    for (const mirror of changed) this.#keep(mirror);
  }

  /** Null: visit it. */
  standIn({ url, depth }: ReadyUrl): StandIn | null {
    const of = this.#finder.aliasOf(url);
    if (of === null || this.#options.urlRules.decide(of, depth).verb !== 'index') return null;
    if (isMissing(this.#options.findings.store.outcomeOf(fingerprint(of)))) return null;
    const fetchedAt = this.#options.clock.now();
    return {
      reason: REASON + originOf(of),
      also: [{ kind: 'alias', url, fetchedAt, of, reason: 'mirror' }],
      links: linksTo([of], depth),
    };
  }

  /** After a commit of these results: makes those URLs ready again that were left to a twin which is missing. */
  reopen(results: Iterable<Pick<UrlResult, 'fingerprint' | 'state' | 'reason'>>): void {
    if (!this.#finder.hasMirrors) return;
    const { state, findings } = this.#options;
    for (const { fingerprint: key, ...outcome } of results) {
      const url = isMissing(outcome) ? state.urlOf(key) : null;
      if (url === null) continue;
      for (const twin of [url, ...this.#twinsOf(url)]) this.#reopenIfLeft(twin, findings);
    }
  }

  #reopenIfLeft(url: CanonicalUrl, findings: Findings): void {
    const of = this.#finder.aliasOf(url);
    if (of === null || !isMissing(findings.store.outcomeOf(fingerprint(of)))) return;
    const outcome = findings.store.outcomeOf(fingerprint(url));
    if (outcome?.state === 'refused' && outcome.reason.startsWith(REASON)) findings.reopen(fingerprint(url));
  }

  /** The same path on the mirrors of this URL's host. */
  #twinsOf(url: CanonicalUrl): CanonicalUrl[] {
    const origin = originOf(url);
    const mirrors = this.#finder.mirrors().filter(({ of }) => of === origin);
    return mirrors.map(({ mirror }) => (mirror + pathOf(url)) as CanonicalUrl);
  }

  #keep(mirror: Mirror): void {
    const notedAt = this.#options.clock.now();
    this.#options.findings.keepNote({
      origin: mirror.mirror,
      kind: 'mirror',
      value: JSON.stringify(mirror),
      notedAt,
    });
  }
}

/** It has been asked for, or will not be, and there is no page; one that was left to its twin included. */
function isMissing(outcome: Pick<Outcome, 'state' | 'reason'> | null): boolean {
  if (outcome === null || outcome.state === 'ready') return false;
  return outcome.state !== 'done' || outcome.reason === 'gone' || outcome.reason.startsWith('HTTP');
}
