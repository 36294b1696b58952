/**
 * Which document is this page? Asked in this order, the first answer holds:
 *
 *   missing     it looks like what the host shows for a missing page, or like a parked domain
 *   unlisted    it is not to be indexed: nobody's twin, since its twins would vanish with it
 *   alias       its bytes, or nearly its words, are known under another URL
 *   page        it is a document of its own, for now: it may name another as its canonical form
 *
 * When a page has the content of one that named it as its canonical form, the two change places.
 */
import type { AliasRecord } from '../archive/mod.ts';
import { isListed } from '../page/mod.ts';
import { type CanonicalUrl, fingerprint, originOf } from '../url/mod.ts';
import type { CanonicalClaims } from './canonical-claims.ts';
import type { ContentOwner, CrawlState } from './crawl-state.ts';
import type { NearDuplicates } from './dedup/mod.ts';
import type { Findings } from './findings.ts';
import type { MirrorHosts } from './mirror-hosts.ts';
import type { MissingPages } from './missing-pages.ts';
import type { PageFacts } from './reading.ts';
import type { Recorder } from './recorder.ts';

export interface Candidate {
  url: CanonicalUrl;
  fetchedAt: number;
  /** Of the body, and of the payload as it came. */
  digest: string;
  payloadDigest: string;
  page: PageFacts;
}

export type Identity =
  | { kind: 'missing'; reason: 'soft 404' | 'parked' }
  | { kind: 'unlisted' }
  | { kind: 'alias'; of: CanonicalUrl; reason: 'duplicate' | 'near-duplicate'; owner: ContentOwner | null }
  /**
   * `owner` has the same body in the archive; `renamed` makes a page that was here before another name of this;
   * `sketch` is the page's own entry among the sketches.
   */
  | { kind: 'page'; owner: ContentOwner | null; renamed: AliasRecord | null; sketch: number | null };

export interface PageIdentityOptions {
  state: CrawlState;
  recorder: Recorder;
  findings: Findings;
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

  /** Two addresses with one text: on one host it may have no pages there, on two they may be mirrors. */
  #observe(url: CanonicalUrl, twin: CanonicalUrl | null): void {
    if (twin && originOf(twin) === originOf(url)) this.#options.missing.suspect(originOf(url));
    this.#options.mirrors.observe(url, twin);
  }
}
