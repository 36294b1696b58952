import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { documentBudget } from '../limits.ts';
import { MarkKind, type Page } from '../page.ts';
import { parsePage } from '../parse-page.ts';
import { HELVETICA, makePdf } from './pdf.fixture.ts';
import { AES_256_PDF } from './pdf-aes256.fixture.ts';
import { unpackStream } from './pdf-filters.ts';

function parse(body: Buffer, contentType = 'application/pdf'): Page | null {
  const url = canonicalize('https://example.org/dir/a.pdf')!;
  return parsePage({ url, contentType, body, xRobotsTag: [] });
}

/** Returns the drawing commands of a line of text at height `y` of the page. */
const line = (text: string, y: number, size = 10) => `BT /F ${size} Tf 50 ${y} Td (${text}) Tj ET\n`;

const REPORT = makePdf({
  pages: [
    line('Annual report', 700, 24) +
      line('The river had been rising since the morn-', 650) +
      line('ing, and the meadows were under water', 638) +
      line('Another paragraph.', 600),
    line('Second page', 700),
  ],
  info: "/Title(\\376\\377\\000R\\000\\351\\000s)/CreationDate(D:20240501103000+02'00')/Subject(About \\(it\\))",
  catalog: '/Lang(en-GB)',
  page: '/Annots[<</A<</S/URI/URI(../b.html#c)>>>>]',
});

test('a PDF gives text in paragraphs, title, language, dates and links', () => {
  const page = parse(REPORT)!;
  assert.equal(
    page.text,
    'Annual report\nThe river had been rising since the morning, and the meadows were under water\n' +
      'Another paragraph.\nSecond page',
  );
  assert.deepEqual([page.title, page.description, page.language], ['Rés', 'About (it)', 'en-gb']);
  assert.equal(page.publishedAt, Date.UTC(2024, 4, 1, 8, 30));
  assert.deepEqual(page.marks, [{ start: 0, end: 13, kind: MarkKind.heading1 }]);
  assert.deepEqual(page.links, [{ url: 'https://example.org/b.html', text: '', nofollow: false }]);
});

test('without a title, the largest line of the first page is the title', () => {
  const pages = [line('small', 700) + line('The Title', 600, 20) + line('more', 500)];
  assert.equal(parse(makePdf({ pages, info: '/Title(Microsoft Word - x.doc)' }))!.title, 'The Title');
});

test('objects may be packed into streams, and the type may be unknown', () => {
  const page = parse(
    makePdf({ pages: [line('packed', 700)], info: '/Title(T)', isPacked: true }),
    'application/octet-stream',
  )!;
  assert.deepEqual([page.text, page.title, page.contentType], ['packed', 'T', 'application/pdf']);
});

test('wide gaps between letters separate words, and small gaps do not', () => {
  const content = 'BT /F 10 Tf 50 700 Td [(Wat)30(er)-400(rises)] TJ 200 0 Td (now) Tj ET';
  assert.equal(parse(makePdf({ pages: [content] }))!.text, 'Water rises now');
});

test('character codes are decoded by ToUnicode maps, glyph names or encodings', () => {
  const map = Buffer.from(
    '1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0001> <00480069> endbfchar ' +
      '2 beginbfrange <0002> <0003> <0041> <0004> <0005> [<6771> <4eac>] endbfrange',
  );
  const fonts = {
    F: HELVETICA,
    T: '<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 100 0 R/DescendantFonts[<</DW 500>>]>>',
    D: '<</Type/Font/Subtype/Type1/Encoding<</Differences[1/fi/eacute/uni20AC/quoteright]>>>>',
  };
  const content =
    'BT /T 10 Tf 50 700 Td <000100020003> Tj 0 -50 Td <00040005> Tj 0 -50 Td /D 10 Tf <01020304> Tj 0 -50 Td /F 10 Tf (\\344\\200) Tj ET';
  const page = parse(makePdf({ pages: [content], fonts, extra: [{ dictionary: '', data: map }] }))!;
  assert.equal(page.text, 'HiAB\n東京\nfié€’\nä€');
});

test('content of PDF forms appears where they are used', () => {
  const extra = [
    { dictionary: '/Subtype/Form/Matrix[1 0 0 1 0 0]', data: Buffer.from(line('in a form', 500)) },
  ];
  const page = `/Resources<</XObject<</X 100 0 R>>/Font<</F ${HELVETICA}>>>>`;
  assert.equal(
    parse(makePdf({ pages: [`${line('before', 700)}/X Do ${line('after', 300)}`], extra, page }))!.text,
    'before\nin a form\nafter',
  );
});

test('repeated headers and footers of pages are boilerplate', () => {
  const pages = ['flood', 'fire', 'storm', 'snow'].map(
    (word, i) =>
      line(`Gazette page ${i}`, 780) +
      line(`Story of ${word}`, 600) +
      line(`Long ${word}`, 500) +
      line(`${i}`, 20),
  );
  const page = parse(makePdf({ pages }))!;
  const site = page.boilerplate!.map(([start, end]) => page.text.slice(start, end));
  assert.ok(site.includes('Gazette page 3') && site.includes('3'));
  assert.ok(!site.some((text) => /Story|Long/.test(text)));
});

test('a file with an empty password is opened, and one with a password is not', () => {
  const pages = [line('for all', 700)];
  assert.equal(parse(makePdf({ pages, encryption: 'rc4' }))!.text, 'for all');
  assert.equal(parse(makePdf({ pages, encryption: 'aes' }))!.text, 'for all');
  assert.equal(parse(AES_256_PDF)!.text, 'modern secret');
  assert.equal(parse(makePdf({ pages, encryption: 'locked' })), null);
});

test('truncated or damaged files give the readable part and never throw', () => {
  for (let length = 0; length < REPORT.length; length += 7) parse(REPORT.subarray(0, length));
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const damaged = Buffer.from(REPORT);
    for (let i = 0; i < 20; i++) damaged[random.between(9, damaged.length - 1)] = random.between(0, 255);
    assert.doesNotThrow(() => parse(damaged), `seed ${seed}, round ${round}`);
  }
  assert.match(parse(REPORT.subarray(0, REPORT.indexOf('trailer')))!.text, /under water/);
});

test('objects that refer to themselves end', () => {
  const loop =
    '1 0 obj<</Pages 1 0 R/Kids[1 0 R]/Length 1 0 R>>endobj 5 0 obj 5 0 R endobj trailer<</Root 1 0 R>>';
  assert.equal(parse(Buffer.from(`%PDF-1.4\n${loop}`))!.text, '');
});

test('streams of all filters are decoded', () => {
  const text = (filter: string, data: Buffer) =>
    unpackStream(filter, data, new Map(), documentBudget(1000))?.toString('latin1');
  assert.equal(text('ASCII85Decode', Buffer.from('87cURD]i,"Ebo80~>')), 'Hello World!');
  assert.equal(text('ASCIIHexDecode', Buffer.from('48 69>zz')), 'Hi');
  assert.equal(text('RunLengthDecode', Buffer.from([2, 97, 98, 99, 254, 120, 128, 1])), 'abcxxx');
  assert.equal(text('LZWDecode', Buffer.from('800b6050220c0c8501', 'hex')), '-----A---B');
  assert.equal(text('DCTDecode', Buffer.from('x')), undefined);
});
