/**
 * Results that say nearly the same, of which one is enough.
 *
 * The crawl has joined copies already, as far as it could tell. What is left, such as an article of an agency in several
 * papers, shows on a page of results as the same title over the same words, but for the name of the site behind a dash;
 * whether the pages really are alike is told by their texts. Only results of one page are compared, so pages neither
 * shift nor depend on each other.
 */
export interface Comparable {
  title: string;
  snippet: string;
  text: string;
}

/** How many runs of words two texts must share, of all that either has. */
const ALIKE = 0.9;
const RUN_WORDS = 4;
/** Enough to tell copies from pages that only begin alike. */
const COMPARED_LENGTH = 8000;
/** Of Fowler, Noll and Vo. */
const HASH_PRIME = 0x01000193;
const FIRST_UNSPACED = 0x2e80;
const SITE_NAME = /\s[-–—|·]\s[^-–—|·]{1,60}$/;

/** Per item, the index of the first one that it is nearly the same as: its own if there is none. */
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

/** Without the name of the site. */
function headlineOf(title: string): string {
  return title.replace(SITE_NAME, '');
}

function areAlike(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  let shared = 0;
  for (const run of a) if (b.has(run)) shared++;
  return shared >= ALIKE * (a.size + b.size - shared);
}

/** Hashes of all runs of words. A character of a script without spaces is a word. */
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
