/**
 * Renders answer boxes. Computed answers are rendered together with the results. Answers from remote services
 * and from the index are added by the script (`/answers/boxes`) or, without scripts, shown on a page of their
 * own (`/answers`).
 */

import type { Answer, AnswerLink, Fact } from '../../answer/mod.ts';
import { type Html, html } from '../html.ts';
import type { Words } from '../messages/mod.ts';
import type { View } from '../request-context.ts';
import { plain, shorten } from '../shown-text.ts';

/**
 * Renders the region for answer boxes, and a link to /answers for browsers without scripts; null if there is
 * no answer.
 */
export function renderBeside({ site, words }: View, query: string, computed: readonly Answer[]): Html | null {
  const hasMore = site.answerer?.mayKnow(query, words.tag) ?? false;
  if (computed.length === 0 && !hasMore) return null;
  const boxes = computed.map((answer) => renderAnswer(answer, words));
  const address = `/answers?q=${encodeURIComponent(query)}`;
  const way = html`<noscript><p class="spelling"><a href="${address}">${words.text('answers.look')}</a></p></noscript>`;
  return html`${hasMore ? way : null}${renderBoxes(words, boxes, hasMore ? query : null)}`;
}

/**
 * Renders the region for answer boxes. If `query` is given, the script fetches further boxes for it. An empty
 * region is hidden until it has content.
 */
export function renderBoxes(words: Words, boxes: readonly Html[], query: string | null): Html {
  const label = words.text('answers.label');
  const more = query === null ? '' : `/answers/boxes?q=${encodeURIComponent(query)}`;
  if (boxes.length === 0)
    return html`<div class="answers" data-answers="${more}" role="region" aria-label="${label}" hidden></div>`;
  return html`<div class="answers" data-answers="${more}" role="region" aria-label="${label}">${boxes}</div>`;
}

/**
 * The limits for the content of a box, far above its usual size. They keep the results in sight whatever a
 * box contains.
 */
const MAX_LINE = 200;
const MAX_TEXT = 600;
const MAX_FACTS = 12;
const MAX_LINKS = 10;

/**
 * Renders one answer. All content may come from foreign pages and services, so it is rendered only as text.
 */
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
<p class="source" dir="${words.direction}">${name} · <bdi><time datetime="${time}">${words.moment(Date.parse(time))} UTC</time></bdi></p>
</section>
`;
}

/** Renders a formula or an amount with its unit from left to right in every language. */
function formula(text: string): Html {
  return html`<bdi dir="ltr">${plain(text)}</bdi>`;
}

/**
 * Renders the box that asks for the searcher's location. The script shows it if the browser supports
 * geolocation, and asks for the location only when the button is pressed.
 */
export function renderPlaceRequest(words: Words): Html {
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

/**
 * Renders a link of an answer. The day is in the language of the searcher and the detail may be in any
 * language, so each has its own text direction.
 */
function renderLink({ title, url, detail, day }: AnswerLink): Html {
  const when = day === undefined ? null : html`, <bdi>${line(day)}</bdi>`;
  const beside = detail === '' ? null : html` <span class="detail"><bdi>${line(detail)}</bdi>${when}</span>`;
  return html`<li dir="auto"><a class="answer-link" href="${url}">${line(title)}</a>${beside}</li>`;
}

function line(text: string): string {
  return shorten(plain(text), MAX_LINE);
}
