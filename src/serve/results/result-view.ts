/** Renders one result. All content comes from foreign pages and is rendered as text only. */

import type { Offer, SectionPage } from '../../answer/mod.ts';
import { titleParts } from '../../page/mod.ts';
import type { SearchResult } from '../../query/mod.ts';
import { type Html, html } from '../html.ts';
import type { Words } from '../messages/mod.ts';
import type { View } from '../request-context.ts';
import { plain, shorten } from '../shown-text.ts';
import { breadcrumbs, passageAddress } from './result-address.ts';
import { renderMenu } from './result-menu.ts';
import { type SearchState, searchAddress, shownType } from './search-state.ts';
import type { ResultDetail } from './tab-results.ts';

const MAX_TITLE_LENGTH = 120;
const MAX_NAME_LENGTH = 60;
/** The maximum number of near duplicates that are linked. Other near duplicates are only counted. */
const MAX_SIMILAR = 5;
/** The maximum number of translations that are linked. */
const MAX_TRANSLATIONS = 12;
/**
 * The maximum length of a snippet. It is far above the usual length, and limits the size of the page whatever a
 * searcher returns.
 */
const MAX_SNIPPET_LENGTH = 1000;

export function renderResult(
  view: View,
  state: SearchState,
  result: SearchResult,
  detail: ResultDetail = {},
): Html {
  const crumbs = breadcrumbs(result.url);
  const title = result.title.trim() === '' ? [result.host, ...crumbs].join('/') : result.title;
  const { language = '' } = result;
  return html`<li class="result" dir="auto">
<h2 lang="${language}"><a class="title" href="${passageAddress(result)}">${shownTitle(title, result.host)}</a></h2>
<p class="crumbs" dir="ltr">${icon(result)}<bdi class="host">${result.host}</bdi>${crumbs.map(separated)}${format(view, result)}</p>
${renderMenu(view, state, result)}
${detail.offer ? renderOffer(view.words, detail.offer, result.host) : null}<p class="about" dir="auto">${paper(detail)}${dated(view, result)}${quote(result)}</p>
${renderSitelinks(detail)}${translatedPages(view, result)}${similarPages(view, result)}${moreFromSite(view, state, result)}</li>
`;
}

/** Renders the sitelinks of a result that is the entry page of a site or section: its most linked pages. */
function renderSitelinks({ sitelinks = [] }: ResultDetail): Html | null {
  if (sitelinks.length === 0) return null;
  const link = ({ url, title }: SectionPage) =>
    html`<li dir="auto"><a href="${url}">${shorten(plain(title), MAX_NAME_LENGTH)}</a></li>\n`;
  return html`<ul class="sitelinks" role="list">
${sitelinks.map(link)}</ul>
`;
}

/** Renders a title. The name of the site is in grey, unless the title is too long to be shown whole. */
function shownTitle(title: string, host: string): Html {
  const whole = plain(title.slice(0, 10 * MAX_TITLE_LENGTH));
  if (whole.length > MAX_TITLE_LENGTH) return html`${shorten(whole, MAX_TITLE_LENGTH)}`;
  const { before, name, after } = titleParts(whole, host);
  return html`${affix(before)}${name}${affix(after)}`;
}

function affix(text: string): Html | null {
  return text === '' ? null : html`<span class="affix">${text}</span>`;
}

/** Renders the publisher of a news article. */
function paper({ paper: name }: ResultDetail): Html | null {
  return name === undefined ? null : html`<bdi class="paper">${named(name)}</bdi> · `;
}

/**
 * Renders an offer: `€12.50 · Shop · In stock`. Price and availability are in the language of the UI and the
 * shop name in any language, so each has its own text direction. An amount with its currency is always left
 * to right.
 */
function renderOffer(words: Words, offer: Offer, host: string): Html {
  const { amount, currency, isLowest, seller, availability } = offer;
  const price = html`<bdi dir="ltr">${words.price(amount, currency)}</bdi>`;
  const asked = isLowest ? words.markup('offer.from', { price }) : price;
  const state = availability && html` · <bdi>${words.text(`offer.${availability}`)}</bdi>`;
  return html`<p class="offer"><b><bdi>${asked}</bdi></b> · <bdi>${named(seller || host)}</bdi>${state}</p>
`;
}

function named(name: string): string {
  return shorten(plain(name), MAX_NAME_LENGTH);
}

/** Renders the icon of the site. It is loaded from this server, never from the site. */
function icon({ url }: SearchResult): Html | null {
  const host = URL.parse(url)?.host ?? '';
  if (host === '') return null;
  return html`<img class="icon" src="/icon/${encodeURIComponent(host)}" alt="" width="16" height="16" loading="lazy">`;
}

/** Renders the format of a document that is not a web page, such as PDF or Word. */
function format({ words }: View, { format: name = '' }: SearchResult): Html | null {
  const type = shownType(name);
  return type && html` <bdi class="format">${words.text(`type.${type}`)}</bdi>`;
}

/** Renders the date of the page. The fetch date is in the menu, because it says nothing about the content. */
function dated({ words }: View, { date }: SearchResult): Html | null {
  if (date === undefined) return null;
  const written = words.date(Date.parse(date));
  const title = words.text('result.dated', { date: written });
  return html`<bdi><time datetime="${date}" title="${title}">${written}</time></bdi>`;
}

/**
 * Renders the snippet. Its `lang` attribute is the language of the page, for screen readers. If the language is
 * unknown, `lang` is empty, so that a screen reader does not use the language of the UI.
 */
function quote({ snippet, highlights, language = '' }: SearchResult): Html | null {
  return snippet === ''
    ? null
    : html` <span class="snippet" lang="${language}">${highlight(snippet.slice(0, MAX_SNIPPET_LENGTH), highlights)}</span>`;
}

/** Renders links to the result's page in other languages, which are not listed as results. */
function translatedPages({ words }: View, { translations = [] }: SearchResult): Html | null {
  const named = translations.filter(({ language }) => language !== '').slice(0, MAX_TRANSLATIONS);
  if (named.length === 0) return null;
  return html`<p class="more" dir="${words.direction}">${words.text('result.translations')}${named.map(
    ({ url, language }) => html` <a href="${url}" hreflang="${language}">${words.languageName(language)}</a>`,
  )}</p>
`;
}

/** Renders links to near duplicates of the result, which are not listed as results. */
function similarPages({ words }: View, { similar = [] }: SearchResult): Html | null {
  if (similar.length === 0) return null;
  const label = words.text('result.similar', { count: similar.length });
  return html`<details class="more" dir="${words.direction}"><summary>${label}</summary>
<ul dir="ltr">${similar.slice(0, MAX_SIMILAR).map((url) => html`<li><a href="${url}">${shorten(plain(url), MAX_TITLE_LENGTH)}</a></li>`)}</ul>
</details>
`;
}

/**
 * Renders the link to more results from the site. Its URL keeps the tab and the filters of this search. The query
 * in `result.moreFromSite` is not used, because it repeats the filters as words.
 */
function moreFromSite(
  { words }: View,
  state: SearchState,
  { moreFromSite: more, host }: SearchResult,
): Html | null {
  if (!more) return null;
  const label = words.text('result.siteCount', { count: more.count });
  return html`<p class="more" dir="${words.direction}"><a href="${searchAddress(state, { site: host })}">${label}</a></p>
`;
}

/**
 * Returns the snippet with its highlights in `<mark>`. Ranges that overlap, end before they start or exceed the
 * end of the snippet are cut.
 */
export function highlight(snippet: string, ranges: readonly (readonly [number, number])[]): Html[] {
  const pieces: Html[] = [];
  let done = 0;
  for (const [rangeStart, rangeEnd] of ranges) {
    const start = Math.max(rangeStart, done);
    const end = Math.min(rangeEnd, snippet.length);
    if (end <= start) continue;
    pieces.push(html`${plain(snippet.slice(done, start))}<mark>${plain(snippet.slice(start, end))}</mark>`);
    done = end;
  }
  pieces.push(html`${plain(snippet.slice(done))}`);
  return pieces;
}

function separated(crumb: string): Html {
  return html` <span>›</span> <bdi>${crumb}</bdi>`;
}
