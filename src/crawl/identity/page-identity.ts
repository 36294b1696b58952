/**
 * The evidence that the crawl has about the identity of a page: what it knows of the host, the pages fetched
 * before, and canonical links. `resolve-identity.ts` decides by this evidence.
 *
 * A page that becomes a document may name another page as its canonical form; `canonical-claims.ts` keeps that
 * claim until the other page has been fetched.
 */
import { type CanonicalUrl, fingerprint, originOf } from '../../url/mod.ts';
import type { NearDuplicates } from '../duplicates/mod.ts';
import type { PageFacts } from '../parsing/mod.ts';
import type { ContentOwner, CrawlState, PendingState } from '../state/mod.ts';
import type { CanonicalClaims } from './canonical-claims.ts';
import type { MirrorHosts } from './mirror-hosts.ts';
import type { MissingPages } from './missing-pages.ts';
import { isPreferredUrl } from './preferred-url.ts';
import { duplicateOf, type ResolvedIdentity, resolveIdentity } from './resolve-identity.ts';

interface Candidate {
  url: CanonicalUrl;
  fetchedAt: number;
  /** Digest of the decoded body. `payloadDigest` is the digest of the body as received. */
  digest: string;
  payloadDigest: string;
  page: PageFacts;
}

interface Likeness {
  /** Number of the page's sketch entry; null if it has none. */
  sketch: number | null;
  /** True if a page fetched before has the same or nearly the same text. */
  isCopy: boolean;
}

type PageLikeness = ResolvedIdentity<ContentOwner> & Likeness;

interface PageIdentityOptions {
  state: CrawlState;
  findings: PendingState;
  near: NearDuplicates;
  missing: MissingPages;
  claims: CanonicalClaims;
  mirrors: MirrorHosts;
  /** Returns the importance of a URL by the links of fetched pages. */
  linkedness(url: CanonicalUrl): number;
}

export class PageIdentity {
  readonly #options: PageIdentityOptions;

  constructor(options: PageIdentityOptions) {
    this.#options = options;
  }

  async of(candidate: Candidate): Promise<PageLikeness> {
    const { missing, claims } = this.#options;
    const { url, page } = candidate;
    const identity = await resolveIdentity(page, {
      missingReason: () => missing.judge(url, page),
      claimContent: () => this.#claimContent(candidate),
      swapRoles: (owner) => this.#swapRoles(candidate, owner),
    });
    if (identity.kind === 'page' && page.canonical && page.canonical !== url)
      claims.open(url, page.canonical);
    if (identity.kind !== 'page' && identity.kind !== 'alias')
      return { ...identity, sketch: null, isCopy: false };
    const { owner } = identity;
    return {
      ...identity,
      ...(owner ? await this.#shareSketch(url, owner) : await this.#keepSketch(candidate)),
    };
  }

  async #claimContent({ url, fetchedAt, digest, payloadDigest }: Candidate): Promise<ContentOwner | null> {
    const { findings } = this.#options;
    const owner = await findings.claimContent(digest, { url, fetchedAt, payloadDigest });
    if (!owner || owner.url === url) return null;
    this.#observe(url, owner.url);
    return owner;
  }

  #swapRoles({ url, fetchedAt, digest, payloadDigest, page }: Candidate, owner: ContentOwner) {
    const { claims, findings, linkedness } = this.#options;
    const renamed =
      claims.proven(owner.url, url) ??
      (isPreferredUrl(url, owner.url, page, linkedness) ? duplicateOf(url, fetchedAt, owner) : null);
    if (renamed) findings.moveContent(digest, owner, { url, fetchedAt, payloadDigest });
    return renamed;
  }

  /** Assigns the sketch entry of `owner` to `url`, which has the same content. */
  async #shareSketch(url: CanonicalUrl, owner: ContentOwner): Promise<Likeness> {
    const { findings } = this.#options;
    const entry = await findings.sketchOf(fingerprint(owner.url));
    if (entry !== null) findings.keepSketch(fingerprint(url), entry);
    return { sketch: null, isCopy: true };
  }

  /**
   * Adds the sketch of a page whose content no other URL has. There is no await before `add`, so that two pages
   * handled at the same time are compared with each other.
   */
  async #keepSketch({ url, page }: Candidate): Promise<Likeness> {
    const { near, state, findings } = this.#options;
    const key = fingerprint(url);
    const found = near.find(page.sketch, key);
    const entry = near.add(key, page.sketch);
    if (entry !== null) findings.keepSketch(key, entry);
    const twin = found ? await state.urlOf(found.owner) : null;
    this.#observe(url, twin);
    return { sketch: entry, isCopy: twin !== null };
  }

  /**
   * Reports two URLs with the same text. On one host they are a sign of soft 404s, on two hosts a sign of a mirror.
   */
  #observe(url: CanonicalUrl, twin: CanonicalUrl | null): void {
    if (twin && originOf(twin) === originOf(url)) this.#options.missing.suspect(originOf(url));
    this.#options.mirrors.observe(url, twin);
  }
}
