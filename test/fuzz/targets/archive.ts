/** Files of other programs that are imported: WARC, WACZ (ZIP), CDXJ and documents as JSON lines. */
import assert from 'node:assert/strict';
import { crc32, gzipSync, zstdCompressSync } from 'node:zlib';
import { documentIdOf, pageOfDocument, parseDocument } from '../../../src/archive/document-record.ts';
import { interpretRecord } from '../../../src/archive/archived-page.ts';
import { decodeCdx } from '../../../src/archive/cdx/cdx-format.ts';
import { lineStartsOf, matchesQuery } from '../../../src/archive/cdx/cdx-query.ts';
import { archivableOf, isCapture } from '../../../src/archive/warc/foreign-record.ts';
import { WarcParser } from '../../../src/archive/warc/warc-parser.ts';
import { httpOf, noDamage, readWarc } from '../../../src/archive/warc/warc-reader.ts';
import { fileOf, foreignRecord, htmlPage, httpResponse } from '../../../src/archive/warc/warc.fixture.ts';
import { openZipEntry, readZipDirectory, ZipWriter } from '../../../src/base/zip/mod.ts';
import { canonicalize } from '../../../src/url/mod.ts';
import { allowRefusal, checkValue, type FuzzTarget, texts } from '../target.ts';

const MAX_RECORD_BYTES = 1 << 20;

function warcSeeds(): Buffer[] {
  const page = foreignRecord({ block: httpResponse(htmlPage('Tides')) });
  const chunked = httpResponse('5\r\nhello\r\n0\r\n\r\n', { 'Transfer-Encoding': 'chunked' });
  return [
    Buffer.concat([foreignRecord({ type: 'warcinfo', url: '', block: 'software: x\r\n' }), page]),
    Buffer.concat([
      foreignRecord({ block: chunked }),
      foreignRecord({ type: 'request', block: 'GET / HTTP/1.1\r\n\r\n' }),
    ]),
    foreignRecord({
      type: 'revisit',
      block: 'HTTP/1.1 304 Not Modified\r\n\r\n',
      fields: {
        'WARC-Refers-To-Target-URI': 'http://example.org/',
        'WARC-Refers-To-Date': '2020-01-01T00:00:00Z',
      },
    }),
    foreignRecord({
      type: 'resource',
      block: '<p>x',
      fields: { 'Content-Type': 'text/html' },
      lineEnd: '\n',
    }),
    foreignRecord({
      type: 'conversion',
      block: 'plain',
      fields: { 'Content-Type': 'text/plain', 'WARC-Block-Digest': 'sha1:AAAA' },
    }),
  ];
}

const WARC_WORDS = [
  'WARC/1.0\r\n',
  'WARC/1.1\r\n',
  'Content-Length: ',
  'WARC-Type: response\r\n',
  'WARC-Target-URI: <',
  'WARC-Date: ',
  '\r\n\r\n',
  '\n\n',
  'WARC-Payload-Digest: sha1:',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: gzip\r\n',
  ' folded\r\n',
  'HTTP/1.1 200\r\n',
];

/** Reads all records, as an import does, and returns their types and URLs. */
async function readRecords(bytes: Buffer): Promise<string[]> {
  const found: string[] = [];
  for await (const { record, offset } of readWarc(fileOf(bytes), noDamage(), MAX_RECORD_BYTES)) {
    assert.ok(offset >= 0 && offset <= bytes.length);
    const archived = { ...record, http: httpOf(record) };
    const url = canonicalize(record.targetUri);
    if (isCapture(archived) && url) {
      archivableOf(archived, url);
      checkValue(interpretRecord(archived, url));
    }
    found.push(`${record.type} ${record.targetUri} ${record.block.length}`);
  }
  return found;
}

function zipOf(files: Record<string, Buffer>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const writer = new ZipWriter(async (bytes) => void pieces.push(Uint8Array.from(bytes)));
  return (async () => {
    for (const [name, bytes] of Object.entries(files))
      await writer.add({ name, size: bytes.length, crc32: crc32(bytes) }, [bytes]);
    await writer.end();
    return Buffer.concat(pieces);
  })();
}

export const ARCHIVE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'warc',
    about: 'a WARC file: pieces of any size give the same records as the whole file',
    seeds: warcSeeds,
    words: WARC_WORDS,
    async run(input) {
      await readRecords(input);
      const recordsIn = (chunks: readonly Buffer[]) => {
        const parser = new WarcParser();
        const records = chunks.flatMap((chunk) => parser.push(chunk));
        records.push(...parser.end());
        return records.map(({ record }) => `${record.type} ${record.targetUri} ${record.block.length}`);
      };
      const middle = input.length >> 1;
      const halves = [input.subarray(0, middle), input.subarray(middle)];
      assert.deepEqual(recordsIn(halves), recordsIn([input]));
    },
  },
  {
    name: 'warc-compressed',
    about: 'a compressed WARC file with damage: the other records are read',
    seeds: () => [
      Buffer.concat(warcSeeds().map((record) => gzipSync(record))),
      Buffer.concat(warcSeeds().map((record) => zstdCompressSync(record))),
      gzipSync(Buffer.concat(warcSeeds())),
    ],
    run: (input) => readRecords(input),
  },
  {
    name: 'http-message',
    about: 'the HTTP response in an intact WARC record: any bytes have a meaning or none',
    seeds: () => [
      httpResponse(htmlPage('Tides')),
      httpResponse('5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n', { 'Transfer-Encoding': 'chunked' }),
      httpResponse(gzipSync('<p>x'), { 'Content-Encoding': 'gzip' }),
    ],
    words: WARC_WORDS,
    run: (input) => readRecords(foreignRecord({ block: input })),
  },
  {
    name: 'zip',
    about: 'a WACZ file: damage is reported, entries stay inside of the file and of their limit',
    seeds: async () => [
      await zipOf({
        'archive/a.warc': warcSeeds()[0]!,
        'datapackage.json': Buffer.from('{"profile":"data-package"}'),
      }),
      await zipOf({ '../../etc/passwd': Buffer.from('x'), 'archive/b.warc.gz': gzipSync(warcSeeds()[1]!) }),
    ],
    words: ['PK\u0001\u0002', 'PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0006\u0006', '../', 'archive/'],
    async run(input) {
      const file = fileOf(input);
      const entries = await allowRefusal(() => readZipDirectory(file));
      for (const entry of entries ?? []) {
        const opened = openZipEntry(file, entry);
        if (opened) await readRecords(opened.read(0, opened.size));
      }
    },
  },
  {
    name: 'document-line',
    about: 'a line of a file of documents: it is a document or has a problem',
    seeds: () =>
      texts(
        '{"id":"1","url":"https://example.org/","title":"T","text":"one\\ntwo","language":"en","date":"2024-02-29","collections":["a"],"facets":{"k":["v"]},"kind":"x"}',
        '{"id":5,"text":"a","fields":{"price":"12"}}',
      ),
    words: [
      '"__proto__":',
      '"id":',
      '"url":',
      '"text":',
      'null',
      '[]',
      '{}',
      '1e999',
      '"\\ud800"',
      '"\\u0000"',
      'true',
    ],
    run(input) {
      const parsed = parseDocument(input.toString('utf8'), 'test');
      // The texts of a document may have lone surrogates; its page may not.
      if ('problem' in parsed) checkValue(parsed.problem);
      if ('document' in parsed) {
        const { document } = parsed as { document: Parameters<typeof pageOfDocument>[0] };
        checkValue(pageOfDocument(document));
        documentIdOf(document.url);
      }
    },
  },
  {
    name: 'cdx',
    about: 'a line of a CDXJ file, and a query for captures',
    seeds: () =>
      texts(
        'org,example)/a 20240229100000 {"url":"https://example.org/a","mime":"text/html","status":"200","digest":"sha1:A","offset":"1","length":"2","filename":"a.warc.gz"}',
        'com,a)/?b=c 20240101000000 {"url":"http://a.com/?b=c"}',
      ),
    words: ['"url":', '"offset":"-1"', 'null', '{}', ')/', ','],
    run(input) {
      const line = input.toString('utf8');
      const entry = decodeCdx(line);
      lineStartsOf({ url: line.slice(0, 2000), matchType: 'domain' });
      if (entry)
        matchesQuery(entry, {
          from: '2024',
          to: '2024',
          filters: [line.slice(0, 300), '!mimetype:text/html'],
        } as never);
    },
  },
];
