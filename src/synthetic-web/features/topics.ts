/**
 * A feature with pages on topics and pages without a topic, for focused crawls. On a page with a topic, a third
 * of the content words are terms of the topic. As on the web, pages link mostly to pages of the same topic. The
 * home page of the first host links to a page of every topic and to a page without a topic.
 */
import type { Random } from '../../base/mod.ts';
import {
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

/** Plans `count` pages with topics, distributed evenly over the topics, and as many pages without a topic. */
export function planTopic(context: FeatureContext, count: number): FeaturePart<TopicTruth> {
  const topics: (string | null)[] = [...Object.keys(TOPIC_TERMS), null];
  const kinds = topics.map((topic, kind) => {
    const share = topic === null ? count : Math.ceil((count - kind) / (topics.length - 1));
    return range(share).map(() => topic);
  });
  const pages = kinds.flat().map((topic, number): TopicPage => {
    const document = context.document();
    const host = `topics-${number % Math.ceil((2 * count) / PAGES_PER_HOST)}.test`;
    const { title, uniqueWord } = document;
    return { host, path: `/article/${number}`, topic, title, uniqueWord, document };
  });
  const groups = topics.map((topic) => pages.filter((page) => page.topic === topic)).filter(isFilled);
  return {
    sites: topicSites(context, groups),
    entries: [{ host: 'topics-0.test', path: '/' }],
    truth: pages.map(({ document, ...truth }) => truth),
  };
}

function topicSites(context: FeatureContext, groups: TopicPage[][]) {
  const hosts = new Map<string, Record<string, Responder>>();
  for (const group of groups) {
    group.forEach((page, number) => {
      const pages = hosts.get(page.host) ?? {};
      const links = linksWithin(context, group, number, groups);
      pages[page.path] = (visit) => topicPage(context, page, links, visit);
      hosts.set(page.host, pages);
    });
  }
  const home = context.document();
  const first = hosts.get('topics-0.test') ?? {};
  const heads = groups.flatMap((group) => group.slice(0, 1));
  first['/'] = (visit) => htmlResponse(featurePageOf(context, home, { anchors: anchors(visit, heads) }));
  hosts.set('topics-0.test', first);
  return [...hosts].map(([host, pages]) => plannedSiteOf(host, pages));
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

function topicPage(context: FeatureContext, page: TopicPage, links: TopicPage[], visit: Visit) {
  const random = randomFor(context, page.document.number + 1);
  const paragraphs = paragraphsOf(context, page.document);
  const terms = page.topic === null ? undefined : TOPIC_TERMS[page.topic];
  const text = terms ? paragraphs.map((paragraph) => onTopic(paragraph, terms, random)) : paragraphs;
  return htmlResponse(
    featurePageOf(context, page.document, { paragraphs: text, anchors: anchors(visit, links) }),
  );
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
