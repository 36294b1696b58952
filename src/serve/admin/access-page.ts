/** Serves `/admin/access`: accounts, API keys, and the form that changes one's own password. */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import type { Accounts, ListedIdentity, AdminRole } from '../accounts.ts';
import { type Html, html } from '../html.ts';
import { ownForm } from '../http/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { type Session, sessionOf, whoOf } from '../sign-in/mod.ts';
import { formRoute } from './form-action.ts';
import { hiddenSecret, sendPage } from './frame.ts';
import { day } from './shown.ts';

const PAGE = '/admin/access';

export function accessRoutes(server: FastifyInstance, site: ServerContext, accounts: Accounts): void {
  server.get(PAGE, (request, reply) =>
    sendPage(site, request, reply, { title: 'Access', main: accessPage(accounts, sessionOf(request), '') }),
  );
  server.post(`${PAGE}/keys`, async (request, reply) => {
    const { name = '', role } = ownForm(request);
    const session = sessionOf(request);
    let key = '';
    try {
      key = accounts.createKey(name, roleIn(role), whoOf(request));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      session.notice = { kind: 'problem', text: error.message };
    }
    // The key is shown in the response itself, because it is stored nowhere.
    return sendPage(site, request, reply, { title: 'Access', main: accessPage(accounts, session, key) });
  });
  formRoute(server, `${PAGE}/revoke`, PAGE, ({ name = '' }, who) => {
    accounts.revokeKey(name, who);
    return `The key ${name} is revoked.`;
  });
  server.post(`${PAGE}/password`, async (request, reply) => {
    const { old = '', password = '' } = ownForm(request);
    const session = sessionOf(request);
    try {
      if (!(await accounts.signIn(session.name, old)))
        throw new UsageError('wrong-password', 'The present password is wrong.');
      await accounts.setPassword(session.name, password, whoOf(request));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      session.notice = { kind: 'problem', text: error.message };
      return reply.redirect(PAGE, 303);
    }
    // All sessions of the account have ended, also this one.
    return reply.redirect('/admin/sign-in', 303);
  });
}

function roleIn(role: string | undefined): AdminRole {
  return role === 'operator' ? 'operator' : 'viewer';
}

function accessPage(accounts: Accounts, session: Session, newKey: string): Html {
  const { accounts: people, keys } = accounts.list();
  return html`${newKey === '' ? null : shownKey(newKey)}
<section class="card" aria-labelledby="accounts"><h2 id="accounts">Accounts</h2>
${identityTable('Accounts', people, 'Password since')}
<p class="soft"><code>gyre access add NAME --role viewer</code> adds an account, and <code>gyre access remove NAME</code>
removes it. A viewer sees everything here and changes nothing.</p>
</section>
<section class="card" aria-labelledby="keys"><h2 id="keys">API keys</h2>
<p class="soft">A program sends its key to <code>/api/v1/admin/</code> as <code>Authorization: Bearer KEY</code>.</p>
${keys.length === 0 ? html`<p>There are no keys.</p>` : keyTable(keys, session)}
<form method="post" action="/admin/access/keys" class="row">${hiddenSecret(session)}
<label>Name <input name="name" required pattern="[a-z0-9][a-z0-9._\\-]{0,31}" autocapitalize="none"></label>
<label>Role <select name="role"><option>viewer</option><option>operator</option></select></label>
<button>Create a key</button></form>
</section>
<section class="card" aria-labelledby="password"><h2 id="password">Your password</h2>
<form method="post" action="/admin/access/password" class="row">${hiddenSecret(session)}
<label>Present password <input type="password" name="old" autocomplete="current-password" required></label>
<label>New password <input type="password" name="password" minlength="12" autocomplete="new-password" required></label>
<button>Change it</button></form>
<p class="soft">At least 12 characters. All sessions of your account end.</p>
</section>`;
}

function shownKey(key: string): Html {
  return html`<div class="done" role="status"><p>The new key, which is shown only now:</p><p><code class="secret">${key}</code></p></div>`;
}

function identityTable(caption: string, identities: readonly ListedIdentity[], since: string): Html {
  return html`<table><caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Role</th><th scope="col">${since}</th></tr></thead>
<tbody>${identities.map(
    (each) =>
      html`<tr><th scope="row">${each.name}</th><td>${each.role}</td><td>${day(each.since)}</td></tr>`,
  )}</tbody></table>`;
}

function keyTable(keys: readonly ListedIdentity[], session: Session): Html {
  return html`<table><caption class="unseen">API keys</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Role</th><th scope="col">Created</th><th scope="col">Action</th></tr></thead>
<tbody>${keys.map(
    ({ name, role, since }) => html`<tr><th scope="row">${name}</th><td>${role}</td><td>${day(since)}</td>
<td><form method="post" action="/admin/access/revoke">${hiddenSecret(session)}<input type="hidden" name="name" value="${name}">
<button class="danger" aria-label="Revoke the key ${name}">Revoke</button></form></td></tr>`,
  )}</tbody></table>`;
}
