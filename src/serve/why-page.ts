/** Why a result stands where it does: its score, part by part. */
import type { FastifyInstance } from 'fastify';
import { canonicalize } from '../url/mod.ts';
import { RequestProblem } from './errors.ts';
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';
import { type QueryParameters, readQuery, readText } from './search-input.ts';
import type { Site } from './site.ts';
import { type View, viewOf } from './view.ts';
import type { MessageKey, Words } from './words/words.ts';

/** Whatever a searcher says of a score: numbers by name, and words of the query with theirs. */
interface Explanation {
  total: number;
  terms?: readonly { term: string; idf: number; frequency: number; score: number }[];
}

const PARTS: Readonly<Record<string, MessageKey>> = {
  text: 'why.text',
  coordination: 'why.coordination',
  static: 'why.static',
  proximity: 'why.proximity',
  order: 'why.order',
  title: 'why.title-bonus',
  host: 'why.host',
  shallow: 'why.shallow',
};

export function whyRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Querystring: QueryParameters }>('/why', async (request, reply) => {
    const view = viewOf(site, request);
    const query = readQuery(request.query);
    const url = canonicalize(readText(request.query, 'url'));
    if (!url) throw new RequestProblem(400, 'bad-url', 'The parameter url must be the address of a page.');
    const explanation = (await site.searcher.explain?.(query, url)) ?? null;
    const title = view.words.text('why.title');
    const main = html`<article class="prose">
<h1>${title}</h1>
${explanation ? breakdown(view.words, query, url, explanation) : html`<p>${missing(view)}</p>`}
<p><a href="/search?q=${encodeURIComponent(query)}">${view.words.text('why.back')}</a></p>
</article>`;
    return reply.type('text/html; charset=utf-8').send(renderPage(view, { title, query, main }));
  });
}

function missing({ site, words }: View): string {
  return words.text(site.searcher.explain ? 'why.notFound' : 'why.unavailable');
}

function breakdown(words: Words, query: string, url: string, explanation: Explanation): Html {
  const intro = words.markup('why.intro', {
    url: html`<a href="${url}" dir="ltr">${url}</a>`,
    query: html`<b dir="auto">${query}</b>`,
    score: html`<b>${words.number(explanation.total)}</b>`,
  });
  const parts = Object.entries(explanation).filter(
    (entry): entry is [string, number] => entry[0] !== 'total' && typeof entry[1] === 'number',
  );
  return html`<p>${intro}</p>
<table>
<thead><tr><th scope="col">${words.text('why.part')}</th><th scope="col" class="figure">${words.text('why.points')}</th></tr></thead>
<tbody>
${parts.map(([name, points]) => partRow(words, name, points))}</tbody>
</table>
${termTable(words, explanation.terms ?? [])}`;
}

/** The share of the query multiplies the part before it; the others are added. */
function partRow(words: Words, name: string, points: number): Html {
  const key = PARTS[name];
  const sign = name === 'coordination' ? '× ' : '';
  return html`<tr><td>${key ? words.text(key) : name}</td><td class="figure">${sign}${words.number(points)}</td></tr>
`;
}

function termTable(words: Words, terms: NonNullable<Explanation['terms']>): Html | null {
  if (terms.length === 0) return null;
  return html`<h2>${words.text('why.words')}</h2>
<table>
<thead><tr><th scope="col">${words.text('why.word')}</th><th scope="col" class="figure">${words.text('why.rarity')}</th>
<th scope="col" class="figure">${words.text('why.frequency')}</th><th scope="col" class="figure">${words.text('why.points')}</th></tr></thead>
<tbody>
${terms.map(
  ({
    term,
    idf,
    frequency,
    score,
  }) => html`<tr><td><bdi>${term}</bdi></td><td class="figure">${words.number(idf)}</td>
<td class="figure">${words.number(frequency)}</td><td class="figure">${words.number(score)}</td></tr>
`,
)}</tbody>
</table>`;
}
