/**
 * Serves `/admin/relevance/profiles`: two profiles side by side, for a query and over all judged queries, and the
 * publication and roll-back of profiles.
 */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../../base/mod.ts';
import { type Html, html } from '../../html.ts';
import type { ServerContext } from '../../server-context.ts';
import { type Session, sessionOf } from '../../sign-in/mod.ts';
import { formRoute } from '../form-action.ts';
import { hiddenSecret, sendPage } from '../frame.ts';
import { evaluationCard } from './evaluation-card.ts';
import { historyCard, profilesCard } from './profile-history.ts';
import type { DeskProfiles, DeskResult, RelevanceDesk } from './relevance-desk.ts';
import { judgeAddress } from './query-list.ts';

const PAGE = '/admin/relevance/profiles';

interface Asked {
  first: string;
  second: string;
  query: string;
}

export function profileRoutes(server: FastifyInstance, site: ServerContext, desk: RelevanceDesk): void {
  server.get(PAGE, async (request, reply) => {
    const session = sessionOf(request);
    const profiles = desk.profiles();
    const asked = askedOf(request.query, profiles);
    const main = html`${compareForm(asked, profiles)}
${asked.query === '' ? null : await sideBySide(desk, asked)}
${evaluation(desk, asked, profiles, session)}
${profilesCard(profiles)}
${historyCard(profiles, session)}`;
    return sendPage(site, request, reply, { title: 'Ranking profiles', main });
  });
  formRoute(server, `${PAGE}/evaluate`, addressOf, ({ first = '', second = '' }) => {
    desk.startEvaluation([first, second]);
    return 'The evaluation runs. Its result appears below.';
  });
  formRoute(server, `${PAGE}/publish`, PAGE, ({ name = '' }, who) => desk.publish(name, who));
  formRoute(server, `${PAGE}/roll-back`, PAGE, (_, who) => desk.rollBack(who));
}

function addressOf({ first = '', second = '' }: Readonly<Record<string, string>>): string {
  return `${PAGE}?${new URLSearchParams({ first, second })}#evaluation`;
}

/** By default, the profile in force is compared with the first other one. */
function askedOf(parameters: unknown, { inForce, profiles }: DeskProfiles): Asked {
  const { first, second, q = '' } = parameters as Partial<Record<'first' | 'second' | 'q', string>>;
  const names = profiles.filter(({ problem }) => problem === undefined).map(({ name }) => name);
  const known = (name: unknown, otherwise: string) =>
    names.includes(String(name)) ? String(name) : otherwise;
  const chosen = known(first, inForce);
  const other = known(second, names.find((name) => name !== chosen) ?? chosen);
  return { first: chosen, second: other, query: String(q).trim() };
}

function compareForm({ first, second, query }: Asked, { profiles, inForce }: DeskProfiles): Html {
  const options = (chosen: string) =>
    profiles
      .filter(({ problem }) => problem === undefined)
      .map(({ name }) => {
        const shown = name === inForce ? `${name} (in force)` : name;
        return name === chosen
          ? html`<option value="${name}" selected>${shown}</option>`
          : html`<option value="${name}">${shown}</option>`;
      });
  return html`<form method="get" action="${PAGE}" class="card"><div class="row">
<label>Profile <select name="first">${options(first)}</select></label>
<label>Compare with <select name="second">${options(second)}</select></label>
<label class="wide">Query <input type="search" name="q" value="${query}" maxlength="200" placeholder="optional"></label>
<button class="primary">Compare</button></div></form>`;
}

async function sideBySide(desk: RelevanceDesk, { first, second, query }: Asked): Promise<Html> {
  let lists: [DeskResult[], DeskResult[]];
  try {
    lists = await desk.compareResults(query, [first, second]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return html`<p class="alert" role="alert">${error.message}</p>`;
  }
  const places = lists.map((list) => new Map(list.map(({ url }, at) => [url, at + 1])));
  const column = (
    name: string,
    at: 0 | 1,
  ) => html`<section class="card" aria-label="Results of ${name}"><h3>${name}</h3>
${
  lists[at].length === 0
    ? html`<p>Nothing is found.</p>`
    : html`<ol class="ranked">${lists[at].map(({ url, title }) => {
        const grade = desk.gradeOf(query, url);
        return html`<li><a href="${url}" rel="noreferrer">${title || url}</a> ${grade === null ? null : html`<span class="tag">grade ${grade}</span>`}
<br><span class="soft url">${url}</span><br><span class="soft">${otherPlace(places[1 - at]!.get(url))}</span></li>`;
      })}</ol>`
}</section>`;
  return html`<h2>Results for ${query}</h2>
<p><a href="${judgeAddress(query)}">Judge these results</a></p>
<div class="cards">${column(first, 0)}${column(second, 1)}</div>`;
}

function otherPlace(place: number | undefined): string {
  return place === undefined ? 'not in the other list' : `place ${place} in the other list`;
}

function evaluation(
  desk: RelevanceDesk,
  { first, second }: Asked,
  { inForce, isPinned }: DeskProfiles,
  session: Session,
): Html {
  const judged = desk.queries().filter((query) => query.judged > 0).length;
  const state = desk.evaluationOf([first, second]);
  const isOperator = session.role === 'operator';
  const start =
    isOperator && judged > 0 && first !== second && state.kind !== 'running'
      ? html`<form method="post" action="${PAGE}/evaluate" class="row">${hiddenSecret(session)}
<input type="hidden" name="first" value="${first}"><input type="hidden" name="second" value="${second}">
<button>${state.kind === 'done' ? 'Evaluate again' : `Evaluate over ${judged} judged ${judged === 1 ? 'query' : 'queries'}`}</button></form>`
      : null;
  const publish =
    isOperator && state.kind === 'done' && first === inForce && second !== inForce
      ? html`<form method="post" action="${PAGE}/publish" class="row">${hiddenSecret(session)}<input type="hidden" name="name" value="${second}">
<button class="primary">Publish ${second}</button>${isPinned ? html`<span class="soft">Searches keep ${inForce}, which <code>serve.profile</code> names.</span>` : null}</form>`
      : null;
  return evaluationCard({ first, second, judged, state }, html`${publish}${start}`);
}
