/**
 * Fetches the pages of a mirrored site from its primary host only.
 *
 *     page of either host     -> `observe` compares the two hosts, path by path; a mirror is stored with the host
 *   URL of a mirror, leased -> `mirrorSubstitute`: not fetched; its twin on the primary host is queued instead
 *   twin is missing         -> `reopen`: the URL is fetched on the mirror after all
 *
 * So after detection a mirror costs no more requests, and a page that only the mirror has is still found,
 * provided that some page links to it.
 */

import type { Clock, Log } from '../../base/mod.ts';
import type { AliasRecord } from '../../journal/mod.ts';
import { type CanonicalUrl, fingerprint, originOf, pathOf, type UrlRules } from '../../url/mod.ts';
import { MIRROR_DEFAULTS, type Mirror, MirrorFinder } from '../duplicates/mod.ts';
import { type Links, linksTo } from '../parsing/mod.ts';
import type { CrawlState, Outcome, PendingState, ReadyUrl, UrlReason, UrlResult } from '../state/mod.ts';

/**
 * The records that are stored for a URL on a mirror instead of a visit: the reason, the alias record of the
 * URL, and the link to the same page on the primary host.
 */
export interface MirrorSubstitute {
  reason: UrlReason;
  derivedRecords: AliasRecord[];
  links: Links;
}

interface MirrorHostsOptions {
  state: CrawlState;
  findings: PendingState;
  urlRules: UrlRules;
  clock: Clock;
  log: Log;
}

export class MirrorHosts {
  readonly #options: MirrorHostsOptions;
  #finder = new MirrorFinder(MIRROR_DEFAULTS, []);

  constructor(options: MirrorHostsOptions) {
    this.#options = options;
  }

  /** Reads the mirrors that an earlier run found. */
  async resume(): Promise<void> {
    const known = await this.#options.findings.state.notes('mirror');
    this.#finder = new MirrorFinder(
      MIRROR_DEFAULTS,
      known.map(({ value }) => JSON.parse(value) as Mirror),
    );
  }

  /** Reports a fetched page; `duplicateOf` is the URL that had the same content before, or null. */
  observe(url: CanonicalUrl, duplicateOf: CanonicalUrl | null): void {
    const found = this.#finder.observe(url, fingerprint(duplicateOf ?? url), duplicateOf);
    if (!found) return;
    this.#options.log.info('mirror found', { ...found });
    // If a primary host became a mirror, its mirrors were assigned to the new primary, so they are stored too.
    const changed = this.#finder.mirrors().filter(({ of }) => of === found.of);
    for (const mirror of changed) this.#keep(mirror);
  }

  /** True if the host of the URL is a mirror. */
  isOnMirror(url: CanonicalUrl): boolean {
    return this.#finder.aliasOf(url) !== null;
  }

  /** Returns the records for a URL on a mirror host, which is not visited; null if the URL is to be visited. */
  async mirrorSubstitute({ url, depth }: ReadyUrl): Promise<MirrorSubstitute | null> {
    const of = this.#finder.aliasOf(url);
    if (of === null || this.#options.urlRules.decide(of, depth).verb !== 'index') return null;
    const key = fingerprint(of);
    const outcome = (await this.#options.state.outcomesOf([key])).get(key);
    // If the page on the primary host is an alias, this URL may be its document. Two URLs that are aliases of each
    // other would both be missing from the index, so this URL is visited.
    if (isMissing(outcome) || (outcome && outcome.verdict !== null)) return null;
    const fetchedAt = this.#options.clock.now();
    return {
      reason: { code: 'mirrored', primary: originOf(of) },
      derivedRecords: [{ kind: 'alias', url, fetchedAt, of, reason: 'mirror' }],
      links: linksTo([of], depth),
    };
  }

  /**
   * Makes URLs on mirrors ready again if their page turns out to be missing on the primary host. Call it after a
   * commit with the committed results.
   */
  async reopen(results: Iterable<Pick<UrlResult, 'fingerprint' | 'state' | 'reason'>>): Promise<void> {
    if (!this.#finder.hasMirrors) return;
    for (const { fingerprint: key, ...outcome } of results) {
      const url = isMissing(outcome) ? await this.#options.state.urlOf(key) : null;
      if (url === null) continue;
      for (const twin of [url, ...this.#twinsOf(url)]) await this.#reopenIfLeft(twin);
    }
  }

  async #reopenIfLeft(url: CanonicalUrl): Promise<void> {
    const { state, findings } = this.#options;
    const of = this.#finder.aliasOf(url);
    if (of === null) return;
    const outcomes = await state.outcomesOf([fingerprint(of), fingerprint(url)]);
    if (!isMissing(outcomes.get(fingerprint(of)))) return;
    const outcome = outcomes.get(fingerprint(url));
    if (outcome?.state === 'refused' && outcome.reason.code === 'mirrored') findings.reopen(fingerprint(url));
  }

  /** Returns the URLs with the same path on the mirrors of this URL's host. */
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

/**
 * Returns true if the URL has a final outcome that is not a page. This includes URLs on mirrors that were not
 * visited.
 */
function isMissing(outcome: Pick<Outcome, 'state' | 'reason'> | undefined): boolean {
  if (outcome === undefined || outcome.state === 'ready') return false;
  return outcome.state !== 'done' || outcome.reason.code === 'gone' || outcome.reason.code === 'http-status';
}
