/**
 * Short answers: /api/v1/answers as data, /answers as a piece of a page that the script puts beside the results.
 * 204 when there is none, so that nothing is shown.
 */
import type { FastifyInstance } from 'fastify';
import type { Answer, Answerer, AnswerLink, Fact, Place } from '../answer/mod.ts';
import { ANSWERS_SCHEMA, PLACE_PROPERTIES } from './api-schemas.ts';
import { type Html, html } from './html.ts';
import { type QueryParameters, readQuery } from './search-input.ts';

type AnswerParameters = QueryParameters & { latitude?: number; longitude?: number };

export function answerApiRoutes(server: FastifyInstance, answerer: Answerer): void {
  server.get<{ Querystring: AnswerParameters }>(
    '/api/v1/answers',
    { schema: ANSWERS_SCHEMA },
    async (request) => {
      const query = readQuery(request.query);
      return { query, answers: await answerer.answers(query, placeOf(request.query)) };
    },
  );
}

export function answerPageRoutes(server: FastifyInstance, answerer: Answerer): void {
  const schema = { querystring: { type: 'object', properties: PLACE_PROPERTIES } };
  server.get<{ Querystring: AnswerParameters }>('/answers', { schema }, async (request, reply) => {
    const answers = await answerer.answers(readQuery(request.query), placeOf(request.query));
    if (answers.length === 0) return reply.code(204).send();
    return reply.type('text/html; charset=utf-8').send(String(html`${answers.map(renderAnswer)}`));
  });
}

function placeOf({ latitude, longitude }: AnswerParameters): Place | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** All of it may come from foreign pages and services: it is shown as text and nothing else. */
export function renderAnswer({ kind, title, text, facts, links, source, time }: Answer): Html {
  return html`<section class="answer answer-${kind}" dir="auto">
<h2>${title}</h2>
${text === '' ? null : html`<p>${text}</p>`}
${facts.length === 0 ? null : html`<dl>${facts.map(renderFact)}</dl>`}
${links.length === 0 ? null : html`<ul>${links.map(renderLink)}</ul>`}
<p class="source">${source.url === '' ? source.name : html`<a href="${source.url}">${source.name}</a>`},
<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time></p>
</section>
`;
}

function renderFact({ name, value }: Fact): Html {
  return html`<dt>${name}</dt><dd>${value}</dd>`;
}

function renderLink({ title, url, detail }: AnswerLink): Html {
  return html`<li><a href="${url}">${title}</a>${detail === '' ? null : html` <span>${detail}</span>`}</li>`;
}
