import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../../url/mod.ts';
import { MarkKind, type Page } from '../page.ts';
import { mayBePage, parsePageOrFault } from '../parse-page.ts';
import {
  makeDocx,
  makeEpub,
  makeOpenDocument,
  makePptx,
  makeXlsx,
  makeZip,
  shape,
  WORD_BODY,
  wordParts,
} from './office.fixture.ts';
import { OFFICE_TYPES } from './office-types.ts';

const URL_READ = canonicalize('https://example.org/files/report')!;

function parse(body: Buffer, contentType: string = OFFICE_TYPES.docx, url = URL_READ): Page {
  const read = parsePageOrFault({ url, contentType, body, xRobotsTag: [] });
  assert.ok(typeof read !== 'string', `fault: ${String(read)}`);
  return read;
}

function marked({ text, marks }: Page, kind: MarkKind): string[] {
  return marks.filter((mark) => mark.kind === kind).map(({ start, end }) => text.slice(start, end));
}

test('a Word document gives text, headings, bold text, links and properties', () => {
  const page = parse(makeDocx());
  assert.equal(page.text, 'Tides\nThe moon pulls the sea. See the moon page.\nSpring tides\nHigh\nLow\nKept');
  assert.equal(page.contentType, OFFICE_TYPES.docx);
  assert.deepEqual(marked(page, MarkKind.heading1), ['Tides']);
  assert.deepEqual(marked(page, MarkKind.heading2), ['Spring tides']);
  assert.deepEqual(marked(page, MarkKind.emphasis), ['moon']);
  assert.deepEqual(page.links, [{ url: 'https://moon.example/', text: 'the moon page', nofollow: false }]);
  assert.deepEqual(
    [page.title, page.description, page.language],
    ['Tide tables & moons', 'When the sea rises', 'en-gb'],
  );
  assert.deepEqual(
    [page.publishedAt, page.modifiedAt],
    [Date.UTC(2024, 1, 29, 10), Date.UTC(2024, 2, 1, 11)],
  );
  assert.deepEqual(page.structured, [
    {
      type: 'TextDigitalDocument',
      source: 'properties',
      properties: { name: ['Tide tables & moons'], 'author.name': ['Ada Byron'], keywords: ['tides, moon'] },
    },
  ]);
});

test('footnotes, text boxes and the links of fields are read, and content is not read twice', () => {
  const box = '<w:p><w:r><w:t>In the box</w:t></w:r></w:p>';
  const body =
    `<w:p><w:r><w:t>Before</w:t><mc:AlternateContent><mc:Choice><w:txbxContent>${box}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${box}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>` +
    '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://a.example/b" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>field</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t> and </w:t></w:r><w:hyperlink r:id="rId4"><w:r><w:t>beside</w:t></w:r></w:hyperlink></w:p>';
  const notes = '<w:footnotes><w:footnote><w:p><w:r><w:t>A note</w:t></w:r></w:p></w:footnote></w:footnotes>';
  const page = parse(makeDocx(body, [{ name: 'word/footnotes.xml', content: notes }]));
  assert.equal(page.text, 'Before\nIn the box\nfield and beside\nA note');
  assert.deepEqual(
    page.links.map(({ url, text }) => [url, text]),
    [
      ['https://a.example/b', 'field'],
      ['https://example.org/files/other.docx', 'beside'],
    ],
  );
});

test('a title that a program chose is replaced by the first heading', () => {
  const core = '<cp:coreProperties><dc:title>Document1</dc:title></cp:coreProperties>';
  assert.equal(parse(makeZip(wordParts(WORD_BODY, [], core))).title, 'Tides');
});

test('a presentation gives its slides in order, with titles and notes, without hidden slides', () => {
  const slides = [
    `${shape('Low water', 'title')}${shape('The sea falls')}${shape('7', 'sldNum')}`,
    `${shape('The tides', 'ctrTitle')}<p:sp><p:txBody><a:p><a:r><a:rPr><a:hlinkClick r:id="rId2"/></a:rPr><a:t>Moon</a:t></a:r><a:br/><a:r><a:t>page</a:t></a:r></a:p></p:txBody></p:sp>`,
    `HIDDEN${shape('Secret', 'title')}`,
  ];
  const page = parse(makePptx(slides, `${shape('Speak slowly')}${shape('9', 'sldNum')}`), OFFICE_TYPES.pptx);
  assert.equal(page.text, 'The tides\nMoon page\nSpeak slowly\nLow water\nThe sea falls\nSpeak slowly');
  assert.deepEqual(marked(page, MarkKind.heading1), ['The tides']);
  assert.deepEqual(marked(page, MarkKind.heading2), ['Low water']);
  assert.deepEqual(
    page.links.map(({ url, text }) => [url, text]),
    [['https://moon.example/', 'Moon']],
  );
  assert.equal(page.contentType, OFFICE_TYPES.pptx);
});

test('a spreadsheet gives a row as a paragraph, with shared texts, numbers and dates as shown', () => {
  const rows =
    '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>inline</t></is></c></row>' +
    '<row><c><v>0.30000000000000004</v></c><c s="1"><v>45351</v></c><c s="2"><v>45351.5</v></c><c s="3"><v>7</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c t="str"><f>A1</f><v>result</v></c><c t="s"><v>99</v></c></row>';
  const after = '<hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks>';
  const page = parse(
    makeXlsx(
      [
        { name: 'Harbours', rows, after },
        { name: 'Sheet2', rows: '<row><c t="s"><v>1</v></c></row>' },
        { name: 'Hidden', rows, state: 'veryHidden' },
      ],
      ['<t>Port</t>', '<r><t>High </t></r><r><t>water</t></r><rPh><t>ruby</t></rPh>'],
    ),
    OFFICE_TYPES.xlsx,
  );
  assert.equal(
    page.text,
    'Harbours\nPort High water inline\n0.3 2024-02-29 2024-02-29 12:00 7 TRUE result\nHigh water',
  );
  assert.deepEqual(marked(page, MarkKind.heading2), ['Harbours']);
  assert.deepEqual(
    page.links.map(({ url }) => url),
    ['https://moon.example/'],
  );
  assert.equal(page.contentType, OFFICE_TYPES.xlsx);
});

test('a spreadsheet may count its days from 1904', () => {
  const rows = '<row><c s="1"><v>43889</v></c></row>';
  assert.equal(parse(makeXlsx([{ name: 'Sheet1', rows }], [], true), OFFICE_TYPES.xlsx).text, '2024-02-29');
});

test('an OpenDocument text gives headings, links and footnotes, without comments and deletions', () => {
  const content =
    '<office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level="2">Spring<text:s text:c="3"/>tides</text:h>' +
    '<text:p>See <text:a xlink:href="https://moon.example/">the <text:span>moon</text:span></text:a><office:annotation><text:p>comment</text:p></office:annotation> now<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note</text:p></text:note-body></text:note></text:p>' +
    '<table:table><table:table-row><table:table-cell><text:p>High</text:p></table:table-cell><table:table-cell><text:p>Low</text:p></table:table-cell></table:table-row></table:table></office:text>';
  const page = parse(makeOpenDocument('text', content), OFFICE_TYPES.odt);
  assert.equal(page.text, 'Spring tides\nSee the moon now\nA note\nHigh\nLow');
  assert.deepEqual(marked(page, MarkKind.heading2), ['Spring tides']);
  assert.deepEqual(page.links, [{ url: 'https://moon.example/', text: 'the moon', nofollow: false }]);
  assert.deepEqual([page.title, page.contentType], ['Tide tables', OFFICE_TYPES.odt]);
  assert.deepEqual(page.structured![0]!.properties['author.name'], ['Ada Byron']);
  assert.equal(page.publishedAt, Date.UTC(2024, 1, 29, 10));
  assert.equal(page.modifiedAt, Date.UTC(2024, 2, 1, 11, 0, 0));
});

test('an OpenDocument spreadsheet gives a row as a paragraph, and a presentation its titles', () => {
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
  const row = `<table:table-row>${cell('a')}${cell('b')}<table:table-cell table:number-columns-repeated="1048576"/></table:table-row>`;
  const sheet = `<office:spreadsheet><table:table table:name="Ports">${row}</table:table><table:table table:name="Sheet2">${row}</table:table></office:spreadsheet>`;
  const page = parse(makeOpenDocument('spreadsheet', sheet), OFFICE_TYPES.ods);
  assert.deepEqual([page.text, page.contentType], ['Ports\na b\na b', OFFICE_TYPES.ods]);
  const frame =
    '<draw:frame presentation:class="title"><draw:text-box><text:p>Tides</text:p></draw:text-box></draw:frame>';
  const slides = `<office:presentation><draw:page>${frame}<draw:frame><text:p>Text</text:p></draw:frame></draw:page></office:presentation>`;
  const show = parse(makeOpenDocument('presentation', slides), OFFICE_TYPES.odp);
  assert.deepEqual([show.text, show.contentType], ['Tides\nText', OFFICE_TYPES.odp]);
  assert.deepEqual(marked(show, MarkKind.heading2), ['Tides']);
});

test('an EPUB gives its chapters in reading order, and links only to the web', () => {
  const page = parse(
    makeEpub([
      '<h1>One</h1><p>First <i>words</i><br/>here<script>no()</script> <a href="chapter%201.xhtml">next</a></p><img src="a.png" alt="A pier in the sea"/>',
      '<h1>Two</h1><p/><p>Last &#x2014; <a href="https://moon.example/">moon</a></p>',
    ]),
    OFFICE_TYPES.epub,
  );
  assert.equal(page.text, 'One\nFirst words here next\nA pier in the sea\nTwo\nLast — moon');
  assert.deepEqual(
    [page.title, page.description, page.language, page.contentType],
    ['The Sea', 'About the sea.', 'en', OFFICE_TYPES.epub],
  );
  assert.deepEqual(marked(page, MarkKind.heading1), ['One', 'Two']);
  assert.deepEqual(
    page.links.map(({ url }) => url),
    ['https://moon.example/'],
  );
  assert.equal(page.images, undefined);
  assert.deepEqual(page.structured![0], {
    type: 'Book',
    source: 'properties',
    properties: {
      name: ['The Sea'],
      'author.name': ['Ada Byron', 'Jules V.'],
      'publisher.name': ['Moon Press'],
    },
  });
  assert.deepEqual(
    [page.publishedAt, page.modifiedAt],
    [Date.UTC(2020, 4, 1), Date.UTC(2021, 0, 2, 3, 4, 5)],
  );
});

test('the format is recognized by the content, whatever the server says', () => {
  const docx = makeDocx();
  const named = canonicalize('https://example.org/files/report.docx?v=2')!;
  for (const type of [
    'application/octet-stream',
    'application/zip',
    'text/plain',
    'application/msword',
    '',
  ]) {
    assert.ok(mayBePage(named, type), type);
    assert.equal(parse(docx, type, named).contentType, OFFICE_TYPES.docx, type);
  }
  assert.equal(parse(docx, OFFICE_TYPES.epub).contentType, OFFICE_TYPES.docx);
  assert.equal(parse(docx, 'application/octet-stream').contentType, OFFICE_TYPES.docx);
  assert.ok(mayBePage(canonicalize('https://example.org/a.PDF')!, 'application/octet-stream'));
  for (const type of ['application/zip', 'application/octet-stream'])
    assert.ok(!mayBePage(canonicalize('https://example.org/a.docx.zip')!, type), type);
});
