/**
 * Decides which document a page is. The checks are in this order, and the first that applies decides:
 *
 *   missing     it looks like the host's page for missing URLs, or like a parked domain
 *   unlisted    it is not to be indexed, and owns no content, because its duplicates would vanish with it
 *   alias       another URL has the same bytes, or nearly the same words
 *   page        it is a document of its own, for now: it may name another page as its canonical form
 *
 * When a page has the content of an earlier page that named it as its canonical form, the two swap roles.
 */
import type { AliasRecord } from '../../journal/mod.ts';
import { isListed } from '../../page/mod.ts';
import { type CanonicalUrl, fingerprint, originOf } from '../../url/mod.ts';
import type { PageFacts } from '../parsing/mod.ts';
import type { Recorder } from '../recorder.ts';
import type { ContentOwner, CrawlState } from '../state/mod.ts';
import type { CanonicalClaims } from './canonical-claims.ts';
import type { CrawlKnowledge } from './crawl-knowledge.ts';
import type { NearDuplicates } from './duplicates/mod.ts';
import type { MirrorHosts } from './mirror-hosts.ts';
import type { MissingPages } from './missing-pages.ts';

interface Candidate {
  url: CanonicalUrl;
  fetchedAt: number;
  /** Digests of the body, and of the payload as received. */
  digest: string;
  payloadDigest: string;
  page: PageFacts;
}

type Identity =
  | { kind: 'missing'; reason: 'soft 404' | 'parked' }
  | { kind: 'unlisted' }
  | { kind: 'alias'; of: CanonicalUrl; reason: 'duplicate' | 'near-duplicate'; owner: ContentOwner | null }
  /**
   * `owner` has the same body in the archive; `renamed` makes an earlier page an alias of this one; `sketch`
   * is the page's own sketch entry.
   */
  | { kind: 'page'; owner: ContentOwner | null; renamed: AliasRecord | null; sketch: number | null };

interface PageIdentityOptions {
  state: CrawlState;
  recorder: Recorder;
  findings: CrawlKnowledge;
  near: NearDuplicates;
  missing: MissingPages;
  claims: CanonicalClaims;
  mirrors: MirrorHosts;
}

export class PageIdentity {
  readonly #options: PageIdentityOptions;

  constructor(options: PageIdentityOptions) {
    this.#options = options;
  }

  async of(candidate: Candidate): Promise<Identity> {
    const { url, page, fetchedAt, payloadDigest, digest } = candidate;
    const reason = this.#options.missing.judge(url, page);
    if (reason) return { kind: 'missing', reason };
    if (!isListed(page)) return { kind: 'unlisted' };
    const owner = await this.#options.recorder.claimContent(digest, { url, fetchedAt, payloadDigest });
    if (owner && owner.url !== url) return this.#sameBytes(candidate, owner);
    return this.#sameWords(candidate);
  }

  #sameBytes({ url }: Candidate, owner: ContentOwner): Identity {
    const { findings } = this.#options;
    this.#observe(url, owner.url);
    const entry = findings.sketchOf(fingerprint(owner.url));
    if (entry !== null) findings.keepSketch(fingerprint(url), entry);
    const renamed = this.#options.claims.proven(owner.url, url);
    return renamed
      ? { kind: 'page', owner, renamed, sketch: null }
      : { kind: 'alias', of: owner.url, reason: 'duplicate', owner };
  }

  #sameWords({ url, page }: Candidate): Identity {
    const { near, state, findings, claims } = this.#options;
    const key = fingerprint(url);
    const found = near.find(page.sketch, key);
    const twin = found ? state.urlOf(found.owner) : null;
    this.#observe(url, twin);
    const entry = found && twin ? found.entry : near.add(key, page.sketch);
    if (entry !== null) findings.keepSketch(key, entry);
    const renamed = twin && claims.proven(twin, url);
    if (twin && !renamed) return { kind: 'alias', of: twin, reason: 'near-duplicate', owner: null };
    if (page.canonical && page.canonical !== url) claims.open(url, page.canonical);
    return { kind: 'page', owner: null, renamed, sketch: twin ? null : entry };
  }

  /**
   * Reports two URLs with the same text: on one host they are a sign of soft 404s, on two hosts of a mirror.
   */
  #observe(url: CanonicalUrl, twin: CanonicalUrl | null): void {
    if (twin && originOf(twin) === originOf(url)) this.#options.missing.suspect(originOf(url));
    this.#options.mirrors.observe(url, twin);
  }
}
