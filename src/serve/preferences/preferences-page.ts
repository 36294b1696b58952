/** Serves the page on which a searcher sets preferences and edits rules for sites. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FAMILY_LEVELS } from '../../query/mod.ts';
import { SITE_EFFECTS, type SiteRule } from '../../url/mod.ts';
import { requestOriginOf } from '../guards/mod.ts';
import { type Html, html } from '../html.ts';
import type { QueryParameters } from '../http/mod.ts';
import { renderPage } from '../layout.ts';
import { MESSAGE_LANGUAGES, messagesOf } from '../messages/mod.ts';
import { type View, viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { ownForm } from '../http/mod.ts';
import { PAGE_SIZES, type Preferences, preferencesCookie, SCHEMES } from './preferences.ts';

/**
 * An option of a select box. `language` is the language of the label, if it differs from the language of the
 * page.
 */
type Option = [value: string, label: string, language?: string];

const KEYS = { slash: html`<kbd>/</kbd>`, j: html`<kbd>j</kbd>`, k: html`<kbd>k</kbd>` };

export function preferencesRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get<{ Querystring: QueryParameters }>('/preferences', (request, reply) => {
    const page = renderPreferences(viewOf(site, request), request.query.saved);
    return reply.type('text/html; charset=utf-8').send(page);
  });
  server.post('/preferences', (request, reply) => {
    const fields = ownForm(request);
    const { preferences } = viewOf(site, request);
    const language = fields.language ?? '';
    return keep(site, request, reply, {
      ...preferences,
      language: messagesOf(language) ? language : '',
      scheme: SCHEMES.find((scheme) => scheme === fields.scheme) ?? 'system',
      pageSize: PAGE_SIZES.find((size) => String(size) === fields.size) ?? PAGE_SIZES[0],
      suggestions: fields.suggestions === 'on',
      keys: fields.keys === 'on',
      family: FAMILY_LEVELS.find((level) => level === fields.family) ?? '',
    });
  });
}

/** Sets the preferences cookie and redirects the browser to `to`. */
export function keep(
  site: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  preferences: Preferences,
  to = '/preferences?saved',
): FastifyReply {
  const cookie = preferencesCookie(
    preferences,
    site.secret,
    requestOriginOf(site, request).startsWith('https:'),
  );
  return reply.header('set-cookie', cookie).redirect(to, 303);
}

/**
 * Renders the preferences page. `saved` says which form was saved just before: `rules` for the site rules,
 * undefined for none, and any other value for the general form. The confirmation appears next to the saved
 * form.
 */
function renderPreferences(view: View, saved: unknown): string {
  const title = view.words.text('preferences.title');
  const note = html`<p class="note" role="status">${view.words.text('preferences.saved')}</p>`;
  const main = html`<article class="prose">
<h1>${title}</h1>
<p>${view.words.text('preferences.where')}</p>
${saved === undefined || saved === 'rules' ? null : note}
${generalForm(view)}
<h2 id="rules">${view.words.text('rules.title')}</h2>
${saved === 'rules' ? note : null}
<p>${view.words.text('rules.intro')}</p>
${rulesForm(view)}
${defaults(view)}
${filePart(view)}
</article>`;
  return renderPage(view, { title, query: '', main });
}

function generalForm({ site, words, preferences }: View): Html {
  const automatic: Option = ['', words.text('preferences.automatic')];
  const languages = MESSAGE_LANGUAGES.map(
    ({ tag, messages }): Option => [tag, String(messages.language), tag],
  );
  const levels = FAMILY_LEVELS.map((level): Option => [level, words.text(`family.${level}`)]);
  const usual: Option = [
    '',
    words.text('family.usual', { level: words.text(`family.${site.familyFilter}`) }),
  ];
  const sizes = PAGE_SIZES.map((size): Option => [String(size), words.number(size)]);
  return html`<form class="settings" action="/preferences" method="post">
<label><span>${words.text('preferences.language')}</span> ${choice('language', [automatic, ...languages], preferences.language)}</label>
<fieldset class="choices"><legend>${words.text('preferences.scheme')}</legend>
${SCHEMES.map((scheme) => html`<label>${radio(scheme, preferences.scheme)} ${words.text(`preferences.${scheme}`)}</label>\n`)}</fieldset>
<label><span>${words.text('preferences.size')}</span> ${choice('size', sizes, String(preferences.pageSize))}</label>
<label><span>${words.text('preferences.family')}</span> ${choice('family', [usual, ...levels], preferences.family)}</label>
<p class="hint">${words.text('family.note')}</p>
<label class="check">${checkbox('suggestions', preferences.suggestions)} <span>${words.text('preferences.suggestions')}</span></label>
<label class="check">${checkbox('keys', preferences.keys)} <span>${words.markup('preferences.keys', KEYS)}</span></label>
<button>${words.text('preferences.save')}</button>
</form>`;
}

function radio(scheme: string, chosen: string): Html {
  return scheme === chosen
    ? html`<input type="radio" name="scheme" value="${scheme}" checked>`
    : html`<input type="radio" name="scheme" value="${scheme}">`;
}

function checkbox(name: string, isOn: boolean): Html {
  return isOn
    ? html`<input type="checkbox" name="${name}" checked>`
    : html`<input type="checkbox" name="${name}">`;
}

function rulesForm(view: View): Html {
  const { words, preferences } = view;
  const { rules } = preferences;
  return html`<form class="settings" action="/preferences/rules" method="post">
${rules.length === 0 ? html`<p class="hint">${words.text('rules.none')}</p>` : null}
<table class="rules">
<thead><tr><th scope="col">${words.text('rules.site')}</th><th scope="col">${words.text('rules.effect')}</th></tr></thead>
<tbody>
${rules.map((rule, at) => ruleRow(view, rule, at))}
<tr><td><input name="site-${rules.length}" aria-label="${words.text('rules.add')}" placeholder="example.org" dir="ltr"
 autocapitalize="none" autocomplete="off" spellcheck="false"></td>
<td>${effectChoice(view, rules.length, 'block', words.text('rules.add'))}</td></tr>
</tbody>
</table>
<button>${words.text('preferences.save')}</button>
</form>`;
}

function ruleRow(view: View, { site, effect }: SiteRule, at: number): Html {
  return html`<tr><td><input type="hidden" name="site-${at}" value="${site}"><bdi>${site}</bdi></td>
<td>${effectChoice(view, at, effect, site)}</td></tr>
`;
}

function effectChoice({ words }: View, at: number, chosen: string, label: string): Html {
  const options: Option[] = [
    ...SITE_EFFECTS.map((effect): Option => [effect, words.text(`rule.${effect}`)]),
    ['', words.text('rules.remove')],
  ];
  return html`<label><span class="unseen">${words.text('rules.effect')}: ${label}</span>${choice(`effect-${at}`, options, chosen)}</label>`;
}

function defaults({ site, words }: View): Html | null {
  if (site.siteRules.length === 0) return null;
  return html`<h3>${words.text('rules.defaults')}</h3>
<p>${words.text('rules.defaultsIntro')}</p>
<ul>
${site.siteRules.map((rule) => html`<li><bdi>${rule.site}</bdi>: ${words.text(`rule.${rule.effect}`)}</li>\n`)}</ul>`;
}

function filePart({ words, preferences }: View): Html {
  return html`<h3>${words.text('rules.file')}</h3>
${preferences.rules.length === 0 ? null : html`<p><a href="/preferences/rules.txt" download>${words.text('rules.export')}</a></p>`}
<form class="settings" action="/preferences/rules/file" method="post" enctype="multipart/form-data">
<label><span>${words.text('rules.import')}</span> <input type="file" name="file" accept=".txt,text/plain" required></label>
<p class="hint">${words.text('rules.importNote')}</p>
<button>${words.text('rules.importButton')}</button>
</form>`;
}

function choice(name: string, options: readonly Option[], chosen: string): Html {
  return html`<select name="${name}">${options.map((option) => renderOption(option, chosen))}</select>`;
}

function renderOption([value, label, language]: Option, chosen: string): Html {
  const isChosen = value === chosen;
  if (language !== undefined)
    return isChosen
      ? html`<option value="${value}" lang="${language}" selected>${label}</option>`
      : html`<option value="${value}" lang="${language}">${label}</option>`;
  return isChosen
    ? html`<option value="${value}" selected>${label}</option>`
    : html`<option value="${value}">${label}</option>`;
}
