/**
 * Makes the panel of a site. It is shown if the first result is the home page of a site or the entry page of
 * a section, and the query is its name. It has the description that the page declares, and facts about the
 * crawled pages of the site.
 */
import type { Answer, AnswerBox, AnswerContext, Fact } from '../answer-box.ts';
import { cutText, isName, withoutSite } from '../asking/mod.ts';
import { isNamedEntry, readSection, type Section } from './entry-page.ts';
import { leadOf } from './knowledge.ts';
import { type OwnCrawl, searcherRules } from './own-crawl.ts';

const TEN_MINUTES = 600_000;
const MAX_TEXT = 400;
const MIN_PAGES = 2;
const MAX_LANGUAGES = 5;

export function sitePanel({ searcher, pages }: OwnCrawl): AnswerBox {
  return {
    name: 'site',
    cacheMs: TEN_MINUTES,
    matches: (query) => isName(query),
    async answer(query, context, signal) {
      const rules = searcherRules(context);
      const [entry] = (await searcher.search({ query, offset: 0, limit: 1, ...rules })).results;
      if (!entry || !isNamedEntry(query, entry)) return null;
      signal.throwIfAborted();
      const [read, section] = await Promise.all([pages.read(entry.url), readSection(searcher, entry, rules)]);
      if (read.kind === 'late') throw new Error(`the copy of ${entry.url} could not be read in time`);
      if (read.kind === 'none' || section.pageCount < MIN_PAGES) return null;
      const { title, description, text, fetchedAt } = read.page;
      return {
        kind: 'site',
        title: cutText(withoutSite(title) || entry.host, 80),
        text: cutText(description || leadOf(text), MAX_TEXT),
        facts: factsOf(section, context),
        links: [],
        source: { name: entry.url.replace(/^https?:\/\/|\/$/g, ''), url: entry.url },
        time: new Date(fetchedAt).toISOString(),
      } satisfies Answer;
    },
  };
}

function factsOf({ pageCount, facets }: Section, { words }: AnswerContext): Fact[] {
  const facts = [{ name: words.text('fact.pages'), value: words.count(pageCount) }];
  const languages = (facets?.languages ?? [])
    .slice(0, MAX_LANGUAGES)
    .map(({ value }) => words.language(value));
  if (languages.length > 0) facts.push({ name: words.text('fact.languages'), value: languages.join(', ') });
  return facts;
}
