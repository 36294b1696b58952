/**
 * Makes the shopping box from a product search service with eBay's Browse API. It requests an application
 * token by the client credentials grant (RFC 6749, 4.4), then `item_summary/search`. The token is kept until
 * shortly before it expires.
 */
import type { Answer, AnswerBox, AnswerContext, AnswerLink } from '../answer-box.ts';
import { formatPrice, productOf } from '../crawled/mod.ts';
import type { AnswerWords } from '../messages/mod.ts';
import { addressBelow, fetchJson, pickList, pickNumber, pickText } from './remote.ts';

interface EbayOptions {
  /** The URL of the service, for example `https://api.ebay.com`. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** The eBay marketplace, for example `EBAY_US`. */
  marketplace: string;
}

const SCOPE = 'https://api.ebay.com/oauth/api_scope';
const FIVE_MINUTES = 300_000;
const SHOWN = 5;
/** The number of seconds before its expiry at which a token is renewed. */
const MARGIN_SECONDS = 60;

export function ebay(options: EbayOptions): AnswerBox {
  let token = { value: '', until: 0 };

  async function currentToken(now: number, signal: AbortSignal): Promise<string> {
    if (token.until <= now) token = await askToken(options, now, signal);
    return token.value;
  }

  return {
    name: 'ebay',
    cacheMs: FIVE_MINUTES,
    matches: (query) => productOf(query) !== null,
    async answer(query, context, signal) {
      const { now, words } = context;
      const product = productOf(query)!;
      const answer = await fetchJson({
        url: addressBelow(options.url, '/buy/browse/v1/item_summary/search', {
          q: product,
          limit: String(SHOWN),
        }),
        signal,
        headers: {
          authorization: `Bearer ${await currentToken(now, signal)}`,
          'x-ebay-c-marketplace-id': options.marketplace,
        },
      });
      const links = pickList(answer, 'itemSummaries').flatMap((item) => linkOf(item, words));
      return offersAnswer(product, links, options, context);
    },
  };
}

async function askToken({ url, clientId, clientSecret }: EbayOptions, now: number, signal: AbortSignal) {
  const answer = await fetchJson({
    url: addressBelow(url, '/identity/v1/oauth2/token', {}),
    signal,
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }).toString(),
  });
  const seconds = (pickNumber(answer, 'expires_in') ?? 0) - MARGIN_SECONDS;
  return { value: pickText(answer, 'access_token'), until: now + seconds * 1000 };
}

function linkOf(item: unknown, words: AnswerWords): AnswerLink[] {
  const title = pickText(item, 'title');
  const url = pickText(item, 'itemWebUrl');
  const price = formatPrice(pickText(item, 'price', 'value'), pickText(item, 'price', 'currency'), words);
  if (title === '' || !/^https?:/.test(url) || price === '') return [];
  const seller = pickText(item, 'seller', 'username');
  return [{ title, url, detail: seller === '' ? price : `${price}, ${seller}` }];
}

function offersAnswer(
  product: string,
  links: AnswerLink[],
  { url }: EbayOptions,
  { now, words }: AnswerContext,
): Answer | null {
  if (links.length === 0) return null;
  return {
    kind: 'shopping',
    title: words.text('shopping.title', { product }),
    text: '',
    facts: [],
    links,
    source: { name: new URL(url).hostname, url: new URL(url).origin },
    time: new Date(now).toISOString(),
  };
}
