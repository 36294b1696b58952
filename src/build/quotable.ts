/**
 * Selects the text of a page that may be quoted. Only this text is stored with the document, so snippets
 * contain nothing else. Other words are indexed and can be found, but are not stored.
 *
 *   nosnippet        stores no text
 *   data-nosnippet   stores all text except the marked elements
 *   max-snippet:N    stores all text, and N: query/snippets/snippet.ts applies the limit
 */
import type { StoredDocument } from '../index/mod.ts';
import type { Page, Range } from '../page/mod.ts';

export function quotableOf(page: Page): Pick<StoredDocument, 'description' | 'text' | 'maxSnippet'> {
  const { maxSnippet, snippet } = page.robots;
  if (!snippet) return { description: '', text: '' };
  const quoted = { description: page.description, text: without(page.text, page.noSnippet ?? []) };
  return maxSnippet === undefined ? quoted : { ...quoted, maxSnippet };
}

/** Reports whether this range of the text may be shown by itself, for example as a suggestion. */
export function isQuotable({ robots, noSnippet = [] }: Page, start: number, end: number): boolean {
  const { snippet, maxSnippet = Number.POSITIVE_INFINITY } = robots;
  return snippet && end - start <= maxSnippet && !noSnippet.some(([from, to]) => from < end && start < to);
}

/** Removes ranges. Puts a line break at each cut, so that the text on both sides is not read as one block. */
function without(text: string, ranges: readonly Range[]): string {
  let rest = '';
  let at = 0;
  for (const [start, end] of ranges) {
    rest += `${text.slice(at, start).trimEnd()}\n`;
    at = end;
  }
  return rest + (at === 0 ? text : text.slice(at).trimStart());
}
