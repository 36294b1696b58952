/**
 * Decides whether the page named by `<link rel=canonical>` is really the same page.
 *
 * The link is a claim by the author. Most are right, but some are template errors: every page of the site names
 * the front page, or some other single page. Trusting a wrong link loses a page; ignoring a right one leaves a
 * duplicate, which the sketches will find. So in doubt the claim is ignored.
 *
 * Pages of one site share their template, and a short page is mostly template. Therefore a claim that looks
 * like a template error needs far more similar content than other claims need.
 */
import { BoundedCache } from '../../base/mod.ts';
import { type CanonicalUrl, pathOf } from '../../url/mod.ts';
import { textKey } from './text-key.ts';

/** A print view or a sorted list shares at least half of its shingles with its canonical form. */
const SAME_CONTENT = 0.5;
/** Pages that share only a template stay below this. */
const MORE_THAN_TEMPLATE = 0.8;
const ROOT = /^\/(?:(?:index|default|home)\.\w+)?(?:\?.*)?$/;
const MAX_TARGETS = 4096;
const MAX_SOURCES = 20;

/** `similarity` is that of the contents of the two pages. */
export function isPlausibleCanonical(
  url: CanonicalUrl,
  target: CanonicalUrl,
  similarity: number,
  isNamedByAll: boolean,
): boolean {
  const isFrontPage = ROOT.test(pathOf(target)) && !ROOT.test(pathOf(url));
  return similarity >= (isFrontPage || isNamedByAll ? MORE_THAN_TEMPLATE : SAME_CONTENT);
}

/**
 * Counts the different paths from which each page is named as canonical. Variants of a page differ in their
 * query, which is ignored here; a target named from many paths is a template error.
 */
export class CanonicalTargets {
  /** The hashes of paths, by the hash of the target. */
  readonly #sources = BoundedCache.ofEntries<number, Set<number>>(MAX_TARGETS);

  note(target: CanonicalUrl, url: CanonicalUrl): void {
    const sources = this.#sources.remember(textKey(target), () => new Set());
    if (sources.size <= MAX_SOURCES) sources.add(textKey(pathOf(url).split('?', 1)[0]!));
  }

  isNamedByAll(target: CanonicalUrl): boolean {
    return (this.#sources.peek(textKey(target))?.size ?? 0) > MAX_SOURCES;
  }
}
