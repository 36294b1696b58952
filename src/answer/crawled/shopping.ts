/**
 * Makes the shopping box from crawled pages: product pages (`kind:product`) that state a price (schema.org's
 * Product with an Offer). The query must contain a word that means buying. Offers are in the order of the
 * search results, not sorted by price.
 */
import type { AnswerBox, AnswerLink } from '../answer-box.ts';
import type { AnswerWords } from '../messages/mod.ts';
import { isCurrency, readAmount, readOffer } from './offers.ts';
import { bestPages, type FoundPage, type OwnCrawl } from './own-crawl.ts';

const FIVE_MINUTES = 300_000;
const LOOKED_AT = 20;
const SHOWN = 5;
/** Matches words for buying before the product, in the UI languages. */
const BEFORE =
  /^(?:buy|shop for|price of|cheap(?:est)?|kaufe|acheter|prix (?:de |du )?|شراء|سعر)\s+(.{2,80})$/i;
const BEHIND = /^(.{2,80}?)\s+(?:prices?|for sale|buy|offers|deals|kaufen|preise?|angebote|prix|للبيع)$/i;

export function shopping(crawl: OwnCrawl): AnswerBox {
  return {
    name: 'shopping',
    cacheMs: FIVE_MINUTES,
    matches: (query) => productOf(query) !== null,
    async answer(query, context, signal) {
      const { words } = context;
      const product = productOf(query)!;
      const found = await bestPages(crawl, `${product} kind:product`, LOOKED_AT, context, signal);
      const offers = found.flatMap((each) => offerOf(each, words)).slice(0, SHOWN);
      if (offers.length === 0) return null;
      return {
        kind: 'shopping',
        title: words.text('shopping.title', { product }),
        text: words.text('shopping.note'),
        facts: [],
        links: offers.map(({ link }) => link),
        source: { name: words.text('ownPages'), url: '' },
        time: new Date(Math.min(...offers.map(({ fetchedAt }) => fetchedAt))).toISOString(),
      };
    },
  };
}

/**
 * Returns the product of a shopping query: `buy red lamp`, `red lamp price`, `rote Lampe kaufen`; null for
 * other queries.
 */
export function productOf(query: string): string | null {
  const found = BEFORE.exec(query.trim()) ?? BEHIND.exec(query.trim());
  return found ? found[1]! : null;
}

/**
 * Formats a price such as `12.50 EUR` for the language of the searcher; the empty string if `value` is not a
 * price.
 */
export function formatPrice(value: string, currency: string, words: AnswerWords): string {
  const amount = readAmount(value);
  return amount === null || !isCurrency(currency) ? '' : words.price(amount, currency);
}

function offerOf(
  { url, host, page }: FoundPage,
  words: AnswerWords,
): { link: AnswerLink; fetchedAt: number }[] {
  const offer = readOffer(page);
  if (!offer || offer.product === '') return [];
  const { amount, currency, seller } = offer;
  const detail = `${words.price(amount, currency)}, ${seller || host}`;
  return [{ link: { title: offer.product, url, detail }, fetchedAt: page.fetchedAt }];
}
