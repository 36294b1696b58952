/**
 * Decides which document a page is. The checks are in this order, and the first that applies decides:
 *
 *   missing     it looks like the host's page for missing URLs, or like a parked domain
 *   unlisted    it is not to be indexed, and owns no content, because its duplicates would vanish with it
 *   alias       another URL has the same bytes, or nearly the same words
 *   page        it is a document of its own
 *
 * When a page has the content of an earlier page that named it as its canonical form, the two swap roles.
 *
 * The crawl, imports and rebuilds all decide here; they differ only in the evidence that they have.
 */
import type { AliasRecord } from '../../journal/mod.ts';
import { isListed, type Page } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';

interface IdentityEvidence<Owner> {
  /** Returns the reason why the page counts as missing, or null. */
  missingReason?(): 'soft 404' | 'parked' | null;
  /** Returns the other URL that owns the same bytes; null after claiming them for this page. */
  claimContent(): Owner | null | Promise<Owner | null>;
  /** Returns the earlier page that has nearly the same words. */
  findTwin?(): Promise<CanonicalUrl | null>;
  /** Returns the record that makes `earlier` an alias of this page, if `earlier` asked for it. */
  swapRoles?(earlier: CanonicalUrl): AliasRecord | null;
}

export type ResolvedIdentity<Owner> =
  | { kind: 'missing'; reason: 'soft 404' | 'parked' }
  | { kind: 'unlisted' }
  /** `owner` has the same bytes. */
  | { kind: 'alias'; of: CanonicalUrl; reason: 'duplicate' | 'near-duplicate'; owner: Owner | null }
  /** `renamed` makes an earlier page an alias of this one. */
  | { kind: 'page'; owner: Owner | null; renamed: AliasRecord | null };

export async function resolveIdentity<Owner extends { url: CanonicalUrl }>(
  page: Pick<Page, 'robots' | 'kind'>,
  evidence: IdentityEvidence<Owner>,
): Promise<ResolvedIdentity<Owner>> {
  const reason = evidence.missingReason?.();
  if (reason) return { kind: 'missing', reason };
  if (!isListed(page)) return { kind: 'unlisted' };
  const owner = await evidence.claimContent();
  const earlier = owner ? owner.url : ((await evidence.findTwin?.()) ?? null);
  const renamed = (earlier && evidence.swapRoles?.(earlier)) ?? null;
  if (!earlier || renamed) return { kind: 'page', owner, renamed };
  return { kind: 'alias', of: earlier, reason: owner ? 'duplicate' : 'near-duplicate', owner };
}
