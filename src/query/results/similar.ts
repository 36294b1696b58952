/**
 * Collapses near-duplicate results of a page into one.
 *
 * The crawl already joins the duplicates that it detects. The rest, such as an agency's article in several
 * newspapers, appear on a page of results with the same snippet and the same title, except for a site name
 * after a dash. The texts then decide if the pages really are near duplicates. Only results of one page are
 * compared, so pages do not depend on each other.
 */
interface Comparable {
  title: string;
  snippet: string;
  text: string;
}

/** The minimum Jaccard similarity of the two sets of word runs. */
const ALIKE = 0.9;
const RUN_WORDS = 4;
/** Enough characters to distinguish duplicates from pages that only begin alike. */
export const COMPARED_LENGTH = 8000;
/** The 32-bit prime of the Fowler-Noll-Vo hash (FNV). */
const HASH_PRIME = 0x01000193;
const FIRST_UNSPACED = 0x2e80;
const SITE_NAME = /\s[-–—|·]\s[^-–—|·]{1,60}$/;

/**
 * Returns, per item, the index of the first item that it nearly duplicates; its own index if there is none.
 */
export function firstAlike(items: readonly Comparable[]): number[] {
  const runs = new Map<number, Set<number>>();
  const runsOf = (at: number) => {
    const known = runs.get(at) ?? runsIn(items[at]!.text);
    runs.set(at, known);
    return known;
  };
  const first: number[] = [];
  for (const [at, item] of items.entries()) {
    const same = first.findIndex(
      (leader, other) =>
        leader === other && looksLike(items[other]!, item) && areAlike(runsOf(other), runsOf(at)),
    );
    first.push(same >= 0 ? same : at);
  }
  return first;
}

function looksLike(a: Comparable, b: Comparable): boolean {
  return a.snippet !== '' && a.snippet === b.snippet && headlineOf(a.title) === headlineOf(b.title);
}

/** Removes the site name from a title. */
function headlineOf(title: string): string {
  return title.replace(SITE_NAME, '');
}

function areAlike(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  let shared = 0;
  for (const run of a) if (b.has(run)) shared++;
  return shared >= ALIKE * (a.size + b.size - shared);
}

/** Returns hashes of all runs of words. In scripts without spaces, each character is a word. */
function runsIn(text: string): Set<number> {
  const runs = new Set<number>();
  const words = wordHashes(text.slice(0, COMPARED_LENGTH));
  for (let from = 0; from < Math.max(1, words.length - RUN_WORDS + 1); from++) {
    let hash = 0;
    for (let at = from; at < from + RUN_WORDS; at++) hash = Math.imul(hash ^ (words[at] ?? 0), HASH_PRIME);
    runs.add(hash);
  }
  return runs;
}

function wordHashes(text: string): number[] {
  const hashes: number[] = [];
  let hash = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const letter = code | 0x20;
    const isWord = (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code >= 0x80;
    if (hash !== 0 && (!isWord || code >= FIRST_UNSPACED)) {
      hashes.push(hash);
      hash = 0;
    }
    if (isWord) hash = Math.imul(hash ^ (code < 0x80 ? letter : code), HASH_PRIME) + 1;
  }
  return hashes;
}
