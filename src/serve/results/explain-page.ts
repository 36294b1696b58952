/** Serves the page that explains the rank of a result: its score and the share of each feature. */

import type { FastifyInstance } from 'fastify';
import type { FeatureShare, ScoreBreakdown } from '../../query/mod.ts';
import { type Html, html } from '../html.ts';
import { type QueryParameters, readAddress, requireQuery } from '../http/mod.ts';
import { renderPage } from '../layout.ts';
import { isMessage, type Words } from '../messages/mod.ts';
import { type View, viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';

/** The smallest share that is displayed; a smaller share would be displayed as 0. */
const LEAST_SHARE = 0.005;

export function explainRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get<{ Querystring: QueryParameters }>('/why', async (request, reply) => {
    const view = viewOf(site, request);
    const query = requireQuery(request.query);
    const url = readAddress(request.query);
    const asked = { ...view.arrival, ...(view.language !== '' && { preferredLanguage: view.language }) };
    const explanation = (await site.searcher.explain?.(query, url, asked)) ?? null;
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

function breakdown(words: Words, query: string, url: string, explanation: ScoreBreakdown): Html {
  const { total, is, shares, terms, byMeaning } = explanation;
  const intro = words.markup(is === 'product' ? 'why.introProduct' : 'why.intro', {
    url: html`<a href="${url}" dir="ltr">${url}</a>`,
    query: html`<b dir="auto">${query}</b>`,
    score: html`<b>${is === 'product' ? words.factor(total) : words.number(total)}</b>`,
  });
  const parts =
    is === 'product'
      ? shares
      : shares.filter(({ share }) => Math.abs(share) >= LEAST_SHARE).sort((a, b) => b.share - a.share);
  return html`<p>${intro}</p>
<table>
<thead><tr><th scope="col">${words.text('why.part')}</th><th scope="col" class="figure">${words.text('why.points')}</th></tr></thead>
<tbody>
${parts.map((part) => partRow(words, part, is))}</tbody>
</table>
${byMeaning ? html`<p>${words.text('why.byMeaning')}</p>` : termTable(words, terms)}`;
}

function partRow(words: Words, { feature, share }: FeatureShare, is: ScoreBreakdown['is']): Html {
  const points = is === 'product' ? `× ${words.factor(share)}` : words.number(share);
  return html`<tr><td>${partName(words, feature)}</td><td class="figure">${points}</td></tr>
`;
}

/**
 * Returns the name of a feature. A feature without a message is called by its identifier, split into words:
 * `linkAge` is "link age".
 */
export function partName(words: Words, feature: string): string {
  const key = `why.part.${feature}`;
  return isMessage(key)
    ? words.text(key)
    : feature.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function termTable(words: Words, terms: ScoreBreakdown['terms']): Html | null {
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
    synonyms = [],
  }) => html`<tr><td><bdi>${term}</bdi>${synonyms.map((other) => html` ≈ <bdi>${other.term}</bdi>`)}</td><td class="figure">${words.number(idf)}</td>
<td class="figure">${words.number(frequency)}</td><td class="figure">${words.number(score)}</td></tr>
`,
)}</tbody>
</table>`;
}
