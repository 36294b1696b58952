import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { inertCopy } from './inert-copy.ts';

function copyOf(html: string, find: (text: string) => [number, number][] = () => [], maxBytes = 1e6) {
  const url = canonicalize('https://example.org/dir/page')!;
  const input = { url, contentType: 'text/html; charset=utf-8', body: Buffer.from(html), xRobotsTag: [] };
  return inertCopy(input, { find, maxBytes });
}

/** Yields the elements that a browser would create from the markup. */
function* elements(markup: string): Generator<DefaultTreeAdapterTypes.Element> {
  const open: DefaultTreeAdapterTypes.Node[] = [parse(markup)];
  for (let node = open.pop(); node; node = open.pop()) {
    if ('attrs' in node) yield node;
    if ('childNodes' in node) open.push(...node.childNodes);
    if ('content' in node) open.push(node.content);
  }
}

test('a copy keeps the text and the layout', () => {
  assert.equal(
    copyOf('<h1 class=big>A &amp; B</h1><p style="color: red">c &lt;d&gt;<br>e</p>').markup,
    '<h1 class="big">A &#38; B</h1><p style="color: red">c &#60;d&#62;<br>e</p>',
  );
});

test('active elements are removed with their content', () => {
  const html = `a<script>x()</script>b<script src=//evil.example></script>c<iframe src=x>y</iframe>d
<object data=x><p>y</object>e<svg onload=x()><a href=y>z</a></svg>f<video autoplay src=x>g</video>h
<form action=//evil.example><input name=q><button>i</button></form><meta http-equiv=refresh content=0>
<link rel=dns-prefetch href=//evil.example><base href=//evil.example target=x><img src=x onerror=y() alt=picture>
<template><script>x()</script></template><noscript><b>j</b></noscript><embed src=x>k`;
  const { markup } = copyOf(html);
  assert.doesNotMatch(
    markup,
    /script|iframe|object|svg|video|form|input|meta|link|base|embed|src=|evil|on\w+=/,
  );
  assert.match(markup.replaceAll(/<[^>]*>|\s/g, ''), /^abcdefhijk$/);
  assert.match(markup, /<img alt="picture">/);
});

test('links become absolute and open outside the copy; other schemes are removed', () => {
  const { markup } = copyOf(
    '<a href="../x?y&amp;z">1</a><a href="javascript:x()">2</a><a href="#part">3</a>',
  );
  assert.equal(
    markup,
    '<a href="https://example.org/x?y&#38;z" target="_blank" rel="noopener noreferrer nofollow">1</a><a>2</a><a href="#part">3</a>',
  );
});

test('links are relative to the base of the page', () => {
  assert.match(
    copyOf('<base href="/other/"><a href=x>1</a>').markup,
    /href="https:\/\/example\.org\/other\/x"/,
  );
});

test('a style sheet keeps its rules and loses its URLs', () => {
  const { markup } = copyOf('<style>@import "x"; a { background: url(//evil.example/x) red }</style><p>b');
  assert.equal(markup, '<style>  a { background: none red }</style><p>b');
  assert.equal(
    copyOf('<p style="background: u\\72 l(x) \\55RL(y) \\url(z)">').markup,
    '<p style="background: none none none">',
  );
});

test('words are highlighted in text only', () => {
  const find = (text: string) =>
    Array.from(text.matchAll(/one/g), ({ index }): [number, number] => [index, index + 3]);
  assert.equal(
    copyOf('<p title=one>one &amp; one</p>', find).markup,
    '<p title="one"><mark>one</mark> &#38; <mark>one</mark></p>',
  );
});

test('a long page is cut', () => {
  const { markup, isCut } = copyOf(`<p>${'x'.repeat(1000)}`, undefined, 100);
  assert.equal(isCut, true);
  assert.equal(markup, `<p>${'x'.repeat(97)}`);
  assert.equal(copyOf('<p>short').isCut, false);
});

test('the copy of a broken page has no active element or attribute', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const pieces = [
    ...[
      '<script>',
      '</script>',
      '<',
      '>',
      '"',
      "'",
      '=',
      ' ',
      '/',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      'a',
      '\0',
    ],
    ...[
      '<svg>',
      '</svg>',
      '<style>',
      '</style>',
      '<img src=x onerror=y()>',
      '<a href="',
      'javascript:',
      '<math>',
    ],
    ...[
      '<title>',
      '</title>',
      '<textarea>',
      '<noscript>',
      '<xmp>',
      '<plaintext>',
      '<p onclick=x ',
      '<body onload=x>',
    ],
    ...[
      '<template>',
      '<select>',
      '<option>',
      '<table>',
      '<iframe srcdoc="',
      '&lt;script&gt;',
      '&#60;',
      '<mtext>',
    ],
  ];
  for (let round = 0; round < 2000; round++) {
    const html = Array.from({ length: 12 }, () => pieces[Math.floor(random.next() * pieces.length)]).join('');
    const { markup } = copyOf(html, (text) => (text.length > 1 ? [[0, 1]] : []));
    for (const { tagName, attrs } of elements(`<!doctype html><body>${markup}`)) {
      assert.doesNotMatch(
        tagName,
        /^(?:script|iframe|svg|math|template|object|form|base|meta|link|select|textarea)$/,
        `seed ${seed}: ${html}`,
      );
      for (const { name, value } of attrs) {
        assert.doesNotMatch(name, /^(?:on.*|src.*)$/, `seed ${seed}: ${html}`);
        if (name === 'href') assert.match(value, /^(?:https?:|#)/, `seed ${seed}: ${html}`);
      }
    }
  }
});

/** Returns the nesting depth of the deepest element that a browser would create from the markup. */
function depthOf(markup: string): number {
  let deepest = 0;
  const open: [DefaultTreeAdapterTypes.Node, number][] = [[parse(markup), 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, depth] = next;
    deepest = Math.max(deepest, depth);
    if ('childNodes' in node) for (const child of node.childNodes) open.push([child, depth + 1]);
  }
  return deepest;
}

test('too deeply nested elements lose their tags and keep their text', () => {
  const patterns = [
    ...['<div>x', '<b>x', '<span>x', '<b><div>x</b>', '<span><div>x</span>', '<table><tr><td>x', '<my-tag>x'],
    ...[
      '<div><table><tr><td>x</div>',
      '<dd><li>x',
      '<ul><li>x',
      '<p><table><tr><td><p>x',
      '<blockquote><p>x',
    ],
  ];
  for (const pattern of patterns) {
    const { markup } = copyOf(pattern.repeat(3000));
    assert.ok(depthOf(`<!doctype html>${markup}`) < 700, `${pattern}: ${depthOf(markup)}`);
    assert.equal(markup.match(/x/g)!.length, 3000, pattern);
  }
  const numbered = Array.from({ length: 1000 }, (_, at) => `<div><b id="${at}">y</div>`).join('');
  assert.ok(depthOf(copyOf(numbered).markup) < 700);
});

test('deep elements are flattened, later ones are unchanged, and missing end tags add no depth', () => {
  const deep = `<div><i>a</i>${'<div>'.repeat(400)}b${'</div>'.repeat(400)}</div>`;
  const { markup } = copyOf(`${deep}<p>c</p>`);
  assert.equal(markup, `<div><i>a</i>${'<div>'.repeat(255)}b${'</div>'.repeat(255)}</div><p>c</p>`);
  for (const item of [
    '<p>x',
    '<ul><li>x<li>y</ul>',
    '<table><tr><td>x<td>y<tr><td>z</table>',
    '<div><br><span>x</div>',
  ]) {
    const long = item.repeat(1000);
    assert.equal(copyOf(long).markup, long, item);
  }
});

test('hostile pages take linear time', () => {
  for (const pattern of [
    '<',
    '<a href="',
    '<script>',
    '<svg></sv',
    '<style>',
    '<!--',
    '&amp',
    '<p ',
    '</p',
    'url(',
  ]) {
    const start = process.cpuUsage();
    copyOf(pattern.repeat(1 << 17));
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 1e6, `${pattern}: ${(user + system) / 1000} ms`);
  }
});
