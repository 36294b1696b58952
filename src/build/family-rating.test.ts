import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyRatingOf } from './family-rating.ts';
import { indexDocumentOf } from './index-document.ts';
import { pageRecord } from './journal.fixture.ts';

test('a page is for adults if its label, its data or its words say so', () => {
  const rated = (text: string, page: Parameters<typeof pageRecord>[2] = {}) =>
    familyRatingOf(pageRecord('a', text, page).page);
  const explicit = 'porn milf blowjob creampie hentai videos. '.repeat(9);
  assert.equal(rated('text', { rating: 'mature' }), 'mature');
  const clip = { type: 'VideoObject', properties: { isFamilyFriendly: ['false'] } };
  assert.equal(rated('text', { structured: [clip] }), 'adult');
  assert.equal(rated('text', { openGraph: { 'restrictions:age': '18+' } }), 'adult');
  assert.equal(rated(explicit), 'adult');
  assert.equal(rated('A page about tides.'), '');
});

test('the rating is part of the type of a document, beside its kind', () => {
  const structured = [{ type: 'Product', properties: {} }];
  const { type } = indexDocumentOf(pageRecord('a', 'text', { rating: 'adult', structured }));
  assert.equal(type, 'html/product;adult');
});
