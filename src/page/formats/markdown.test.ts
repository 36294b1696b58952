import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import MarkdownIt from 'markdown-it';
import { canonicalize } from '../../url/mod.ts';
import { MarkKind, type Page } from '../page.ts';
import { parsePage } from '../parse-page.ts';

const url = canonicalize('https://example.org/dir/readme.md')!;

function parse(body: string, contentType = 'text/markdown'): Page {
  return parsePage({ url, contentType, body: Buffer.from(body), xRobotsTag: [] })!;
}

test('Markdown headings, emphasis, code and links are marked as in HTML', () => {
  const page = parse(
    '# Gyre _the_ engine #\n\nIt is **very** quick, see [the\ndocs](docs/a.md "title") or <https://x.example/>.\n\nSub\n---\n\n- `a < b` one\n- snake_case_name\n',
  );
  assert.equal(page.title, 'Gyre the engine');
  assert.equal(
    page.text,
    'Gyre the engine\nIt is very quick, see the docs or https://x.example/.\nSub\na < b one\nsnake_case_name',
  );
  assert.deepEqual(
    page.marks.map(({ start, end, kind }) => [kind, page.text.slice(start, end)]),
    [
      [MarkKind.heading1, 'Gyre the engine'],
      [MarkKind.emphasis, 'very'],
      [MarkKind.link, 'the docs'],
      [MarkKind.link, 'https://x.example/'],
      [MarkKind.heading2, 'Sub'],
    ],
  );
  assert.deepEqual(
    page.links.map((link) => link.url),
    ['https://example.org/dir/docs/a.md', 'https://x.example/'],
  );
});

test('references, images, tables, quotes, fences and HTML in Markdown are parsed', () => {
  const page = parse(
    '> quoted [one][Ref] and [ref]\n\n[![badge](b.svg)](http://ci.example)\n\n| a | b |\n|---|:-:|\n| `c` | **d** |\n\n' +
      '```js\nconst x = "<b>" && [1](2);\n```\n\n<details><summary>More</summary>hidden *no*</details>\n\n[ref]: /target\n',
  );
  assert.equal(
    page.text,
    'quoted one and ref\nbadge\na\nb\nc\nd\nconst x = "<b>" && [1](2);\nMore\nhidden no',
  );
  assert.deepEqual(
    page.links.map((link) => link.url),
    ['https://example.org/target', 'https://example.org/target', 'http://ci.example/'],
  );
});

test('the title comes from front matter', () => {
  const page = parse(
    '---\ntitle: "A & <b>"\ndescription: About it\ndate: 2024-05-01\nlang: de\ntags: [x]\n---\n# Other\n',
  );
  assert.deepEqual(
    [page.title, page.description, page.language, page.text],
    ['A & <b>', 'About it', 'de', 'Other'],
  );
  assert.equal(page.publishedAt, Date.UTC(2024, 4, 1));
});

test('plain text with the name of a Markdown file is Markdown', () => {
  assert.equal(parse('# Title\n', 'text/plain').title, 'Title');
});

test('READMEs of installed packages have the same words and links as with markdown-it', () => {
  const modules = join(import.meta.dirname, '../../../node_modules');
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(^|\/)readme\.md$/i.test(file),
  );
  const complete = new MarkdownIt({ html: true, linkify: false });
  const words = (page: Page) => new Set(page.text.match(/\p{L}+/gu));
  let shared = 0;
  let all = 0;
  for (const file of files.sort().slice(0, 40)) {
    const markdown = readFileSync(join(modules, file), 'utf8');
    const ours = parse(markdown);
    const theirs = parsePage({
      url,
      contentType: 'text/html',
      body: Buffer.from(complete.render(markdown)),
      xRobotsTag: [],
    })!;
    const found = words(ours);
    for (const word of words(theirs)) {
      all++;
      if (found.has(word)) shared++;
    }
    const addresses = new Set(ours.links.map((link) => link.url));
    const missing = theirs.links.filter((link) => !addresses.has(link.url));
    assert.ok(missing.length <= 0.02 * theirs.links.length, `${file}: ${missing.map((link) => link.url)}`);
  }
  assert.ok(shared > 0.99 * all, `${shared} of ${all} words`);
});
