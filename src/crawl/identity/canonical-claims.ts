/**
 * Canonical links, which are trusted only after their target has been fetched.
 *
 * A page that names another as its canonical form is a document of its own at first, and its claim is stored.
 * The target is fetched like any link. When both are committed, the claim is settled: if the target is a
 * document with similar content, the claiming page becomes an alias of it. In all other cases (an error, a
 * redirect, other content, too little text to compare, never fetched) nothing changes, and no page is lost.
 *
 * Aliases cannot form a cycle, because the target of a new alias is always a document at that moment.
 */

import type { Clock } from '../../base/mod.ts';
import type { AliasRecord } from '../../journal/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import {
  CanonicalTargets,
  isPlausibleCanonical,
  type NearDuplicates,
  similarity,
} from '../duplicates/mod.ts';
import type { CanonicalClaim, Outcome, PendingState } from '../state/mod.ts';

/** Maximum number of open claims; further ones are ignored. */
const MAX_OPEN = 200_000;

interface CanonicalClaimsOptions {
  findings: PendingState;
  near: NearDuplicates;
  clock: Clock;
}

const CLAIMS_PAGE = 4_096;

export class CanonicalClaims {
  readonly #options: CanonicalClaimsOptions;
  /** By the fingerprint of the claiming URL. */
  readonly #open = new Map<bigint, CanonicalClaim>();
  /** Fingerprints of the claiming URLs, by the fingerprint of their target. */
  readonly #claimants = new Map<bigint, Set<bigint>>();
  readonly #targets = new CanonicalTargets();

  constructor(options: CanonicalClaimsOptions) {
    this.#options = options;
  }

  /** Stores the claim of `url`, a document so far, that `target` is its canonical form. */
  open(url: CanonicalUrl, target: CanonicalUrl): void {
    this.#targets.note(target, url);
    if (this.#open.size >= MAX_OPEN) return;
    this.#remember({ url, target });
    this.#options.findings.openClaim({ url, target });
  }

  /**
   * Handles a `target` with the content of `owner`, which was fetched first. If the owner names the target as
   * its canonical form, the two swap roles: returns the record that makes the owner an alias.
   */
  proven(owner: CanonicalUrl, target: CanonicalUrl): AliasRecord | null {
    const claim = this.#open.get(fingerprint(owner));
    if (claim?.target !== target) return null;
    this.#forget(claim);
    return this.#alias(claim);
  }

  /**
   * Settles the claims of and to these URLs, which now have committed results. Returns the resulting aliases.
   */
  settle(fingerprints: Iterable<bigint>): AliasRecord[] {
    if (this.#open.size === 0) return [];
    const touched = new Set<CanonicalClaim>();
    for (const key of fingerprints) {
      for (const claimant of [key, ...(this.#claimants.get(key) ?? [])]) {
        const claim = this.#open.get(claimant);
        if (claim) touched.add(claim);
      }
    }
    return this.#judgeAll(touched);
  }

  /** Reads the claims of an earlier run, and settles those that it had committed but not settled. */
  async resume(): Promise<AliasRecord[]> {
    const { state } = this.#options.findings;
    for (let after: bigint | null = null; ; ) {
      const page: CanonicalClaim[] = await state.claims(after, CLAIMS_PAGE);
      for (const claim of page) this.#remember(claim);
      if (page.length < CLAIMS_PAGE) break;
      after = fingerprint(page.at(-1)!.url);
    }
    return this.#judgeAll(new Set(this.#open.values()));
  }

  /** A respected claim makes its page an alias, which the judgement of later claims must take into account. */
  #judgeAll(claims: Iterable<CanonicalClaim>): AliasRecord[] {
    const renamed = new Set<CanonicalUrl>();
    return [...claims].flatMap((claim) => {
      const verdict = this.#judge(claim, renamed);
      if (verdict === 'wait') return [];
      this.#forget(claim);
      if (verdict === 'ignore') return [];
      renamed.add(claim.url);
      return [this.#alias(claim)];
    });
  }

  #judge(claim: CanonicalClaim, renamed: ReadonlySet<CanonicalUrl>): 'wait' | 'ignore' | 'respect' {
    const { url, target } = claim;
    const { state } = this.#options.findings;
    const source = state.outcomeOf(fingerprint(url));
    const named = state.outcomeOf(fingerprint(target));
    if (source === null || source.state === 'ready') return 'wait';
    if (named?.state === 'ready') return 'wait';
    if (!isDocument(source) || !isDocument(named) || renamed.has(target)) return 'ignore';
    const alike = this.#similarity(url, target);
    if (alike === null) return 'ignore';
    return isPlausibleCanonical(url, target, alike, this.#targets.isNamedByAll(target))
      ? 'respect'
      : 'ignore';
  }

  #similarity(one: CanonicalUrl, other: CanonicalUrl): number | null {
    const { findings, near } = this.#options;
    const [a, b] = [findings.sketchOf(fingerprint(one)), findings.sketchOf(fingerprint(other))];
    const [binsA, binsB] = [a, b].map((entry) => (entry === null ? null : near.binsOf(entry)));
    return binsA && binsB ? similarity(binsA, binsB) : null;
  }

  #alias({ url, target }: CanonicalClaim): AliasRecord {
    return { kind: 'alias', url, fetchedAt: this.#options.clock.now(), of: target, reason: 'canonical' };
  }

  #remember(claim: CanonicalClaim): void {
    const key = fingerprint(claim.url);
    const target = fingerprint(claim.target);
    this.#open.set(key, claim);
    const claimants = this.#claimants.get(target) ?? new Set();
    this.#claimants.set(target, claimants.add(key));
  }

  #forget({ url, target }: CanonicalClaim): void {
    const key = fingerprint(url);
    const claimants = this.#claimants.get(fingerprint(target));
    this.#open.delete(key);
    claimants?.delete(key);
    if (claimants?.size === 0) this.#claimants.delete(fingerprint(target));
    this.#options.findings.settleClaim(url);
  }
}

/** True if the URL was fetched and is a document of its own in the index. */
function isDocument(outcome: Outcome | null): boolean {
  return outcome?.state === 'done' && outcome.reason === 'page' && outcome.verdict === null;
}
