/**
 * Estimates how relevant a link is to a topic before its page is fetched, as in shark search (Hersovici and others,
 * 1998).
 *
 *   own        = 0.7 × relevance of link text and words of the URL + 0.3 × relevance of the text around the link
 *   inherited  = 0.8 × relevance of the page with the link, if the page is on the topic;
 *                otherwise 0.8 × the estimate of the page itself, if that is more
 *   relevance  = half own, half inherited
 *
 * So the estimates decay along a path of pages that are not on the topic, and the crawl continues for a few pages beyond
 * a relevant one before it prefers other paths.
 */
import { MarkKind, type Page } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { TopicClassifier } from './topic-classifier.ts';

const TEXT_SHARE = 0.7;
const HANDED_ON = 0.8;
const OWN_SHARE = 0.5;
/** A page counts as on the topic from this probability. */
const ON_TOPIC = 0.5;
/** Number of characters before and after a link that are read with it. */
const AROUND = 80;

/** Relevances are stored as whole numbers from 1 to 255. 0 means unknown. */
const MOST = 255;

function encodeRelevance(relevance: number): number {
  return Math.min(Math.max(Math.round(relevance * MOST), 1), MOST);
}

function decodeRelevance(stored: number): number {
  return stored / MOST;
}

/**
 * Returns a function that estimates the relevance of a link of the page. `estimate` is the stored estimate of the
 * page from before its fetch; 0 if it is unknown.
 */
export function linkRelevances(
  page: Page,
  estimate: number,
  classifier: TopicClassifier,
): (url: CanonicalUrl) => number {
  const relevance = classifier.relevanceOfPage(page);
  const best = relevance >= ON_TOPIC ? relevance : Math.max(relevance, decodeRelevance(estimate));
  const inherited = HANDED_ON * best;
  const texts = new Map<CanonicalUrl, string>();
  for (const { url, text } of page.links) if (text !== '' && !texts.has(url)) texts.set(url, text);
  const places = placesOfLinks(page);
  return (url) => {
    const text = texts.get(url) ?? '';
    const near = classifier.relevanceOf(`${text} ${wordsOfUrl(url)}`);
    const around = aroundLink(page.text, text, places);
    const own =
      TEXT_SHARE * near + (1 - TEXT_SHARE) * (around === '' ? near : classifier.relevanceOf(around));
    return encodeRelevance(OWN_SHARE * own + (1 - OWN_SHARE) * inherited);
  };
}

/** Returns the offset of the first link with each text. */
function placesOfLinks({ text, marks }: Page): Map<string, number> {
  const places = new Map<string, number>();
  for (const { kind, start, end } of marks) {
    const marked = text.slice(start, end).trim();
    if (kind === MarkKind.link && !places.has(marked)) places.set(marked, start);
  }
  return places;
}

function aroundLink(text: string, linkText: string, places: ReadonlyMap<string, number>): string {
  const at = places.get(linkText);
  return at === undefined ? '' : text.slice(Math.max(0, at - AROUND), at + linkText.length + AROUND);
}

/** Returns the path and the query of a URL as words. */
function wordsOfUrl(url: CanonicalUrl): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/%[0-9A-F]{2}|[^A-Za-z]+/g, ' ');
}
