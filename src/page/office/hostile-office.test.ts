/**
 * Checks that hostile and broken office documents are refused with a reason or cut, and that none costs more than the
 * budget of its document. The time limit only distinguishes linear from quadratic time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkBudget } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import type { DocumentFault } from '../document-fault.ts';
import { documentBudget } from '../limits.ts';
import type { Page } from '../page.ts';
import { parsePageOrFault } from '../parse-page.ts';
import {
  makeDocx,
  makeEpub,
  makeOpenDocument,
  makePptx,
  makeXlsx,
  makeZip,
  type Part,
  relationships,
  shape,
  WORD_BODY,
  wordParts,
} from './office.fixture.ts';
import { OFFICE_TYPES } from './office-types.ts';

const URL_READ = canonicalize('https://example.org/a.docx')!;
const MOST_MS = 1500;

function read(body: Buffer, budget = documentBudget(body.length)): Page | DocumentFault {
  const started = process.threadCpuUsage();
  const input = { url: URL_READ, contentType: OFFICE_TYPES.docx, body, xRobotsTag: [] };
  const result = parsePageOrFault(input, { budget });
  const { user, system } = process.threadCpuUsage(started);
  assert.ok((user + system) / 1000 < MOST_MS, `took ${(user + system) / 1000} ms`);
  return result;
}

function textOf(result: Page | DocumentFault): string {
  assert.ok(typeof result !== 'string', `fault: ${String(result)}`);
  return result.text;
}

function changed(parts: readonly Part[], name: string, change: Partial<Part>): Buffer {
  return makeZip(parts.map((part) => (part.name === name ? { ...part, ...change } : part)));
}

const MAIN = 'word/document.xml';

test('a document that cannot be read has a fault that says why', () => {
  const parts = wordParts(WORD_BODY);
  const docx = makeZip(parts);
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  const locked = Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]);
  const manifest = { name: 'META-INF/manifest.xml', content: '<m><manifest:encryption-data/></m>' };
  const encryption =
    '<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/text/chapter%200.xhtml"/></CipherData></EncryptedData></encryption>';
  const cases: [string, Buffer, DocumentFault][] = [
    ['an empty body', Buffer.alloc(0), 'other-format'],
    ['a text', Buffer.from('<html><p>Please sign in'), 'other-format'],
    ['an old Word file', compound, 'other-format'],
    ['a Word file with a password', locked, 'encrypted'],
    ['a ZIP entry with a password', changed(parts, MAIN, { isEncrypted: true }), 'encrypted'],
    ['an encrypted OpenDocument', makeZip([{ name: 'content.xml', content: 'x' }, manifest]), 'encrypted'],
    [
      'an encrypted book',
      makeEpub(['<p>x'], [{ name: 'META-INF/encryption.xml', content: encryption }]),
      'encrypted',
    ],
    ['a file that ends early', docx.subarray(0, docx.length - 30), 'damaged'],
    ['a part that is larger than stated', changed(parts, MAIN, { statedSize: 40 }), 'damaged'],
    [
      'a part with other bytes',
      docx.map((byte, i) => (i > 900 && i < docx.indexOf('PK\x01\x02') ? 7 : byte)) as Buffer,
      'damaged',
    ],
    ['no main part', makeZip(parts.filter(({ name }) => name !== MAIN)), 'missing-part'],
    ['a main part without text', changed(parts, MAIN, { content: '<x/>' }), 'other-format'],
    ['any other ZIP file', makeZip([{ name: 'a.txt', content: 'words' }]), 'other-format'],
    ['a ZIP file without entries', makeZip([]), 'other-format'],
    ['an OpenDocument without a body', makeZip([{ name: 'content.xml', content: '<x/>' }]), 'missing-part'],
    [
      'a book without its description',
      makeZip([{ name: 'META-INF/container.xml', content: '<rootfile full-path="no.opf"/>' }]),
      'missing-part',
    ],
    [
      'more parts than any document',
      makeZip(Array.from({ length: 10_001 }, (_, i) => ({ name: String(i), content: '', isStored: true }))),
      'too-large',
    ],
  ];
  for (const [name, body, fault] of cases) assert.equal(read(Buffer.from(body)), fault, name);
});

test('a part that would expand beyond the budget is not decompressed', () => {
  const bomb = makeDocx(`<w:p><w:r><w:t>${' '.repeat(40 << 20)}</w:t></w:r></w:p>`);
  assert.ok(bomb.length < 60_000);
  const budget = documentBudget(bomb.length);
  const before = budget.left.bytes;
  assert.equal(read(bomb, budget), 'too-large');
  assert.ok(before - budget.left.bytes < 10_000, 'only small parts are decompressed');
});

test('the same part many times costs its size each time, and the text so far is kept', () => {
  const spine = '<itemref idref="c0"/>'.repeat(2000);
  const chapter = `<body><p>Words</p>${' '.repeat(1 << 20)}</body>`;
  const book = makeZip([
    { name: 'META-INF/container.xml', content: '<rootfile full-path="b.opf"/>' },
    {
      name: 'b.opf',
      content: `<package><manifest><item id="c0" href="c.xhtml" media-type="text/html"/></manifest><spine>${spine}</spine></package>`,
    },
    { name: 'c.xhtml', content: chapter },
  ]);
  const budget = documentBudget(book.length);
  assert.match(textOf(read(book, budget)), /^Words\nWords\n/);
  assert.ok(budget.left.bytes < 14 << 20);
  const slide = `${shape('Words')}<p:x>${' '.repeat(2 << 20)}</p:x>`;
  const slides = Array.from({ length: 20 }, () => slide);
  assert.match(textOf(read(makePptx(slides))), /^Words\nWords/);
});

test('entities are never expanded or loaded', () => {
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
    '',
  );
  const doctype = `<!DOCTYPE d [<!ENTITY l0 "ha">${laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  const content = `<?xml version="1.0"?>${doctype}<w:document><w:body><w:p><w:r><w:t>a &l9; &f; b</w:t></w:r></w:p></w:body></w:document>`;
  assert.equal(textOf(read(changed(wordParts(''), MAIN, { content }))), 'a &l9; &f; b');
});

test('a ZIP file inside the ZIP file is not opened', () => {
  const inner = makeDocx('<w:p><w:r><w:t>inside</w:t></w:r></w:p>');
  const embedded = [
    { name: 'word/embeddings/a.docx', content: inner },
    { name: 'word/_rels/x.rels', content: inner },
  ];
  const page = read(makeDocx('<w:p><w:r><w:t>outside</w:t></w:r></w:p>', embedded));
  assert.equal(textOf(page), 'outside');
});

test('a long text to which every cell refers gives at most the text of a page', () => {
  const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(5000)}</row>`;
  const body = makeXlsx([{ name: 'A', rows }], [`<t>${'word '.repeat(20_000)}</t>`]);
  const text = textOf(read(body));
  assert.ok(text.length <= 1_000_000 && text.length > 900_000);
});

test('deep nesting and elements without end are read in linear time', () => {
  const attacks = [
    '<w:p>'.repeat(100_000),
    '<w:del>'.repeat(100_000),
    `<w:p><w:r><w:t>${'</w:p>'.repeat(100_000)}`,
    '<w:hyperlink r:id="rId2"><w:r><w:t>x</w:t></w:r>'.repeat(20_000),
    `<w:p ${'a="b" '.repeat(100_000)}>`,
    '<w:instrText>HYPERLINK "'.repeat(50_000),
    '<![CDATA['.repeat(50_000),
    `<w:p><w:r><w:t>${'&'.repeat(500_000)}`,
    `<w:p><w:r><w:t>${'&amp;'.repeat(2_500_000)}`,
  ];
  for (const body of attacks) textOf(read(makeDocx(body)));
  const nested = '<text:p>'.repeat(100_000);
  textOf(read(makeOpenDocument('text', `<office:text>${nested}</office:text>`)));
});

test('a document whose budget is spent is incomplete', () => {
  const body = makeDocx('<w:p><w:r><w:t>Words</w:t></w:r></w:p>'.repeat(2000));
  const page = read(body, new WorkBudget({ steps: 3000, pieces: 1000, bytes: 1 << 20 }));
  assert.match(textOf(page), /^Words\nWords/);
  assert.equal(typeof page !== 'string' && page.incomplete, true);
});

test('references that lead nowhere or outside of the file are ignored', () => {
  const rels = relationships([
    { id: 'rId1', type: 'styles', target: '../../../../etc/passwd' },
    { id: 'rId2', type: 'hyperlink', target: 'javascript:alert(1)', isExternal: true },
    { id: 'rId3', type: 'footnotes', target: 'file:///etc/passwd' },
    { id: 'rId4', type: 'hyperlink', target: 'file:///etc/passwd', isExternal: true },
  ]);
  const links = ['rId2', 'rId4', 'rId9']
    .map((id) => `<w:hyperlink r:id="${id}"><w:r><w:t>x</w:t></w:r></w:hyperlink>`)
    .join('');
  const page = read(
    changed(wordParts(`<w:p>${links}</w:p>`), 'word/_rels/document.xml.rels', { content: rels }),
  );
  assert.equal(textOf(page), 'xxx');
  assert.deepEqual(typeof page === 'string' ? null : page.links, []);
});
