/**
 * Detects template explosion: many URLs of one pattern, all with nearly the same text, such as result pages
 * of empty searches, "send this page to a friend", or a soft 404 below any path.
 *
 * Pages of a pattern are compared by the simhash of their content and by the key of title and content; menus do
 * not count. For example, hundreds of pages of the Rust Unstable Book are two lines with a name and a number,
 * next to a menu of 14,000 characters, and are different pages. A pattern is cut off when it has at least
 * `MIN_PAGES` pages and nearly every page was like one of the four before it. One or two different pages do not
 * prevent this; different pages that make up more than a fifth of the pattern do.
 */

import { BoundedCache } from '../../base/mod.ts';
import { simhashDistance } from '../../sketch/mod.ts';
import type { PageContent } from './idle-parameters.ts';
import { type Assessment, CLEAR } from './trap.ts';
import { escapePattern, patternOf, type UrlShape } from './url-shape.ts';

const MAX_PATTERNS = 256;
const MIN_PAGES = 20;
const MIN_SHARE = 0.8;
const SAME_DISTANCE = 3;
const REMEMBERED = 4;

interface Form {
  pages: number;
  alike: number;
  last: PageContent[];
}

export class SamePages {
  readonly #forms = BoundedCache.ofEntries<string, Form>(MAX_PATTERNS);
  readonly #cut: Set<string>;

  constructor(cut: Iterable<string> = []) {
    this.#cut = new Set(cut);
  }

  /** Memory used by the patterns of the host, in units of about a hundred bytes. */
  get size(): number {
    return this.#forms.size * 5;
  }

  /** Returns the URL patterns that are no longer fetched. */
  get patterns(): string[] {
    return [...this.#cut];
  }

  assess(shape: UrlShape): Assessment {
    if (this.#cut.size === 0) return CLEAR;
    const pattern = patternOf(shape);
    if (!this.#cut.has(pattern)) return CLEAR;
    const shown = pattern.replace('&', '?');
    const value = `^${escapePattern(shown).replaceAll('\\*', '[^/&]*')}/?$`;
    const rule = { verb: 'ignore', match: 'regexp', value } as const;
    return { trap: { kind: 'same-pages', pattern: shown, rule }, replacementUrl: null };
  }

  fetched(shape: UrlShape, content: PageContent): void {
    const pattern = patternOf(shape);
    const form = this.#forms.get(pattern) ?? { pages: 0, alike: 0, last: [] };
    this.#forms.set(pattern, form);
    form.pages++;
    if (form.last.some((each) => isSame(each, content))) form.alike++;
    form.last.push(content);
    if (form.last.length > REMEMBERED) form.last.shift();
    const isTrap = form.pages >= MIN_PAGES && form.alike >= MIN_SHARE * form.pages;
    if (isTrap && this.#cut.size < MAX_PATTERNS) this.#cut.add(pattern);
  }
}

function isSame(one: PageContent, other: PageContent): boolean {
  return one.contentKey === other.contentKey && simhashDistance(one, other) <= SAME_DISTANCE;
}
