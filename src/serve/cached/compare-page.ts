/**
 * What changed between two copies of a page: their texts line by line, changed lines word by word. A page may be made to
 * be slow to compare, and others wait meanwhile: so much of it is looked at, and the page says where that ends.
 */
import { isShortened } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { type Html, html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { View } from '../view.ts';
import type { Words } from '../words/words.ts';
import type { FoundCopy } from './find-copy.ts';
import { type Difference, differences } from './text-diff.ts';

/** Lines of a copy that are compared; of its text there is no more than `page/` keeps. */
const MAX_LINES = 5000;
const MAX_LINE_LENGTH = 5000;
/** For the words of one line, and of all lines: pairs of words that may be compared. */
const MAX_CELLS = 250_000;
const MAX_CELLS_OF_PAGE = 8_000_000;
/** Lines that share fewer of their words than this are not shown as one that changed. */
const LEAST_SHARED = 0.4;

export function comparePage(view: View, url: CanonicalUrl, one: FoundCopy, other: FoundCopy): string {
  const { words } = view;
  const [older, newer] = one.copy.fetchedAt <= other.copy.fetchedAt ? [one, other] : [other, one];
  const [before, after] = [older, newer].map(({ content }) => linesOf(content.page.text));
  const found = differences(before!.lines, after!.lines);
  const title = words.text('compare.title', { url });
  const intro = words.text('compare.intro', {
    older: words.exactMoment(older.copy.fetchedAt),
    newer: words.exactMoment(newer.copy.fetchedAt),
  });
  const link = html`<a href="${url}" dir="ltr">${url}</a>`;
  const main = html`<article class="prose"><h1>${words.markup('compare.title', { url: link })}</h1>
<p>${intro} ${summary(words, found)}</p>
${before!.isCut || after!.isCut ? html`<p class="note">${words.text('compare.cut')}</p>` : null}
</article>
<ol class="diff" role="list">
${pairs(found).map((part) => renderPart(words, part))}</ol>`;
  return renderPage(view, { title, query: '', main, wide: true });
}

function linesOf(text: string): { lines: string[]; isCut: boolean } {
  const all = text.split('\n');
  const lines = all.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH));
  const isCut =
    isShortened({ text }) || all.length > MAX_LINES || all.some((line) => line.length > MAX_LINE_LENGTH);
  return { lines, isCut };
}

function summary(words: Words, found: readonly Difference<string>[]): string {
  const count = (kind: string) =>
    found.reduce((sum, difference) => sum + (difference.kind === kind ? difference.items.length : 0), 0);
  const [added, removed] = [count('added'), count('removed')];
  if (added + removed === 0) return words.text('compare.same');
  return words.text('compare.counts', {
    added: words.text('compare.added', { count: added }),
    removed: words.text('compare.added', { count: removed }),
  });
}

type Part =
  | { kind: 'kept'; count: number }
  | { kind: 'removed' | 'added'; line: string }
  | { kind: 'changed'; words: Difference<string>[] };

/** Removed lines with added ones behind them are the same lines, changed, as far as they share words. */
function pairs(found: readonly Difference<string>[]): Part[] {
  const budget = { cells: MAX_CELLS_OF_PAGE };
  return found.flatMap((difference, at): Part[] => {
    const { kind, items } = difference;
    if (kind === 'kept') return [{ kind, count: items.length }];
    const next = found[at + 1];
    const previous = found[at - 1];
    if (kind === 'added' && previous?.kind === 'removed')
      return items.slice(previous.items.length).map((line) => ({ kind, line }));
    if (kind === 'removed' && next?.kind === 'added')
      return items.flatMap((line, i) => changed(line, next.items[i], budget));
    return items.map((line) => ({ kind, line }));
  });
}

/** Takes from the budget what comparing the words may have cost at most. */
function changed(before: string, after: string | undefined, budget: { cells: number }): Part[] {
  if (after === undefined) return [{ kind: 'removed', line: before }];
  const [left, right] = [before, after].map((line) => line.split(/(?<=\s)/));
  const most = Math.min(MAX_CELLS, budget.cells);
  const parts = differences(left!, right!, most);
  budget.cells -= Math.min(most, left!.length * right!.length);
  const shared = parts.reduce((sum, { kind, items }) => sum + (kind === 'kept' ? items.length : 0), 0);
  if (shared >= LEAST_SHARED * Math.max(left!.length, right!.length))
    return [{ kind: 'changed', words: parts }];
  return [
    { kind: 'removed', line: before },
    { kind: 'added', line: after },
  ];
}

function renderPart(words: Words, part: Part): Html {
  if (part.kind === 'kept')
    return html`<li class="kept">${words.text('compare.kept', { count: part.count })}</li>\n`;
  if (part.kind === 'changed')
    return html`<li dir="auto">${part.words.map(({ kind, items }) => changedWords(words, kind, items.join('')))}</li>\n`;
  return html`<li dir="auto">${changedWords(words, part.kind, part.line)}</li>\n`;
}

function changedWords(words: Words, kind: Difference<string>['kind'], text: string): Html {
  if (kind === 'kept') return html`${text}`;
  if (kind === 'removed')
    return html`<del><span class="unseen">${words.text('compare.wasRemoved')} </span>${text}</del>`;
  return html`<ins><span class="unseen">${words.text('compare.wasAdded')} </span>${text}</ins>`;
}
