/** Makes small office documents and e-books for tests. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Part {
  name: string;
  content: string | Buffer;
  /** Stored without compression. */
  isStored?: boolean;
  /** Marked as encrypted in the ZIP file. */
  isEncrypted?: boolean;
  /** The size that the headers state, if it is not the real one. */
  statedSize?: number;
}

/** Returns a ZIP file. */
export function makeZip(parts: readonly Part[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, isStored = false, isEncrypted = false, statedSize } of parts) {
    const raw = Buffer.from(content as string);
    const data = isStored ? raw : deflateRawSync(raw);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800 | (isEncrypted ? 1 : 0), 2);
    common.writeUInt16LE(isStored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(raw), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(statedSize ?? raw.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, position, Buffer.from(name));
    bodies.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, central, end]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const DOCUMENT_TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_TYPES = 'http://schemas.openxmlformats.org/package/2006';

interface RelationshipXml {
  id: string;
  type: string;
  target: string;
  isExternal?: boolean;
}

export function relationships(list: readonly RelationshipXml[]): string {
  const entries = list.map(
    ({ id, type, target, isExternal = false }) =>
      `<Relationship Id="${id}" Type="${type.includes(':') ? type : `${DOCUMENT_TYPES}/${type}`}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE_TYPES}/relationships">${entries.join('')}</Relationships>`;
}

/** Properties of a document as Office Open XML writes them. */
export const CORE = `${XML}<cp:coreProperties xmlns:cp="${PACKAGE_TYPES}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>Tide tables &amp; moons</dc:title><dc:creator>Ada Byron</dc:creator><dc:description>When the sea rises</dc:description><cp:keywords>tides, moon</cp:keywords><dc:language>en-GB</dc:language><dcterms:created xsi:type="dcterms:W3CDTF">2024-02-29T10:00:00Z</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">2024-03-01T11:00:00Z</dcterms:modified></cp:coreProperties>`;

function openXml(main: string, parts: readonly Part[]): Part[] {
  const root = relationships([
    { id: 'rId1', type: 'officeDocument', target: main },
    {
      id: 'rId2',
      type: `${PACKAGE_TYPES}/relationships/metadata/core-properties`,
      target: 'docProps/core.xml',
    },
  ]);
  return [
    { name: '[Content_Types].xml', content: `${XML}<Types/>` },
    { name: '_rels/.rels', content: root },
    { name: 'docProps/core.xml', content: CORE },
    ...parts,
  ];
}

/** Returns the parts of a Word document. `body` is the content of `w:body`. */
export function wordParts(body: string, more: readonly Part[] = [], core = CORE): Part[] {
  const styles = ['Heading1:heading 1', 'berschrift2:heading 2', 'Titel:Title'].map((style) => {
    const [id, name] = style.split(':');
    return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  });
  const based =
    '<w:style w:type="paragraph" w:styleId="Chapter"><w:name w:val="Chapter"/><w:basedOn w:val="berschrift2"/></w:style>';
  const loop =
    '<w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style>';
  const parts = openXml('word/document.xml', [
    {
      name: 'word/document.xml',
      content: `${XML}<w:document xmlns:w="w" xmlns:r="r"><w:body>${body}</w:body></w:document>`,
    },
    { name: 'word/styles.xml', content: `${XML}<w:styles>${styles.join('')}${based}${loop}</w:styles>` },
    {
      name: 'word/_rels/document.xml.rels',
      content: relationships([
        { id: 'rId1', type: 'styles', target: 'styles.xml' },
        { id: 'rId2', type: 'hyperlink', target: 'https://moon.example/', isExternal: true },
        { id: 'rId3', type: 'footnotes', target: '/word/footnotes.xml' },
        { id: 'rId4', type: 'hyperlink', target: 'other.docx', isExternal: true },
      ]),
    },
    ...more,
  ]);
  return parts.map((part) => (part.name === 'docProps/core.xml' ? { ...part, content: core } : part));
}

export const WORD_BODY =
  '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>Tides</w:t></w:r></w:p>' +
  '<w:p><w:r><w:t xml:space="preserve">The </w:t></w:r><w:r><w:rPr><w:b w:val="true"/></w:rPr><w:t>moon</w:t></w:r><w:r><w:t xml:space="preserve"> pulls the sea. See </w:t></w:r>' +
  '<w:hyperlink r:id="rId2"><w:r><w:t xml:space="preserve">the </w:t></w:r><w:r><w:t>moon page</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r></w:p>' +
  '<w:p><w:pPr><w:pStyle w:val="Chapter"/></w:pPr><w:r><w:t>Spring</w:t><w:tab/><w:t>tides</w:t></w:r></w:p>' +
  '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>High</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Low</w:t></w:r></w:p></w:tc></w:tr></w:tbl>' +
  '<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:t>Kept</w:t></w:r></w:p>';

export function makeDocx(body = WORD_BODY, more: readonly Part[] = []): Buffer {
  return makeZip(wordParts(body, more));
}

/** Returns a presentation. Each slide is the content of `p:spTree`. */
export function makePptx(slides: readonly string[], notes = ''): Buffer {
  const ids = slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).reverse();
  const slideParts = slides.flatMap((shapes, i): Part[] => [
    {
      name: `ppt/slides/slide${i + 1}.xml`,
      content: `${XML}<p:sld${shapes.startsWith('HIDDEN') ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    },
    {
      name: `ppt/slides/_rels/slide${i + 1}.xml.rels`,
      content: relationships([
        { id: 'rId1', type: 'notesSlide', target: '../notesSlides/notesSlide1.xml' },
        { id: 'rId2', type: 'hyperlink', target: 'https://moon.example/', isExternal: true },
      ]),
    },
  ]);
  return makeZip(
    openXml('ppt/presentation.xml', [
      {
        name: 'ppt/presentation.xml',
        content: `${XML}<p:presentation><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
      },
      {
        name: 'ppt/_rels/presentation.xml.rels',
        content: relationships(
          slides.map((_, i) => ({ id: `rId${i + 1}`, type: 'slide', target: `slides/slide${i + 1}.xml` })),
        ),
      },
      ...slideParts,
      ...(notes === ''
        ? []
        : [{ name: 'ppt/notesSlides/notesSlide1.xml', content: `${XML}<p:notes>${notes}</p:notes>` }]),
    ]),
  );
}

export function shape(text: string, placeholder = ''): string {
  const type =
    placeholder === '' ? '' : `<p:nvSpPr><p:nvPr><p:ph type="${placeholder}"/></p:nvPr></p:nvSpPr>`;
  return `<p:sp>${type}<p:txBody><a:p><a:r><a:rPr lang="en"/><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
}

/** Returns a spreadsheet with the given sheets: name and content of `sheetData`. */
export function makeXlsx(
  sheets: readonly { name: string; rows: string; state?: string; after?: string }[],
  strings: readonly string[] = [],
  date1904 = false,
): Buffer {
  const list = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${name}" sheetId="${i + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${i + 1}"/>`,
  );
  return makeZip(
    openXml('/xl/workbook.xml', [
      {
        name: 'xl/workbook.xml',
        content: `${XML}<workbook><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${list.join('')}</sheets></workbook>`,
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: relationships([
          ...sheets.map((_, i) => ({
            id: `rId${i + 1}`,
            type: 'worksheet',
            target: `worksheets/sheet${i + 1}.xml`,
          })),
          { id: 'rId90', type: 'sharedStrings', target: 'sharedStrings.xml' },
          { id: 'rId91', type: 'styles', target: 'styles.xml' },
        ]),
      },
      {
        name: 'xl/sharedStrings.xml',
        content: `${XML}<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
      },
      {
        name: 'xl/styles.xml',
        content: `${XML}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]d\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="&quot;day&quot; 0"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
      },
      ...sheets.map(({ rows, after = '' }, i) => ({
        name: `xl/worksheets/sheet${i + 1}.xml`,
        content: `${XML}<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`,
      })),
      {
        name: 'xl/worksheets/_rels/sheet1.xml.rels',
        content: relationships([
          { id: 'rId1', type: 'hyperlink', target: 'https://moon.example/', isExternal: true },
        ]),
      },
    ]),
  );
}

const META = `${XML}<office:document-meta><office:meta><dc:title>Tide tables</dc:title><meta:initial-creator>Ada Byron</meta:initial-creator><dc:creator>Someone Else</dc:creator><meta:creation-date>2024-02-29T10:00:00</meta:creation-date><dc:date>2024-03-01T11:00:00.123456789</dc:date><dc:language>en-GB</dc:language></office:meta></office:document-meta>`;

/** Returns an OpenDocument file. `content` is the content of its body, such as `<office:text>…</office:text>`. */
export function makeOpenDocument(type: string, content: string, more: readonly Part[] = []): Buffer {
  return makeZip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${type}`, isStored: true },
    {
      name: 'content.xml',
      content: `${XML}<office:document-content><office:body>${content}</office:body></office:document-content>`,
    },
    { name: 'meta.xml', content: META },
    { name: 'META-INF/manifest.xml', content: `${XML}<manifest:manifest/>` },
    ...more,
  ]);
}

/** Returns an EPUB with chapters in the order of the spine, which is the reverse of the manifest. */
export function makeEpub(chapters: readonly string[], more: readonly Part[] = []): Buffer {
  const items = chapters.map(
    (_, i) => `<item id="c${i}" href="text/chapter%20${i}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, i) => `<itemref idref="c${i}"/>`);
  return makeZip([
    { name: 'mimetype', content: 'application/epub+zip', isStored: true },
    {
      name: 'META-INF/container.xml',
      content: `${XML}<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    {
      name: 'OEBPS/book.opf',
      content: `${XML}<package><metadata><dc:title>The Sea</dc:title><dc:creator>Ada Byron</dc:creator><dc:creator>Jules V.</dc:creator><dc:publisher>Moon Press</dc:publisher><dc:language>en</dc:language><dc:date>2020-05-01</dc:date><dc:description>About the sea.</dc:description><meta property="dcterms:modified">2021-01-02T03:04:05Z</meta></metadata><manifest><item id="img" href="cover.png" media-type="image/png"/>${items.reverse().join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    },
    ...chapters.map((body, i) => ({
      name: `OEBPS/text/chapter ${i}.xhtml`,
      content: `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Chapter file</title></head><body class="x">${body}</body></html>`,
    })),
    ...more,
  ]);
}
