import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedUrls, withSeeds } from './seed.ts';
import { readSeedFile } from './seed-file.ts';

const OPML = `<?xml version="1.0"?>
<opml version="2.0"><body>
<outline text="News &amp; views">
  <outline type="rss" xmlUrl="https://a.org/feed?x=1&amp;y=2" htmlUrl="https://a.org/"/>
</outline>
<outline text="bad" xmlUrl="ftp://a.org/"/>
</body></opml>`;

const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://b.org/page" ADD_DATE="1">B</A>
<DT><A HREF="javascript:alert(1)">script</A>
<DT><A HREF="place:sort=8">browser</A>
</DL>`;

const SITEMAP = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>
  https://c.org/1
</loc></url><url><loc>https://c.org/?a=1&#38;b=2</loc></url></urlset>`;

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="https://d.org/feed"/>
<entry><link href="https://d.org/1"/></entry><entry><link rel="alternate" href='https://d.org/2'/></entry></feed>`;

const RSS = '<rss><channel><item><link>https://e.org/1</link></item></channel></rss>';

const TABLE: [name: string, text: string, urls: string[], badLines: number[]][] = [
  [
    'text',
    'a.org\n\n# all\nhttps://b.org/#top # note\r\nnot a host!\nmailto:x@y.z',
    ['https://a.org/', 'https://b.org/'],
    [5, 6],
  ],
  ['byte order mark', '\ufeffa.org', ['https://a.org/'], []],
  ['OPML', OPML, ['https://a.org/feed?x=1&y=2', 'https://a.org/'], [6]],
  ['bookmarks', BOOKMARKS, ['https://b.org/page'], []],
  ['sitemap', SITEMAP, ['https://c.org/1', 'https://c.org/?a=1&b=2'], []],
  ['Atom', ATOM, ['https://d.org/1', 'https://d.org/2'], []],
  ['RSS', RSS, ['https://e.org/1'], []],
];

test('every format gives its URLs, and bad lines are reported by number', () => {
  for (const [name, text, urls, badLines] of TABLE) {
    const { seeds, problems } = readSeedFile(text);
    assert.deepEqual(seedUrls(seeds), urls, name);
    assert.deepEqual(
      problems.map(({ line }) => line),
      badLines,
      name,
    );
  }
});

test('a line of a seed file has options for its seed', () => {
  const { seeds, problems } = readSeedFile(
    'a.org collection=News,jobs area=prefix\nb.org colour=red\nc.org collection=a/b\nd.org area=planet',
  );
  assert.deepEqual(seeds, [{ url: 'https://a.org/', collections: ['news', 'jobs'], area: 'prefix' }]);
  assert.match(problems[0]!.reason, /"colour=red" is not an option of a seed; write collection=NAME/);
  assert.match(problems[1]!.reason, /"a\/b" is not the name of a collection/);
  assert.match(problems[2]!.reason, /area=domain\|host\|prefix/);
});

test('naming a seed again without a collection keeps its collections, with one replaces them', () => {
  const none = { format: 1, seeds: [], contact: '', samplePort: null };
  const given = (text: string) => readSeedFile(text).seeds;
  const first = withSeeds(none, given('a.org collection=one\nb.org collection=two'), '');
  assert.deepEqual(withSeeds(first, given('a.org'), '').collections, first.collections);
  const changed = withSeeds(first, given('a.org collection=three'), '');
  assert.deepEqual(
    changed.collections!.map(({ name, seed }) => `${name} ${seed}`),
    ['two https://b.org/', 'three https://a.org/'],
  );
});
