/**
 * Results that say nearly the same, of which one is enough.
 *
 * The crawl has joined copies already, as far as it could tell. What is left shows on a page of results as the same
 * title over the same words; whether the pages really are alike is told by their texts. Only results of one page
 * are compared, so pages neither shift nor depend on each other.
 */
import { tokenize } from '../text/mod.ts';

export interface Comparable {
  title: string;
  snippet: string;
  text: string;
}

/** How many runs of words two texts must share, of all that either has. */
const ALIKE = 0.9;
const RUN_WORDS = 4;
/** Enough to tell copies from pages that only begin alike. */
const COMPARED_LENGTH = 20_000;

/** Per item, the index of the first one that it is nearly the same as: its own if there is none. */
export function firstAlike(items: readonly Comparable[]): number[] {
  const runs = new Map<number, Set<string>>();
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
  return a.snippet !== '' && a.snippet === b.snippet && a.title === b.title;
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const run of a) if (b.has(run)) shared++;
  return shared >= ALIKE * (a.size + b.size - shared);
}

function runsIn(text: string): Set<string> {
  const words: string[] = [];
  tokenize(text.slice(0, COMPARED_LENGTH), (term) => words.push(term));
  const count = Math.max(1, words.length - RUN_WORDS + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + RUN_WORDS).join(' ')));
}
