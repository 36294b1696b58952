import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../../url/mod.ts';
import { parsePage } from '../parse-page.ts';

function parse(body: string) {
  const url = canonicalize('https://example.org/dir/page.html')!;
  const input = { url, contentType: 'text/html', body: Buffer.from(body), xRobotsTag: [] };
  return parsePage(input)!;
}

const FILLER = `<p>${'Words of the content that make the page long enough. '.repeat(9)}</p>`;

test('pictures have their description, title and caption', () => {
  const page = parse(
    `<p>Before</p><figure><img src=tide.png alt="A tide table"><figcaption>High <b>water</b> at noon</figcaption></figure>
<img src="/ebb.jpg?w=200" alt="Ebb &amp; flow" title="The bay">`,
  );
  assert.deepEqual(page.images, [
    { url: 'https://example.org/dir/tide.png', at: 6, alt: 'A tide table', caption: 'High water at noon' },
    { url: 'https://example.org/ebb.jpg?w=200', at: 38, alt: 'Ebb & flow', title: 'The bay' },
  ]);
});

test('decorative pictures are left out', () => {
  const decorative = [
    ...['<img src=a.png alt="">', '<img src=wave-icon.svg alt=wave>', '<img src=wave.png alt=wave width=16>'],
    ...[
      '<img src=helplogoright.png>',
      '<img src="data:image/gif;base64,R0lGOD" alt=dot>',
      '<img alt=nothing>',
    ],
    ...[
      '<img src=wave.png alt=wave role=presentation>',
      '<img src=p1.png alt=image>',
      '<img hidden src=w.png alt=w>',
    ],
    '<nav><a href=/><img src=wave.png alt=wave></a> <a href=/a>One</a> <a href=/b>Two</a></nav>',
  ];
  for (const html of decorative) assert.equal(parse(`${html}${FILLER}`).images, undefined, html);
  const captioned = '<figure><img src=icon.svg alt=""><figcaption>The new icon</figcaption></figure>';
  assert.equal(parse(captioned).images?.[0]?.caption, 'The new icon');
});

test('captions are found in figures that only a class name marks', () => {
  const figures = [
    '<div class="figure"><img src=w.png alt=""><p class="caption">High water</p></div>',
    '<div class="figure align-center"><p class=title><b>High water</b></p><div class="figure-contents"><img src=w.png></div></div>',
    '<div class=image><img src=w.png alt=""/><div class=caption>High water</div></div>',
    '<div class="wp-caption"><a href=/w><img src=w.png></a><p class="wp-caption-text">High water</p></div>',
    '<div class="thumb"><div class="thumbinner"><img src=w.png><div class="thumbcaption">High water</div></div></div>',
    '<figure><p class=caption>High water<img src=w.png alt=""></figure>',
  ];
  for (const html of figures) assert.equal(parse(html).images?.[0]?.caption, 'High water', html);
});

test('a caption belongs only to the pictures of its own figure', () => {
  const page = parse(
    `<img src=ebb.png alt=Ebb><figure><figure><img src=a.png><figcaption>One</figcaption></figure>
<figure><img src=b.png><figcaption>Two</figcaption></figure></figure>
<div class=figure><img src=c.png><p class=caption>Three</p></div><img src=d.png alt=Flow>
<p class=caption>Flow chart</p>`,
  );
  const captions = page.images?.map(({ caption }) => caption ?? '');
  assert.deepEqual(captions, ['', 'One', 'Two', 'Three', '']);
});

test('a description in any script counts, and one that repeats the file name does not', () => {
  const [named, written] = parse('<img src=tide.png alt=tide.png><img src=2.png alt=прилив>').images!;
  assert.equal(named!.alt, undefined);
  assert.equal(written!.alt, 'прилив');
});

test('short blocks of code keep their lines', () => {
  const page = parse(
    '<p>Run:</p><pre><code>npm <b>ci</b> &amp;&amp;\n  npm start\n</code></pre><p>Then wait.',
  );
  assert.equal(page.text, 'Run:\nnpm ci && npm start\nThen wait.');
  assert.deepEqual(page.code, [{ start: 4, end: 24, code: 'npm ci &&\n  npm start' }]);
  assert.equal(parse(`<pre>${'line\n'.repeat(100)}</pre>`).code, undefined, 'a listing is too long');
  assert.equal(parse('<pre>never closed').code, undefined);
});
