import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchResult } from '../../query/mod.ts';
import { imageFacets, imagesOf } from './image-results.ts';

function page(name: string, ...images: [file: string, match: number][]): SearchResult {
  const host = 'a.example';
  return {
    ...{ url: `https://${host}/${name}`, title: name, snippet: '', highlights: [], host, score: 1 },
    fetchedAt: '2026-01-01T00:00:00.000Z',
    images: images.map(([file, match]) => ({ url: `https://${host}/${file}`, label: file, match })),
  };
}

function filesOf(...results: SearchResult[]): string[] {
  const response = { query: '', total: 1, tookMs: 1, partial: false, notes: [], results };
  return imagesOf(response).map(({ label, page }) => `${page.title} ${label}`);
}

test('the words about a picture count more than the rank of its page, and each picture is listed once', () => {
  const found = filesOf(page('one', ['a.png', 0.4]), page('two', ['b.png', 0.9], ['a.png', 0.4]));
  assert.deepEqual(found, ['two b.png', 'one a.png']);
});

test('a picture on many pages of a site belongs to its template', () => {
  const pages = ['one', 'two', 'three', 'four'].map((name) =>
    page(name, ['brand.png', 1], [`${name}.png`, 0.5]),
  );
  const found = filesOf(...pages);
  assert.equal(found.length, 4);
  assert.ok(found.every((text) => !text.includes('brand')));
});

test('the filters count pictures, not pages', () => {
  const results = [
    page('one', ['a.png', 1], ['b.png', 0.9]),
    { ...page('two', ['c.png', 1]), language: 'de-AT' },
  ];
  const response = { query: '', total: 2, tookMs: 1, partial: false, notes: [], results };
  const { counted, sites, languages } = imageFacets(imagesOf(response));
  assert.equal(counted, 3);
  assert.deepEqual(sites, [{ value: 'a.example', count: 3 }]);
  assert.deepEqual(languages, [{ value: 'de', count: 1 }]);
});
