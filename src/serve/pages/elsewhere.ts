/**
 * Other search engines: the page that a bang (`!w tides`) leads through, and links for a search without
 * results. The searcher's browser goes there directly, and only if asked to: this server sends nothing.
 */
import { addressElsewhere, type OtherEngine } from '../../url/mod.ts';
import { type Html, html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { View } from '../request-context.ts';

/**
 * Renders a page that leads on at once. A redirect would be blocked by the `form-action` of the page that the
 * query was typed on.
 */
export function renderBang(view: View, engine: OtherEngine, query: string): string {
  const { words } = view;
  const address = addressElsewhere(engine, query);
  const title = words.text('elsewhere.going', { name: engine.name });
  const links = html`<meta http-equiv="refresh" content="0;url=${address}">\n`;
  const main = html`<section class="notice"><h1>${title}</h1>
<p><a href="${address}">${address}</a></p></section>`;
  return renderPage(view, { title, query, main, links });
}

export function renderElsewhere({ site, words }: View, query: string): Html | null {
  if (site.elsewhere.length === 0) return null;
  const link = (engine: OtherEngine) =>
    html`<li><a href="${addressElsewhere(engine, query)}">${engine.name}</a> <kbd dir="ltr">!${engine.bang}</kbd></li>\n`;
  return html`<h3>${words.text('elsewhere.title')}</h3>
<ul>
${site.elsewhere.map(link)}</ul>`;
}
