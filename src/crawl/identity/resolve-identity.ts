/**
 * Decides which document a page is. The checks are in this order, and the first that applies decides:
 *
 *   missing     it looks like the host's page for missing URLs, or like a parked domain
 *   unlisted    it is not to be indexed. It does not own its content either: pages with the same content would
 *               become its aliases and would be missing from the index
 *   alias       another URL has the same bytes, and is the better URL for them
 *   page        it is a document of its own
 *
 * When a page has the content of an earlier page and is the better URL for it (preferred-url.ts), or the earlier page
 * named it as its canonical form, the two swap roles. Pages that are nearly equal are documents of their own; queries
 * list them once.
 *
 * The crawl, imports and rebuilds all decide here; they differ only in the evidence that they have.
 */
import type { AliasRecord } from '../../journal/mod.ts';
import { isListed, type Page } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';

interface IdentityEvidence<Owner> {
  /** Returns the reason why the page counts as missing (a soft 404 or a parked domain), or null. */
  missingReason?(): 'soft 404' | 'parked' | null;
  /**
   * Returns the other URL that owns the same bytes. If there is none, this page becomes the owner, and the result is
   * null.
   */
  claimContent(): Owner | null | Promise<Owner | null>;
  /**
   * Makes this page the owner of the content, and returns the record that makes `owner` an alias of this page.
   * Returns null if `owner` is to stay the owner.
   */
  swapRoles(owner: Owner): AliasRecord | null;
}

export type ResolvedIdentity<Owner> =
  | { kind: 'missing'; reason: 'soft 404' | 'parked' }
  | { kind: 'unlisted' }
  /** The page is an alias of the URL `owner`, which has the same bytes. */
  | { kind: 'alias'; of: CanonicalUrl; reason: 'duplicate'; owner: Owner }
  /**
   * The page is a document. `renamed` is the record that makes the earlier owner of the content an alias of this
   * page, or null.
   */
  | { kind: 'page'; owner: Owner | null; renamed: AliasRecord | null };

export async function resolveIdentity<Owner extends { url: CanonicalUrl }>(
  page: Pick<Page, 'robots' | 'kind'>,
  evidence: IdentityEvidence<Owner>,
): Promise<ResolvedIdentity<Owner>> {
  const reason = evidence.missingReason?.();
  if (reason) return { kind: 'missing', reason };
  if (!isListed(page)) return { kind: 'unlisted' };
  const owner = await evidence.claimContent();
  const renamed = owner && evidence.swapRoles(owner);
  if (!owner || renamed) return { kind: 'page', owner, renamed };
  return { kind: 'alias', of: owner.url, reason: 'duplicate', owner };
}

/**
 * Returns the record that makes `owner` an alias of `url`. It replaces the page record of `owner`, so its date must
 * not be earlier.
 */
export function duplicateOf(
  url: CanonicalUrl,
  fetchedAt: number,
  owner: { url: CanonicalUrl; fetchedAt: number },
): AliasRecord {
  const changedAt = Math.max(fetchedAt, owner.fetchedAt);
  return { kind: 'alias', url: owner.url, fetchedAt: changedAt, of: url, reason: 'duplicate' };
}
