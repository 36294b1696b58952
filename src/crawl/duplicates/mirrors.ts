/**
 * Finds hosts that show the same site, path by path: with and without `www`, http and https, a copy under
 * another name.
 *
 * For every origin the 32 paths with the smallest hashes are kept, each with the owner of its content. All
 * origins use the same hash, so two origins with the same paths keep the same sample, and can be compared
 * however large they are (bottom-k sampling). Two origins are compared only when a page turns out to be a
 * duplicate of the page with the same path on the other; hosts that share nothing are never compared.
 *
 * Two origins are mirrors when enough paths are in both samples and nearly all of these common paths have the
 * same content. This also works while a copy is still being crawled: a path that was fetched from only one of
 * them is no evidence either way.
 */
import { BoundedCache, hashLanes } from '../../base/mod.ts';
import { type CanonicalUrl, originOf, pathOf } from '../../url/mod.ts';

interface MirrorOptions {
  /** Minimum number of paths that must be in the samples of both origins before they can be called mirrors. */
  minPaths: number;
  /** Minimum share of the common paths that must have the same content on both origins, 0 to 1. */
  minShare: number;
  /** Maximum number of origins whose path samples are kept; the least recently visited are dropped. */
  maxOrigins: number;
}

export const MIRROR_DEFAULTS: MirrorOptions = { minPaths: 8, minShare: 0.9, maxOrigins: 20_000 };

export interface Mirror {
  mirror: string;
  of: string;
  /**
   * The evidence for a mirror: `paths` is the number of compared paths, and `same` the number of paths with the
   * same content on both origins.
   */
  paths: number;
  same: number;
}

interface Sample {
  pages: number;
  /**
   * A sample of the pages of an origin: for each path hash, the owner of the page's content. There are at most
   * `SAMPLE` entries. `greatest` is the largest of the path hashes.
   */
  owners: Map<number, bigint>;
  greatest: number;
}

const SAMPLE = 32;

export class MirrorFinder {
  readonly #options: MirrorOptions;
  readonly #samples: BoundedCache<string, Sample>;
  readonly #mirrors = new Map<string, Mirror>();

  /** Creates a finder. `known` are the mirrors that an earlier run has found. */
  constructor(options: MirrorOptions = MIRROR_DEFAULTS, known: Iterable<Mirror> = []) {
    this.#options = options;
    this.#samples = BoundedCache.ofEntries(options.maxOrigins);
    for (const mirror of known) this.#mirrors.set(mirror.mirror, mirror);
  }

  /**
   * Records a fetched page. `owner` identifies its content and is the same for all duplicates. `duplicateOf` is
   * another URL that had the same content before, or null. Returns a mirror if this page is the last evidence needed.
   */
  observe(url: CanonicalUrl, owner: bigint, duplicateOf: CanonicalUrl | null): Mirror | null {
    const origin = originOf(url);
    this.#note(origin, pathOf(url), owner);
    if (duplicateOf === null || pathOf(duplicateOf) !== pathOf(url)) return null;
    const other = originOf(duplicateOf);
    const known = (each: string) => this.primaryOf(each) ?? each;
    return known(origin) === known(other) ? null : this.#compare(origin, other);
  }

  /** Returns the primary origin if this origin is a mirror, otherwise null. */
  primaryOf(origin: string): string | null {
    return this.#mirrors.get(origin)?.of ?? null;
  }

  /** Returns the URL of the same page on the primary host if this URL is on a mirror, otherwise null. */
  aliasOf(url: CanonicalUrl): CanonicalUrl | null {
    if (!this.hasMirrors) return null;
    const primary = this.primaryOf(originOf(url));
    return primary === null ? null : ((primary + pathOf(url)) as CanonicalUrl);
  }

  get hasMirrors(): boolean {
    return this.#mirrors.size > 0;
  }

  mirrors(): Mirror[] {
    return [...this.#mirrors.values()];
  }

  #note(origin: string, path: string, owner: bigint): void {
    const sample = this.#samples.remember(origin, () => ({ pages: 0, owners: new Map(), greatest: 0 }));
    sample.pages++;
    const [hash] = hashLanes(path);
    if (sample.owners.size === SAMPLE && hash > sample.greatest) return;
    sample.owners.set(hash, owner);
    if (sample.owners.size > SAMPLE) sample.owners.delete(sample.greatest);
    sample.greatest = Math.max(...sample.owners.keys());
  }

  #compare(one: string, other: string): Mirror | null {
    const a = this.#samples.peek(one);
    const b = this.#samples.peek(other);
    if (!a || !b) return null;
    let paths = 0;
    let same = 0;
    for (const [path, owner] of a.owners) {
      const otherOwner = b.owners.get(path);
      if (otherOwner === undefined) continue;
      paths++;
      if (otherOwner === owner) same++;
    }
    const { minPaths, minShare } = this.#options;
    if (paths < minPaths || same < minShare * paths) return null;
    const [of, mirror] = isPreferred(one, a, other, b) ? [one, other] : [other, one];
    return this.#settle({ mirror, of: this.primaryOf(of) ?? of, paths, same });
  }

  /**
   * Stores a new mirror. If a primary host turns out to be a mirror itself, its mirrors are assigned to its new
   * primary.
   */
  #settle(found: Mirror): Mirror {
    this.#mirrors.set(found.mirror, found);
    for (const mirror of this.#mirrors.values()) if (mirror.of === found.mirror) mirror.of = found.of;
    return found;
  }
}

/**
 * Returns true if the first of two mirrored origins becomes the primary. Prefers https, then the origin with more
 * fetched pages, then the shorter name.
 */
function isPreferred(one: string, a: Sample, other: string, b: Sample): boolean {
  const secure = Number(one.startsWith('https:')) - Number(other.startsWith('https:'));
  if (secure !== 0) return secure > 0;
  return a.pages === b.pages ? one.length <= other.length : a.pages > b.pages;
}
