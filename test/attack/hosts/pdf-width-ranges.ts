import { makePdf } from '../../../src/page/pdf/pdf.fixture.ts';
import type { HostileHost } from '../attack.ts';
import { listedBody } from '../hostile-pages.ts';

const RANGES = 66_000;

/** Makes a PDF with a font whose widths are 66,000 ranges of 65,536 codes each. */
export function widthRangesPdf(): Buffer {
  const ranges = Array.from({ length: RANGES }, (_, number) => `0 65535 ${number % 1000}`).join(' ');
  const font = `<</Type/Font/Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 500/W[${ranges}]>>]>>`;
  const content = 'BT /F 10 Tf 50 700 Td <00410042> Tj ET';
  return makePdf({ pages: [content], fonts: { F: font }, info: '/Title(Widths)' });
}

export const pdfWidthRanges: HostileHost = {
  name: 'pdf-width-ranges',
  what: 'A PDF of 1 MB with a font of 66,000 width ranges.',
  scale: { short: { hosts: 1, pages: 2 }, long: { hosts: 4, pages: 10 } },
  serve: (scale) => ({
    protocol: 'http',
    handle: listedBody(scale, widthRangesPdf(), { 'content-type': 'application/pdf' }, '.pdf'),
  }),
};
