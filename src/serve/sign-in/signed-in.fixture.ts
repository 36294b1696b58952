/** A server with one account, and a client that is signed in, for tests of admin pages. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { InjectOptions } from 'fastify';
import { silentLog } from '../../base/mod.ts';
import type { Account, Accounts, AdminRole } from '../accounts.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import type { ServeOptions } from '../server-context.ts';

const HOST = '127.0.0.1:8080';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PASSWORD = 'the-right-password';

/** Returns accounts with one account, which has this password. */
export function accountsOf(account: Account, password: string): Accounts {
  return {
    signIn: async (_name, given) => (given === password ? account : null),
    find: () => account,
    holderOf: () => null,
    list: () => ({ accounts: [], keys: [] }),
    createKey: () => 'key',
    revokeKey() {},
    async setPassword() {},
  };
}

export async function signedIn(context: TestContext, role: AdminRole, options: Partial<ServeOptions> = {}) {
  const account: Account = { name: 'olga', role, version: '1' };
  const server = createServer({
    searcher: testSite().searcher,
    version: '0',
    contact: '',
    log: silentLog,
    clock: { now: () => Date.UTC(2026, 0, 2) },
    admin: {
      accounts: accountsOf(account, PASSWORD),
      desk: { audit() {}, readAudit: () => [] },
    },
    ...options,
  });
  context.after(() => server.close());
  const send = (request: InjectOptions) =>
    server.inject({ remoteAddress: '127.0.0.1', ...request, headers: { host: HOST, ...request.headers } });
  const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send({
      method: 'POST',
      url,
      headers: { ...FORM, ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
  const entered = await post('/admin/sign-in', { name: account.name, password: PASSWORD, next: '/admin' });
  assert.equal(entered.statusCode, 303);
  const [cookie] = String(entered.headers['set-cookie']).split(';', 1) as [string];
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(
    (await send({ url: '/admin/audit', headers: { cookie } })).payload,
  )!;
  return {
    send,
    cookie,
    csrf,
    get: (url: string) => send({ url, headers: { cookie } }),
    post: (url: string, fields: Record<string, string>) => post(url, { ...fields, csrf }, { cookie }),
  };
}
