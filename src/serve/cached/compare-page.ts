/** Renders the page that shows the differences between two copies of a page. */
import type { CanonicalUrl } from '../../url/mod.ts';
import { type Html, html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Words } from '../messages/mod.ts';
import type { View } from '../request-context.ts';
import type { ComparedPart } from './compare-copies.ts';
import type { CopyComparison } from './copy-tasks.ts';
import type { Difference } from './text-diff.ts';

export function comparePage(view: View, url: CanonicalUrl, comparison: CopyComparison): string {
  const { words } = view;
  const { older, newer, parts, isCut } = comparison;
  const title = words.text('compare.title', { url });
  const intro = words.text('compare.intro', {
    older: words.exactMoment(older.fetchedAt),
    newer: words.exactMoment(newer.fetchedAt),
  });
  const link = html`<a href="${url}" dir="ltr">${url}</a>`;
  const main = html`<article class="prose"><h1>${words.markup('compare.title', { url: link })}</h1>
<p>${intro} ${summary(words, comparison)}</p>
${isCut ? html`<p class="note">${words.text('compare.cut')}</p>` : null}
</article>
<ol class="diff" role="list">
${parts.map((part) => renderPart(words, part))}</ol>`;
  return renderPage(view, { title, query: '', main, wide: true });
}

function summary(words: Words, { addedCount, removedCount }: CopyComparison): string {
  if (addedCount + removedCount === 0) return words.text('compare.same');
  return words.text('compare.counts', {
    added: words.text('compare.added', { count: addedCount }),
    removed: words.text('compare.added', { count: removedCount }),
  });
}

function renderPart(words: Words, part: ComparedPart): Html {
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
