/** Formats of documents, which become pages, and the copies of pages that the server shows. */
import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { inertCopy } from '../../../src/page/copies/inert-copy.ts';
import { inertStyle } from '../../../src/page/copies/inert-style.ts';
import { applyRobotsMeta, allowAll } from '../../../src/page/metadata/robots-directives.ts';
import { parseDate } from '../../../src/page/metadata/dates.ts';
import { parseLinkHeader } from '../../../src/page/metadata/link-header.ts';
import { parseContentType } from '../../../src/page/content-type.ts';
import { readFeedEntries } from '../../../src/page/formats/feed.ts';
import { readInfobox } from '../../../src/page/html/infobox.ts';
import type { Page, Range } from '../../../src/page/page.ts';
import { parsePage } from '../../../src/page/parse-page.ts';
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
} from '../../../src/page/office/office.fixture.ts';
import { OFFICE_TYPES } from '../../../src/page/office/office-types.ts';
import { HELVETICA, makePdf } from '../../../src/page/pdf/pdf.fixture.ts';
import { smallPicture } from '../../../src/serve/icons/small-picture.ts';
import { declaredCharset, toUtf8 } from '../../../src/page/text/mod.ts';
import { canonicalize } from '../../../src/url/mod.ts';
import { checkValue, type FuzzTarget, texts } from '../target.ts';

const ADDRESS = canonicalize('https://example.org/a/page.html')!;

function inputOf(contentType: string, body: Buffer) {
  return { url: ADDRESS, contentType, body, xRobotsTag: [] };
}

/** Checks what the later stages rely on: well-formed texts, canonical links, ranges inside of the text. */
function checkPage(page: Page | null): void {
  if (!page) return;
  checkValue(page);
  const { length } = page.text;
  const isInside = (start: number, end: number) => start >= 0 && start <= end && end <= length;
  const ranges: Range[] = [...(page.boilerplate ?? []), ...(page.noSnippet ?? [])];
  for (const [start, end] of ranges) assert.ok(isInside(start, end), `range ${start}-${end} of ${length}`);
  for (const { start, end } of [...page.marks, ...(page.code ?? [])])
    assert.ok(isInside(start, end), `mark ${start}-${end} of ${length}`);
  for (const { at } of page.images ?? []) assert.ok(at >= 0 && at <= length, `image at ${at} of ${length}`);
  const links = [...page.links, ...(page.images ?? []), ...(page.alternates ?? [])];
  for (const { url } of links) assert.equal(canonicalize(url), url, 'a link is canonical');
  if (page.canonical) assert.equal(canonicalize(page.canonical), page.canonical);
  for (const time of [page.publishedAt, page.modifiedAt])
    assert.ok(time === undefined || Number.isFinite(time), 'a date is a number');
  JSON.parse(JSON.stringify(page));
}

function documentTarget(
  name: string,
  contentType: string,
  seeds: FuzzTarget['seeds'],
  words: readonly string[] = [],
): FuzzTarget {
  return {
    name,
    about: `a document as ${contentType}: its page is complete and consistent`,
    seeds,
    words,
    run: (body) => checkPage(parsePage(inputOf(contentType, body))),
  };
}

const HTML_SEEDS = texts(
  `<!doctype html><html lang="en"><head><meta charset=utf-8><title>Tides &amp; moons</title><base href="/b/"><link rel=canonical href="/tides"><link rel=alternate hreflang=de href="/de"><meta name=robots content="noarchive, max-snippet:20"><meta property="og:title" content="Tides"><meta name=description content="About tides."><script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Article","headline":"Tides","author":{"@type":"Person","name":"Ada"},"datePublished":"2024-02-29T10:00:00+02:00","image":["a.png"]}]}</script></head><body><nav class=menu><a href=/x>X</a></nav><main><h1>Tides</h1><p>The <b>moon</b> pulls. <a href="../c?d=1#e" rel=nofollow>more</a><pre><code>let a = 1 &lt; 2;</code></pre><table class=infobox><tr><th>Mass<td>7&nbsp;kg</table><img src=p.jpg alt="A pier"><time datetime=2024-01-01 class=published>1 January</time><div itemscope itemtype="https://schema.org/Product"><span itemprop=name>Buoy</span><meta itemprop=price content=12></div></main><footer>end</footer>`,
  '<p hidden>a<svg><title>t</title><a href=x>y</a></svg><template><p>z</template><noscript><p>n</noscript><textarea><b></textarea><!-- c --><![CDATA[ d ]]><select><option>o</select><math><mi>x</mi></math><frameset><frame src=f>',
  '<meta http-equiv=refresh content="0; url=/next"><style>a{background:url(x)} @import "y";</style><p style="color:red;width:expression(1)">s<ruby>a<rt>b</ruby><details><summary>q</summary>r</details><br><wbr>soft&shy;hy&#x41;&notit;&amp',
);
const HTML_WORDS =
  '<p> </p> <div> </div> <table> <tr> <td> </table> <a href= <a href="//h.test/"> <script> </script> <!-- --> <style> </style> <title> </title> <svg> </svg> <math> <template> </template> <textarea> <noscript> <plaintext> <xmp> <base href= <meta charset=utf-16> <meta name=robots content=none> <b> </b> <h1> <pre> <code> <img src= alt= hidden itemscope itemprop= itemtype= rel=canonical lang=ar dir=rtl &amp; &nbsp; &#x <![CDATA[ ]]> <?xml data-nosnippet class=nav role=navigation <ruby> <iframe srcdoc= onerror= style= href=javascript:x'.split(
    ' ',
  );

const FEED_SEEDS = texts(
  '<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Feed</title><link>https://example.org/</link><description>d</description><item><title>One</title><link>/1</link><guid isPermaLink="true">https://example.org/1</guid><pubDate>Thu, 29 Feb 2024 10:00:00 GMT</pubDate><description><![CDATA[<p>one <b>two</b>]]></description><dc:creator>Ada</dc:creator></item></channel></rss>',
  '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/f/"><title type="html">A &lt;b&gt;</title><updated>2024-01-01T00:00:00Z</updated><entry><id>urn:1</id><title>e</title><link rel="alternate" href="1"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">x<br/></div></content><summary>s</summary></entry></feed>',
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="c"><title>t</title></channel><item rdf:about="i"><title>u</title><link>i</link></item></rdf:RDF>',
  '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "b">]><html xmlns="http://www.w3.org/1999/xhtml"><body>&a;<p>x</p></body></html>',
);

const PDF_CONTENT =
  'BT /F 12 Tf 72 700 Td (Tides \\(and\\) moons) Tj 0 -14 Td [(The)-250(moon)] TJ T* <48656c6c6f> Tj ET q 1 0 0 1 0 0 cm /X Do Q';

const OFFICE_WORDS =
  '<w:p> </w:p> <w:r> </w:r> <w:t> </w:t> <w:b/> <w:del> </w:del> <w:hyperlink r:id="rId2"> </w:hyperlink> <w:instrText> HYPERLINK " <w:fldChar w:fldCharType="separate"/> <w:pStyle w:val="Heading1"/> <w:outlineLvl w:val="8"/> <![CDATA[ ]]> <!-- --> <!DOCTYPE <!ENTITY &a; &#x'.split(
    ' ',
  );

/** One document of each format. */
function officeSeeds(): Buffer[] {
  const rows = '<row><c t="s"><v>0</v></c><c s="1"><v>45351</v></c></row>';
  return [
    makeDocx(),
    makePptx([shape('Tides', 'title') + shape('The moon pulls')], shape('Speak slowly')),
    makeXlsx([{ name: 'Ports', rows }], ['<t>Delft</t>']),
    makeOpenDocument(
      'text',
      '<office:text><text:h text:outline-level="1">Tides</text:h><text:p>a<text:s/>b</text:p></office:text>',
    ),
    makeEpub(['<h1>One</h1><p>First <b>words</b></p>']),
  ];
}

const ALLOWED_SCHEME = /^(?:https?|mailto|tel|ftp):|^#|^$/i;

export const DOCUMENT_TARGETS: readonly FuzzTarget[] = [
  documentTarget('html', 'text/html; charset=utf-8', () => HTML_SEEDS, HTML_WORDS),
  documentTarget(
    'markdown',
    'text/markdown',
    () =>
      texts(
        '# Tides\n\nThe **moon** pulls [more](/c "t") and `code`.\n\n- a\n  1. b\n\n> q\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a;\n```\n![p](p.png)\n[ref]: /r\n\n<b>html</b> &amp; \\* ~~x~~ <http://a.test>\n\nSetext\n===\n',
      ),
    '# ## > - * ** _ ` ``` ~~~ [ ]( ]: ![ | --- === < &amp; \\ \t 1. [x] <!--'.split(' '),
  ),
  documentTarget('text', 'text/plain', () =>
    texts(
      'A title\n=======\n\nThe moon pulls.\n\n\tindented\nhttps://example.org/x\n',
      'one\r\n\r\ntwo\f three',
    ),
  ),
  documentTarget(
    'feed',
    'application/xml',
    () => FEED_SEEDS,
    '<item> </item> <entry> </entry> <link href= <title> <![CDATA[ ]]> <!DOCTYPE <!ENTITY &a; xml:base= <pubDate> <content type="xhtml"> <?xml xmlns:x='.split(
      ' ',
    ),
  ),
  documentTarget(
    'json-feed',
    'application/feed+json',
    () =>
      texts(
        '{"version":"https://jsonfeed.org/version/1.1","title":"F","home_page_url":"https://example.org/","items":[{"id":"1","url":"/1","title":"One","content_html":"<p>x","date_published":"2024-02-29T10:00:00Z","tags":["a"],"authors":[{"name":"A"}]},{"id":2,"content_text":"t"}]}',
      ),
    '"items" "url" "content_html" null true [] {} "__proto__": 1e999 "\\ud800"'.split(' '),
  ),
  documentTarget(
    'json-ld',
    'text/html',
    () =>
      texts(
        '<script type="application/ld+json">{"@context":"https://schema.org","@type":["Product","Thing"],"@id":"#p","name":"Buoy","offers":[{"@type":"Offer","price":"12.50","priceCurrency":"EUR","availability":"https://schema.org/InStock"}],"aggregateRating":{"@type":"AggregateRating","ratingValue":4.5,"reviewCount":12},"image":{"@id":"i"}}</script>',
        '<script type="application/ld+json">[{"@type":"Event","startDate":"2024-02-30","location":{"@type":"Place","address":{"streetAddress":["a","b"]}}},{"@type":"BreadcrumbList","itemListElement":[{"position":1,"item":{"@id":"/","name":"n"}}]},{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"q","acceptedAnswer":{"text":"<b>a"}}]}]</script>',
      ),
    '"@type": "@graph": "@id": "__proto__": "constructor": [ ] { } null true 1e400 "\\ud800" </script>'.split(
      ' ',
    ),
  ),
  {
    ...documentTarget(
      'pdf',
      'application/pdf',
      () => [
        makePdf({
          pages: [PDF_CONTENT, PDF_CONTENT],
          info: '/Title (Tides)/CreationDate (D:20240229100000Z)',
        }),
        makePdf({ pages: [PDF_CONTENT], isPacked: true }),
        makePdf({ pages: [PDF_CONTENT], encryption: 'rc4' }),
        makePdf({ pages: [PDF_CONTENT], encryption: 'aes' }),
        makePdf({
          pages: ['BT /F 9 Tf <00480065> Tj ET'],
          fonts: {
            F: '<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 100 0 R/DescendantFonts[<</Subtype/CIDFontType2/W[1[500 600]7 9 300]>>]>>',
            G: HELVETICA,
          },
          extra: [
            {
              dictionary: '',
              data: Buffer.from(
                'begincodespacerange <0000><ffff> endcodespacerange 1 beginbfchar <0048> <0041> endbfchar 1 beginbfrange <0050><0060> <0061> <0070><0072> [<0041> <0042> <d83dde00>] endbfrange',
              ),
            },
          ],
        }),
      ],
      'obj endobj stream endstream xref trailer startxref << >> [ ] /Kids /Length /Filter /FlateDecode /LZWDecode /ASCII85Decode /ASCIIHexDecode /RunLengthDecode /DecodeParms /Predictor /Columns /Prev /Root /Pages /Contents /Resources /XObject /Font /W /Encrypt /ObjStm /N /First R BT ET Tj TJ Do'.split(
        ' ',
      ),
    ),
    maxBytes: 32 * 1024,
  },
  {
    ...documentTarget('office', OFFICE_TYPES.docx, officeSeeds, ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06']),
    maxBytes: 32 * 1024,
  },
  {
    name: 'office-xml',
    words: OFFICE_WORDS,
    about: 'the XML of a Word document, stored without compression so that mutations reach it',
    seeds: () => [
      makeZip(wordParts(WORD_BODY).map((part) => ({ ...part, isStored: true }))),
      Buffer.from(WORD_BODY),
    ],
    run: (input) => {
      const body = input.subarray(0, 2).toString() === 'PK' ? input : makeDocx(input.toString('utf8'));
      checkPage(parsePage(inputOf(OFFICE_TYPES.docx, body)));
    },
    maxBytes: 32 * 1024,
  },
  {
    name: 'charset',
    about: 'bytes with a label: the result is always valid UTF-8',
    seeds: () => [
      ...texts(
        'utf-8|<meta charset="windows-1252">äö',
        'shift_jis|\u0083A',
        'utf-16le|a\0b\0',
        '|<?xml version="1.0" encoding="koi8-r"?>',
        'iso-2022-jp|\u001b$B!!',
        'gb18030|\u0081\u0030',
        'x-user-defined|é',
      ),
      Buffer.from([0x7c, 0xff, 0xfe, 0x41, 0x00, 0x00, 0xd8]),
    ],
    words: ['utf-8', 'utf-16be', 'utf-7', 'euc-kr', 'big5', 'replacement', 'hz-gb-2312', 'charset='],
    run(input) {
      const bar = input.indexOf(0x7c);
      const label = input.subarray(0, Math.max(0, bar)).toString('latin1');
      assert.ok(isUtf8(toUtf8(input.subarray(bar + 1), label, declaredCharset)));
    },
  },
  {
    name: 'inert-copy',
    about: 'a cached copy: it has no element that runs or loads, no handler, and no address that runs',
    seeds: () => HTML_SEEDS,
    words: HTML_WORDS,
    run(body) {
      const { markup } = inertCopy(inputOf('text/html', body), { find: () => [[0, 1]], maxBytes: 1 << 20 });
      checkInert(parse(`<!doctype html><body>${markup}`));
    },
  },
  {
    name: 'inert-style',
    about: 'the style sheet of a copy: it names no other file, and cleaning it again changes nothing',
    seeds: () =>
      texts(
        'a{background:url("x.png") no-repeat;color:red}@import url(y.css);@media screen{b{content:"\\41 url("}}',
        'p{b:image-set("a" 1x);c:u\\72l(x)}/* @import */@font-face{src:local("a"),url(b)}',
        '@imp@import;ort "x";a{b:src(c)}',
      ),
    words:
      'url( URL( u\\72 l( \\75rl( @import @\\69mport image-set( -webkit-image-set( src( image( element( cross-fade( /* */ " \' \\ \n ; } { ) <!-- -->'.split(
        ' ',
      ),
    run(input) {
      const once = inertStyle(input.toString('utf8'));
      assert.equal(inertStyle(once), once);
    },
  },
  {
    name: 'feed-entries',
    about: 'the entries of a feed and the infobox of a page, for answer boxes',
    seeds: () => [...FEED_SEEDS, ...HTML_SEEDS],
    words: HTML_WORDS,
    run(body) {
      checkValue(readFeedEntries(inputOf('application/rss+xml', body)));
      checkValue(readInfobox(inputOf('text/html', body)));
    },
  },
  {
    name: 'metadata',
    about: 'dates, robots directives, Link headers and content types',
    seeds: () =>
      texts(
        '2024-02-29T10:00:00+02:00',
        'Thu, 29 Feb 2024 10:00:00 GMT',
        'noindex, max-snippet:-1, unavailable_after: 25 Jun 2030 15:00:00 PST',
        '<https://a.test/>; rel="canonical", </b>; rel=alternate; hreflang="de"',
        'text/html; charset="utf-8"; boundary=a',
        '29. Februar 2024',
        'gyre: none',
      ),
    words: [
      'unavailable_after:',
      'max-snippet:',
      'rel=',
      'hreflang=',
      '<',
      '>',
      ';',
      ',',
      '"',
      'charset=',
      'T',
      'Z',
      '+00:00',
    ],
    run(input) {
      const text = input.toString('utf8');
      const date = parseDate(text);
      assert.ok(date === null || Number.isFinite(date));
      applyRobotsMeta(allowAll(), 'robots', text);
      parseLinkHeader([text, input.toString('latin1')]);
      parseContentType(text);
    },
  },
  {
    name: 'icon',
    about: 'the icon of a site: one picture of it, at most as large as the file',
    seeds: () => [iconFile(2), iconFile(5)],
    run(input) {
      const bytes = Buffer.concat([iconFile(1).subarray(0, 2), input]);
      for (const file of [input, bytes]) {
        const small = smallPicture({ contentType: 'image/x-icon', bytes: file });
        assert.ok(!small || small.bytes.length <= file.length + 64);
      }
    },
  },
];

function iconFile(count: number): Buffer {
  const head = Buffer.from([0, 0, 1, 0, count, 0]);
  const picture = Buffer.alloc(1024, 7);
  const entries = Array.from({ length: count }, (_, at) => {
    const entry = Buffer.alloc(16);
    entry[0] = entry[1] = 16 * (at + 1);
    entry.writeUInt32LE(picture.length, 8);
    entry.writeUInt32LE(6 + 16 * count + at * picture.length, 12);
    return entry;
  });
  return Buffer.concat([head, ...entries, ...entries.map(() => picture)]);
}

const RUNNING_ELEMENTS =
  /^(?:script|iframe|frame|object|embed|applet|link|meta|base|form|input|button|video|audio|source|svg|math|template)$/;

function checkInert(node: DefaultTreeAdapterTypes.Node, depth = 0): void {
  if ('tagName' in node) {
    assert.doesNotMatch(node.tagName, RUNNING_ELEMENTS);
    for (const { name, value } of node.attrs) {
      assert.doesNotMatch(name, /^on|^(?:src|srcset|srcdoc|action|formaction|background|poster|ping|data)$/i);
      if (name === 'href') assert.match(value.trim(), ALLOWED_SCHEME);
    }
  }
  // Deeper elements are checked too, but not by recursion without end.
  if ('childNodes' in node && depth < 2_000)
    for (const child of node.childNodes) checkInert(child, depth + 1);
}
