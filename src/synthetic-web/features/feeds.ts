/** A feature with feeds in three formats. Each feed has an entry for every hidden page. */
import type { FeatureContext, FeaturePart } from '../feature.ts';
import type { Visit } from '../site.ts';
import {
  type Discovery,
  type DiscoveryTruth,
  type Hidden,
  MODIFIED_AT,
  planDiscovery,
  textResponse,
} from './discovery.ts';

type FeedKind = 'rss' | 'atom' | 'json';

const FEED_KINDS: FeedKind[] = ['rss', 'atom', 'json'];

/** Plans `count` hosts for each format. The home page names the feed in a `link rel=alternate`. */
export function planFeeds(context: FeatureContext, count: number): FeaturePart<DiscoveryTruth<FeedKind>> {
  return planDiscovery(context, 'feed', FEED_KINDS, count, feedDiscovery);
}

function feedDiscovery(kind: FeedKind, hidden: Hidden[]): Discovery {
  const type = { rss: 'application/rss+xml', atom: 'application/atom+xml', json: 'application/feed+json' }[
    kind
  ];
  const file = { rss: '/feed.rss', atom: '/feed.atom', json: '/feed.json' }[kind];
  const write = { rss, atom, json }[kind];
  return {
    file,
    head: `<link rel="alternate" type="${type}" title="News" href="${file}">`,
    files: { [file]: (visit) => textResponse(type, write(visit, hidden)) },
  };
}

function rss(visit: Visit, items: Hidden[]): string {
  const entries = items.map(({ path, title }) => {
    const url = visit.url(visit.host, path);
    return `<item><title>${title}</title><link>${url}</link><guid>${url}</guid><pubDate>${new Date(MODIFIED_AT).toUTCString()}</pubDate></item>\n`;
  });
  return `<?xml version="1.0"?>\n<rss version="2.0"><channel><title>News</title><link>${visit.url(visit.host, '/')}</link>\n${entries.join('')}</channel></rss>\n`;
}

function atom(visit: Visit, items: Hidden[]): string {
  const updated = `<updated>${new Date(MODIFIED_AT).toISOString()}</updated>`;
  const entries = items.map(({ path, title }) => {
    const url = visit.url(visit.host, path);
    return `<entry><title>${title}</title><link href="${url}"/><id>${url}</id>${updated}</entry>\n`;
  });
  return `<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>${visit.url(visit.host, '/')}</id>${updated}\n${entries.join('')}</feed>\n`;
}

function json(visit: Visit, items: Hidden[]): string {
  const entries = items.map(({ path, title }) => {
    const url = visit.url(visit.host, path);
    return { id: url, url, title, date_published: new Date(MODIFIED_AT).toISOString() };
  });
  return JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'News', items: entries });
}
