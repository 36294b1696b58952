/**
 * Reads the price on a product page: the first schema.org Product that has an Offer with a price. If there
 * are several offers in one currency, the lowest is taken and `isLowest` is set.
 */
import { cutText } from '../asking/mod.ts';
import { propertyOf, type ReadablePage, type StructuredThing, thingsOf } from './own-crawl.ts';

const AVAILABILITIES = ['inStock', 'limited', 'outOfStock', 'preOrder', 'backOrder', 'discontinued'] as const;
type Availability = (typeof AVAILABILITIES)[number];

export interface Offer {
  /** The product name; empty if unknown. */
  product: string;
  amount: number;
  /** The currency code by ISO 4217, in capitals: `EUR`. */
  currency: string;
  /** True if other offers have a higher price. */
  isLowest: boolean;
  /** The name of the seller; empty if unknown. */
  seller: string;
  /** The availability; null if the page does not state it, or uses an unknown value. */
  availability: Availability | null;
}

const PRODUCTS = new Set(['Product', 'ProductGroup', 'IndividualProduct', 'ProductModel']);
const PRICES = ['offers.price', 'offers.priceSpecification.price', 'offers.offers.price'];
const CURRENCIES = [
  'offers.priceCurrency',
  'offers.priceSpecification.priceCurrency',
  'offers.offers.priceCurrency',
];
/** For each name of an availability in schema.org, in lower case, the value that it means. */
const AVAILABILITY_OF: Readonly<Record<string, Availability>> = {
  instock: 'inStock',
  onlineonly: 'inStock',
  instoreonly: 'inStock',
  limitedavailability: 'limited',
  outofstock: 'outOfStock',
  soldout: 'outOfStock',
  reserved: 'outOfStock',
  preorder: 'preOrder',
  presale: 'preOrder',
  backorder: 'backOrder',
  madetoorder: 'backOrder',
  discontinued: 'discontinued',
};

/** Reads the offer on a page. Returns null if the page states no price. */
export function readOffer(page: ReadablePage): Offer | null {
  for (const product of thingsOf(page, PRODUCTS)) {
    const price = priceOf(product);
    if (!price) continue;
    const seller = propertyOf(product, 'offers.seller.name', 'offers.offers.seller.name');
    return {
      product: cutText(propertyOf(product, 'name') || page.title, 120),
      ...price,
      seller: cutText(seller, 60),
      availability: availabilityOf(product),
    };
  }
  return null;
}

/** Parses a machine-readable amount such as `12.50`; null if it is not a price. */
export function readAmount(value: string): number | null {
  return /^\d{1,9}(?:\.\d{1,4})?$/.test(value) ? Number(value) : null;
}

export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/i.test(code);
}

function priceOf(product: StructuredThing): Pick<Offer, 'amount' | 'currency' | 'isLowest'> | null {
  const currencies = valuesOf(product, CURRENCIES);
  const currency = currencies[0] ?? '';
  if (!isCurrency(currency)) return null;
  const lowest = readAmount(propertyOf(product, 'offers.lowPrice'));
  const prices = valuesOf(product, PRICES)
    .map(readAmount)
    .filter((amount) => amount !== null);
  const isOneCurrency = currencies.every((each) => each === currency);
  const asked = isOneCurrency ? prices : prices.slice(0, 1);
  const amount = lowest ?? Math.min(...asked);
  if (!Number.isFinite(amount)) return null;
  const highest = Math.max(readAmount(propertyOf(product, 'offers.highPrice')) ?? amount, ...asked);
  return { amount, currency: currency.toUpperCase(), isLowest: highest > amount };
}

/** Returns all values of one property: the first of `names` that the item has. */
function valuesOf({ properties }: StructuredThing, names: readonly string[]): readonly string[] {
  const name = names.find((each) => Object.hasOwn(properties, each) && properties[each]!.length > 0);
  return name === undefined ? [] : properties[name]!;
}

/**
 * Returns the availability of a product. In the page it is a URL (`https://schema.org/InStock`) or only its
 * last segment.
 */
function availabilityOf(product: StructuredThing): Availability | null {
  const said = propertyOf(product, 'offers.availability', 'offers.offers.availability');
  const name = said.split('/').at(-1)!.toLowerCase();
  return Object.hasOwn(AVAILABILITY_OF, name) ? AVAILABILITY_OF[name]! : null;
}
