import { deflateSync } from 'node:zlib';
import { makePdf } from '../../../src/page/pdf/pdf.fixture.ts';
import type { HostileHost } from '../attack.ts';
import { listedBody } from '../hostile-pages.ts';

const STREAM_BYTES = 27_000_000;
const NAMED = 5_000;

/**
 * Makes a PDF with one stream that inflates to 27 MB and is listed 5,000 times in the content of the page.
 */
export function repeatedStreamPdf(): Buffer {
  const data = deflateSync(Buffer.alloc(STREAM_BYTES, ' '), { level: 9 });
  const extra = [{ dictionary: '/Filter/FlateDecode', data }];
  const page = `/Contents[${'100 0 R '.repeat(NAMED)}]`;
  return makePdf({ pages: [''], extra, page, info: '/Title(Repeated)' });
}

export const pdfRepeatedStream: HostileHost = {
  name: 'pdf-repeated-stream',
  what: 'A PDF of 70 KB that names one stream of 27 MB 5,000 times.',
  scale: { short: { hosts: 1, pages: 2 }, long: { hosts: 4, pages: 10 } },
  serve: (scale) => ({
    protocol: 'http',
    handle: listedBody(scale, repeatedStreamPdf(), { 'content-type': 'application/pdf' }, '.pdf'),
  }),
};
