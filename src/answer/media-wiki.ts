/**
 * A knowledge panel from a configured MediaWiki: the page of exactly that name (redirects followed), its lead as
 * plain text, by one request to `api.php` with the extensions TextExtracts, Wikibase's descriptions and info.
 */
import type { Answer, AnswerBox, AnswerContext } from './answer-box.ts';
import { cutText, isName } from './names.ts';
import { fetchJson, pick, pickList, pickText } from './remote.ts';

export interface MediaWikiOptions {
  /** Its `api.php`, such as `https://en.wikipedia.org/w/api.php`. */
  url: string;
  /** Sent along: the operators of wikis ask to be told who calls. */
  userAgent: string;
}

const A_DAY = 86_400_000;
const MAX_TEXT = 400;

export function mediaWiki({ url: address, userAgent }: MediaWikiOptions): AnswerBox {
  return {
    name: 'mediawiki',
    cacheMs: A_DAY,
    matches: (query) => isName(query),
    async answer(query, context, signal) {
      const url = new URL(address);
      const parameters = {
        action: 'query',
        format: 'json',
        formatversion: '2',
        redirects: '1',
        titles: query,
        prop: 'extracts|info|description|pageprops',
        exintro: '1',
        explaintext: '1',
        inprop: 'url',
        ppprop: 'disambiguation',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      const answer = await fetchJson({ url, signal, headers: { 'user-agent': userAgent } });
      return panelOf(pickList(answer, 'query', 'pages')[0], context);
    },
  };
}

/** A page that only tells meanings apart answers nothing. */
function panelOf(page: unknown, { now, words }: AnswerContext): Answer | null {
  const title = pickText(page, 'title');
  const text = pickText(page, 'extract');
  const url = pickText(page, 'fullurl');
  const isMissing =
    pick(page, 'missing') !== undefined || pick(page, 'pageprops', 'disambiguation') !== undefined;
  if (isMissing || title === '' || text === '' || !URL.canParse(url)) return null;
  const description = pickText(page, 'description');
  return {
    kind: 'knowledge',
    title,
    text: cutText(text, MAX_TEXT),
    facts: description === '' ? [] : [{ name: words.text('what'), value: description }],
    links: [],
    source: { name: new URL(url).hostname, url },
    time: pickText(page, 'touched') || new Date(now).toISOString(),
  };
}
