/**
 * What of a page may be quoted: what is stored with its document, and so all that a snippet can be cut from.
 * Words that may not be quoted are found all the same; they are only not kept.
 *
 *   nosnippet        nothing
 *   data-nosnippet   all but the stretches so marked
 *   max-snippet:N    the first N characters, if a snippet could be longer than that
 */
import type { Page } from '../page/mod.ts';

/** No snippet is as long as this (query/snippet.ts). */
const LONGEST_SNIPPET = 320;

export function quotableOf(page: Page): { description: string; text: string } {
  const { robots, description } = page;
  if (!robots.snippet) return { description: '', text: '' };
  const limit = robots.maxSnippet ?? LONGEST_SNIPPET;
  const text = withoutStretches(page);
  if (limit >= LONGEST_SNIPPET) return { description, text };
  return { description: cut(description, limit), text: cut(text, limit) };
}

function withoutStretches({ text, noSnippet = [] }: Page): string {
  let kept = '';
  let from = 0;
  for (const [start, end] of noSnippet) {
    kept += text.slice(from, start);
    from = end;
  }
  return kept + text.slice(from);
}

/** Never in the middle of a character. */
function cut(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  const splits = code >= 0xd800 && code < 0xdc00 && text.length > length;
  return text.slice(0, splits ? length - 1 : length);
}
