import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/mod.ts';
import { MarkKind, type Page } from './page.ts';
import { parsePage } from './parse-page.ts';

const url = canonicalize('https://example.org/dir/page.html')!;

function parse(
  body: string | Uint8Array,
  contentType = 'text/html; charset=utf-8',
  xRobotsTag: string[] = [],
): Page {
  const page = parsePage({ url, contentType, body: Buffer.from(body), xRobotsTag });
  assert.ok(page);
  return page;
}

function textOf(html: string): string {
  return parse(html).text;
}

function linksOf(html: string): string[] {
  return parse(html).links.map((link) => link.url.replace('https://example.org', ''));
}

/** Returns the marked ranges as `kind:text`. */
function marksOf(html: string): string[] {
  const { text, marks } = parse(html);
  const names = Object.fromEntries(Object.entries(MarkKind).map(([name, kind]) => [kind, name]));
  return marks.map((mark) => `${names[mark.kind]}:${text.slice(mark.start, mark.end)}`);
}

test('inline elements do not split words, blocks end lines, replaced elements end words', () => {
  assert.equal(textOf('foo<b>bar</b><x-y>baz</x-y>'), 'foobarbaz');
  assert.equal(textOf('<p>one</p><p>two<div>three</div>four'), 'one\ntwo\nthree\nfour');
  assert.equal(textOf('<table><tr><td>a<td>b<tr><th>c</table>'), 'a\nb\nc');
  assert.equal(
    textOf('one<br>two<img alt=three>four<button>five</button>six'),
    'one two three four five six',
  );
});

test('white space of any kind is folded, also across elements', () => {
  assert.equal(textOf('  a \n\t b&nbsp;&#32; <i> c</i>\u3000d\u2003e <p> </p> <p>\n</p>f '), 'a b c d e\nf');
  assert.equal(textOf('<pre>\n  x\n    y\n</pre>'), 'x y');
});

test('soft hyphens and null characters are removed from words', () => {
  assert.equal(textOf('Donau&shy;dampf\u00adschiff f\0oo'), 'Donaudampfschiff foo');
});

test('elements that browsers do not show give no text', () => {
  const hidden = [
    ...[
      '<script>x</script>',
      '<style>x</style>',
      '<template>x<template>y</template>z</template>',
      '<!-- x -->',
    ],
    ...[
      '<noscript>x</noscript>',
      '<svg><text>x</text><svg>y</svg>z</svg>',
      '<iframe src=/>x</iframe>',
      '<?php x ?>',
    ],
    ...[
      '<title>x</title>',
      '<video>x</video>',
      '<canvas>x</canvas>',
      '<noframes>x</noframes>',
      '<![CDATA[x]]>',
    ],
  ];
  for (const html of hidden) assert.equal(textOf(`a${html}b`).replace(/\s/g, ''), 'ab', html);
});

test('a script ends where browsers end it', () => {
  assert.equal(textOf('<script>"</scripty>" < 1 </SCRIPT\n>a'), 'a');
  assert.equal(textOf('<script><!-- <script>x</script> y --></script>a'), 'a');
  assert.equal(textOf('<script><!-- </script>a'), 'a');
  assert.equal(textOf('<script><!-- <script> --></script>a'), 'a');
});

test('an unclosed script or style hides nothing', () => {
  assert.equal(textOf('a<noscript>b<p>c'), 'ab\nc');
  assert.equal(textOf('a<svg><path><p>b'), 'a\nb');
  assert.equal(textOf('<div><a href=x><svg><path></a>b</div>c'), 'b\nc');
  assert.equal(textOf('<div>a<svg><g></div>b'), 'a\nb');
});

test('in SVG, a slash closes an element', () => {
  assert.equal(textOf('<svg><style/><script/><title/></svg>a'), 'a');
  assert.equal(textOf('<svg/>a'), 'a');
});

test('declarative shadow trees give text', () => {
  assert.equal(textOf('<x-y><template shadowrootmode=open>a</template></x-y>'), 'a');
});

test('a mark has the strongest element around its text', () => {
  assert.deepEqual(marksOf('<h1>A <b>b</b> <a href=x>c</a></h1>d <em>e</em>'), [
    'heading1:A b c',
    'emphasis:e',
  ]);
  assert.deepEqual(marksOf('<b>a <a href=x>b</a> c</b>'), ['emphasis:a', 'link:b', 'emphasis:c']);
  assert.deepEqual(marksOf('<h2>a</h2><h3>b</h3><h4>c</h4><h6>d</h6>'), [
    'heading2:a',
    'heading3:b',
    'heading4:c',
    'heading6:d',
  ]);
  assert.deepEqual(marksOf('<a name=x>no link</a> <i></i><strong> </strong>'), []);
});

test('marks are offsets in UTF-16 units and never cover a space at their edge', () => {
  const page = parse('<p>é漢😀 <b> fett </b>. <mark>x</mark>y');
  assert.equal(page.text, 'é漢😀 fett . xy');
  assert.deepEqual(page.marks, [
    { start: 5, end: 9, kind: MarkKind.emphasis },
    { start: 12, end: 13, kind: MarkKind.emphasis },
  ]);
});

test('a heading that is never closed ends with what is around it', () => {
  assert.deepEqual(marksOf('<div><h1>a<div>b</div>c</div><p>d'), ['heading1:a', 'heading1:b', 'heading1:c']);
  assert.deepEqual(marksOf('<h1>a<h2>b</h1>c'), ['heading1:a', 'heading2:b']);
});

test('links are in order, with their text and alternative texts of images', () => {
  const html =
    '<a href="a?x=1&amp;y=2"> one <b>two</b>\n</a><a href=/b><img alt="three" src=i></a><area href=c alt=four>';
  assert.deepEqual(
    parse(html).links.map((link) => [link.url, link.text]),
    [
      ['https://example.org/dir/a?x=1&y=2', 'one two'],
      ['https://example.org/b', 'three'],
      ['https://example.org/dir/c', 'four'],
    ],
  );
});

test('links are resolved against the base element; fragments and other schemes are ignored', () => {
  assert.deepEqual(linksOf('<a href=x>1</a><base href="/up/"><base href=/no/><a href=y>'), [
    '/up/x',
    '/up/y',
  ]);
  assert.deepEqual(linksOf('<base href="javascript:1"><a href=x>'), ['/dir/x']);
  assert.deepEqual(
    linksOf('<a href="#top"><a href="mailto:a@b"><a href="javascript:void 0"><a href="x#y"><a>'),
    ['/dir/x'],
  );
});

test('frames, refreshes and links that scripts would hide are followed too', () => {
  assert.deepEqual(linksOf('<frame src=a><iframe src=b></iframe><noscript><a href=c>x</a></noscript>'), [
    '/dir/a',
    '/dir/b',
    '/dir/c',
  ]);
  const refreshes = ['0;url=a', ' 5 ; URL = "a"', "1, url='a'x", '0; a'];
  for (const content of refreshes) {
    assert.deepEqual(
      linksOf(`<meta http-equiv=Refresh content="${content.replaceAll('"', '&quot;')}">`),
      ['/dir/a'],
      content,
    );
  }
  for (const content of ['5', '', '5;', ';']) {
    assert.deepEqual(linksOf(`<meta http-equiv=refresh content="${content}">`), [], content);
  }
});

test('links in templates are ignored', () => {
  assert.deepEqual(linksOf('<template><a href=x>x</a><base href=/y/></template><a href=z>'), ['/dir/z']);
});

test('rel=nofollow marks links that are not followed', () => {
  const rels = ['nofollow', 'NOFOLLOW noopener', 'ugc', 'noopener,sponsored', 'noopener', 'nofollowing'];
  const verdicts = rels.map((rel) => parse(`<a href=x rel="${rel}">`).links[0]!.nofollow);
  assert.deepEqual(verdicts, [true, true, true, true, false, false]);
});

test('attributes may be unquoted, duplicate, glued together or full of quotes', () => {
  assert.deepEqual(
    linksOf('<a class=x"y" href=1 href=2><A HREF = \'3\'class=z><a/href=4/><a href="5"title=">">'),
    ['/dir/1', '/dir/3', '/dir/4/', '/dir/5'],
  );
  assert.equal(textOf('<p title="a>b" data-x=\'c>d\' e=f>g'), 'g');
});

test('title, description and language have their fallbacks', () => {
  const full = parse(
    '<html lang="EN_us"><title> A &amp;\n B </title><title>no</title><meta name=Description content=" c\n d ">',
  );
  assert.deepEqual([full.title, full.description, full.language], ['A & B', 'c d', 'en-us']);
  const graph = parse(
    '<meta property=og:title content=T><meta property=og:description content=D><meta http-equiv=content-language content=de>',
  );
  assert.deepEqual([graph.title, graph.description, graph.language], ['T', 'D', 'de']);
  assert.equal(parse('<html lang="<no tag>">').language, '');
  const heading = '<body><p>Home</p><h2>Rivers<a href="#r">¶</a></h2><h1>Lakes</h1>';
  for (const title of ['', '<title> </title>', '<title>Untitled Document</title>'])
    assert.equal(parse(title + heading).title, 'Rivers');
  assert.equal(parse('<title>Untitled</title><p>no heading').title, 'Untitled');
  assert.equal(parse('<svg><title>icon</title></svg><title>page</title>').title, 'page');
});

test('the canonical address counts if it is another page and named in the head', () => {
  const canonical = (html: string) => parse(html).canonical;
  assert.equal(canonical('<link rel=canonical href=/other#x>'), 'https://example.org/other');
  assert.equal(canonical('<base href=/b/><link rel="x Canonical" href=c>'), 'https://example.org/b/c');
  assert.equal(canonical('<link rel=canonical href=page.html>'), null);
  assert.equal(canonical('<link rel=canonical href="ftp://x/">'), null);
  assert.equal(canonical('<link rel=canonical>'), null);
  assert.equal(canonical('<body>word<link rel=canonical href=/other>'), null);
});

test('robots directives of page and headers add up', () => {
  const html =
    '<meta name=robots content=nofollow><meta name=gyre content=noarchive><meta name=googlebot content=nosnippet>';
  assert.deepEqual(parse(html, 'text/html', ['otherbot: nosnippet', 'gyre: noindex']).robots, {
    index: false,
    follow: false,
    archive: false,
    snippet: true,
  });
});

test('XHTML closes elements by a slash and has CDATA', () => {
  const page = parse(
    '<html xml:lang="fr"><head><title/><script src="x"/></head><body><h1/>a<![CDATA[<b>&amp;]]><div/></body></html>',
    'application/xhtml+xml',
  );
  assert.deepEqual([page.text, page.title, page.language, page.marks], ['a<b>&amp;', '', 'fr', []]);
});

test('plain text keeps its paragraphs', () => {
  const page = parse('one\r\ntwo & <b>\r\n\r\nthree\n \n\nfour\n', 'text/plain');
  assert.equal(page.text, 'one two & <b>\nthree\nfour');
  assert.equal(page.contentType, 'text/plain');
  assert.equal(parse('x', 'text/plain', ['noindex']).robots.index, false);
});

test('unsupported types and binary data give null', () => {
  const verdict = (contentType: string, body: string) =>
    parsePage({ url, contentType, body: Buffer.from(body), xRobotsTag: [] });
  assert.equal(verdict('application/pdf', '%PDF'), null);
  assert.equal(verdict('image/png; charset=utf-8', ''), null);
  assert.equal(verdict('text/plain', 'ELF\u0001\u0002\0'), null);
  assert.equal(verdict('', 'hello'), null);
});

test('the content type is read without regard to case, and found from the bytes if it is missing', () => {
  assert.equal(parse(Uint8Array.of(0xe9), 'Text/HTML ; Charset="ISO-8859-1"').text, 'é');
  assert.equal(parse(' <!DOCTYPE html><p>a', '').contentType, 'text/html');
});

test('title, text, links and their texts are bounded, never in the middle of a character', () => {
  const page = parse(`<title>${'t'.repeat(499)}😀</title><h1>${'😀'.repeat(600_000)}</h1><a href=x>late</a>`);
  assert.equal(page.title, 't'.repeat(499));
  assert.equal(page.text, '😀'.repeat(500_000));
  assert.deepEqual(page.marks, [{ start: 0, end: 1_000_000, kind: MarkKind.heading1 }]);
  assert.equal(page.links.length, 1);
  assert.equal(parse('x '.repeat(700_000)).text, 'x '.repeat(500_000).trim());
  const many = parse(`<a href=x>${'y '.repeat(500)}</a>`.repeat(6000));
  assert.equal(many.links.length, 5000);
  assert.equal(many.links[0]!.text, 'y '.repeat(100).trim());
});
