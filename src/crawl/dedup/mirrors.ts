/**
 * Which hosts show the same site, path by path: with and without `www`, http beside https, a copy on
 * another name.
 *
 * Of every origin the 32 paths with the least hashes are kept, each with the owner of its content. The
 * same hash orders all origins, so two of them that have the same paths keep the same ones, and can be
 * compared however large they are (bottom-k sampling). Two are compared only when a page turned out to be
 * a duplicate of the page with the same path on the other: hosts that share nothing never meet.
 *
 * They are mirrors when enough paths are in both samples and nearly all of those have the same content.
 * That holds for a site whose copy is still being crawled, too: a path that one of them has not been asked
 * for yet is no evidence either way.
 */
import { hashLanes } from '../../base/mod.ts';
import { type CanonicalUrl, originOf, pathOf } from '../../url/mod.ts';

export interface MirrorOptions {
  /** Paths that must be in both samples. */
  minPaths: number;
  /** Share of them with the same content. */
  minShare: number;
  /** Origins whose paths are remembered; the ones visited longest ago are forgotten. */
  maxOrigins: number;
}

export const MIRROR_DEFAULTS: MirrorOptions = { minPaths: 8, minShare: 0.9, maxOrigins: 20_000 };

export interface Mirror {
  mirror: string;
  of: string;
  /** Paths compared, and how many of them had the same content. */
  paths: number;
  same: number;
}

interface Sample {
  pages: number;
  /** Path hash to owner, at most `SAMPLE` of them; `greatest` is the largest hash when it is full. */
  owners: Map<number, bigint>;
  greatest: number;
}

const SAMPLE = 32;

export class MirrorFinder {
  readonly #options: MirrorOptions;
  readonly #samples = new Map<string, Sample>();
  readonly #mirrors = new Map<string, Mirror>();

  /** `known` are mirrors found before. */
  constructor(options: MirrorOptions = MIRROR_DEFAULTS, known: Iterable<Mirror> = []) {
    this.#options = options;
    for (const mirror of known) this.#mirrors.set(mirror.mirror, mirror);
  }

  /**
   * A page was fetched. `owner` stands for its content, the same for all duplicates; `duplicateOf` is the
   * URL that has it, if the content was known. Returns a mirror that this page gave away.
   */
  observe(url: CanonicalUrl, owner: bigint, duplicateOf: CanonicalUrl | null): Mirror | null {
    const origin = originOf(url);
    this.#note(origin, pathOf(url), owner);
    if (duplicateOf === null || pathOf(duplicateOf) !== pathOf(url)) return null;
    const other = originOf(duplicateOf);
    const known = (each: string) => this.primaryOf(each) ?? each;
    return known(origin) === known(other) ? null : this.#compare(origin, other);
  }

  /** The origin that this one mirrors. */
  primaryOf(origin: string): string | null {
    return this.#mirrors.get(origin)?.of ?? null;
  }

  /** The same page on the primary host, if this one is on a mirror. */
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
    const sample = this.#samples.get(origin) ?? { pages: 0, owners: new Map(), greatest: 0 };
    this.#samples.delete(origin);
    this.#samples.set(origin, sample);
    if (this.#samples.size > this.#options.maxOrigins) {
      this.#samples.delete(this.#samples.keys().next().value!);
    }
    sample.pages++;
    const [hash] = hashLanes(path);
    if (sample.owners.size === SAMPLE && hash > sample.greatest) return;
    sample.owners.set(hash, owner);
    if (sample.owners.size > SAMPLE) sample.owners.delete(sample.greatest);
    sample.greatest = Math.max(...sample.owners.keys());
  }

  #compare(one: string, other: string): Mirror | null {
    const a = this.#samples.get(one);
    const b = this.#samples.get(other);
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

  /** A host that was a primary and is now a mirror takes its own mirrors along. */
  #settle(found: Mirror): Mirror {
    this.#mirrors.set(found.mirror, found);
    for (const mirror of this.#mirrors.values()) if (mirror.of === found.mirror) mirror.of = found.of;
    return found;
  }
}

/** Encrypted before plain, then the one of which more is known, then the shorter name. */
function isPreferred(one: string, a: Sample, other: string, b: Sample): boolean {
  const secure = Number(one.startsWith('https:')) - Number(other.startsWith('https:'));
  if (secure !== 0) return secure > 0;
  return a.pages === b.pages ? one.length <= other.length : a.pages > b.pages;
}
