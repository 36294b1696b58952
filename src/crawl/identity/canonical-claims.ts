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
import { similarity } from '../../sketch/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { CanonicalTargets, isPlausibleCanonical, type NearDuplicates } from '../duplicates/mod.ts';
import type { CanonicalClaim, Outcome, PendingState } from '../state/mod.ts';

/** Maximum number of canonical claims that wait for a decision; further claims are ignored. */
const MAX_OPEN = 200_000;

interface CanonicalClaimsOptions {
  findings: PendingState;
  near: NearDuplicates;
  clock: Clock;
}

const CLAIMS_PAGE = 4_096;

interface Evidence {
  outcomes: ReadonlyMap<bigint, Outcome>;
  sketches: ReadonlyMap<bigint, number>;
}

export class CanonicalClaims {
  readonly #options: CanonicalClaimsOptions;
  /** The canonical claims that wait for a decision. The key is the fingerprint of the claiming URL. */
  readonly #open = new Map<bigint, CanonicalClaim>();
  /** For each target of a claim, given by its fingerprint, the fingerprints of the claiming URLs. */
  readonly #claimants = new Map<bigint, Set<bigint>>();
  readonly #targets = new CanonicalTargets();

  constructor(options: CanonicalClaimsOptions) {
    this.#options = options;
  }

  /** Stores the claim that `target` is the canonical form of `url`, which is a document so far. */
  open(url: CanonicalUrl, target: CanonicalUrl): void {
    this.#targets.note(target, url);
    if (this.#open.size >= MAX_OPEN) return;
    this.#remember({ url, target });
    this.#options.findings.openClaim({ url, target });
  }

  /**
   * Checks a claim in the other direction: `target` turned out to have the content of `owner`, which was fetched
   * earlier. If `owner` names `target` as its canonical form, returns the record that makes `owner` an alias of
   * `target`.
   */
  proven(owner: CanonicalUrl, target: CanonicalUrl): AliasRecord | null {
    const claim = this.#open.get(fingerprint(owner));
    if (claim?.target !== target) return null;
    this.#forget(claim);
    return this.#alias(claim);
  }

  /**
   * Decides the canonical claims of these URLs, and the claims that name these URLs as target. The results of the
   * URLs must be committed. Returns the resulting aliases.
   */
  async settle(fingerprints: Iterable<bigint>): Promise<AliasRecord[]> {
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

  /**
   * Reads the canonical claims that an earlier run left open, and decides the claims whose targets are already
   * fetched.
   */
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

  /**
   * Decides the claims one after the other. An accepted claim makes its page an alias, which the decisions about the
   * following claims take into account.
   */
  async #judgeAll(claims: ReadonlySet<CanonicalClaim>): Promise<AliasRecord[]> {
    if (claims.size === 0) return [];
    const evidence = await this.#evidenceOf(claims);
    const renamed = new Set<CanonicalUrl>();
    return [...claims].flatMap((claim) => {
      // The claim may have been settled in the meantime, because the two pages swapped their roles.
      if (this.#open.get(fingerprint(claim.url)) !== claim) return [];
      const verdict = this.#judge(claim, evidence, renamed);
      if (verdict === 'wait') return [];
      this.#forget(claim);
      if (verdict === 'ignore') return [];
      renamed.add(claim.url);
      return [this.#alias(claim)];
    });
  }

  /** Reads the outcomes and sketches of the claiming pages and their targets. */
  async #evidenceOf(claims: Iterable<CanonicalClaim>): Promise<Evidence> {
    const { findings } = this.#options;
    const keys = new Set<bigint>();
    for (const { url, target } of claims) keys.add(fingerprint(url)).add(fingerprint(target));
    const outcomes = await findings.state.outcomesOf(keys);
    return { outcomes, sketches: await findings.sketchesOf(keys) };
  }

  #judge(
    { url, target }: CanonicalClaim,
    { outcomes, sketches }: Evidence,
    renamed: ReadonlySet<CanonicalUrl>,
  ): 'wait' | 'ignore' | 'respect' {
    const source = outcomes.get(fingerprint(url));
    const named = outcomes.get(fingerprint(target));
    if (source === undefined || source.state === 'ready') return 'wait';
    if (named?.state === 'ready') return 'wait';
    if (!isDocument(source) || !isDocument(named) || renamed.has(target)) return 'ignore';
    const alike = this.#similarity(sketches.get(fingerprint(url)), sketches.get(fingerprint(target)));
    if (alike === null) return 'ignore';
    return isPlausibleCanonical(url, target, alike, this.#targets.isNamedByAll(target))
      ? 'respect'
      : 'ignore';
  }

  #similarity(...entries: (number | undefined)[]): number | null {
    const { near } = this.#options;
    const [binsA, binsB] = entries.map((entry) => (entry === undefined ? null : near.binsOf(entry)));
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

/** Returns true if the URL was fetched and is a document of its own in the index. */
function isDocument(outcome: Outcome | undefined): boolean {
  return outcome?.state === 'done' && outcome.reason.code === 'page' && outcome.verdict === null;
}
