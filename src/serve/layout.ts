/** The frame of every page: head, mark, search box, footer. */
import { formatCount } from './figures.ts';
import { type Html, html } from './html.ts';
import { indexStats, type ServeStatus, type Site } from './site.ts';

export interface DocumentParts {
  /** Shown before the site's name in the window title; empty on the start page. */
  title: string;
  /** Only the start page and the page about the crawler are for other search engines. */
  listed?: boolean;
}

export interface PageParts extends DocumentParts {
  /** What the search box holds. */
  query: string;
  main: Html;
}

const STATES: Record<ServeStatus['state'], string> = {
  crawling: 'crawling',
  indexing: 'indexing',
  paused: 'crawl paused',
  idle: 'up to date',
};

/** A page with the search box on top. */
export function renderPage(site: Site, parts: PageParts): string {
  return renderDocument(
    site,
    parts,
    html`<header class="bar">
<a class="brand" href="/" aria-label="Gyre, start page">${spiral()}<span>Gyre</span></a>
${searchForm(parts.query, false)}
</header>
<main class="column">
${parts.main}
</main>`,
  );
}

/** The whole document around a body of one's own: the start page has no bar. */
export function renderDocument(site: Site, parts: DocumentParts, body: Html): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${parts.listed ? null : html`<meta name="robots" content="noindex, nofollow">`}
<title>${parts.title === '' ? 'Gyre' : `${parts.title} · Gyre`}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="search" href="/opensearch.xml" type="application/opensearchdescription+xml" title="Gyre">
<link rel="stylesheet" href="${site.assets.stylesheet}">
<script type="module" src="${site.assets.script}"></script>
</head>
<body>
${body}
${footer(site)}
</body>
</html>
`);
}

export function searchForm(query: string, focused: boolean): Html {
  const box = focused
    ? html`<input type="search" name="q" value="${query}" aria-label="Search" dir="auto" autocomplete="off"
 autocapitalize="none" spellcheck="false" enterkeyhint="search" autofocus>`
    : html`<input type="search" name="q" value="${query}" aria-label="Search" dir="auto" autocomplete="off"
 autocapitalize="none" spellcheck="false" enterkeyhint="search">`;
  return html`<form class="search" role="search" action="/search" method="get">
${box}
<button type="submit" aria-label="Search">${lens()}</button>
</form>`;
}

/**
 * The mark: two arms around one eye. Every outline is a half circle that starts and ends on one axis,
 * so the curves join without a corner, and an arm is as wide as the gap between its two circles.
 */
export function spiral(): Html {
  return html`<svg class="mark" viewBox="-16 -16 32 32" aria-hidden="true" focusable="false">
<path transform="rotate(20)" fill="currentColor" d="M1.1 0A1.25 1.25 0 0 1 3.6 0A6.2 6.2 0 0 1-8.8 0A11.9 11.9 0 0 1 15 0
A13.3 13.3 0 0 0-11.6 0A8.9 8.9 0 0 0 6.2 0A3.65 3.65 0 0 0-1.1 0A1.25 1.25 0 0 1-3.6 0A6.2 6.2 0 0 1 8.8 0
A11.9 11.9 0 0 1-15 0A13.3 13.3 0 0 0 11.6 0A8.9 8.9 0 0 0-6.2 0A3.65 3.65 0 0 0 1.1 0Z"/>
</svg>`;
}

function lens(): Html {
  return html`<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
<path d="M13.2 13.2 17 17M15 9A6 6 0 1 1 3 9a6 6 0 0 1 12 0Z" fill="none" stroke="currentColor"
 stroke-width="2" stroke-linecap="round"/>
</svg>`;
}

function footer(site: Site): Html {
  const stats = indexStats(site);
  const status = site.status();
  return html`<footer class="foot">
<span>Gyre ${site.version}</span>
${stats ? html`<span>${formatCount(stats.docCount, 'page')}</span>` : null}
${status ? html`<span>${statusText(status)}</span>` : null}
<a href="/bot">About the crawler</a>
</footer>`;
}

function statusText({ state, queued }: ServeStatus): string {
  if (queued === 0) return STATES[state];
  return `${STATES[state]}, ${formatCount(queued, 'address', 'addresses')} to visit`;
}
