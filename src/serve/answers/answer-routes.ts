/**
 * Serves answer boxes: /api/v1/answers as JSON, /answers as a page, and /answers/boxes as the HTML fragment
 * that the script puts beside the results. The fragment has status 204 if there is no answer. All routes use
 * the language of the client.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Answerer, SearcherPlace } from '../../answer/mod.ts';
import { ANSWERS_SCHEMA, PLACE_PROPERTIES } from '../api/mod.ts';
import { type Html, html } from '../html.ts';
import { type QueryParameters, readQueryParameter, requireQuery, varyBy } from '../http/mod.ts';
import { renderPage } from '../layout.ts';
import { wordsFor } from '../messages/mod.ts';
import { type View, viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { plain } from '../shown-text.ts';
import { renderAnswer, renderBoxes, renderPlaceRequest } from './answer-view.ts';

type AnswerParameters = QueryParameters & { latitude?: number; longitude?: number };
type AnswerRequest = FastifyRequest<{ Querystring: AnswerParameters }>;

export function answerApiRoutes(
  server: FastifyInstance,
  { siteRules }: ServerContext,
  answerer: Answerer,
): void {
  server.get<{ Querystring: AnswerParameters }>(
    '/api/v1/answers',
    { schema: ANSWERS_SCHEMA },
    async (request, reply) => {
      varyBy(reply, 'accept-language');
      const query = readQueryParameter(request.query);
      const language = wordsFor(request.headers['accept-language'] ?? '').tag;
      const asked = { language, place: placeOf(request.query), siteRules };
      return { query, answers: await answerer.answers(query, asked) };
    },
  );
}

export function answerPageRoutes(server: FastifyInstance, site: ServerContext, answerer: Answerer): void {
  const schema = { querystring: { type: 'object', properties: PLACE_PROPERTIES } };
  const vary = 'accept-language, cookie';
  server.get<{ Querystring: AnswerParameters }>('/answers/boxes', { schema }, async (request, reply) => {
    const { told, request: wish } = await boxesFor(viewOf(site, request), request, answerer);
    varyBy(reply, vary);
    if (told.length === 0 && !wish) return reply.code(204).send();
    return reply.type('text/html; charset=utf-8').send(String(html`${told}${wish}`));
  });
  server.get<{ Querystring: AnswerParameters }>('/answers', { schema }, async (request, reply) => {
    const view = viewOf(site, request);
    const query = requireQuery(request.query);
    const main = renderAnswersPage(view, query, await boxesFor(view, request, answerer));
    const title = view.words.text('answers.title', { query });
    varyBy(reply, vary);
    return reply.type('text/html; charset=utf-8').send(renderPage(view, { title, query, main }));
  });
}

interface Boxes {
  told: Html[];
  /** A box that asks the searcher for their location. The script shows it. */
  request: Html | null;
}

async function boxesFor(
  { words, rules: siteRules, family }: View,
  { query: parameters }: AnswerRequest,
  answerer: Answerer,
): Promise<Boxes> {
  const query = readQueryParameter(parameters);
  const place = placeOf(parameters);
  const answers = await answerer.answers(query, { language: words.tag, place, siteRules, family });
  const wantsPlace = !place && answerer.wantsPlace(query);
  return {
    told: answers.map((answer) => renderAnswer(answer, words)),
    request: wantsPlace ? renderPlaceRequest(words) : null,
  };
}

function renderAnswersPage({ words }: View, query: string, { told, request }: Boxes): Html {
  const results = html`<a href="/search?q=${encodeURIComponent(query)}">${words.text('answers.results')}</a>`;
  return html`<h1>${words.markup('answers.title', { query: html`<bdi>${plain(query)}</bdi>` })}</h1>
${told.length === 0 ? html`<p>${words.text('answers.none')}</p>` : null}
${renderBoxes(words, [...told, ...(request ? [request] : [])], query)}
<p>${results}</p>`;
}

function placeOf({ latitude, longitude }: AnswerParameters): SearcherPlace | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
