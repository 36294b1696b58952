/**
 * Crawls a site of office documents: they are found by their words, formats and titles, and the pages that they link
 * to are crawled. A document that cannot be read is archived and counted, with the reason.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import {
  makeDocx,
  makeEpub,
  makeOpenDocument,
  makeXlsx,
  makeZip,
  relationships,
  wordParts,
} from '../../src/page/office/office.fixture.ts';
import { OFFICE_TYPES } from '../../src/page/office/office-types.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { filesWith } from '../helpers/file-search.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';

const LINKED = makeZip(
  wordParts('<w:p><w:hyperlink r:id="rId1"><w:r><w:t>apple harvest</w:t></w:r></w:hyperlink></w:p>').map(
    (part) =>
      part.name === 'word/_rels/document.xml.rels'
        ? {
            ...part,
            content: relationships([{ id: 'rId1', type: 'hyperlink', target: '/linked', isExternal: true }]),
          }
        : part,
  ),
);
const LOCKED = makeZip([
  { name: 'content.xml', content: 'unreadable bytes' },
  { name: 'META-INF/manifest.xml', content: '<m><manifest:encryption-data/></m>' },
]);
const BODIES: Readonly<Record<string, [type: string, body: Buffer]>> = {
  '/report.docx': [OFFICE_TYPES.docx, LINKED],
  '/linked': ['text/html', Buffer.from('<p>quince')],
  '/ports.xlsx': [
    'application/octet-stream',
    makeXlsx([{ name: 'Ports', rows: '<row><c t="s"><v>0</v></c></row>' }], ['<t>banana boats</t>']),
  ],
  '/notes': [
    OFFICE_TYPES.odt,
    makeOpenDocument('text', '<office:text><text:p>cherry notes</text:p></office:text>'),
  ],
  '/sea.epub': [OFFICE_TYPES.epub, makeEpub(['<p>durian chapter</p>'])],
  '/torn.docx': [OFFICE_TYPES.docx, makeDocx().subarray(0, 900)],
  '/locked.odt': [OFFICE_TYPES.odt, LOCKED],
  '/bomb.docx': [OFFICE_TYPES.docx, makeDocx(' '.repeat(50 << 20))],
};

test('office documents are found, and those that cannot be read are archived and counted', async (context) => {
  const links = Object.keys(BODIES).map((path) => (path === '/linked' ? '' : `<a href="${path}">on</a>`));
  const server = createServer((request, response) => {
    const [type, body] = BODIES[request.url!] ?? ['text/html', Buffer.from(links.join(' '))];
    response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const data = temporaryDirectory(context);
  const run = async (...args: string[]) => {
    const finished = await gyre([...args, '--data', data]);
    assert.equal(finished.code, 0, finished.stderr);
    return finished.stdout;
  };
  await run('crawl', '--delay', '2ms', seed);
  const counts = reasonsIn(await run('status', '--json'));
  assert.equal(counts.get('encrypted document'), 1);
  assert.equal(counts.get('damaged document'), 1);
  assert.equal(counts.get('document too large when decompressed'), 1);
  assert.equal(counts.get('page'), 6);
  const archived = await filesWith(join(data, 'archive'), LOCKED);
  assert.equal(archived.length, 1, 'the archive has the document that cannot be read');
  await run('build');
  const searcher = openSearcher(openDirectory(join(data, 'index')), { log: silentLog, clock: systemClock });
  context.after(() => searcher.close());
  const found = async (query: string) => {
    const { results } = await searcher.search({ query, offset: 0, limit: 10 });
    return results.map(({ url, format = '' }) => `${new URL(url).pathname} ${format}`.trim()).toSorted();
  };
  assert.deepEqual(await found('apple harvest'), ['/report.docx docx']);
  assert.deepEqual(await found('quince'), ['/linked']);
  assert.deepEqual(await found('filetype:xlsx'), ['/ports.xlsx xlsx']);
  assert.deepEqual(await found('cherry filetype:document'), ['/notes odt']);
  assert.deepEqual(await found('durian intitle:sea'), ['/sea.epub epub']);
  const all = ['/notes odt', '/ports.xlsx xlsx', '/report.docx docx', '/sea.epub epub'];
  assert.deepEqual(await found('filetype:document'), all);
});

/** Returns the number of fetched URLs for each reason in the output of `gyre status --json`. */
function reasonsIn(status: string): Map<string, number> {
  const { answers } = JSON.parse(status) as { answers: { reason: string; count: number }[] };
  return new Map(answers.map(({ reason, count }) => [reason, count]));
}
