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

/**
 * Required share of common shingles for an ordinary canonical claim. A print view or a sorted list has at least half
 * of the shingles of its canonical page.
 */
const SAME_CONTENT = 0.5;
/**
 * Required share of common shingles for a claim that looks like a template error. Pages that share only a template
 * have less.
 */
const MORE_THAN_TEMPLATE = 0.8;
const ROOT = /^\/(?:(?:index|default|home)\.\w+)?(?:\?.*)?$/;
const MAX_TARGETS = 4096;
const MAX_SOURCES = 20;

/**
 * Returns true if a canonical link is trusted. `similarity` is the share of shingles that the two pages have in
 * common.
 */
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
 * Counts, for each canonical target, the different paths of the pages that name it. Variants of one page differ in
 * their query, which is ignored here. A target that is named from many different paths is a template error.
 */
export class CanonicalTargets {
  /** For each target URL, by its hash, the hashes of the paths of the pages that name it. */
  readonly #sources = BoundedCache.ofEntries<number, Set<number>>(MAX_TARGETS);

  note(target: CanonicalUrl, url: CanonicalUrl): void {
    const sources = this.#sources.remember(textKey(target), () => new Set());
    if (sources.size <= MAX_SOURCES) sources.add(textKey(pathOf(url).split('?', 1)[0]!));
  }

  isNamedByAll(target: CanonicalUrl): boolean {
    return (this.#sources.peek(textKey(target))?.size ?? 0) > MAX_SOURCES;
  }
}
