/**
 * What of a page may be quoted: what is stored with its document, and so all that a snippet can be cut from.
 * Words that may not be quoted are found all the same; they are only not kept.
 *
 *   nosnippet        nothing
 *   data-nosnippet   all but the stretches so marked
 *   max-snippet:N    everything, and N with it: query/snippet.ts keeps to it
 */
import type { StoredDocument } from '../index/mod.ts';
import type { Page, Range } from '../page/mod.ts';

export function quotableOf(page: Page): Pick<StoredDocument, 'description' | 'text' | 'maxSnippet'> {
  const { maxSnippet, snippet } = page.robots;
  if (!snippet) return { description: '', text: '' };
  const quoted = { description: page.description, text: without(page.text, page.noSnippet ?? []) };
  return maxSnippet === undefined ? quoted : { ...quoted, maxSnippet };
}

/** Whether this much of the text may be shown by itself, as a suggestion say. */
export function isQuotable({ robots, noSnippet = [] }: Page, start: number, end: number): boolean {
  const { snippet, maxSnippet = Number.POSITIVE_INFINITY } = robots;
  return snippet && end - start <= maxSnippet && !noSnippet.some(([from, to]) => from < end && start < to);
}

/** A cut is a new block: what stood on its two sides does not belong together. */
function without(text: string, ranges: readonly Range[]): string {
  let rest = '';
  let at = 0;
  for (const [start, end] of ranges) {
    rest += `${text.slice(at, start).trimEnd()}\n`;
    at = end;
  }
  return rest + (at === 0 ? text : text.slice(at).trimStart());
}
