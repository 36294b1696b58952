import { HELVETICA, makePdf } from '../../../src/page/pdf/pdf.fixture.ts';
import type { HostileHost } from '../attack.ts';
import { listedBody } from '../hostile-pages.ts';

const DEPTH = 6;
const DRAWS = 20;

/**
 * Makes a PDF in which form 100 draws form 101 twenty times, which draws form 102 twenty times, and so on: 64
 * million draws.
 */
export function formsPdf(): Buffer {
  const extra = Array.from({ length: DEPTH }, (_, level) => ({
    dictionary: `/Subtype/Form/BBox[0 0 612 792]/Resources<</XObject<</X ${101 + level} 0 R>>/Font<</F ${HELVETICA}>>>>`,
    data: Buffer.from(`${'q 1 0 0 1 0 0 cm /X Do Q\n'.repeat(DRAWS)}BT /F 10 Tf 50 700 Td (.) Tj ET`),
  }));
  const page = `/Resources<</XObject<</X 100 0 R>>/Font<</F ${HELVETICA}>>>>`;
  return makePdf({ pages: ['/X Do'], extra, page, info: '/Title(Forms)' });
}

export const pdfForms: HostileHost = {
  name: 'pdf-forms',
  what: 'A PDF of a few KB on many URLs: forms that draw the next form 20 times, six deep.',
  scale: { short: { hosts: 2, pages: 3 }, long: { hosts: 4, pages: 40, seconds: 90 } },
  serve: (scale) => ({
    protocol: 'http',
    handle: listedBody(scale, formsPdf(), { 'content-type': 'application/pdf' }, '.pdf'),
  }),
};
