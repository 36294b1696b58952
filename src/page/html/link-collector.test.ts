import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../../url/mod.ts';
import { headingLevel } from '../page.ts';
import { parsePage } from '../parse-page.ts';

function parsed(body: string) {
  const url = canonicalize('https://example.org/')!;
  return parsePage({ url, contentType: 'text/html', body: Buffer.from(body), xRobotsTag: [] })!;
}

test('links that are marks give no text', () => {
  const table: [string, string][] = [
    ['<h2>Usage<a href="#usage">¶</a></h2>', 'Usage'],
    ['<h2><a href="#usage">◆&nbsp;</a>usage()</h2>', 'usage()'],
    [
      '<dt>sort(list)<a href="src.html#sort"><span>[source]</span></a><a href="#sort">¶</a></dt>',
      'sort(list)',
    ],
    ['<p>fn sort <a class="srclink" href="/src/sort">source</a></p>', 'fn sort'],
    ['<p>see the <a href="/src/sort">source</a> of it</p>', 'see the source of it'],
    ['<p><a href="/c">#</a> <a href="/c-sharp">C#</a></p>', '# C#'],
    [
      '<p>by <a class="src" href="/ann">Ann</a>, <a href="#note">*</a> and <a href="#2">2</a></p>',
      'by Ann, and 2',
    ],
  ];
  for (const [body, text] of table) assert.equal(parsed(body).text, text, body);
});

test('a mark within a heading does not split it, and words beside a mark stay separate', () => {
  const { text, marks } = parsed('<h1>Ünder <a href="#x">¶</a> way</h1><p>one<a href="#y">¶</a>two</p>');
  assert.equal(text, 'Ünder way\nonetwo');
  const headings = marks.filter(({ kind }) => headingLevel(kind) > 0);
  assert.deepEqual(
    headings.map(({ start, end }) => text.slice(start, end)),
    ['Ünder way'],
  );
  assert.equal(marks.length, 1);
});
