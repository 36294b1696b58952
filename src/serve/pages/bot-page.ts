/**
 * Serves the page for site owners: which crawler visits their pages, and how to control or stop it. The page
 * is always in English.
 */
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { type View, viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';

/** The product token by which robots.txt files name the crawler. */
const ROBOTS_TOKEN = 'gyre';

export function botRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get('/bot', (request, reply) =>
    reply.type('text/html; charset=utf-8').send(renderBot(viewOf(site, request))),
  );
}

function renderBot(view: View): string {
  const { site } = view;
  const main = html`<article class="prose" lang="en" dir="ltr">
<h1>About the crawler</h1>
<p>This search engine runs Gyre ${site.version}. Its crawler visits public pages so that they can be found here,
and each result links to the site of its page.</p>
<h2>How it behaves</h2>
<ul>
<li>It sends one request at a time to a host, waits between requests, and waits longer if a host is slow.</li>
<li>It reads <code>robots.txt</code> first and obeys it (RFC 9309), with <code>Crawl-delay</code>.</li>
<li>After a 429 or 503 response it waits as long as <code>Retry-After</code> says.</li>
<li>It obeys <code>noindex</code>, <code>nofollow</code>, <code>noarchive</code> and <code>nosnippet</code>, in a page
or in the <code>X-Robots-Tag</code> header.</li>
<li>It fetches the icon of a site after its pages, at most once a month, and shows it beside results from that
site. <code>Disallow: /favicon.ico</code> prevents this.</li>
<li>It requests one address that cannot exist, to learn what the site shows for missing pages.</li>
<li>It never signs in and sends no cookies back.</li>
</ul>
<h2>How to exclude pages</h2>
<p>In <code>robots.txt</code> its name is <code>${ROBOTS_TOKEN}</code>. These two lines exclude a whole site:</p>
<pre tabindex="0" role="region" aria-label="Lines for robots.txt"><code>User-agent: ${ROBOTS_TOKEN}
Disallow: /</code></pre>
<p>To exclude a single page from the results, put this line into the page:</p>
<pre tabindex="0" role="region" aria-label="Line for a page"><code>&lt;meta name="${ROBOTS_TOKEN}" content="noindex"&gt;</code></pre>
<h2>Who runs it</h2>
${contact(site.contact)}
</article>`;
  return renderPage(view, { title: 'About the crawler', query: '', main, listed: true });
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
