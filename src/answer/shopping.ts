/**
 * Shopping from one's own crawl: products among the results that say a price (schema.org's Product with an Offer).
 * Asked for by a word that means buying; the order is that of the results, never that of a purse.
 */
import type { AnswerBox, AnswerLink } from './answer-box.ts';
import { cutText } from './names.ts';
import {
  bestPages,
  type FoundPage,
  type OwnCrawl,
  propertyOf,
  type StructuredThing,
  thingsOf,
} from './own-crawl.ts';

const FIVE_MINUTES = 300_000;
const LOOKED_AT = 20;
const SHOWN = 5;
const TYPES = new Set(['Product', 'ProductGroup', 'IndividualProduct', 'ProductModel']);

export function shopping(crawl: OwnCrawl): AnswerBox {
  return {
    name: 'shopping',
    cacheMs: FIVE_MINUTES,
    matches: (query) => productOf(query) !== null,
    async answer(query, _context, signal) {
      const product = productOf(query)!;
      const found = await bestPages(crawl, product, LOOKED_AT, signal);
      const offers = found.flatMap((each) => offerOf(each)).slice(0, SHOWN);
      if (offers.length === 0) return null;
      return {
        kind: 'shopping',
        title: `Offers for ${product}`,
        text: 'Prices are of the day when the page was fetched.',
        facts: [],
        links: offers.map(({ link }) => link),
        source: { name: 'Pages of this index', url: '' },
        time: new Date(Math.min(...offers.map(({ fetchedAt }) => fetchedAt))).toISOString(),
      };
    },
  };
}

/** What is to be bought: `buy red lamp`, `red lamp price`; null if nothing is. */
export function productOf(query: string): string | null {
  const found =
    /^(?:buy|shop for|price of|cheap|cheapest)\s+(.{2,80})$/i.exec(query.trim()) ??
    /^(.{2,80}?)\s+(?:price|prices|for sale|buy|offers|deals)$/i.exec(query.trim());
  return found ? found[1]! : null;
}

/** `12.50 EUR` in the way that is usual; empty if it is no price. */
export function formatPrice(value: string, currency: string): string {
  const amount = /^\d{1,9}(?:\.\d{1,4})?$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isNaN(amount) || !/^[A-Z]{3}$/i.test(currency)) return '';
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}

function offerOf({ url, host, page }: FoundPage): { link: AnswerLink; fetchedAt: number }[] {
  for (const product of thingsOf(page, TYPES)) {
    const price = priceOf(product);
    const title = cutText(propertyOf(product, 'name') || page.title, 120);
    if (price === '' || title === '') continue;
    const shop = cutText(propertyOf(product, 'offers.seller.name', 'offers.offers.seller.name') || host, 60);
    return [{ link: { title, url, detail: `${price}, ${shop}` }, fetchedAt: page.fetchedAt }];
  }
  return [];
}

function priceOf(product: StructuredThing): string {
  const value = propertyOf(
    product,
    'offers.price',
    'offers.lowPrice',
    'offers.priceSpecification.price',
    'offers.offers.price',
  );
  const currency = propertyOf(
    product,
    'offers.priceCurrency',
    'offers.priceSpecification.priceCurrency',
    'offers.offers.priceCurrency',
  );
  return formatPrice(value, currency);
}
