/**
 * Finds snippets that tell a person nothing about the page:
 *
 *   menu     at least MENU_SHARE of its letters are in two or more links of at most SHORT_LINK_WORDS words
 *   footer   it has a copyright line, a date of the last change, or the name of a generator
 *   dots     it has dot leaders, as in tables of contents
 *   empty    the result has no snippet
 */
import { MarkKind, type Page } from '../../src/page/mod.ts';
import type { FoundPage } from './engine.ts';

const FLAWS = ['menu', 'footer', 'dots', 'empty'] as const;
export type SnippetFlaw = (typeof FLAWS)[number];

export interface SnippetReport {
  results: number;
  /**
   * The share of results with each flaw, and with any flaw. A snippet with several flaws counts only for one
   * flaw; see `flawOf`.
   */
  shares: Record<SnippetFlaw | 'any', number>;
  /** The first snippets with each flaw, without repetitions. */
  examples: { flaw: SnippetFlaw; query: string; url: string; snippet: string }[];
}

const MENU_SHARE = 0.6;
const MENU_LINKS = 2;
const SHORT_LINK_WORDS = 8;
const LISTED_PER_FLAW = 5;
const DOTS = /(?:\.\s?){5,}|…\s?…|_{5,}/;
const FOOTER =
  /Copyright\s*(?:©|\([cC]\)|\d{4})|©\s*(?:Copyright|\d{4})|All [Rr]ights [Rr]eserved|Last (?:updated|modified|changed|revised)|Generated (?:by|on|with|using)\b|Created using|Built with|Powered by/;
/**
 * Matches the separators that the engine writes between blocks of a snippet, and its ellipses. If a block ends
 * with a full stop, the engine writes only a space after it, which is not matched.
 */
const JOINTS = / · | … |^… | …$/;

export function checkSnippets(
  runs: readonly { query: string; results: readonly FoundPage[] }[],
  pages: ReadonlyMap<string, Page>,
): SnippetReport {
  const all = runs.flatMap(({ query, results }) =>
    results.map(({ url, snippet }) => ({ query, url, snippet, flaw: flawOf(snippet, pages.get(url)) })),
  );
  const share = (isCounted: (flaw: SnippetFlaw | null) => boolean) =>
    all.length === 0 ? 0 : all.filter(({ flaw }) => isCounted(flaw)).length / all.length;
  const shares = FLAWS.map((name) => [name, share((flaw) => flaw === name)]);
  const examples = FLAWS.flatMap((name) => {
    const flawed = all.flatMap(({ flaw, ...found }) => (flaw === name ? [{ flaw, ...found }] : []));
    return [...new Map(flawed.map((one) => [one.snippet, one])).values()].slice(0, LISTED_PER_FLAW);
  });
  return {
    results: all.length,
    shares: { ...Object.fromEntries(shares), any: share((flaw) => flaw !== null) },
    examples,
  };
}

/**
 * Returns the first flaw of a snippet that applies; null if there is none. `page` is the document of the
 * snippet; without it, the flaw `menu` is not detected.
 */
export function flawOf(snippet: string, page: Page | undefined): SnippetFlaw | null {
  if (snippet.trim() === '') return 'empty';
  if (DOTS.test(snippet)) return 'dots';
  if (FOOTER.test(snippet)) return 'footer';
  return page && isMenu(snippet, page) ? 'menu' : null;
}

function isMenu(snippet: string, page: Page): boolean {
  const { marks } = page;
  const text = page.text.replaceAll('\n', ' ');
  const links = marks.filter(
    ({ kind, start, end }) => kind === MarkKind.link && isShort(text.slice(start, end)),
  );
  let letters = 0;
  let linked = 0;
  const touched = new Set<number>();
  let from = 0;
  for (const piece of snippet.split(JOINTS).map((part) => part.trim())) {
    letters += lettersIn(piece);
    const start = positionOf(piece, text, from);
    if (piece === '' || start < 0) continue;
    from = start + piece.length;
    for (const link of links) {
      const [first, last] = [Math.max(start, link.start), Math.min(from, link.end)];
      if (first >= last) continue;
      linked += lettersIn(text.slice(first, last));
      touched.add(link.start);
    }
  }
  return touched.size >= MENU_LINKS && linked >= MENU_SHARE * letters;
}

/**
 * Finds a piece of a snippet in the text of the page. Prefers an occurrence after `from`, because the pieces
 * of a snippet are in the order of the text.
 */
function positionOf(piece: string, text: string, from: number): number {
  const after = text.indexOf(piece, from);
  return after >= 0 ? after : text.indexOf(piece);
}

function isShort(linkText: string): boolean {
  return linkText.trim().split(/\s+/).length <= SHORT_LINK_WORDS;
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
