/**
 * Detects filters that can be combined: every link adds one more parameter to the query of its page, in any
 * order. A list with n filters has n! and more URLs, and hardly more items than its first page.
 *
 * For every path, the combinations of parameter names are counted as they are discovered. The first
 * `MAX_COMBINATIONS` stay allowed, with any values; after that, a new combination of several parameters is a
 * trap.
 */

import { BoundedCache } from '../../base/mod.ts';
import { textKey } from '../duplicates/mod.ts';
import { type Assessment, CLEAR } from './trap.ts';
import { escapePattern, type UrlShape } from './url-shape.ts';

const MAX_PATHS = 128;
const MAX_COMBINATIONS = 16;
/** Minimum number of parameters of a URL that can be a facet trap. */
const MIN_PARAMETERS = 3;

export interface Facets {
  path: string;
  /** Hash of the parameter names of each combination that is allowed. */
  combinations: number[];
}

export class FacetCounter {
  readonly #paths = BoundedCache.ofEntries<string, Set<number>>(MAX_PATHS);

  constructor(known: Iterable<Facets> = []) {
    for (const { path, combinations } of known) this.#paths.set(path, new Set(combinations));
  }

  /** Memory used by the counted combinations, in units of about a hundred bytes. */
  get size(): number {
    return this.#paths.size * 8;
  }

  /** Returns the paths that have reached the maximum number of combinations. */
  get full(): Facets[] {
    const all = [...this.#paths.entries()];
    const full = all.filter(([, combinations]) => combinations.size >= MAX_COMBINATIONS);
    return full.map(([path, combinations]) => ({ path, combinations: [...combinations] }));
  }

  assess({ path, parameters }: UrlShape): Assessment {
    if (parameters.length < MIN_PARAMETERS) return CLEAR;
    const known = this.#paths.peek(path);
    if (!known || known.size < MAX_COMBINATIONS || known.has(combinationOf(parameters))) return CLEAR;
    const value = `^${escapePattern(path)}\\?(?:[^&]*&){${MIN_PARAMETERS - 1}}`;
    const rule = { verb: 'ignore', match: 'regexp', value } as const;
    return { trap: { kind: 'facets', pattern: `${path}?*&*&*…`, rule }, replacementUrl: null };
  }

  discovered({ path, parameters }: UrlShape): void {
    if (parameters.length < MIN_PARAMETERS - 1) return;
    const known = this.#paths.get(path) ?? new Set();
    this.#paths.set(path, known);
    if (known.size < MAX_COMBINATIONS) known.add(combinationOf(parameters));
  }
}

function combinationOf(parameters: UrlShape['parameters']): number {
  return textKey(parameters.map(({ name }) => name).join('&'));
}
