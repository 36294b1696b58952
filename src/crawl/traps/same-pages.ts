/**
 * Template explosion: many addresses of one form, all with nearly the same text. Result pages of empty
 * searches, "send this page to a friend", a soft 404 below any path.
 *
 * Forms are compared by the simhash of their last pages. A form is cut when it has been fetched often
 * enough and nearly every page was like one of the four before it; a page or two that are different do
 * not save it, a fifth does.
 */
import { simhashDistance } from '../dedup/mod.ts';
import { BoundedMap } from './bounded-map.ts';
import type { Content } from './idle-parameters.ts';
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
  last: Content[];
}

export class SamePages {
  readonly #forms = new BoundedMap<string, Form>(MAX_PATTERNS);
  readonly #cut: Set<string>;

  constructor(cut: Iterable<string> = []) {
    this.#cut = new Set(cut);
  }

  /** In things of about a hundred bytes. */
  get size(): number {
    return this.#forms.size * 5;
  }

  /** The patterns that are cut. */
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
    return { trap: { kind: 'same-pages', pattern: shown, rule }, instead: null };
  }

  fetched(shape: UrlShape, content: Content): void {
    const pattern = patternOf(shape);
    const form = this.#forms.get(pattern) ?? { pages: 0, alike: 0, last: [] };
    this.#forms.set(pattern, form);
    form.pages++;
    if (form.last.some((each) => simhashDistance(each, content) <= SAME_DISTANCE)) form.alike++;
    form.last.push(content);
    if (form.last.length > REMEMBERED) form.last.shift();
    const isTrap = form.pages >= MIN_PAGES && form.alike >= MIN_SHARE * form.pages;
    if (isTrap && this.#cut.size < MAX_PATTERNS) this.#cut.add(pattern);
  }
}
