import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../../url/mod.ts';
import type { PageInput } from '../page-input.ts';
import { parsePage } from '../parse-page.ts';
import type { Extractor } from './extractor.ts';
import { mediaWikiExtractor } from './media-wiki.ts';

const input = (body: string, contentType = 'text/html'): PageInput => ({
  url: canonicalize('https://wiki.example/wiki/River')!,
  contentType,
  body: Buffer.from(body),
  xRobotsTag: [],
});

test('the first matching extractor parses the page, also of an unsupported type', () => {
  const json: Extractor = {
    name: 'json',
    matches: ({ contentType }) => contentType === 'application/json',
    extract: ({ body }, parse) => {
      assert.equal(parse(), null);
      const page = parsePage(input('<p>x'))!;
      return { ...page, text: JSON.parse(Buffer.from(body).toString()).text };
    },
  };
  const never: Extractor = { name: 'never', matches: () => false, extract: () => assert.fail() };
  const page = parsePage(input('{"text":"words"}', 'application/json'), { extractors: [never, json] });
  assert.equal(page?.text, 'words');
  assert.equal(parsePage(input('<p>x'), { extractors: [never, json] })?.text, 'x');
});

test('an error of an extractor is reported, and the page is parsed without it', () => {
  const reports: string[] = [];
  const broken: Extractor = {
    name: 'broken',
    matches: () => true,
    extract: () => {
      throw new Error('bug');
    },
  };
  const report = (name: string, error: unknown) => reports.push(`${name}: ${error}`);
  assert.equal(parsePage(input('<p>x'), { extractors: [broken], report })?.text, 'x');
  assert.deepEqual(reports, ['broken: Error: bug']);
});

test('the example extractor keeps the article of a MediaWiki page', () => {
  const html = `<html><head><title>River - Wikipedia</title><meta name="generator" content="MediaWiki 1.42.0-wmf.1"></head><body>
    <h2>Course<span>[<a href="/w/index.php?title=River&action=edit">edit</a>]</span></h2><p>It flows to the <a href="/wiki/Sea">sea</a>.</p>
    <a href="/wiki/Special:RandomPage">Random</a><a href="/w/index.php?title=River&oldid=5">Old</a></body></html>`;
  const page = parsePage(input(html), { extractors: [mediaWikiExtractor] })!;
  assert.equal(page.title, 'River');
  assert.deepEqual(
    page.links.map((link) => link.url),
    ['https://wiki.example/wiki/Sea'],
  );
  assert.deepEqual(
    page.boilerplate!.map(([start, end]) => page.text.slice(start, end)),
    ['[edit]'],
  );
  assert.equal(mediaWikiExtractor.matches(input('<p>x')), false);
});
