/**
 * Serves the pages on which site owners act, always in English:
 *
 *   /sites/opt-out   asks for a host to be removed: at once with a proof of ownership, otherwise by the operator
 *   /sites           submits URLs, and shows and changes what the engine has of a host, with a proof of ownership
 *
 * Every form counts towards one limit per client, because a proof sends a request to another host.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import type { RateLimit } from '../guards/mod.ts';
import { type Html, html } from '../html.ts';
import { type FormFields, ownForm } from '../http/mod.ts';
import { renderPage } from '../layout.ts';
import { viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { ownerKey, readHost, tokenOf } from './owner-token.ts';
import type { SiteCoverage, SiteTools, Submission } from './site-tools.ts';

const MAX_SUBMITTED = 20;
const MAX_REASON = 500;

/** The effect of a form, or the reason why it had none. */
interface Result {
  done?: string;
  problem?: string;
  submissions?: Submission[];
  coverage?: SiteCoverage;
}

export function siteRoutes(
  server: FastifyInstance,
  site: ServerContext,
  tools: SiteTools,
  limit: RateLimit,
): void {
  const form = (path: string, render: Render, act: Act) =>
    server.post(path, async (request, reply) => {
      const fields = ownForm(request);
      const refusal = limit.take(request, reply);
      if (refusal) throw refusal;
      const owner = { key: ownerKey(request, reply), ip: request.ip };
      const result = await orProblem(async () => act(fields, owner));
      return send(site, request, reply.code(result.problem ? 400 : 200), render, fields, result);
    });
  server.get('/sites/opt-out', (request, reply) =>
    send(site, request, reply, optOutPage, request.query as FormFields, {}),
  );
  form('/sites/opt-out', optOutPage, ({ host: typed = '', reason = '', proof }, owner) =>
    optOut(tools, readHost(typed), reason.slice(0, MAX_REASON), proof === 'yes', owner),
  );
  if (!tools.hasOwners) return;
  server.get('/sites', (request, reply) =>
    send(site, request, reply, ownerPage, request.query as FormFields, {}),
  );
  form('/sites/submit', ownerPage, async ({ urls = '' }, { ip }) => {
    const list = urls.split(/\s+/).filter((url) => url !== '');
    if (list.length === 0 || list.length > MAX_SUBMITTED)
      throw new UsageError('bad-list', `Expected 1 to ${MAX_SUBMITTED} URLs, one per line.`);
    return { submissions: await tools.submit(list, `web:${ip}`) };
  });
  form('/sites/manage', ownerPage, async (fields, owner) => {
    const host = readHost(fields.host ?? '');
    await requireProof(tools, host, owner);
    return manage(tools, host, fields, `owner:${host}@${owner.ip}`);
  });
}

interface Owner {
  key: string;
  ip: string;
}

type Act = (fields: FormFields, owner: Owner) => Promise<Result>;
type Render = (fields: FormFields, key: string, result: Result) => { title: string; main: Html };

async function orProblem(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { problem: error.message };
  }
}

function send(
  site: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  render: Render,
  fields: FormFields,
  result: Result,
): FastifyReply {
  const { title, main } = render(fields, ownerKey(request, reply), result);
  reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
  const article = html`<article class="prose" lang="en" dir="ltr"><h1>${title}</h1>
${result.done === undefined ? null : html`<p role="status"><strong>${result.done}</strong></p>`}
${result.problem === undefined ? null : html`<p role="alert"><strong>${result.problem}</strong></p>`}
${main}</article>`;
  return reply.send(renderPage(viewOf(site, request), { title, query: '', main: article, listed: false }));
}

async function requireProof(tools: SiteTools, host: string, { key }: Owner): Promise<void> {
  if ((await tools.findProof(host, tokenOf(key, host))) !== null) return;
  throw new UsageError(
    'no-proof',
    `No proof was found at ${host}. Put the token into one of the three places below, and try again.`,
  );
}

async function optOut(
  tools: SiteTools,
  host: string,
  reason: string,
  hasProof: boolean,
  owner: Owner,
): Promise<Result> {
  if (!hasProof) {
    await tools.requestOptOut(host, reason);
    return { done: `The request to remove ${host} waits for the operator.` };
  }
  await requireProof(tools, host, owner);
  await tools.removeHost(host, `owner:${host}@${owner.ip}`);
  return { done: `${host} is removed: it is no longer crawled, and searches do not find it.` };
}

async function manage(
  tools: SiteTools,
  host: string,
  { action, target = '' }: FormFields,
  who: string,
): Promise<Result> {
  const coverage = async () => ({ coverage: await tools.coverage(host) });
  if (action === 'recrawl') {
    requireOnHost(target, host);
    const submissions = await tools.submit([target], who);
    return { submissions, ...(await coverage()) };
  }
  if (action === 'remove') {
    requireOnHost(target, host);
    await tools.removePages(host, target, who);
    return { done: `${target} is removed.`, ...(await coverage()) };
  }
  return { done: `${host} is yours.`, ...(await coverage()) };
}

function requireOnHost(target: string, host: string): void {
  if (URL.parse(target.replace(/\*$/, ''))?.host === host) return;
  throw new UsageError('other-host', `Expected an address that begins with https://${host}/`);
}

function optOutPage({ host = '', reason = '' }: FormFields, key: string): { title: string; main: Html } {
  const shown = knownHost(host);
  const main = html`<p>The whole host is taken out of the results and never crawled again. With a proof that the host is yours this takes
effect at once; without one, the operator decides.</p>
<form method="post" action="/sites/opt-out" class="ask stacked">
<label for="host">Host</label><input id="host" name="host" value="${host}" required autocapitalize="none" spellcheck="false" placeholder="example.org">
<label for="reason">Reason, if the operator has to decide</label><input id="reason" name="reason" value="${reason}" maxlength="${MAX_REASON}">
<p class="row"><button name="proof" value="yes">Remove it now, with a proof</button> <button name="proof" value="no">Ask the operator</button></p></form>
${proofHelp(shown, key, '/sites/opt-out')}`;
  return { title: 'Remove a site', main };
}

function ownerPage(
  { host = '', urls = '', target = '' }: FormFields,
  key: string,
  { submissions, coverage }: Result,
): { title: string; main: Html } {
  const main = html`<h2>Submit URLs</h2>
<p>The crawler fetches them if its rules and <code>robots.txt</code> allow it.</p>
<form method="post" action="/sites/submit" class="ask stacked"><label for="urls">URLs, one per line</label>
<textarea id="urls" name="urls" rows="3" required spellcheck="false">${urls}</textarea><p><button>Submit</button></p></form>
${submissions ? html`<ul>${submissions.map(({ url, note }) => html`<li>${url}: ${note}</li>`)}</ul>` : null}
<h2>Manage your site</h2>
<form method="post" action="/sites/manage" class="ask stacked">
<label for="host">Host</label><input id="host" name="host" value="${host}" required autocapitalize="none" spellcheck="false" placeholder="example.org">
<p><button name="action" value="show">Show what the engine has of it</button></p>
<label for="target">A page of it, or the beginning of its addresses with a star</label><input id="target" name="target" value="${target}" placeholder="https://example.org/page">
<p class="row"><button name="action" value="recrawl">Crawl it again</button> <button name="action" value="remove">Remove it</button></p></form>
${coverage ? coverageOf(coverage) : null}
${proofHelp(knownHost(host), key, '/sites')}`;
  return { title: 'For site owners', main };
}

function coverageOf({ documents, queued, fetched, errors }: SiteCoverage): Html {
  return html`<h2>Coverage</h2><table><caption class="unseen">Coverage</caption><tbody>
<tr><th scope="row">Pages found by searches</th><td>${documents}</td></tr>
<tr><th scope="row">Fetched URLs</th><td>${fetched}</td></tr>
<tr><th scope="row">Queued URLs</th><td>${queued}</td></tr></tbody></table>
<h2>Last errors</h2>
${
  errors.length === 0
    ? html`<p>There are none.</p>`
    : html`<ul>${errors.map(({ time, url, reason }) => html`<li>${time.slice(0, 16).replace('T', ' ')} UTC, ${url}: ${reason}</li>`)}</ul>`
}`;
}

function proofHelp(host: string, key: string, page: string): Html {
  if (host === '')
    return html`<h2>How to prove that a host is yours</h2>
<form method="get" action="${page}" class="ask"><label for="proof-host">Host</label>
<input id="proof-host" name="host" required autocapitalize="none" spellcheck="false" placeholder="example.org"> <button>Show its token</button></form>`;
  const token = tokenOf(key, host);
  return html`<h2>How to prove that ${host} is yours</h2>
<p>Put this token into one of three places. It works only in this browser, and as long as it is there.</p>
<pre tabindex="0" role="region" aria-label="Token"><code>${token}</code></pre>
<ul><li>a file <code>https://${host}/.well-known/gyre-owner.txt</code> that has the token as a line of its own</li>
<li>a line in the front page: <code>&lt;meta name="gyre-owner" content="${token}"&gt;</code></li>
<li>a DNS record of type TXT of the host: <code>gyre-owner=${token}</code></li></ul>`;
}

function knownHost(typed: string): string {
  try {
    return typed.trim() === '' ? '' : readHost(typed);
  } catch {
    return '';
  }
}
