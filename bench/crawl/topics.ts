/**
 * Measures the order in which a topical crawl fetches pages. The web is that of the synthetic web's feature `topic`,
 * whose pages are parsed as in a crawl; the frontier fetches one page at a time and without delays.
 *
 *   ours        the frontier with the estimates of `crawl/topics`; the topic is trained with a few labelled pages
 *   best-first  the unfetched URL whose linking page is most similar to the same examples (cosine of word counts)
 *   breadth     pages in the order in which their first link was found
 *   ideal       the pages on the topic first, which no crawler can know beforehand
 *
 * A curve has the share of the pages on the topic that are among the first 10 %, 20 % and so on of the pages (recall).
 * The harvest is the share of the pages on the topic among the pages that were fetched. At the same number of pages,
 * the ratio of two harvests is the ratio of the recalls.
 */
import { Heap } from '../../src/base/mod.ts';
import {
  type LabelledText,
  linkRelevances,
  TopicClassifier,
  textOfPage,
  trainTopic,
} from '../../src/crawl/topics/mod.ts';
import { wordFeaturesOf } from '../../src/crawl/topics/topic-features.ts';
import { type Page, parsePage } from '../../src/page/mod.ts';
import { planWeb } from '../../src/synthetic-web/plan.ts';
import type { Visit } from '../../src/synthetic-web/site.ts';
import { type CanonicalUrl, canonicalize } from '../../src/url/mod.ts';
import { breadthFirst, type LinkedPages, type OrderRow, ourOrder } from './order.ts';

const TOPIC = 'sailing';
const PORT = 80;
/** Number of examples of each class with which the topic is trained. */
const EXAMPLES = 5;
const STEPS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

interface LabelledPages {
  examples: LabelledText[];
  others: LabelledText[];
}

interface TopicWeb extends LinkedPages {
  pages: readonly Page[];
  isOnTopic: readonly boolean[];
}

/** Compares the orders on one web with `count` pages on topics and as many others. */
export async function compareTopicOrders(
  kind: 'topic' | 'scatteredTopic',
  count: number,
  seed: number,
): Promise<OrderRow[]> {
  const web = topicWeb(kind, count, seed);
  const { examples } = splitExamples(web, EXAMPLES);
  const classifier = new TopicClassifier(trainTopic(examples));
  const relevancesOf = (page: number, estimate: number) => {
    const relevanceOf = linkRelevances(web.pages[page]!, estimate, classifier);
    return Uint8Array.from(web.links[page]!, (link) => relevanceOf(web.urls[link]!));
  };
  const wanted = examples.filter(({ isOnTopic }) => isOnTopic).map(({ text }) => text);
  const numbers = [...web.pages.keys()];
  const ideal = numbers.sort((a, b) => Number(web.isOnTopic[b]) - Number(web.isOnTopic[a]));
  return [
    { name: 'ours', curve: recallOf(web, await ourOrder(web, relevancesOf)) },
    { name: 'best-first', curve: recallOf(web, bestFirst(web, wanted.join('\n'))) },
    { name: 'breadth', curve: recallOf(web, breadthFirst(web)) },
    { name: 'ideal', curve: recallOf(web, ideal) },
  ];
}

/** Returns the pages of a web with topics: some examples of each class, and the other pages. */
export function labelledPages(pages: number, count: number): LabelledPages {
  return splitExamples(topicWeb('topic', pages, 1), count);
}

function splitExamples(web: TopicWeb, count: number): LabelledPages {
  const texts = web.pages.map((page, at) => ({ text: textOfPage(page), isOnTopic: web.isOnTopic[at]! }));
  const examples = [true, false].flatMap((kind) =>
    texts.filter(({ isOnTopic }) => isOnTopic === kind).slice(-count),
  );
  return { examples, others: texts.filter((text) => !examples.includes(text)) };
}

function topicWeb(kind: 'topic' | 'scatteredTopic', count: number, seed: number): TopicWeb {
  const plan = planWeb({ seed, hosts: 1, pages: 1, features: { [kind]: count } });
  const home = { host: plan.truth[kind][0]!.host, path: '/', topic: null };
  const places = [home, ...plan.truth[kind]];
  const urlOf = (host: string, path: string) => canonicalize(`http://${host}${path}`)!;
  const pages = places.map(({ host, path }) => {
    const url = urlOf(host, path);
    const visit = { host, path, port: PORT, url: urlOf } as unknown as Visit;
    const body = Buffer.from(plan.sites.get(host)!.answer(visit)!.body as string);
    return parsePage({ url, contentType: 'text/html; charset=utf-8', body, xRobotsTag: [] })!;
  });
  const urls = places.map(({ host, path }) => urlOf(host, path));
  const numbers = new Map<string, number>(urls.map((url: CanonicalUrl, number) => [url, number]));
  const links = pages.map((page) => [...new Set(page.links.map(({ url }) => numbers.get(url)!))]);
  return { urls, numbers, links, pages, isOnTopic: places.map(({ topic }) => topic === TOPIC) };
}

function bestFirst({ pages, links }: TopicWeb, wanted: string): number[] {
  const target = wordFeaturesOf(wanted).counts;
  const waiting = new Heap<{ page: number; similarity: number }>((a, b) => a.similarity > b.similarity);
  const seen = new Set([0]);
  const order: number[] = [];
  waiting.push({ page: 0, similarity: 1 });
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    order.push(next.page);
    const similarity = cosine(wordFeaturesOf(textOfPage(pages[next.page]!)).counts, target);
    for (const page of links[next.page]!) {
      if (seen.has(page)) continue;
      seen.add(page);
      waiting.push({ page, similarity });
    }
  }
  return order;
}

function cosine(left: ReadonlyMap<number, number>, right: ReadonlyMap<number, number>): number {
  let product = 0;
  for (const [bucket, count] of left) product += count * (right.get(bucket) ?? 0);
  return product / (norm(left) * norm(right));
}

function norm(counts: ReadonlyMap<number, number>): number {
  return Math.sqrt(counts.values().reduce((sum, count) => sum + count * count, 0));
}

function recallOf({ isOnTopic }: TopicWeb, order: readonly number[]): Record<string, number> {
  const total = isOnTopic.filter(Boolean).length;
  const curve: Record<string, number> = {};
  for (const step of STEPS) {
    const first = order.slice(0, Math.round(isOnTopic.length * step));
    const found = first.filter((page) => isOnTopic[page]).length;
    curve[`${step * 100}%`] = Math.round((found / total) * 1000) / 1000;
  }
  return curve;
}
