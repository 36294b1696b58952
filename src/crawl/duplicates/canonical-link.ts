/**
 * Decides whether the page named by `<link rel=canonical>` is really the same page.
 *
 * The link is a claim by the author. Most are right, but some are template errors: every page of the site
 * names its front page, or a page that redirects straight back, or one that is gone. Trusting a wrong link
 * loses a page; ignoring a right one leaves a duplicate, which the sketches will find. So in doubt the claim
 * is ignored, with a reason.
 */
import type { Page } from '../../page/mod.ts';
import { type CanonicalUrl, hostOf, pathOf, registrableDomain } from '../../url/mod.ts';
import { textKey } from './text-key.ts';

/** Facts about the named page, which may not have been fetched yet. */
export interface CanonicalEvidence {
  /** Returns its redirect target. */
  redirectOf(target: CanonicalUrl): CanonicalUrl | null;
  /** Returns the canonical form that it names. */
  canonicalOf(target: CanonicalUrl): CanonicalUrl | null;
  isGone(target: CanonicalUrl): boolean;
  /** Returns the similarity of its content to that of the claiming page. */
  similarityTo(target: CanonicalUrl): number | null;
  /** Returns true if too many different URLs name it for the claim to mean anything. */
  isNamedByAll(target: CanonicalUrl): boolean;
}

export const NOTHING_KNOWN: CanonicalEvidence = {
  redirectOf: () => null,
  canonicalOf: () => null,
  isGone: () => false,
  similarityTo: () => null,
  isNamedByAll: () => false,
};

type CanonicalVerdict =
  | { kind: 'none' }
  | { kind: 'respected'; url: CanonicalUrl }
  | { kind: 'ignored'; url: CanonicalUrl; reason: string };

/** A print view or a sorted list shares at least half of its shingles with its canonical form. */
const SAME_CONTENT = 0.5;
const ROOT = /^\/(?:(?:index|default|home)\.\w+)?(?:\?.*)?$/;
const MAX_TARGETS = 4096;
const MAX_SOURCES = 20;

/** Returns the canonical form to use, or null if the page is a document of its own. */
export function plausibleCanonical(
  page: Pick<Page, 'canonical'>,
  url: CanonicalUrl,
  evidence: CanonicalEvidence = NOTHING_KNOWN,
): CanonicalUrl | null {
  const verdict = judgeCanonical(page, url, evidence);
  return verdict.kind === 'respected' ? verdict.url : null;
}

export function judgeCanonical(
  page: Pick<Page, 'canonical'>,
  url: CanonicalUrl,
  evidence: CanonicalEvidence,
): CanonicalVerdict {
  const target = page.canonical;
  if (target === null || target === url) return { kind: 'none' };
  const reason = objection(target, url, evidence);
  return reason === null ? { kind: 'respected', url: target } : { kind: 'ignored', url: target, reason };
}

function objection(target: CanonicalUrl, url: CanonicalUrl, evidence: CanonicalEvidence): string | null {
  if (evidence.isGone(target)) return 'it is gone';
  const onward = evidence.redirectOf(target) ?? evidence.canonicalOf(target);
  if (onward === url) return 'it leads back here';
  if (onward !== null && onward !== target) return 'it is not canonical itself';
  const similarity = evidence.similarityTo(target);
  if (similarity !== null) return similarity < SAME_CONTENT ? 'its content is different' : null;
  if (registrableDomain(hostOf(target)) !== registrableDomain(hostOf(url))) return 'it is on another domain';
  if (ROOT.test(pathOf(target)) && !ROOT.test(pathOf(url))) return 'it is the front page';
  return evidence.isNamedByAll(target) ? 'every page names it' : null;
}

/**
 * Counts the different paths from which each page is named as canonical. Variants of a page differ in their
 * query, which is ignored here; a target named from many paths is a template error.
 */
export class CanonicalTargets {
  /** The hashes of paths, by the hash of the target. */
  readonly #sources = new Map<number, Set<number>>();

  note(target: CanonicalUrl, url: CanonicalUrl): void {
    const key = textKey(target);
    const sources = this.#sources.get(key) ?? new Set();
    this.#sources.delete(key);
    this.#sources.set(key, sources);
    if (sources.size <= MAX_SOURCES) sources.add(textKey(pathOf(url).split('?', 1)[0]!));
    if (this.#sources.size > MAX_TARGETS) this.#sources.delete(this.#sources.keys().next().value!);
  }

  isNamedByAll(target: CanonicalUrl): boolean {
    return (this.#sources.get(textKey(target))?.size ?? 0) > MAX_SOURCES;
  }
}
