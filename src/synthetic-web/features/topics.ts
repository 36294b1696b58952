/**
 * A feature with pages on topics and pages without a topic, for focused crawls. On a page with a topic, a third
 * of the content words are terms of the topic. As on the web, pages link mostly to pages of the same topic. The
 * home page of the first host links to a page of every topic and to a page without a topic.
 *
 * The feature `scatteredTopic` has the same pages in a web that is harder for a focused crawl. All pages are in one tree
 * in which the topics are mixed, so many pages on a topic can be reached only through other pages. Of the other links of
 * a page on a topic, half lead to its topic. Link texts help: three of five links to a page on a topic name one of its
 * terms, and one of twenty links to the pages without a topic names a term of some topic.
 */
import type { Random } from '../../base/mod.ts';
import {
  type Anchor,
  type Document,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  paragraphsOf,
  randomFor,
  range,
} from '../feature.ts';
import { htmlResponse, type Place, plannedSiteOf, type Responder, type Visit } from '../site.ts';

const PAGES_PER_HOST = 20;
const FANOUT = 3;
const TERM_SHARE = 0.33;
/** The links of a page of `scatteredTopic` besides those of the tree, and the shares of links with a property. */
const OTHER_LINKS = 6;
const SAME_TOPIC = 0.5;
const NAMES_TERM = 0.6;
const NAMES_WRONG_TERM = 0.05;

export const TOPIC_TERMS: Record<string, readonly string[]> = {
  astronomy: words(
    'telescope galaxy planet comet orbit nebula asteroid eclipse lunar stellar meteor supernova cosmic astronomer observatory constellation spectrum redshift',
  ),
  sailing: words(
    'sailboat rigging keel mast rudder anchor harbour regatta hull spinnaker tiller windward leeward jib mainsail mooring skipper buoy',
  ),
  baking: words(
    'sourdough flour yeast oven crust dough butter pastry knead loaf proofing rye gluten brioche croissant batter starter crumb',
  ),
};

export interface TopicTruth extends Place {
  /** The topic of the page, a key of `TOPIC_TERMS`; null for a page without a topic. */
  topic: string | null;
  title: string;
  uniqueWord: string;
}

interface TopicPage extends TopicTruth {
  document: Document;
}

/** Returns the pages that a page links to. */
type LinksOf = (page: TopicPage) => TopicPage[];

/** Plans `count` pages with topics, distributed evenly over the topics, and as many pages without a topic. */
export function planTopic(context: FeatureContext, count: number): FeaturePart<TopicTruth> {
  const groups = planPages(context, 'topics', count);
  const links = new Map<TopicPage, TopicPage[]>();
  for (const group of groups)
    for (const [number, page] of group.entries())
      links.set(page, linksWithin(context, group, number, groups));
  const heads = groups.flatMap((group) => group.slice(0, 1));
  const anchorsOf = (pages: TopicPage[], visit: Visit) => anchors(visit, pages);
  return topicPart(context, { groups, linksOf: (page) => links.get(page)!, heads, anchorsOf });
}

export function planScatteredTopic(context: FeatureContext, count: number): FeaturePart<TopicTruth> {
  const groups = planPages(context, 'scattered', count);
  const pages = mixed(groups.flat(), randomFor(context, count));
  const links = new Map(pages.map((page, at) => [page, scatteredLinks(context, pages, at)]));
  const anchorsOf = (targets: TopicPage[], visit: Visit) =>
    targets.map((target, at) => {
      const random = randomFor(context, target.document.number + 7 * at);
      return { href: visit.url(target.host, target.path), text: anchorText(target, random) };
    });
  const heads = pages.slice(0, 1);
  return topicPart(context, { groups, linksOf: (page) => links.get(page)!, heads, anchorsOf });
}

/** Plans pages on hosts `name-0.test` and so on, in one group for each topic and one for the pages without a topic. */
function planPages(context: FeatureContext, name: string, count: number): TopicPage[][] {
  const topics: (string | null)[] = [...Object.keys(TOPIC_TERMS), null];
  const kinds = topics.map((topic, kind) => {
    const share = topic === null ? count : Math.ceil((count - kind) / (topics.length - 1));
    return range(share).map(() => topic);
  });
  const pages = kinds.flat().map((topic, number): TopicPage => {
    const document = context.document();
    const host = `${name}-${number % Math.ceil((2 * count) / PAGES_PER_HOST)}.test`;
    const { title, uniqueWord } = document;
    return { host, path: `/article/${number}`, topic, title, uniqueWord, document };
  });
  return topics.map((topic) => pages.filter((page) => page.topic === topic)).filter(isFilled);
}

interface TopicPlan {
  groups: TopicPage[][];
  linksOf: LinksOf;
  /** The pages that the home page of the first host links to. */
  heads: TopicPage[];
  /** Returns the links to pages as they are written on a page. */
  anchorsOf(pages: TopicPage[], visit: Visit): Anchor[];
}

function topicPart(context: FeatureContext, plan: TopicPlan): FeaturePart<TopicTruth> {
  const { groups, linksOf, heads, anchorsOf } = plan;
  const hosts = new Map<string, Record<string, Responder>>();
  for (const page of groups.flat()) {
    const pages = hosts.get(page.host) ?? {};
    const links = linksOf(page);
    pages[page.path] = (visit) => topicPage(context, page, anchorsOf(links, visit));
    hosts.set(page.host, pages);
  }
  const home = context.document();
  const first = groups[0]![0]!.host;
  hosts.get(first)!['/'] = (visit) =>
    htmlResponse(featurePageOf(context, home, { anchors: anchorsOf(heads, visit) }));
  return {
    sites: [...hosts].map(([host, pages]) => plannedSiteOf(host, pages)),
    entries: [{ host: first, path: '/' }],
    truth: groups.flat().map(({ document, ...truth }) => truth),
  };
}

/**
 * Returns the links of a page. The pages of each topic form a group, and the pages without a topic form another
 * group. The pages of a group are ordered as a tree. A page links to its children in this tree, to two other
 * pages of its group, and sometimes to one page of any group.
 */
function linksWithin(
  context: FeatureContext,
  group: TopicPage[],
  number: number,
  groups: TopicPage[][],
): TopicPage[] {
  const random = randomFor(context, group[number]!.document.number);
  const children = group.slice(number * FANOUT + 1, number * FANOUT + FANOUT + 1);
  const others = range(2).map(() => random.pick(group));
  return random.chance(0.3)
    ? [...children, ...others, random.pick(random.pick(groups))]
    : [...children, ...others];
}

function topicPage(context: FeatureContext, page: TopicPage, links: Anchor[]) {
  const random = randomFor(context, page.document.number + 1);
  const paragraphs = paragraphsOf(context, page.document);
  const terms = page.topic === null ? undefined : TOPIC_TERMS[page.topic];
  const text = terms ? paragraphs.map((paragraph) => onTopic(paragraph, terms, random)) : paragraphs;
  return htmlResponse(featurePageOf(context, page.document, { paragraphs: text, anchors: links }));
}

/**
 * Replaces long words, which are content words, by terms of the topic. The unique word of the page, which is
 * the only word with a `z`, is not replaced.
 */
function onTopic(paragraph: string, terms: readonly string[], random: Random): string {
  return paragraph.replace(/\b[a-y]{5,}\b/g, (word) =>
    random.chance(TERM_SHARE) ? random.pick(terms) : word,
  );
}

function anchors(visit: Visit, pages: TopicPage[]) {
  return pages.map(({ host, path, title }) => ({ href: visit.url(host, path), text: title }));
}

function isFilled(group: unknown[]): boolean {
  return group.length > 0;
}

function words(text: string): string[] {
  return text.split(' ');
}

function mixed(pages: TopicPage[], random: Random): TopicPage[] {
  const keyed = pages.map((page) => ({ page, key: random.next() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ page }) => page);
}

function scatteredLinks(context: FeatureContext, pages: TopicPage[], at: number): TopicPage[] {
  const page = pages[at]!;
  const random = randomFor(context, page.document.number);
  const related = pages.filter(({ topic }) => topic === page.topic);
  const links = pages.slice(at * FANOUT + 1, at * FANOUT + FANOUT + 1);
  while (links.length < FANOUT + OTHER_LINKS) {
    links.push(random.pick(page.topic !== null && random.chance(SAME_TOPIC) ? related : pages));
    if (links.length >= pages.length) break;
  }
  return links;
}

function anchorText({ title, topic }: TopicPage, random: Random): string {
  if (topic !== null)
    return random.chance(NAMES_TERM) ? `${title} ${random.pick(TOPIC_TERMS[topic]!)}` : title;
  if (!random.chance(NAMES_WRONG_TERM)) return title;
  return `${title} ${random.pick(TOPIC_TERMS[random.pick(Object.keys(TOPIC_TERMS))]!)}`;
}
