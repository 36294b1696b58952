/**
 * Structured data for the documents of small-searcher.ts: each is a news article and a product. Some of it is
 * hostile.
 */

import type { OwnCrawl } from '../../src/answer/crawled/own-crawl.ts';
import { ResultDetails } from '../../src/answer/mod.ts';
import { systemClock } from '../../src/base/mod.ts';
import type { SmallSearcher } from './small-searcher.ts';

const HOSTILE_NAME = '\u202E<img src=x onerror=globalThis.hacked=1>\u2066';

export function smallDetails(searcher: SmallSearcher): ResultDetails {
  const pages: OwnCrawl['pages'] = {
    async read(url) {
      const name = url.includes('ocean') || url.includes('salt') ? 'The Ocean Post' : HOSTILE_NAME;
      const items = [itemOf('NewsArticle', { 'publisher.name': name }), itemOf('Product', offerBy(name))];
      const page = { title: '', text: '', items, facts: [], entries: [], fetchedAt: 0 };
      return { kind: 'page', page };
    },
  };
  return new ResultDetails({ searcher, pages }, systemClock);
}

function offerBy(name: string): Record<string, string> {
  return {
    'offers.price': '1234.50',
    'offers.priceCurrency': 'EUR',
    'offers.availability': 'https://schema.org/InStock',
    'offers.seller.name': name,
  };
}

function itemOf(type: string, properties: Record<string, string>) {
  const lists = Object.entries(properties).map(([name, value]) => [name, [value]]);
  return { type, properties: Object.fromEntries(lists) };
}
