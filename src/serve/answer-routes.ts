/**
 * Short answers: /api/v1/answers as data, /answers as a piece of a page that the script puts beside the results.
 * 204 when there is none, so that nothing is shown. Both speak the language of the one who asks.
 */
import type { FastifyInstance } from 'fastify';
import type { Answer, Answerer, AnswerLink, Fact, Place } from '../answer/mod.ts';
import { ANSWERS_SCHEMA, PLACE_PROPERTIES } from './api-schemas.ts';
import { type Html, html } from './html.ts';
import { type QueryParameters, readQuery } from './search-input.ts';
import { plain, shorten } from './shown-text.ts';
import type { Site } from './site.ts';
import { varyBy } from './vary.ts';
import { viewOf } from './view.ts';
import { type Words, wordsFor } from './words/words.ts';

type AnswerParameters = QueryParameters & { latitude?: number; longitude?: number };

export function answerApiRoutes(server: FastifyInstance, { siteRules }: Site, answerer: Answerer): void {
  server.get<{ Querystring: AnswerParameters }>(
    '/api/v1/answers',
    { schema: ANSWERS_SCHEMA },
    async (request, reply) => {
      varyBy(reply, 'accept-language');
      const query = readQuery(request.query);
      const language = wordsFor(request.headers['accept-language'] ?? '').tag;
      const asked = { language, place: placeOf(request.query), siteRules };
      return { query, answers: await answerer.answers(query, asked) };
    },
  );
}

export function answerPageRoutes(server: FastifyInstance, site: Site, answerer: Answerer): void {
  const schema = { querystring: { type: 'object', properties: PLACE_PROPERTIES } };
  server.get<{ Querystring: AnswerParameters }>('/answers', { schema }, async (request, reply) => {
    varyBy(reply, 'accept-language, cookie');
    const { words, rules: siteRules } = viewOf(site, request);
    const query = readQuery(request.query);
    const place = placeOf(request.query);
    const answers = await answerer.answers(query, { language: words.tag, place, siteRules });
    const boxes = answers.map((answer) => renderAnswer(answer, words));
    if (!place && answerer.wantsPlace(query)) boxes.push(renderPlaceRequest(words));
    if (boxes.length === 0) return reply.code(204).send();
    return reply.type('text/html; charset=utf-8').send(String(html`${boxes}`));
  });
}

function placeOf({ latitude, longitude }: AnswerParameters): Place | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** Far more than boxes give; whatever they give, the results stay in sight. */
const MAX_LINE = 200;
const MAX_TEXT = 600;
const MAX_FACTS = 12;
const MAX_LINKS = 10;

/** All of it may come from foreign pages and services: it is shown as text and nothing else. */
export function renderAnswer(answer: Answer, words: Words): Html {
  const { kind, title, text, facts, links, source, time } = answer;
  const shown = kind === 'calculation' || kind === 'conversion' ? formula : plain;
  const name =
    source.url === ''
      ? html`<bdi>${line(source.name)}</bdi>`
      : html`<a href="${source.url}">${line(source.name)}</a>`;
  return html`<section class="answer answer-${kind}" dir="auto">
<h2>${shown(shorten(title, MAX_LINE))}</h2>
${text === '' ? null : html`<p class="text">${shown(shorten(text, MAX_TEXT))}</p>`}
${facts.length === 0 ? null : html`<dl>${facts.slice(0, MAX_FACTS).map(renderFact)}</dl>`}
${links.length === 0 ? null : html`<ul>${links.slice(0, MAX_LINKS).map(renderLink)}</ul>`}
<p class="source">${name} · <bdi><time datetime="${time}">${words.moment(Date.parse(time))} UTC</time></bdi></p>
</section>
`;
}

/** Formulas and amounts with their units run from left to right in every language. */
function formula(text: string): Html {
  return html`<bdi dir="ltr">${plain(text)}</bdi>`;
}

/** The script shows it where the browser can tell a place, and asks for that only when the button is pressed. */
function renderPlaceRequest(words: Words): Html {
  return html`<section class="answer answer-place" data-place hidden>
<h2>${words.text('place.title')}</h2>
<p class="text">${words.text('place.note')}</p>
<p><button type="button" data-denied="${words.text('place.denied')}" data-failed="${words.text('place.failed')}">${words.text('place.ask')}</button></p>
<p class="state" role="status"></p>
</section>
`;
}

function renderFact({ name, value }: Fact): Html {
  return html`<div><dt>${line(name)}</dt><dd>${line(value)}</dd></div>`;
}

/** The day is in the searcher's language, what it stands beside in any: each runs in its own direction. */
function renderLink({ title, url, detail, day }: AnswerLink): Html {
  const when = day === undefined ? null : html`, <bdi>${line(day)}</bdi>`;
  const beside = detail === '' ? null : html` <span class="detail"><bdi>${line(detail)}</bdi>${when}</span>`;
  return html`<li dir="auto"><a class="answer-link" href="${url}">${line(title)}</a>${beside}</li>`;
}

function line(text: string): string {
  return shorten(plain(text), MAX_LINE);
}
