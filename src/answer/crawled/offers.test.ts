import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOffer } from './offers.ts';

function offerOf(properties: Record<string, string | string[]>, type = 'Product') {
  const lists = Object.entries(properties).map(([name, value]) => [name, [value].flat()]);
  const items = [{ type, properties: Object.fromEntries(lists) }];
  return readOffer({ title: 'A page', text: '', items, facts: [], entries: [], fetchedAt: 0 });
}

const EURO = { name: 'Lamp', 'offers.priceCurrency': 'eur' };

test('an offer has price, currency, seller and availability', () => {
  const said = { 'offers.seller.name': 'Lamps & Co', 'offers.availability': 'https://schema.org/InStock' };
  assert.deepEqual(offerOf({ ...EURO, 'offers.price': '19.90', ...said }), {
    product: 'Lamp',
    amount: 19.9,
    currency: 'EUR',
    isLowest: false,
    seller: 'Lamps & Co',
    availability: 'inStock',
  });
});

test('the lowest of several offers is shown if they have one currency', () => {
  const prices = { 'offers.price': ['12', '9.50', 'call us', '30'] };
  const { amount, isLowest } = offerOf({ ...EURO, ...prices })!;
  assert.deepEqual([amount, isLowest], [9.5, true]);
  const mixed = offerOf({ ...prices, 'offers.priceCurrency': ['EUR', 'USD'] })!;
  assert.deepEqual([mixed.amount, mixed.currency, mixed.isLowest], [12, 'EUR', false]);
  const range = offerOf({ ...EURO, 'offers.lowPrice': '5', 'offers.highPrice': '8' })!;
  assert.deepEqual([range.amount, range.isLowest], [5, true]);
});

test('invalid prices and unknown values are ignored', () => {
  assert.equal(offerOf({ ...EURO, 'offers.price': '1.000,00' }), null);
  assert.equal(offerOf({ ...EURO, 'offers.price': '9', 'offers.priceCurrency': '€' }), null);
  assert.equal(offerOf({ ...EURO, 'offers.price': '9' }, 'Recipe'), null);
  const odd = offerOf({ ...EURO, 'offers.price': '9', 'offers.availability': 'constructor' });
  assert.equal(odd!.availability, null);
});
