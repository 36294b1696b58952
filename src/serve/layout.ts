/** Renders the frame of every page: head, logo, search box and footer. */

import { brandMark, engineName } from './brand.ts';
import { type Html, html } from './html.ts';
import type { View } from './request-context.ts';
import { indexStats, type ServerContext } from './server-context.ts';
import { plain } from './shown-text.ts';

interface DocumentParts {
  /**
   * The title of the page, which comes before the name of the site in the window title. It is empty on the
   * start page.
   */
  title: string;
  /** True for pages that other search engines may index: the start page and the page about the crawler. */
  listed?: boolean;
  /** Additional `<link>` elements for the head, such as feeds. */
  links?: Html;
}

interface PageParts extends DocumentParts {
  query: string;
  main: Html;
  /** True for pages that need more width than a column of text. */
  wide?: boolean;
  /** Hidden fields that a new search from this page keeps, in addition to its query. */
  kept?: Html;
}

export function renderPage(view: View, parts: PageParts): string {
  return renderDocument(
    view,
    parts,
    html`<a class="skip" href="#main">${view.words.text('skip')}</a>
<header class="bar">
<a class="brand" href="/" aria-label="${view.words.text('brand.start', { name: view.site.brand.name })}">${brandMark(view.site)}<span>${view.site.brand.name}</span></a>
${searchForm(view, parts.query, { kept: parts.kept })}
${settingsLink(view)}
</header>
<main class="${parts.wide ? 'column wide' : 'column'}" id="main" tabindex="-1">
${parts.main}
</main>`,
  );
}

/** Renders the whole document around `body`. The start page uses it directly, because it has no header bar. */
export function renderDocument(view: View, parts: DocumentParts, body: Html): string {
  const { site, words, preferences } = view;
  return String(html`<!doctype html>
<html lang="${words.tag}" dir="${words.direction}" data-scheme="${preferences.scheme}" data-keys="${preferences.keys ? 'on' : 'off'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${parts.listed ? null : html`<meta name="robots" content="noindex, nofollow">`}
<title>${parts.title === '' ? site.brand.name : `${plain(parts.title)} · ${site.brand.name}`}</title>
${pageIcon(site)}
<link rel="search" href="/opensearch.xml" type="application/opensearchdescription+xml" title="${site.brand.name}">
${parts.links}<link rel="stylesheet" href="${site.assets.stylesheet}">
<script type="module" src="${site.assets.script}"></script>
</head>
<body>
${body}
${footer(view)}
</body>
</html>
`);
}

/** Renders the link to the icon of the pages, which is the logo. */
export function pageIcon({ assets }: Pick<ServerContext, 'assets'>): Html {
  const { path, type } = assets.logo ?? { path: '/favicon.svg', type: 'image/svg+xml' };
  return html`<link rel="icon" href="${path}" type="${type}">`;
}

/**
 * Renders the search form. The script turns the box into a combobox when there are suggestions, and shows the
 * microphone button if the browser supports speech recognition. The UI texts of the suggestions and of the
 * button are in data attributes, because the script contains no UI messages.
 */
export function searchForm(
  { site, words, preferences }: View,
  query: string,
  { focused = false, kept }: { focused?: boolean; kept?: Html | undefined } = {},
): Html {
  const label = words.text('search.box');
  const suggestions =
    preferences.suggestions && site.searcher.suggest ? words.text('search.suggestions') : null;
  const box = focused
    ? html`<input type="search" name="q" value="${query}" aria-label="${label}" dir="auto" autocomplete="off"
 autocapitalize="none" spellcheck="false" enterkeyhint="search" data-suggestions="${suggestions}" autofocus>`
    : html`<input type="search" name="q" value="${query}" aria-label="${label}" dir="auto" autocomplete="off"
 autocapitalize="none" spellcheck="false" enterkeyhint="search" data-suggestions="${suggestions}">`;
  return html`<form class="search" role="search" action="/search" method="get">
${box}${kept}
<button class="voice" type="button" hidden title="${words.text('voice.where')}" aria-label="${words.text('voice.start')}"
 data-listening="${words.text('voice.listening')}" data-denied="${words.text('voice.denied')}"
 data-unsupported="${words.text('voice.unsupported')}" data-silence="${words.text('voice.silence')}">${microphone()}</button>
<button type="submit" aria-label="${words.text('search.submit')}">${lens()}</button>
</form>`;
}

/** Renders the link to the preferences, a cog at the top of every page. */
export function settingsLink({ words }: View): Html {
  const label = words.text('foot.preferences');
  return html`<a class="cog" href="/preferences" title="${label}" aria-label="${label}"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
<path d="M12 8.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13"
 fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/></svg></a>`;
}

function lens(): Html {
  return html`<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
<path d="M13.2 13.2 17 17M15 9A6 6 0 1 1 3 9a6 6 0 0 1 12 0Z" fill="none" stroke="currentColor"
 stroke-width="2" stroke-linecap="round"/>
</svg>`;
}

function microphone(): Html {
  return html`<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
<path d="M10 2.5A2.5 2.5 0 0 1 12.5 5v4.5a2.5 2.5 0 0 1-5 0V5A2.5 2.5 0 0 1 10 2.5ZM4.5 9.5a5.5 5.5 0 0 0 11 0M10 15v2.5"
 fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>
</svg>`;
}

function footer(view: View): Html {
  const { site, words } = view;
  const stats = indexStats(site);
  const status = statusText(view);
  return html`<footer class="foot">
<span>${engineName(site)}</span>
${stats ? html`<span>${words.text('foot.pages', { count: stats.docCount })}</span>` : null}
${status === '' ? null : html`<span>${status}</span>`}
<a href="/preferences">${words.text('foot.preferences')}</a>
<a href="/help">${words.text('foot.help')}</a>
<a href="/bot">${words.text('foot.crawler')}</a>
${site.brand.links.map(({ name, url }) => html`<a href="${url}">${name}</a>`)}
</footer>`;
}

function statusText({ site, words }: View): string {
  const status = site.status();
  if (!status) return '';
  const state = words.text(`state.${status.state}`);
  return status.queued === 0 ? state : words.text('foot.queued', { state, count: status.queued });
}
