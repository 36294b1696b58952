/** Documents of any size that are crafted to cause much work in a parser. */
import { deflateSync } from 'node:zlib';
import { HELVETICA, makePdf } from './pdf/pdf.fixture.ts';

export interface HostileDocument {
  name: string;
  contentType: string;
  /** Makes a hostile document of about `bytes` bytes, or fewer if the attack relies on a small file. */
  make(bytes: number): Buffer;
}

type Make = (bytes: number) => string | Buffer;

/** Repeats `unit` until there are `bytes` bytes. Each `#` is replaced by an increasing number. */
function series(unit: string, bytes: number): string {
  const parts: string[] = [];
  for (let i = 0, size = 0; size < bytes; i++) {
    const part = unit.replaceAll('#', String(i));
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}

function runs(character: string, bytes: number): string {
  let text = '';
  for (let length = 1; text.length < bytes; length++) text += `${character.repeat(length)}a`;
  return text;
}

const HTML: Record<string, Make> = {
  'depth of different elements': (n) => series('<div><b><p><table><td><ul><li>', n),
  'end tags without start tags': (n) => `${'<div>'.repeat(n / 8)}${'</span>'.repeat(n / 8)}`,
  'end tags in a deep table': (n) => `${'<td>'.repeat(300)}${'</table></b></td>'.repeat(n / 17)}`,
  'tags of many attributes': (n) => `<a ${series('a#=b ', 700)}>`.repeat(n / 700),
  'one tag of many attributes': (n) => `<a ${series('a#=b ', n)}>`,
  'a quote that is never closed': (n) => '<a href="x>'.repeat(n / 11),
  'end tags that are searched': (n) => '<textarea></textare>'.repeat(n / 20),
  'hidden elements': (n) => series('<p hidden><div hidden><span hidden>', n),
  'different hidden elements': (n) => series('<x# hidden>', n),
  'different unclosed elements': (n) => series('<x#>', n),
  'scripts in comments': (n) => '<script><!--<script>'.repeat(n / 20),
  'a base without end': (n) => `<base href="/${'a/'.repeat(n / 4)}">${series('<a href="?#">', n / 2)}`,
  'long links': (n) => `<a href="http://a.example/${'../a/'.repeat(390)}">x</a>`.repeat(n / 2000),
  'links to long names of hosts': (n) => series(`<a href="http://#${'ü.'.repeat(900)}/">`, n),
  'links with escapes': (n) => series(`<a href="?#${'%41%c3'.repeat(300)}">`, n),
  'entities without end': (n) => `&${'a'.repeat(n)}`,
  'entities that nearly exist': (n) => '&CounterClockwiseContourIntegra;'.repeat(n / 32),
  'meta refresh': (n) => `<meta http-equiv=refresh content="${'0 ;'.repeat(600)}">`.repeat(n / 1850),
  'robots dates': (n) =>
    `<meta name=robots content="${'unavailable_after: 1 jan '.repeat(75)}">`.repeat(n / 1900),
  'many dates': (n) => '<time datetime="2020-01-01" class="published modified">'.repeat(n / 56),
  'class names': (n) => `<div class="${'nav-menu '.repeat(100)}">x</div>`.repeat(n / 920),
  'regions in regions': (n) => '<main><nav><article><aside data-nosnippet><header>x'.repeat(n / 53),
  'many small regions': (n) => '<nav>x</nav><div class=menu>y</div><p>'.repeat(n / 38),
  'microdata in microdata': (n) => '<div itemscope itemtype=T itemprop=a><b itemprop=b>'.repeat(n / 51),
  'JSON-LD nested': (n) => `<script type=application/ld+json>${'{"@type":"T","a":['.repeat(n / 18)}</script>`,
  'JSON-LD that is wide': (n) =>
    `<script type=application/ld+json>[${'{"@type":"T","a":[1,2]},'.repeat(n / 25)}0]</script>`,
  'JSON-LD again and again': (n) =>
    `<script type=application/ld+json>{"@graph":[[[[{"@type":"T"}]]]]}</script>`.repeat(n / 72),
  'marks in marks': (n) => '<b>a<i>b<a href=x>c</b>'.repeat(n / 24),
  drawings: (n) => '<svg><a href=x><title>y</svg>'.repeat(n / 30),
  templates: (n) => '<template><script></script>'.repeat(n / 28),
  'CDATA that is never closed': (n) => '<svg><![CDATA['.repeat(n / 14),
  'style sheets': (n) => `<style>${'a{b:url(c'.repeat(n / 9)}`,
  'rules of a style sheet': (n) => `<style>${'@import ['.repeat(n / 9)}`,
  'strings of a style sheet': (n) => `<style>${'image("\n'.repeat(n / 8)}`,
  'escapes of a style sheet': (n) => `<style>${'\\75\\'.repeat(n / 4)}`,
  'comments of a style sheet': (n) => `<style>${'/*/ image-set('.repeat(n / 14)}`,
  'styles of elements': (n) => `<p style="${'@import;u\\72 l(x)'.repeat(20)}">`.repeat(n / 360),
  'tables that are not closed': (n) => `infobox${'<table class="'.repeat(n / 14)}`,
  'rows of an infobox': (n) => `<table class=infobox>${'<tr><th>a<td>b<table></table>'.repeat(n / 29)}`,
  'white space': (n) => `<p>${' \n\t'.repeat(n / 3)}`,
  'Latin-1 without a label': (n) => Buffer.alloc(n, 0xe9),
  'old Japanese without a label': (n) => Buffer.alloc(n, Buffer.from([0x83, 0x41, 0x82, 0xa0, 0x20])),
  'invalid UTF-8': (n) => Buffer.alloc(n, Buffer.from([0xf0, 0x9f, 0x3c, 0xc0])),
};

const MARKDOWN: Record<string, Make> = {
  'backticks of growing length': (n) => runs('`', n),
  'stars of growing length': (n) => runs('*', n),
  underscores: (n) => '_a_'.repeat(n / 3),
  brackets: (n) => '[a '.repeat(n / 3),
  'brackets and targets': (n) => '[a](b '.repeat(n / 6),
  'images in a link that is not closed': (n) => `${'![a](b)'.repeat(40)}[`.repeat(n / 281),
  'links of images that are not closed': (n) => `[${'![a](b)'.repeat(40)}`.repeat(n / 281),
  'a cell of a table that is none': (n) => `|-${'| '.repeat(40)}x\n`.repeat(n / 84),
  'a long rule of a table': (n) => `|-${'|  '.repeat(n / 3)}x`,
  'addresses that end in dots': (n) => `http://${'.'.repeat(1990)}x `.repeat(n / 2000),
  'a long paragraph': (n) => 'a\n'.repeat(n / 2),
  definitions: (n) => series('[#]: b\n', n / 2) + series('[#] ', n / 2),
  fences: (n) => '~~~~\n```\n'.repeat(n / 9),
  'front matter that is not closed': (n) => `---\n${'\n---x'.repeat(n / 5)}`,
  quotes: (n) => `${'>'.repeat(1000)} a\n`.repeat(n / 1003),
  tags: (n) => `<a ${'b '.repeat(2000)}`.repeat(n / 4003),
  'titles of links': (n) => `[a](b "${"'".repeat(490)} `.repeat(n / 500),
  headings: (n) => `# ${' #'.repeat(500)}x\n`.repeat(n / 1004),
};

const XML: Record<string, Make> = {
  'items without end': (n) => `<rss>${'<item><title>a'.repeat(n / 14)}`,
  'different fields': (n) => `<rss><item>${series('<f#>a', n)}`,
  'fields in fields': (n) => `<rss><item>${'<a>'.repeat(n / 3)}`,
  summaries: (n) => `<rss>${'<item><description>&lt;b&gt;</description>'.repeat(n / 42)}`,
  'one long summary': (n) => `<rss><item><description>${'&lt;b&gt;'.repeat(n / 9)}`,
  dates: (n) => `<rss>${'<item><pubDate>Tue, 05 Nov 2024 10:00:00 GMT</pubDate>'.repeat(n / 55)}`,
  entities: (n) => `<!DOCTYPE a [${series('<!ENTITY a# "&a;&a;">', n)}]><rss>&a1;`,
  'ends of CDATA': (n) => `<rss><item><title><![CDATA[${']]'.repeat(n / 2)}`,
  links: (n) => `<rss>${series('<item><link>http://a.example/#</link>', n)}`,
};

const JSON_FEED: Record<string, Make> = {
  'nested lists': (n) => `{"version":"https://jsonfeed.org/version/1","items":${'['.repeat(n)}`,
  'many items': (n) =>
    `{"version":"https://jsonfeed.org/version/1","items":[${'{"url":"a","content_html":"<b>"},'.repeat(n / 33)}{}]}`,
};

const SHOW = 'BT /F 10 Tf (a) Tj ET ';
const FONT = `/Font<</F ${HELVETICA}>>`;
const body = (text: string) => Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.from(text, 'latin1')]);
/** Makes a PDF with one page whose content is the given stream. */
const pageOf = (dictionary: string, data: Buffer) =>
  makePdf({
    pages: [],
    page: '',
    extra: [{ dictionary, data }, { dictionary: `<</Type/Page/Resources<</F 1${FONT}>>/Contents 100 0 R>>` }],
  });

/** Makes a PDF in which each form draws the next form `breadth` times. */
export function nestedForms(breadth: number, depth: number, last = SHOW): Buffer {
  const extra = Array.from({ length: depth }, (_, i) => ({
    dictionary: `/Subtype/Form/Resources<</XObject<</X ${101 + i} 0 R>>${FONT}>>`,
    data: Buffer.from(i === depth - 1 ? last : '/X Do '.repeat(breadth)),
  }));
  const page = '/Resources<</XObject<</X 100 0 R>>>>';
  return makePdf({ pages: ['/X Do '.repeat(breadth)], page, extra });
}

/** Makes a PDF with one page that lists the same stream `count` times. */
export function repeatedStream(count: number, dictionary: string, data: Buffer): Buffer {
  const contents = `<</Type/Page/Contents[${'100 0 R '.repeat(count)}]>>`;
  return makePdf({ pages: [], extra: [{ dictionary, data }, { dictionary: contents }] });
}

const withFont = (font: string, extra: { dictionary: string; data?: Buffer }[] = []) =>
  makePdf({ pages: [SHOW], fonts: { F: font }, extra });

export function widthRanges(bytes: number): Buffer {
  const widths = '0 65535 1 '.repeat(bytes / 10);
  return withFont(`<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</W[${widths}]>>]>>`);
}

/** Makes a small PDF that decompresses to a gigabyte. */
export function packedTwice(text: string, bytes: number, start = ''): Buffer {
  const content = Buffer.concat([Buffer.from(start), Buffer.alloc(bytes, text, 'latin1')]);
  return pageOf('/Filter[/FlateDecode/FlateDecode]', twice(content));
}

function twice(data: Buffer): Buffer {
  return deflateSync(deflateSync(data, { level: 9 }), { level: 9 });
}

/**
 * Makes an LZW stream in which each code stands for the word of the previous code and one more letter.
 * Therefore 6 KB decompress to 7 MB.
 */
export function lzwBomb(): Buffer {
  let bits = '';
  for (let code = 256; code < 4096; code++) {
    const width = code < 511 ? 9 : code < 1023 ? 10 : code < 2047 ? 11 : 12;
    bits += (code === 257 ? 97 : code).toString(2).padStart(width, '0');
  }
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}

const BROKEN = Buffer.concat([
  deflateSync(Buffer.alloc(1 << 22), { level: 9 }).subarray(0, -100),
  Buffer.alloc(99, 255),
]);

const PDF: Record<string, Make> = {
  'forms that draw forms': () => nestedForms(20, 6),
  'forms that draw nothing': () => nestedForms(20, 6, ' '),
  'a large stream named again and again': (n) =>
    repeatedStream(n / 10, '/Filter/FlateDecode', deflateSync(Buffer.alloc(64 * n))),
  'a broken stream named again and again': (n) => repeatedStream(n / 10, '/Filter/FlateDecode', BROKEN),
  'an empty stream named again and again': (n) => repeatedStream(n / 8, '', Buffer.from(' ')),
  'many broken streams': (n) =>
    makePdf({
      pages: [],
      extra: [
        { dictionary: `<</Type/Page/Contents[${series('10# 0 R ', (n / BROKEN.length) * 8)}]>>` },
        ...Array.from({ length: n / BROKEN.length }, () => ({
          dictionary: '/Filter/FlateDecode',
          data: BROKEN,
        })),
      ],
    }),
  'many filters': (n) => pageOf(`/Filter[${'/AHx '.repeat(n / 5)}]`, Buffer.from('00')),
  'many filters that grow': (n) => pageOf(`/Filter[/Fl/Fl${'/A85'.repeat(30)}]`, twice(Buffer.alloc(n, 'z'))),
  'drawing packed twice': (n) => packedTwice('/X Do ', 24 * n),
  'matrices packed twice': (n) => packedTwice('cm ', 24 * n),
  'a string of escapes packed twice': (n) => packedTwice('\\1', 24 * n, '('),
  'a name of escapes packed twice': (n) => packedTwice('#41', 24 * n, '/'),
  'Chinese codes': (n) =>
    makePdf({
      pages: [`BT /F 10 Tf (${'\xb0\xa1'.repeat(4 * n)}) Tj ET`],
      fonts: { F: '<</Subtype/Type0/Encoding/GBK-EUC-H>>' },
    }),
  'numbers packed twice': (n) => packedTwice('1 ', 24 * n),
  'text packed twice': (n) => packedTwice(SHOW, 24 * n),
  'a string packed twice': (n) => packedTwice('(((', 24 * n),
  'white space packed twice': (n) => packedTwice('  ', 24 * n),
  'a comment packed twice': (n) => packedTwice('%%', 24 * n),
  'runs packed twice': (n) => pageOf('/Filter[/Fl/Fl/RL]', twice(Buffer.alloc(n, '\x81a', 'latin1'))),
  'LZW packed twice': (n) => pageOf('/Filter[/Fl/Fl/LZW]', twice(Buffer.alloc(n, lzwBomb()))),
  'rows of one byte': (n) =>
    pageOf('/Filter/Fl/DecodeParms<</Predictor 15/Columns 1>>', deflateSync(Buffer.alloc(24 * n, '\x04a'))),
  'ranges of widths': widthRanges,
  'one list of widths for many fonts': (n) => {
    const fonts = Array.from({ length: n / 60 }, (_, i) => [`F${i}`, '<</Type/Font/Widths 100 0 R>>']);
    const use = fonts.map(([name]) => `/${name} 1 Tf `).join('');
    const extra = [{ dictionary: `[${'1 '.repeat(n / 4)}]` }];
    return makePdf({ pages: [use], fonts: Object.fromEntries(fonts) as Record<string, string>, extra });
  },
  'one map to Unicode for many fonts': (n) => {
    const fonts = Array.from({ length: n / 60 }, (_, i) => [`F${i}`, '<</Type/Font/ToUnicode 100 0 R>>']);
    const use = fonts.map(([name]) => `/${name} 1 Tf `).join('');
    const extra = [
      { dictionary: '', data: Buffer.from(`${'<0000> <ffff> <0041> '.repeat(n / 42)}endbfrange`) },
    ];
    return makePdf({ pages: [use], fonts: Object.fromEntries(fonts) as Record<string, string>, extra });
  },
  'ranges of a map to Unicode': (n) =>
    withFont('<</Subtype/Type0/Encoding/Identity-H/ToUnicode 100 0 R>>', [
      { dictionary: '', data: Buffer.from(`${'<0000> <ffff> <0041> '.repeat(n / 21)}endbfrange`) },
    ]),
  'long texts of codes': (n) =>
    makePdf({
      pages: [`BT /F 10 Tf (${'a'.repeat(n)}) Tj ET`],
      fonts: { F: '<</Type/Font/ToUnicode 100 0 R>>' },
      extra: [{ dictionary: '', data: Buffer.from(`<61> <${'0041'.repeat(16)}> endbfchar`) }],
    }),
  'small fonts': (n) => {
    const fonts = Array.from({ length: n / 40 }, (_, i) => [`F${i}`, '<</A 1>>']);
    const use = fonts.map(([name]) => `/${name} 1 Tf `).join('');
    return makePdf({ pages: [use], fonts: Object.fromEntries(fonts) as Record<string, string> });
  },
  'a paragraph of many lines': (n) =>
    makePdf({ pages: [`BT /F 10 Tf 12 TL ${'(ab-) Tj T* '.repeat(n / 4)}ET`] }),
  'a line of many pieces': (n) => makePdf({ pages: [`BT /F 10 Tf ${'(a.) Tj '.repeat(n / 4)}ET`] }),
  'pieces far apart': (n) => makePdf({ pages: [`BT /F 10 Tf ${'(a) Tj 0 50 Td '.repeat(n / 8)}ET`] }),
  'a number without end': (n) => body(`1 0 obj ${'1'.repeat(n)}x`),
  'strings that are not closed': (n) => body(series('# 0 obj(', n)),
  'dictionaries that are not closed': (n) => body(series('# 0 obj<</Type/Page', n)),
  'lists that are not closed': (n) => body(series('# 0 obj[1 ', n)),
  'objects that are said to be tables': (n) => body(series('# 0 obj<</A(XRef ', n)),
  'streams without an end': (n) => body(series('# 0 obj<</Type/Page/Contents # 0 R>>stream\n', n)),
  'object streams at one place': (n) =>
    makePdf({
      pages: [],
      extra: [
        {
          dictionary: `/Type/ObjStm/N ${Math.floor(n / 10)}/First ${series('# 0 ', n / 2).length}`,
          data: Buffer.from(`${series('# 0 ', n / 2)}[${'1 '.repeat(n / 4)}]`),
        },
      ],
    }),
  'lengths that need other lengths': (n) =>
    body(`${series('1# 0 obj<</Type/Page/Length 1#1 0 R>>stream\nendstream ', n)}`),
  'a chain of lengths': (n) => {
    const count = Math.floor(n / 50);
    return body(
      `${Array.from({ length: count }, (_, i) => `${i + 1} 0 obj<</Type/Page/Length ${i + 2} 0 R>>stream\nendstream `).join('')}trailer<</Root 1 0 R>>`,
    );
  },
  'a page tree in a circle': (n) =>
    makePdf({
      pages: [],
      catalog: '/Pages 100 0 R',
      extra: [
        { dictionary: '<</Kids 101 0 R>>' },
        { dictionary: `[${series('10# 0 R ', n / 3)}]` },
        ...Array.from({ length: n / 40 }, () => ({ dictionary: '<</Kids 101 0 R>>' })),
      ],
    }),
  'one list of annotations for many pages': (n) =>
    makePdf({
      pages: [],
      extra: [
        { dictionary: `[${'<</A<</URI(x)>>>>'.repeat(2000)}]` },
        ...Array.from({ length: n / 50 }, () => ({ dictionary: '<</Type/Page/Annots 100 0 R>>' })),
      ],
    }),
  'one list of contents for many pages': (n) =>
    makePdf({
      pages: [],
      extra: [
        { dictionary: `[${'102 0 R '.repeat(n / 16)}]` },
        { dictionary: '<<>>' },
        { dictionary: '', data: Buffer.from(' ') },
        ...Array.from({ length: n / 60 }, () => ({ dictionary: '<</Type/Page/Contents 100 0 R>>' })),
      ],
    }),
  trailers: (n) => body(series('trailer<<[1 1 1 1 1 1 ', n)),
  'images in the content': (n) => makePdf({ pages: ['BI aEIb '.repeat(n / 2)] }),
  states: (n) => makePdf({ pages: ['q '.repeat(n)] }),
  'encrypted strings': (n) => encryptedStrings(n),
};

/**
 * Makes a PDF that is encrypted with the empty password and has many strings. Each string is decrypted
 * separately.
 */
function encryptedStrings(bytes: number): Buffer {
  const locked = makePdf({
    pages: [],
    encryption: 'rc4',
    extra: [{ dictionary: `<</Type/Page/X[${'(a)'.repeat(bytes / 3)}]>>` }],
  });
  return locked;
}

const PLAIN: Record<string, Make> = {
  'empty lines': (n) => '\n'.repeat(n),
  'one line': (n) => 'a'.repeat(n),
  'wide characters': (n) => '\u3000\u{1f600}'.repeat(n / 7),
};

export const HOSTILE_DOCUMENTS: HostileDocument[] = [
  ...of('text/html', HTML),
  ...of('application/xhtml+xml', {
    CDATA: (n) => '<![CDATA[a]]>'.repeat(n / 13),
    'empty tags': (n) => '<p/>'.repeat(n / 4),
  }),
  ...of('text/markdown', MARKDOWN),
  ...of('application/rss+xml', XML),
  ...of('application/feed+json', JSON_FEED),
  ...of('application/pdf', PDF),
  ...of('text/plain', PLAIN),
];

function of(contentType: string, makers: Record<string, Make>): HostileDocument[] {
  return Object.entries(makers).map(([name, make]) => ({
    name,
    contentType,
    make: (bytes) => Buffer.from(make(bytes)),
  }));
}
