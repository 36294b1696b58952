import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './markdown.ts';

const render = (source: string) => renderMarkdown(source, (href) => href);

test('the title is the first heading, without its markup', () => {
  assert.equal(render('text\n\n## The `node` *way*\n\n# Later').title, 'The node way');
  assert.equal(render('no heading').title, '');
});

test('front matter gives title and description and is not shown', () => {
  const page = render('---\ntitle: npm-ci\nsection: 1\ndescription: "Clean install"\n---\n\n### Synopsis\n');
  assert.equal(page.title, 'npm-ci');
  assert.equal(page.description, 'Clean install');
  assert.match(page.html, /^<h1>npm-ci<\/h1>/);
  assert.doesNotMatch(page.html, /section/);
});

test('a rule at the start of a document is not front matter', () => {
  assert.match(render('---\n\ntext that never ends the block').html, /<hr>\n<p>text/);
});

test('headings get ids that links in the document expect, the second of a name with a number', () => {
  const { html } = render("# What's new?\n\n## Class: `Client`\n\n## Class: `Client`\n");
  assert.match(html, /<h1 id="whats-new">/);
  assert.match(html, /<h2 id="class-client">/);
  assert.match(html, /<h2 id="class-client-1">/);
});

test('only whole addresses become links, not file names that look like domains', () => {
  const { html } = render('see README.md and https://example.org/x');
  assert.equal(html.match(/<a /g)?.length, 1);
  assert.match(html, /<a href="https:\/\/example.org\/x">/);
});

test('links written in Markdown are resolved by the caller', () => {
  const { html } = renderMarkdown('[a](x.md) [b][ref]\n\n[ref]: y.md', (href) => `/resolved/${href}`);
  assert.match(html, /href="\/resolved\/x.md"/);
  assert.match(html, /href="\/resolved\/y.md"/);
});

test('a javascript: link is removed', () => {
  assert.doesNotMatch(render('[x](javascript:alert(1))').html, /<a /);
});

test('a local address never becomes a link, in any notation', () => {
  const source =
    'http://localhost:3000/ [x](http://127.0.0.1:80) <a href="http://a.localhost/">y</a> <http://[::1]/>';
  assert.doesNotMatch(render(source).html, / href=/);
  assert.match(render(source).html, /http:\/\/localhost:3000\//, 'but it is still to be read');
  assert.match(render('http://localhost.example.org/').html, /<a href="http:\/\/localhost.example.org\/"/);
});
