/**
 * Serves the page for site owners: which crawler visits their pages, what it does on a host, and how to control or stop
 * it. The page is always in English.
 */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import type { RateLimit } from '../guards/mod.ts';
import { type Html, html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { type View, viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { readHost } from './owner-token.ts';
import type { CrawlerFacts, HostReport, SiteTools } from './site-tools.ts';

/** The product token by which robots.txt files name the crawler. */
const ROBOTS_TOKEN = 'gyre';

/** Without `tools`, as on a gateway of a cluster, the page has no facts about the settings and no look-up. */
export function botRoutes(
  server: FastifyInstance,
  site: ServerContext,
  tools: SiteTools | undefined,
  limit: RateLimit,
): void {
  server.get('/bot', async (request, reply) => {
    const { host } = request.query as { host?: unknown };
    const asked = typeof host === 'string' ? host.trim() : '';
    let found: Found = null;
    if (tools && asked !== '') {
      const refusal = limit.take(request, reply);
      if (refusal) throw refusal;
      found = await lookUp(tools, asked);
    }
    return reply.type('text/html; charset=utf-8').send(renderBot(viewOf(site, request), tools, asked, found));
  });
}

type Found = { report: HostReport } | { problem: string } | null;

async function lookUp(tools: SiteTools, asked: string): Promise<Found> {
  try {
    return { report: await tools.lookUp(readHost(asked)) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { problem: error.message };
  }
}

function renderBot(view: View, tools: SiteTools | undefined, asked: string, found: Found): string {
  const { site } = view;
  const main = html`<article class="prose" lang="en" dir="ltr">
<h1>About the crawler</h1>
<p>This search engine runs Gyre ${site.version}. Its crawler visits public pages so that they can be found here,
and each result links to the site of its page.</p>
${tools ? userAgent(tools.facts) : null}
<h2>How it behaves</h2>
<ul>
<li>It sends one request at a time to a host, waits between requests, and waits longer if a host is slow.${tools ? delays(tools.facts) : null}</li>
<li>It reads <code>robots.txt</code> first and obeys it (RFC 9309), with <code>Crawl-delay</code>.${tools ? overrides(tools.facts) : null}</li>
<li>After a 429 or 503 response it waits as long as <code>Retry-After</code> says.</li>
<li>It obeys <code>noindex</code>, <code>nofollow</code>, <code>noarchive</code> and <code>nosnippet</code>, in a page
or in the <code>X-Robots-Tag</code> header.</li>
<li>It fetches the icon of a site after its pages, at most once a month, and shows it beside results from that
site. <code>Disallow: /favicon.ico</code> prevents this.</li>
<li>It requests one address that cannot exist, to learn what the site shows for missing pages.</li>
<li>${tools ? credentials(tools.facts) : 'It never signs in and sends no cookies back.'}</li>
</ul>
${tools ? hostForm(asked, found) : null}
<h2>How to exclude pages</h2>
<p>In <code>robots.txt</code> its name is <code>${ROBOTS_TOKEN}</code>. These two lines exclude a whole site:</p>
<pre tabindex="0" role="region" aria-label="Lines for robots.txt"><code>User-agent: ${ROBOTS_TOKEN}
Disallow: /</code></pre>
<p>To exclude a single page from the results, put this line into the page:</p>
<pre tabindex="0" role="region" aria-label="Line for a page"><code>&lt;meta name="${ROBOTS_TOKEN}" content="noindex"&gt;</code></pre>
${tools ? html`<p>You can also <a href="/sites/opt-out">ask for your site to be removed</a>. With a proof that the site is yours, this takes effect at once.</p>` : null}
${tools?.hasOwners ? html`<p>Owners can <a href="/sites">submit URLs and manage their site</a>.</p>` : null}
<h2>Who runs it</h2>
${contact(site.contact)}
</article>`;
  return renderPage(view, { title: 'About the crawler', query: '', main, listed: asked === '' });
}

function userAgent({ userAgent: text }: CrawlerFacts): Html {
  return html`<p>Every request has this user agent:</p>
<pre tabindex="0" role="region" aria-label="User agent"><code>${text}</code></pre>`;
}

function delays({ delayMs, delayFactor }: CrawlerFacts): Html {
  return html` At present it waits at least ${delayMs / 1000} s, and at least ${delayFactor} times as long as the last response took.`;
}

function overrides({ overriddenHosts }: CrawlerFacts): string {
  if (overriddenHosts === 0) return ' There is no exception.';
  return ` The exception: for ${counted(overriddenHosts, 'entry', 'entries')} of hosts that belong to its operator, robots.txt is not obeyed.`;
}

function credentials({ credentialHosts }: CrawlerFacts): string {
  if (credentialHosts === 0) return 'It never signs in and sends no cookies back.';
  return `It sends credentials of its operator to the hosts of ${counted(credentialHosts, 'entry', 'entries')} in its settings. To all other hosts it sends none, and it sends no cookies back.`;
}

function hostForm(asked: string, found: Found): Html {
  return html`<h2 id="host">What it does on your host</h2>
<form method="get" action="/bot#host" class="ask"><label for="host-name">Host</label>
<input id="host-name" name="host" value="${asked}" required autocapitalize="none" spellcheck="false" placeholder="example.org">
<button>Look up</button></form>
${found && 'problem' in found ? html`<p role="alert">${found.problem}</p>` : null}
${found && 'report' in found ? hostReport(found.report) : null}`;
}

function hostReport(report: HostReport): Html {
  const { host, isKnown, isRemoved, robots, isOverridden, sendsCredentials, delay, documents, lastDay } =
    report;
  if (isRemoved) return html`<p role="status">${host} is removed: nothing of it is crawled or found.</p>`;
  if (!isKnown) return html`<p role="status">The crawler has not visited ${host}.</p>`;
  return html`<table role="status"><caption class="unseen">The crawler on ${host}</caption><tbody>
<tr><th scope="row">robots.txt</th><td>${isOverridden ? 'not obeyed: the operator says that this host is theirs' : robots}</td></tr>
<tr><th scope="row">Delay</th><td>${delay}</td></tr>
<tr><th scope="row">Pages found by searches</th><td>${documents}</td></tr>
<tr><th scope="row">Last visit</th><td>${lastDay || 'unknown'}</td></tr>
<tr><th scope="row">Credentials</th><td>${sendsCredentials ? 'those of its operator are sent' : 'none'}</td></tr>
</tbody></table>`;
}

function contact(address: string): Html {
  if (address === '') {
    return html`<p>No contact is set. Without a contact this engine crawls only its own machine.</p>`;
  }
  const link = /^https?:/i.test(address)
    ? html`<a href="${address}">${address}</a>`
    : html`<strong>${address}</strong>`;
  return html`<p>Send questions and requests to stop crawling a site to ${link}. The address is also part of the user agent
that the crawler sends with every request.</p>`;
}

function counted(count: number, noun: string, nouns: string): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
