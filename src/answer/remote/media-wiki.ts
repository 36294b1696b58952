/**
 * Makes the knowledge panel from a configured MediaWiki: the page with exactly the name of the subject
 * (redirects are followed) and its first section as plain text. It sends one request to `api.php`, which uses
 * the extensions TextExtracts and Wikibase.
 */
import type { Answer, AnswerBox, AnswerContext } from '../answer-box.ts';
import { cutText, isSameName, subjectsOf } from '../asking/mod.ts';
import { fetchJson, pick, pickList, pickText } from './remote.ts';

interface MediaWikiOptions {
  /** The URL of `api.php`, for example `https://en.wikipedia.org/w/api.php`. */
  url: string;
  /** The User-Agent header. Operators of wikis ask clients to identify themselves. */
  userAgent: string;
}

const A_DAY = 86_400_000;
const MAX_TEXT = 400;

export function mediaWikiBox({ url: address, userAgent }: MediaWikiOptions): AnswerBox {
  return {
    name: 'mediawiki',
    cacheMs: A_DAY,
    matches: (query) => subjectsOf(query).length > 0,
    async answer(query, context, signal) {
      const url = new URL(address);
      const names = subjectsOf(query).map(({ name }) => name);
      const parameters = {
        action: 'query',
        format: 'json',
        formatversion: '2',
        redirects: '1',
        titles: names.join('|'),
        prop: 'extracts|info|description|pageprops',
        exintro: '1',
        explaintext: '1',
        inprop: 'url',
        ppprop: 'disambiguation',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      const answer = await fetchJson({ url, signal, headers: { 'user-agent': userAgent } });
      const panels = names.map((name) => panelOf(pageOf(answer, name), context));
      return panels.find((panel) => panel !== null) ?? null;
    },
  };
}

/**
 * Finds the page in the response of the wiki, by the title to which the wiki normalized or redirected the
 * name.
 */
function pageOf(answer: unknown, name: string): unknown {
  let title = name;
  for (const list of ['normalized', 'redirects']) {
    const moved = pickList(answer, 'query', list).find((each) => pickText(each, 'from') === title);
    title = pickText(moved, 'to') || title;
  }
  return pickList(answer, 'query', 'pages').find((page) => isSameName(pickText(page, 'title'), title));
}

/** Makes the panel of a page; null for a missing page and for a disambiguation page. */
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
