/** Serves `/admin/settings`: all settings with the places that their values come from, and forms for the live ones. */
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../../html.ts';
import type { ServerContext } from '../../server-context.ts';
import { type Session, sessionOf } from '../../sign-in/mod.ts';
import { formRoute } from '../form-action.ts';
import { hiddenSecret, sendPage } from '../frame.ts';
import type { CrawlDesk, ShownSetting } from './dashboard.ts';
import { effectNote } from './effect-note.ts';

const PAGE = '/admin/settings';

export function settingsRoutes(server: FastifyInstance, site: ServerContext, crawl: CrawlDesk): void {
  server.get(PAGE, (request, reply) => {
    const session = sessionOf(request);
    const settings = crawl.settings();
    const live = settings.filter(({ isLive }) => isLive);
    const fixed = settings.filter(({ isLive }) => !isLive);
    const main = html`${effectNote(crawl)}
<section class="card" aria-labelledby="live"><h2 id="live">Settings that can be changed here</h2>
<ul class="setting-list">${live.map((setting) => liveSetting(setting, session))}</ul></section>
<section class="card" aria-labelledby="fixed"><h2 id="fixed">Settings that need a restart</h2>
<p class="soft">Change these in the configuration file, the environment or a flag; <code>gyre config explain KEY</code> says how.</p>
<ul class="setting-list">${fixed.map(fixedSetting)}</ul></section>`;
    return sendPage(site, request, reply, { title: 'Settings', main });
  });
  formRoute(server, PAGE, PAGE, ({ key = '', value = '', action }, who) =>
    crawl.changeSetting(key, action === 'reset' ? null : value.trim(), who),
  );
}

function fixedSetting({ key, value, source, help }: ShownSetting): Html {
  return html`<li><div><h3><code>${key}</code></h3><p class="soft">${help}</p></div>
<p><code>${value === '' ? '–' : value}</code> <span class="soft">from ${source}</span></p></li>`;
}

function liveSetting(setting: ShownSetting, session: Session): Html {
  const { key, value, source, help } = setting;
  return html`<li><div><h3><code>${key}</code>${setting.isChanged ? html` <span class="tag">changed here</span>` : null}</h3>
<p class="soft">${help}</p></div>
${
  session.role === 'operator'
    ? form(setting, session)
    : html`<p><code>${value}</code> <span class="soft">from ${source}</span></p>`
}</li>`;
}

function form(setting: ShownSetting, session: Session): Html {
  const { key, source, isChanged } = setting;
  if (key === 'crawl.rules') return html`<p><a class="button" href="/admin/rules">Edit the rules</a></p>`;
  return html`<form method="post" action="${PAGE}" class="row">${hiddenSecret(session)}<input type="hidden" name="key" value="${key}">
${input(setting)}
<button name="action" value="change">Change</button>
${isChanged ? html`<button name="action" value="reset">Reset</button>` : html`<span class="soft">from ${source}</span>`}</form>`;
}

function input({ key, value, choices, type }: ShownSetting): Html {
  if (choices.length > 0)
    return html`<select name="value" aria-label="${key}">${choices.map((choice) =>
      choice === value ? html`<option selected>${choice}</option>` : html`<option>${choice}</option>`,
    )}</select>`;
  return html`<input name="value" value="${value}" aria-label="${key} (${type})" autocapitalize="none" spellcheck="false">`;
}
