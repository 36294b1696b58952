/**
 * Links to other search engines: renders the page that forwards a query with a bang (`!w tides`) to another
 * engine, and links to other engines for a search without results. Only the searcher's browser contacts the
 * other engine, and only if the searcher asks for it: this server sends nothing to other engines.
 */
import { addressElsewhere, type OtherEngine } from '../../url/mod.ts';
import { type Html, html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { View } from '../request-context.ts';

/**
 * Renders a page that forwards the browser to the other engine at once. An HTTP redirect would be blocked by the
 * `form-action` policy of the page on which the query was typed.
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
