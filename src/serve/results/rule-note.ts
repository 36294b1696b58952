/**
 * Renders the note that confirms a new rule for a site, with a button to undo it. The route that stores the
 * rule redirects to the results with `ruled=block.normal.example.org`: the new effect, the effect before, the
 * site.
 */
import { isSiteEffect, readSite, type SiteEffect } from '../../url/mod.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../request-context.ts';

interface NewRule {
  effect: SiteEffect;
  before: SiteEffect;
  site: string;
}

/**
 * Reads the parameter `ruled`. Returns null if the searcher does not have this rule. Therefore a link from
 * another site cannot make the page show the note.
 */
export function readNewRule({ preferences }: View, text: unknown): NewRule | null {
  const [, effect, before, name] = /^(\w+)\.(\w+)\.(.+)$/.exec(typeof text === 'string' ? text : '') ?? [];
  const site = readSite(name ?? '');
  if (!site || !isSiteEffect(effect) || !isSiteEffect(before)) return null;
  const current = preferences.rules.find((rule) => rule.site === site)?.effect ?? 'normal';
  return current === effect && effect !== before ? { effect, before, site } : null;
}

export function renderNewRule({ words }: View, { effect, before, site }: NewRule, back: string): Html {
  const values = { site: html`<bdi>${site}</bdi>`, effect: html`<b>${words.text(`rule.${effect}`)}</b>` };
  return html`<form class="note undo" action="/preferences/rule" method="post">
<input type="hidden" name="back" value="${back}"><input type="hidden" name="undo" value="on">
<span role="status">${words.markup('rule.saved', values)}</span>
<button name="rule" value="${before} ${site}">${words.text('rule.undo')}</button></form>`;
}
