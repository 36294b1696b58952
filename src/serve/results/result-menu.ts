/**
 * Renders the menu of a result: further links, and rules for its site. It consists of links and buttons inside
 * a `<details>`, so it works without scripts. The buttons of all menus submit one common form, which follows
 * the list of results.
 */
import type { SearchResult } from '../../query/mod.ts';
import { readSite, SITE_EFFECTS } from '../../url/mod.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../request-context.ts';
import { type SearchState, searchAddress, withoutFilters } from './search-state.ts';

const FORM = 'rule';

export function renderMenu(view: View, state: SearchState, result: SearchResult): Html {
  const { site, words } = view;
  const url = encodeURIComponent(result.url);
  const query = encodeURIComponent(state.query);
  const fromSite = searchAddress({ ...withoutFilters(state), tab: 'all', site: result.host });
  return html`<details class="menu">
<summary aria-label="${words.text('result.menu', { host: result.host })}"></summary>
<div class="sheet">
${site.archive && !result.noCopy ? html`<a href="/cached?url=${url}&amp;q=${query}">${words.text('result.cached')}</a>` : null}
<a href="${fromSite}">${words.text('result.site')}</a>
${site.searcher.explain ? html`<a href="/why?q=${query}&amp;url=${url}">${words.text('result.why')}</a>` : null}
${ruleButtons(view, result.host)}
<p>${words.text('result.fetched', { date: words.date(Date.parse(result.fetchedAt)) })}</p>
</div>
</details>`;
}

/** Renders the form that all rule buttons of a page submit, with the URL to return to. */
export function renderRuleForm(back: string): Html {
  return html`<form id="${FORM}" action="/preferences/rule" method="post"><input type="hidden" name="back" value="${back}"></form>`;
}

function ruleButtons(view: View, host: string): Html | null {
  const { words } = view;
  const site = readSite(host);
  if (!site) return null;
  const current = view.judge.effectOn(host);
  const buttons = SITE_EFFECTS.map((effect) => {
    const label = words.text(`rule.${effect}`);
    const pressed = effect === current ? 'true' : 'false';
    return html`<button form="${FORM}" name="rule" value="${effect} ${site}" aria-pressed="${pressed}">${label}</button>\n`;
  });
  return html`<fieldset><legend>${words.markup('result.rules', { site: html`<bdi>${site}</bdi>` })}</legend>
${buttons}</fieldset>`;
}
