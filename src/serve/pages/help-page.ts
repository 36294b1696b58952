/**
 * Serves the help page: the query language by examples, and the keyboard shortcuts. On every page, the script
 * shows the section with the shortcuts when `?` is pressed.
 */
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { MessageKey } from '../messages/mod.ts';
import { type View, viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';

type Row = readonly [examples: string, meaning: MessageKey];

const CLAUSES: readonly Row[] = [
  ['"sea level"', 'help.phrase'],
  ['+tide', 'help.required'],
  ['-moon', 'help.excluded'],
  ['tide OR flood', 'help.either'],
  ['tide NEAR/5 moon', 'help.near'],
  ['tid*', 'help.prefix'],
  ['intitle:tide', 'help.title'],
  ['inurl:tide', 'help.url'],
];
const FILTERS: readonly Row[] = [
  ['site:example.org', 'help.site'],
  ['filetype:pdf', 'help.format'],
  ['lang:en', 'help.language'],
  ['kind:news', 'help.kind'],
  ['after:2024-05 before:2025', 'help.dates'],
  ['link:example.org/page', 'help.link'],
  ['related:example.org/page', 'help.related'],
];
const KEYS: readonly Row[] = [
  ['/', 'key.box'],
  ['j', 'key.down'],
  ['k', 'key.up'],
  ['?', 'key.help'],
  ['Esc', 'key.close'],
];

export function helpRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get('/help', (request, reply) =>
    reply.type('text/html; charset=utf-8').send(renderHelp(viewOf(site, request))),
  );
}

function renderHelp(view: View): string {
  const { words } = view;
  const title = words.text('help.heading');
  const preferences = html`<a href="/preferences">${words.text('foot.preferences')}</a>`;
  const code = (text: string) => html`<code dir="ltr">${text}</code>`;
  const key = (text: string) => html`<kbd>${text}</kbd>`;
  const main = html`<article class="prose">
<h1>${title}</h1>
<p>${words.text('help.intro')}</p>
<h2>${words.text('help.clauses')}</h2>
${table(view, CLAUSES, code)}
<h2>${words.text('help.filters')}</h2>
${table(view, FILTERS, code)}
<h2>${words.text('help.results')}</h2>
<p>${words.text('help.passage')}</p>
<p>${words.text('help.images')}</p>
<p>${words.markup('help.family', { preferences })}</p>
${bangs(view)}
<section id="keys" class="shortcuts">
<h2>${words.text('help.keys')}</h2>
${table(view, KEYS, key)}
<p>${words.markup('help.keysOff', { preferences })}</p>
<button type="button" hidden>${words.text('help.close')}</button>
</section>
</article>`;
  return renderPage(view, { title, query: '', main });
}

function bangs({ site, words }: View): Html | null {
  if (site.elsewhere.length === 0) return null;
  const rows = site.elsewhere.map(
    ({ bang, name }) =>
      html`<tr><th scope="row"><code dir="ltr">!${bang} tide</code></th><td>${words.text('help.bang', { name })}</td></tr>\n`,
  );
  return html`<h2>${words.text('elsewhere.title')}</h2>
<table><tbody>
${rows}</tbody></table>`;
}

function table({ words }: View, rows: readonly Row[], shown: (text: string) => Html): Html {
  return html`<table><tbody>
${rows.map(([example, meaning]) => html`<tr><th scope="row">${shown(example)}</th><td>${words.text(meaning)}</td></tr>\n`)}</tbody></table>`;
}
