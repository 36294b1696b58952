/**
 * Canonical links, believed only once the page that they name has been seen.
 *
 * A page that names another as its canonical form is a document of its own at first, and its claim is kept.
 * The page it names is fetched like any link. When both are committed the claim is settled: if the named page
 * is a document with similar content, the one that named it becomes another name of it; in all other cases
 * (an error, a redirect, other content, too little text to tell, never fetched) nothing happens, and no page is
 * lost.
 *
 * No circle can come of it: a name is only ever given to a URL that is a document at that moment.
 */
import type { AliasRecord } from '../archive/mod.ts';
import type { Clock } from '../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import {
  CanonicalTargets,
  judgeCanonical,
  type NearDuplicates,
  NOTHING_KNOWN,
  similarity,
} from './dedup/mod.ts';
import type { CanonicalClaim, Findings, Outcome } from './findings.ts';

/** More claims than this are not waited for at once. */
const MAX_OPEN = 200_000;

export interface CanonicalClaimsOptions {
  findings: Findings;
  near: NearDuplicates;
  clock: Clock;
}

export class CanonicalClaims {
  readonly #options: CanonicalClaimsOptions;
  /** By the fingerprint of who makes the claim. */
  readonly #open = new Map<bigint, CanonicalClaim>();
  /** Who makes a claim, by the fingerprint of what is named. */
  readonly #claimants = new Map<bigint, Set<bigint>>();
  readonly #targets = new CanonicalTargets();

  constructor(options: CanonicalClaimsOptions) {
    this.#options = options;
    for (const claim of options.findings.store.claims()) this.#remember(claim);
  }

  /** `url`, a document so far, names `target`. */
  open(url: CanonicalUrl, target: CanonicalUrl): void {
    this.#targets.note(target, url);
    if (this.#open.size >= MAX_OPEN) return;
    this.#remember({ url, target });
    this.#options.findings.openClaim({ url, target });
  }

  /**
   * `target` came with the content of `owner`, who was here first. If the owner names it as its canonical
   * form, the two change places: this is the record that makes the owner another name.
   */
  proven(owner: CanonicalUrl, target: CanonicalUrl): AliasRecord | null {
    const claim = this.#open.get(fingerprint(owner));
    if (claim?.target !== target) return null;
    this.#forget(claim);
    return this.#alias(claim);
  }

  /** URLs that have a committed result now. Returns the names that follow from it. */
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

  /** Settles what an earlier run had committed and not come to. */
  resume(): AliasRecord[] {
    return this.#judgeAll(new Set(this.#open.values()));
  }

  /** One that is respected makes its page an alias, which the claims after it must know. */
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
    const { store } = this.#options.findings;
    const source = store.outcomeOf(fingerprint(url));
    const named = store.outcomeOf(fingerprint(target));
    if (source === null || source.state === 'ready') return 'wait';
    if (named?.state === 'ready') return 'wait';
    if (!isDocument(source) || !isDocument(named) || renamed.has(target)) return 'ignore';
    const alike = this.#similarity(url, target);
    if (alike === null) return 'ignore';
    const verdict = judgeCanonical({ canonical: target }, url, {
      ...NOTHING_KNOWN,
      similarityTo: () => alike,
      isNamedByAll: () => this.#targets.isNamedByAll(target),
    });
    return verdict.kind === 'respected' ? 'respect' : 'ignore';
  }

  #similarity(one: CanonicalUrl, other: CanonicalUrl): number | null {
    const { findings, near } = this.#options;
    const [a, b] = [findings.sketchOf(fingerprint(one)), findings.sketchOf(fingerprint(other))];
    return a === null || b === null ? null : similarity(near.binsOf(a), near.binsOf(b));
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

/** It was fetched, and stands for itself in the index. */
function isDocument(outcome: Outcome | null): boolean {
  return outcome?.state === 'done' && outcome.reason === 'page' && outcome.verdict === null;
}
