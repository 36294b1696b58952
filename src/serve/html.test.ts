import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFragment } from 'parse5';
import { type HtmlValue, html } from './html.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></textarea></style><svg onload=alert(1)>',
  '&lt;b&gt; &amp;quot; &#x3c;',
  '<!-- --><![CDATA[ ]]>',
  '\u202egnp.exe\u2066',
];

test('text is escaped between tags', () => {
  assert.equal(
    String(html`<p>${`<b> & "quotes" 'too'`}</p>`),
    '<p>&lt;b&gt; &amp; &quot;quotes&quot; &#39;too&#39;</p>',
  );
});

test('hostile text is parsed as the same text, in an element and in an attribute', () => {
  for (const text of HOSTILE) {
    const fragment = parseFragment(String(html`<p title="${text}">${text}</p>`));
    assert.equal(fragment.childNodes.length, 1, text);
    const element = fragment.childNodes[0]!;
    assert.ok('attrs' in element && element.nodeName === 'p');
    assert.deepEqual(element.attrs, [{ name: 'title', value: text }]);
    assert.equal(element.childNodes.length, 1);
    const child = element.childNodes[0]!;
    assert.ok(child.nodeName === '#text' && 'value' in child && child.value === text, text);
  }
});

test('templates nest and arrays are joined without being escaped twice', () => {
  const items = ['a&b', 'c'].map((item) => html`<li>${item}</li>`);
  assert.equal(String(html`<ul>${items}</ul>`), '<ul><li>a&amp;b</li><li>c</li></ul>');
  assert.equal(String(html`${['<', ['>']]}`), '&lt;&gt;');
});

test('nothing is written for null, undefined and false, and zero is written', () => {
  assert.equal(String(html`<i>${null}${undefined}${false}${0}${''}</i>`), '<i>0</i>');
});

test('an object that looks like markup is escaped like any text', () => {
  const impostor = { toString: () => '<b>' } as unknown as HtmlValue;
  assert.equal(String(html`<i>${impostor}</i>`), '<i>&lt;b&gt;</i>');
});

test('a URL that is not http or https becomes #', () => {
  const bad = [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'http://',
  ];
  for (const address of bad)
    assert.equal(String(html`<a href="${address}">x</a>`), '<a href="#">x</a>', address);
});

test('web URLs and local paths are kept, with ampersands escaped', () => {
  const kept = ['https://example.org/a?b=c', 'HTTP://example.org', '/search?q=a', '?page=2', '#top', 'a/b'];
  for (const address of kept) {
    assert.equal(String(html`<a href="${address}">x</a>`), `<a href="${address}">x</a>`);
  }
  assert.equal(String(html`<a href="${'/?a&b"'}">x</a>`), '<a href="/?a&amp;b&quot;">x</a>');
});

test('a value after a fixed path cannot change the scheme', () => {
  assert.equal(String(html`<a href="/go?to=${'javascript:x'}">x</a>`), '<a href="/go?to=javascript:x">x</a>');
});

test('a value in an unsafe context is refused', () => {
  const value = 'x';
  assert.throws(() => html`<p title=${value}>`, /not allowed in a tag/);
  assert.throws(() => html`<${value}>`, /not allowed in a tag/);
  assert.throws(() => html`<p ${value}>`, /not allowed in a tag/);
  assert.throws(() => html`<script>${value}</script>`, /not allowed in a raw/);
  assert.throws(() => html`<style media="print">${value}</style>`, /not allowed in a raw/);
  assert.throws(() => html`<!-- ${value} -->`, /not allowed in a comment/);
  assert.throws(() => html`<p title='${value}'>`, /double quotes/);
  assert.throws(() => html`<a href="java${value}">`, /could change the host/);
  assert.throws(() => html`<a href="${value}${value}">`, /could change the host/);
});

test('a template inside an attribute is refused', () => {
  assert.throws(() => html`<p title="${html`<b>`}">`, /plain text/);
  assert.throws(() => html`<p title="${['a']}">`, /plain text/);
});

test('text may follow a script, a style and a comment', () => {
  const page = html`<!doctype html><script src="${'/a.js'}"></script><style>a{}</style><!-- x --><p>${'<'}</p>`;
  assert.ok(String(page).endsWith('<p>&lt;</p>'));
});
