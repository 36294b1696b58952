/** The frame of every page: head, mark, search box, footer. */
import { type Html, html } from './html.ts';
import { plain } from './shown-text.ts';
import { indexStats } from './site.ts';
import type { View } from './view.ts';

export interface DocumentParts {
  /** Shown before the site's name in the window title; empty on the start page. */
  title: string;
  /** Only the start page and the page about the crawler are for other search engines. */
  listed?: boolean;
  /** What the head says besides: where else the page is. */
  links?: Html;
}

export interface PageParts extends DocumentParts {
  /** What the search box holds. */
  query: string;
  main: Html;
  /** For pages that need more room than a column of text. */
  wide?: boolean;
  /** What a new search from the box keeps, besides its query. */
  kept?: Html;
}

/** A page with the search box on top. */
export function renderPage(view: View, parts: PageParts): string {
  return renderDocument(
    view,
    parts,
    html`<a class="skip" href="#main">${view.words.text('skip')}</a>
<header class="bar">
<a class="brand" href="/" aria-label="${view.words.text('brand.start')}">${spiral()}<span>Gyre</span></a>
${searchForm(view, parts.query, { kept: parts.kept })}
</header>
<main class="${parts.wide ? 'column wide' : 'column'}" id="main" tabindex="-1">
${parts.main}
</main>`,
  );
}

/** The whole document around a body of one's own: the start page has no bar. */
export function renderDocument(view: View, parts: DocumentParts, body: Html): string {
  const { site, words, preferences } = view;
  return String(html`<!doctype html>
<html lang="${words.tag}" dir="${words.direction}" data-scheme="${preferences.scheme}" data-keys="${preferences.keys ? 'on' : 'off'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${parts.listed ? null : html`<meta name="robots" content="noindex, nofollow">`}
<title>${parts.title === '' ? 'Gyre' : `${plain(parts.title)} · Gyre`}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="search" href="/opensearch.xml" type="application/opensearchdescription+xml" title="Gyre">
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

/**
 * The box. The script makes it a combobox when there are suggestions, and shows the microphone where the browser
 * can listen; what they say is in the attributes, since the script speaks no language itself.
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
<span>Gyre ${site.version}</span>
${stats ? html`<span>${words.text('foot.pages', { count: stats.docCount })}</span>` : null}
${status === '' ? null : html`<span>${status}</span>`}
<a href="/preferences">${words.text('foot.preferences')}</a>
<a href="/bot">${words.text('foot.crawler')}</a>
</footer>`;
}

function statusText({ site, words }: View): string {
  const status = site.status();
  if (!status) return '';
  const state = words.text(`state.${status.state}`);
  return status.queued === 0 ? state : words.text('foot.queued', { state, count: status.queued });
}
