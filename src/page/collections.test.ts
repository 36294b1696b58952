import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanonicalUrl } from '../url/mod.ts';
import { type CollectionArea, collectionFinder } from './collections.ts';

const seed = (name: string, url: string, area: CollectionArea) => ({ name, seed: url as CanonicalUrl, area });

test('a URL is in the collections of the seeds whose area contains it', () => {
  const find = collectionFinder([
    seed('all', 'https://www.a.org/', 'domain'),
    seed('blog', 'https://blog.a.org/', 'host'),
    seed('docs', 'https://a.org/docs/index.html?x=1', 'prefix'),
    seed('all', 'https://b.org/', 'host'),
  ]);
  const table: [string, string[]][] = [
    ['https://a.org/', ['all']],
    ['https://blog.a.org/1', ['all', 'blog']],
    ['https://a.org/docs/guide', ['all', 'docs']],
    ['https://a.org/docs', ['all']],
    ['http://a.org/docs/guide', ['all']],
    ['https://b.org/x', ['all']],
    ['https://www.b.org/', []],
  ];
  for (const [url, names] of table) assert.deepEqual(find(url as CanonicalUrl), names, url);
});
