/**
 * The Images tab: pictures of crawled pages, found by the texts about them. The searcher returns the matching pictures of
 * the best pages; here they become one list, in which the words about a picture count more than the rank of its page.
 *
 * A picture on many of the listed pages of a site belongs to the site's template, such as a logo, and is left out.
 *
 * By default the tab shows texts and links only. If the browser loaded a picture from its site, the site would
 * learn the IP address and the browser of the searcher. The operator can allow this (`serve.images`).
 */
import type { ResultFacets, SearchResponse, SearchResult } from '../../query/mod.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../request-context.ts';
import { plain, shorten } from '../shown-text.ts';
import { renderPages } from './page-numbers.ts';
import type { SearchState } from './search-state.ts';

/** The number of pages whose pictures are listed. */
export const IMAGE_PAGES = 100;
const IMAGES_PER_PAGE = 24;
/**
 * A picture belongs to the template of a site if it is on more than this many of the site's listed pages, and
 * on at least the share TEMPLATE_SHARE of them.
 */
const MAX_REPEATED = 3;
const TEMPLATE_SHARE = 0.25;
/**
 * The amount that is subtracted from the rating of a picture on the last listed page. For pictures on earlier
 * pages, proportionally less is subtracted.
 */
const RANK_LOSS = 0.4;
const MAX_LABEL = 120;
const MAX_FACET_VALUES = 8;
const MAX_TITLE = 80;

interface ImageResult {
  url: string;
  label: string;
  /** The page that shows the picture. */
  page: Pick<SearchResult, 'url' | 'title' | 'host' | 'language'>;
}

/** Returns each picture once, best first. */
export function imagesOf({ results }: SearchResponse): ImageResult[] {
  const pagesOfHost = countBy(results.map(({ host }) => host));
  const uses = countBy(results.flatMap(({ host, images = [] }) => images.map(({ url }) => `${host} ${url}`)));
  const isTemplate = (host: string, url: string) => {
    const count = uses.get(`${host} ${url}`) ?? 0;
    return count > MAX_REPEATED && count >= TEMPLATE_SHARE * pagesOfHost.get(host)!;
  };
  const rated = results.flatMap(({ images = [], ...page }, place) =>
    images
      .filter(({ url }) => !isTemplate(page.host, url))
      .map(({ url, label, match }) => ({
        image: { url, label, page },
        rating: match - (RANK_LOSS * place) / IMAGE_PAGES,
      })),
  );
  const best = new Map<string, ImageResult>();
  for (const { image } of rated.sort((a, b) => b.rating - a.rating))
    if (!best.has(image.url)) best.set(image.url, image);
  return [...best.values()];
}

/** Counts the pictures in each language and on each site, for the filters of the Images tab. */
export function imageFacets(images: readonly ImageResult[]): ResultFacets {
  const counted = images.length;
  const listed = (values: readonly string[]) =>
    Array.from(countBy(values), ([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, MAX_FACET_VALUES);
  const sites = listed(images.map(({ page }) => page.host));
  const languages = listed(images.flatMap(({ page }) => page.language?.split('-', 1) ?? []).filter(Boolean));
  return { counted, sites, languages, formats: [], collections: [], periods: [] };
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

export function renderImages(view: View, state: SearchState, images: readonly ImageResult[]): Html {
  const { words } = view;
  const from = (state.page - 1) * IMAGES_PER_PAGE;
  const shown = images.slice(from, from + IMAGES_PER_PAGE);
  const pageCount = Math.ceil(images.length / IMAGES_PER_PAGE);
  const found = words.text('images.count', { count: images.length });
  const summary = state.page > 1 ? words.text('results.onPage', { summary: found, page: state.page }) : found;
  return html`<p class="summary" role="status">${summary}</p>
<ol class="images" role="list" start="${from + 1}">
${shown.map((image) => renderImage(view, image))}</ol>
${renderPages(state, pageCount, words)}`;
}

function renderImage({ site, words }: View, { url, label, page }: ImageResult): Html {
  const name = shorten(plain(label), MAX_LABEL);
  const title = shorten(plain(page.title), MAX_TITLE);
  const isNamed = title !== '' && !name.toLowerCase().includes(title.toLowerCase());
  const picture = site.showsPictures
    ? html`<img src="${url}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
    : null;
  return html`<li class="image" dir="auto">${picture}
<h2 lang="${page.language ?? ''}"><a class="title" href="${page.url}">${name}</a></h2>
${isNamed ? html`<p class="page" lang="${page.language ?? ''}">${title}</p>\n` : null}<p class="host" dir="ltr"><bdi>${page.host}</bdi></p>
<p><a class="file" href="${url}" rel="noreferrer" aria-label="${words.text('images.openNamed', { name })}">${words.text('images.open')}</a></p></li>
`;
}
